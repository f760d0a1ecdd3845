# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# For a CUDA project that knows nothing of BlockMaestro and is not to be edited:
# cmake --toolchain <this file> compiles all of its CUDA with -fblockmaestro.

find_program(BlockMaestro_DRIVER bmclang++ NO_DEFAULT_PATH NO_CACHE REQUIRED
  PATHS "${CMAKE_CURRENT_LIST_DIR}/bin" "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
cmake_path(GET BlockMaestro_DRIVER PARENT_PATH BlockMaestro_ROOT_DIR)
cmake_path(GET BlockMaestro_ROOT_DIR PARENT_PATH BlockMaestro_ROOT_DIR)
set(CMAKE_CUDA_COMPILER "${BlockMaestro_DRIVER}")
set(CMAKE_CUDA_FLAGS_INIT "-fblockmaestro")
set(BlockMaestro_DIR "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/BlockMaestroRuntime.cmake")
