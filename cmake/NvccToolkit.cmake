# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# bm_nvcc_toolkit(root cuda): makes root/nvcc, a CUDA toolkit of links to the
# one in cuda, but for nvcc, which is bmnvcc, and the runtime, cuBLAS, cuFFT and
# cuRAND, which are ours. A
# build that is told of it as its toolkit needs nothing else. With what bmnvcc
# runs and clang reads: bin/host-link, bin/device-link, clang/. Where cuda is
# root/cuda the links are relative, and the whole can be moved.

set(BM_NVCC_TOOLS ${CMAKE_CURRENT_LIST_DIR}/../tools)

# Links in to, which is below root, to what is in from, but for names that match
# except.
function(bm_link_entries root from to except)
  file(MAKE_DIRECTORY ${to})
  cmake_path(IS_PREFIX root ${from} moves_along)
  file(GLOB entries LIST_DIRECTORIES true ${from}/*)
  foreach(entry ${entries})
    cmake_path(GET entry FILENAME name)
    if(moves_along)
      cmake_path(RELATIVE_PATH entry BASE_DIRECTORY ${to})
    endif()
    if(NOT name MATCHES "${except}")
      file(CREATE_LINK ${entry} ${to}/${name} SYMBOLIC)
    endif()
  endforeach()
endfunction()

function(bm_nvcc_toolkit root cuda)
  set(view ${root}/nvcc)
  file(REMOVE_RECURSE ${view})
  bm_link_entries(${root} ${cuda} ${view} "^(bin|lib|lib64)$")
  bm_link_entries(${root} ${cuda}/bin ${view}/bin "^nvcc$")
  bm_link_entries(${root} ${cuda}/lib64 ${view}/lib64
    "^libcudart|^lib(cublas|cublasLt|cufft|curand)(_static.*)?[.](so|a)$")
  file(CREATE_LINK lib64 ${view}/lib SYMBOLIC)
  file(CREATE_LINK ../../bin/bmnvcc ${view}/bin/nvcc SYMBOLIC)
  foreach(name libblockmaestro.so libcudart.so libcudart_static.so
      libcudart_static.a libcublas.so libcublas_static.a libcublasLt.so
      libcublasLt_static.a libcufft.so libcufft_static.a
      libcufft_static_nocallback.a libcurand.so libcurand_static.a)
    file(CREATE_LINK ../../lib/libblockmaestro.so ${view}/lib64/${name}
      SYMBOLIC)
  endforeach()
  file(COPY ${BM_NVCC_TOOLS}/bmnvcc/host-link ${BM_NVCC_TOOLS}/bmnvcc/device-link
    DESTINATION ${view}/bin)
  file(COPY ${BM_NVCC_TOOLS}/nvcc/clang DESTINATION ${view})
endfunction()
