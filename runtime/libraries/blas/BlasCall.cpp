// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlasCall.h"

#include <sstream>

namespace blockmaestro::blas {

cublasStatus_t statusOf(cudaError_t Error) {
  switch (Error) {
  case cudaSuccess:
    return CUBLAS_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case cudaErrorNotSupported:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

void Reachable::needs(const TouchedBox &Box) {
  if (!Found.ok() || Box.bytes() == 0 || May(Box.Address, Box.span()))
    return;
  std::ostringstream Text;
  Text << Call << " follows a pointer to " << Box.span() << " bytes at 0x"
       << std::hex << Box.Address << ", which are not all memory of the device";
  Found = Status(StatusCode::IllegalAddress, Text.str());
}

} // namespace blockmaestro::blas
