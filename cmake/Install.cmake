# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What is installed, and the CMake package that names it. Every part finds the
# others from where it is itself, so that an installation can be moved: hence
# `lib`, whatever the distribution calls it.

include(CMakePackageConfigHelpers)

set(BM_PACKAGE lib/cmake/BlockMaestro)

# All that is built for a user; tests and benchmarks are not.
add_custom_target(bm-installed DEPENDS bmclang bmnvcc bm-dump bm-sim bm-report blockmaestro
  BlockMaestroPasses blockmaestro-emulator blockmaestro-openmp-device bm-pages)

install(TARGETS bmclang bmnvcc bm-dump bm-sim bm-report EXPORT BlockMaestroTargets
  RUNTIME DESTINATION bin)
install(PROGRAMS $<TARGET_FILE_DIR:bmclang>/bmclang++ DESTINATION bin)
install(TARGETS blockmaestro BlockMaestroPasses EXPORT BlockMaestroTargets
  LIBRARY DESTINATION lib INCLUDES DESTINATION include)
install(TARGETS blockmaestro-emulator LIBRARY DESTINATION lib)
install(DIRECTORY include/blockmaestro DESTINATION include)
install(DIRECTORY machines DESTINATION share/blockmaestro)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/blockmaestro/report DESTINATION share/blockmaestro)
install(FILES tools/bm-report/page/LICENSE.echarts
  tools/bm-report/page/NOTICE.echarts
  DESTINATION share/blockmaestro/report)
foreach(pages man bash-completion fish zsh)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/share/${pages} DESTINATION share)
endforeach()
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md
  DESTINATION share/doc/blockmaestro)
install(DIRECTORY docs DESTINATION share/doc/blockmaestro)

# For builds that ask pkg-config.
configure_file(cmake/blockmaestro.pc.in
  ${CMAKE_BINARY_DIR}/blockmaestro.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/blockmaestro.pc
  DESTINATION lib/pkgconfig)

# The toolkit that `./dev setup` took from NVIDIA's wheels, where the driver
# looks for it; a toolkit of the system stays where it is.
cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${CUDA_ROOT} BM_CUDA_IS_OURS)
if(BM_CUDA_IS_OURS)
  install(DIRECTORY ${CUDA_ROOT}/ DESTINATION cuda USE_SOURCE_PERMISSIONS
    COMPONENT cuda)
endif()

# The toolkit of bmnvcc, of links to that one or to the system's.
set(BM_INSTALLED_CUDA ${CUDA_ROOT})
if(BM_CUDA_IS_OURS)
  set(BM_INSTALLED_CUDA "\${root}/cuda")
endif()
install(CODE "
  include(${PROJECT_SOURCE_DIR}/cmake/NvccToolkit.cmake)
  cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE root)
  set(root \"\$ENV{DESTDIR}\${root}\")
  bm_nvcc_toolkit(\"\${root}\" \"${BM_INSTALLED_CUDA}\")")

# The package, installed and in the build tree: -DBlockMaestro_DIR=build.
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/BlockMaestroConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
foreach(file Config Toolchain Runtime)
  configure_file(cmake/BlockMaestro${file}.cmake
    ${CMAKE_BINARY_DIR}/BlockMaestro${file}.cmake COPYONLY)
  install(FILES cmake/BlockMaestro${file}.cmake DESTINATION ${BM_PACKAGE})
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/BlockMaestroConfigVersion.cmake
  DESTINATION ${BM_PACKAGE})
install(EXPORT BlockMaestroTargets NAMESPACE BlockMaestro::
  DESTINATION ${BM_PACKAGE})
export(EXPORT BlockMaestroTargets NAMESPACE BlockMaestro::
  FILE ${CMAKE_BINARY_DIR}/BlockMaestroTargets.cmake)
