// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ToolErrors.h"

using namespace llvm;

namespace blockmaestro {

Error toError(const Status &Of) {
  return Of.ok() ? Error::success() : createStringError(Of.message());
}

Error writingError(raw_fd_ostream &Out, StringRef File) {
  Out.flush();
  if (!Out.has_error())
    return Error::success();
  const std::error_code Failure = Out.error();
  Out.clear_error();
  return createFileError(File, Failure);
}

} // namespace blockmaestro
