// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SymbolText.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace blockmaestro {

std::string demangled(const std::string &Symbol) {
  const std::unique_ptr<char, decltype(&std::free)> Text(
      abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, nullptr),
      &std::free);
  return Text ? Text.get() : Symbol;
}

} // namespace blockmaestro
