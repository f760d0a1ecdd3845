// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: values that a report has once and refers to by their number:
// texts, sizes, reasons.
// On the data's way: filled while tables are made, written behind them.
// Invariants: numbered from 0 in the order of their first use.
// Ownership and threads: owns its values; one thread.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_NUMBERED_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_NUMBERED_H

#include <cstdint>
#include <map>
#include <vector>

namespace blockmaestro {

template <typename T> class Numbered {
public:
  int64_t operator()(const T &Value) {
    const auto [Where, New] =
        Numbers.try_emplace(Value, int64_t(Values.size()));
    if (New)
      Values.push_back(Value);
    return Where->second;
  }

  const std::vector<T> &values() const { return Values; }

private:
  std::map<T, int64_t> Numbers;
  std::vector<T> Values;
};

} // namespace blockmaestro

#endif
