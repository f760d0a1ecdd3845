// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that copy and fill memory, each made into a command by its
// arguments.

#include "Calls.h"
#include "CommandOf.h"
#include "Commands.h"
#include "Symbols.h"

namespace blockmaestro::emulated {

template <typename... Args>
static cudaError_t ask(const char *Call, const std::tuple<Args...> &Given) {
  static const FindSymbol Find = symbolAddress;
  Request Asked;
  const cudaError_t Error = requestOf(Call, Find, Given, Asked);
  return Error != cudaSuccess ? Error : perform(Asked);
}

#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  Return Name Parameters { return ask(#Name, std::make_tuple Arguments); }
#include "api/ArrayCopies.def"
#include "api/Copies.def"
#undef BM_CALL

} // namespace blockmaestro::emulated
