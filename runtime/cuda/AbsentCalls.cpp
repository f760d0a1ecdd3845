// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AbsentCalls.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace blockmaestro {
namespace {

struct Row {
  const char *Name;
  const char *Remark;
};

constexpr Row AbsentRows[] = {
#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  {#Name, Remark},
#include "Api.def"
#undef BM_CALL
};

/// Two flags for each row, so that noting allocates nothing.
struct Flags {
  std::atomic<bool> OfEmulated[std::size(AbsentRows)] = {};
  std::atomic<bool> OfLibrary[std::size(AbsentRows)] = {};
};

Flags Called;

} // namespace

void noteAbsent(ApiCall Which, AbsentFrom Where) noexcept {
  auto &Of = Where == AbsentFrom::EmulatedDevice ? Called.OfEmulated
                                                 : Called.OfLibrary;
  Of[static_cast<unsigned>(Which)].store(true, std::memory_order_relaxed);
}

std::vector<std::string> absentCalls() {
  std::vector<std::string> Out;
  for (size_t I = 0; I < std::size(AbsentRows); ++I) {
    if (Called.OfEmulated[I].load(std::memory_order_relaxed))
      Out.push_back(std::string(AbsentRows[I].Name) +
                    " is not on the emulated device: " + AbsentRows[I].Remark);
    if (Called.OfLibrary[I].load(std::memory_order_relaxed))
      Out.push_back(std::string(AbsentRows[I].Name) +
                    " is not in the installed CUDA runtime");
  }
  std::sort(Out.begin(), Out.end());
  return Out;
}

} // namespace blockmaestro
