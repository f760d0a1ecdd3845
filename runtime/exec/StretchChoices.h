// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: choices about stretches, from one wait of the host to the next,
// by the first work behind the wait.
// On the data's way: under HoldChoices and SpreadChoices.
// Invariants: a stretch that ends has begun, or has none. Of too many kinds
// what is remembered is forgotten.
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_STRETCHCHOICES_H
#define BLOCKMAESTRO_RUNTIME_EXEC_STRETCHCHOICES_H

#include "HeldWork.h"

#include <cstddef>
#include <map>
#include <utility>

namespace blockmaestro {

template <typename Choice> class StretchChoices {
public:
  static constexpr size_t MostKinds = 256;

  void forget() {
    Choices.clear();
    Now = nullptr;
  }

protected:
  Choice &beginWith(const NodeKind &First) {
    if (Choices.size() >= MostKinds)
      Choices.clear();
    Now = &Choices[First];
    return *Now;
  }
  /// Of the stretch under way, which has none from here on.
  Choice *takeNow() { return std::exchange(Now, nullptr); }
  const Choice *now() const { return Now; }

private:
  std::map<NodeKind, Choice> Choices;
  Choice *Now = nullptr; ///< Of the stretch under way.
};

} // namespace blockmaestro

#endif
