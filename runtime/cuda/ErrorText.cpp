// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorText.h"

namespace blockmaestro {
namespace {

struct ErrorRow {
  cudaError_t Code;
  const char *Name;
  const char *Text;
};

constexpr ErrorRow ErrorRows[] = {
#define BM_ERROR(Name, Text) {Name, #Name, Text},
#include "Errors.def"
#undef BM_ERROR
};

constexpr ErrorRow Unrecognized = {cudaErrorUnknown, "unrecognized error code",
                                   "unrecognized error code"};

const ErrorRow &rowOf(cudaError_t Error) {
  for (const ErrorRow &Row : ErrorRows)
    if (Row.Code == Error)
      return Row;
  return Unrecognized;
}

} // namespace

const char *errorName(cudaError_t Error) { return rowOf(Error).Name; }
const char *errorText(cudaError_t Error) { return rowOf(Error).Text; }

cudaError_t errorOf(const Status &Outcome) {
  switch (Outcome.code()) {
  case StatusCode::Ok:
    return cudaSuccess;
  case StatusCode::InvalidArgument:
    return cudaErrorInvalidValue;
  case StatusCode::Unsupported:
    return cudaErrorNotSupported;
  case StatusCode::OutOfMemory:
    return cudaErrorMemoryAllocation;
  case StatusCode::Io:
    return cudaErrorOperatingSystem;
  case StatusCode::Assertion:
    return cudaErrorAssert;
  case StatusCode::IllegalAddress:
  case StatusCode::StackOverflow:
    return cudaErrorIllegalAddress;
  case StatusCode::Misaligned:
    return cudaErrorMisalignedAddress;
  case StatusCode::Stuck:
    return cudaErrorLaunchTimeout;
  default:
    return cudaErrorLaunchFailure;
  }
}

} // namespace blockmaestro
