# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# `cpack -G DEB` in the build tree, after `ninja bm-installed`: a package for the
# Debian it is built on. The installation is one folder, as everywhere; what the
# system looks for elsewhere leads there (DebianLinks.cmake). Without the toolkit
# that ./dev setup took from NVIDIA: its licence is not ours to pass on.

set(BM_PACKAGE_PREFIX /usr/lib/blockmaestro)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME blockmaestro)
set(CPACK_PACKAGE_VENDOR BlockMaestro)
set(CPACK_PACKAGE_CONTACT "The BlockMaestro authors <blockmaestro@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "CUDA programs with their thread blocks as tasks")
set(CPACK_PACKAGE_DESCRIPTION
  "A compiler driver, a CUDA runtime and a simulator that run ordinary CUDA \
programs with their thread blocks as tasks, on a GPU or on an emulated device \
that needs none. Compiling needs CUDA 13, from NVIDIA.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${BM_PACKAGE_PREFIX})
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};BlockMaestro;Unspecified;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the driver starts, and LLVM, which lies where SHLIBDEPS may not know whose
# it is.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${LLVM_VERSION_MAJOR}, \
clang-tools-${LLVM_VERSION_MAJOR}, libllvm${LLVM_VERSION_MAJOR}")
# OpenMP, and cuBLAS and cuFFT on the emulated device.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libomp-${LLVM_VERSION_MAJOR}-dev, \
libopenblas0-pthread, libfftw3-single3, libfftw3-double3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cuda-toolkit-13-0, cmake, pkg-config")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/cmake/debian/postinst
  ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianLinks.cmake)
include(CPack)
