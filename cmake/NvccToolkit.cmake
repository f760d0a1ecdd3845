# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# bm_nvcc_toolkit(root cuda): makes root/nvcc, a CUDA toolkit of links to the
# one in cuda, but for nvcc, which is bmnvcc, and the runtime, cuBLAS, cuFFT and
# cuRAND, which are ours. A
# build that is told of it as its toolkit needs nothing else. With what bmnvcc
# runs and clang reads: bin/host-link, bin/device-link, clang/; and
# bin/link-toolkit, which makes the links to cuda here and of another one later.

set(BM_NVCC_TOOLS ${CMAKE_CURRENT_LIST_DIR}/../tools)

function(bm_nvcc_toolkit root cuda)
  set(view ${root}/nvcc)
  file(REMOVE_RECURSE ${view})
  file(MAKE_DIRECTORY ${view}/bin ${view}/lib64)
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
    ${BM_NVCC_TOOLS}/bmnvcc/link-toolkit DESTINATION ${view}/bin)
  file(COPY ${BM_NVCC_TOOLS}/nvcc/clang DESTINATION ${view})
  execute_process(COMMAND ${view}/bin/link-toolkit ${root} ${cuda}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
