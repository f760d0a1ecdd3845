# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# find_package(BlockMaestro). Programs: BlockMaestro::bmclang, bmclang++,
# bmnvcc, bm-dump, bm-sim, bm-report. Libraries: BlockMaestro::blockmaestro (the runtime, with the
# headers of the contracts), BlockMaestro::BlockMaestroPasses (the plugin).
# BlockMaestro_CUDA_COMPILER is the driver; where CUDA is not enabled yet, it
# becomes CMAKE_CUDA_COMPILER. See docs/cmake.md.

include("${CMAKE_CURRENT_LIST_DIR}/BlockMaestroTargets.cmake")

get_target_property(BlockMaestro_ROOT_DIR BlockMaestro::bmclang LOCATION)
cmake_path(GET BlockMaestro_ROOT_DIR PARENT_PATH BlockMaestro_ROOT_DIR)
cmake_path(GET BlockMaestro_ROOT_DIR PARENT_PATH BlockMaestro_ROOT_DIR)
set(BlockMaestro_CUDA_COMPILER "${BlockMaestro_ROOT_DIR}/bin/bmclang++")

if(NOT TARGET BlockMaestro::bmclang++)
  add_executable(BlockMaestro::bmclang++ IMPORTED)
  set_target_properties(BlockMaestro::bmclang++ PROPERTIES
    IMPORTED_LOCATION "${BlockMaestro_CUDA_COMPILER}")
endif()

if(NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER "${BlockMaestro_CUDA_COMPILER}")
endif()
file(REAL_PATH "${CMAKE_CUDA_COMPILER}" BlockMaestro_USED)
file(REAL_PATH "${BlockMaestro_CUDA_COMPILER}" BlockMaestro_DRIVER)
if(BlockMaestro_USED STREQUAL BlockMaestro_DRIVER)
  include("${CMAKE_CURRENT_LIST_DIR}/BlockMaestroRuntime.cmake")
endif()
unset(BlockMaestro_USED)
unset(BlockMaestro_DRIVER)
