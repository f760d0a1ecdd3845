# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# For a project whose CUDA compiler is bmclang++: our runtime in the place of
# cudart, in every target that holds CUDA code, whichever compiler links it. A
# target that wants CUDA's own sets its property CUDA_RUNTIME_LIBRARY. And the
# toolkit that came with us, if one did and CMake is given no other.
#
# BlockMaestro_ROOT_DIR: the folder that holds bin and lib.

set(CMAKE_CUDA_RUNTIME_LIBRARY BlockMaestro)
set(CMAKE_CUDA_RUNTIME_LIBRARY_LINK_OPTIONS_BLOCKMAESTRO
  "${BlockMaestro_ROOT_DIR}/lib/libblockmaestro.so"
  "-Wl,-rpath,${BlockMaestro_ROOT_DIR}/lib")

if(NOT CUDAToolkit_ROOT AND NOT DEFINED ENV{CUDAToolkit_ROOT}
    AND NOT DEFINED ENV{CUDA_PATH}
    AND EXISTS "${BlockMaestro_ROOT_DIR}/cuda/bin/nvcc")
  set(CUDAToolkit_ROOT "${BlockMaestro_ROOT_DIR}/cuda")
endif()
