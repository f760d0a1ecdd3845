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

constexpr ErrorRow Rows[] = {
#define BM_ERROR(Name, Text) {Name, #Name, Text},
#include "Errors.def"
#undef BM_ERROR
};

constexpr ErrorRow Unrecognized = {cudaErrorUnknown, "unrecognized error code",
                                   "unrecognized error code"};

const ErrorRow &rowOf(cudaError_t Error) {
  for (const ErrorRow &Row : Rows)
    if (Row.Code == Error)
      return Row;
  return Unrecognized;
}

} // namespace

const char *errorName(cudaError_t Error) { return rowOf(Error).Name; }
const char *errorText(cudaError_t Error) { return rowOf(Error).Text; }

} // namespace blockmaestro
