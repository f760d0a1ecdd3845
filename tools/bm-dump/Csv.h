// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a table of comma-separated values with a line of names above,
// quoted as RFC 4180 says where it must be; lines end as those of a text.
// On the data's way: from the commands that show a recording to standard
// output. Invariants: every row has as many cells as there are names.
// Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_CSV_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_CSV_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <concepts>
#include <cstdint>

namespace blockmaestro {

class CsvTable {
public:
  explicit CsvTable(llvm::raw_ostream &Out) : Out(Out) {}

  /// Names, or the cells of a row; there is at least one.
  template <typename First, typename... Others>
  void row(const First &One, const Others &...More) {
    cell(One);
    ((Out << ',', cell(More)), ...);
    Out << '\n';
  }

  /// Cells one by one, for rows that lists are part of.
  template <typename T> void add(const T &Value) {
    if (!AtStart)
      Out << ',';
    AtStart = false;
    cell(Value);
  }
  void end() {
    AtStart = true;
    Out << '\n';
  }

private:
  template <typename T> void cell(const T &Value) {
    if constexpr (std::same_as<T, bool>)
      Out << (Value ? "true" : "false");
    else if constexpr (std::unsigned_integral<T>)
      Out << uint64_t(Value);
    else
      text(Value);
  }
  void text(llvm::StringRef Text) {
    if (Text.find_first_of(",\"\r\n") == llvm::StringRef::npos) {
      Out << Text;
      return;
    }
    Out << '"';
    for (char C : Text) {
      if (C == '"')
        Out << C;
      Out << C;
    }
    Out << '"';
  }

  llvm::raw_ostream &Out;
  bool AtStart = true;
};

} // namespace blockmaestro

#endif
