// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a table as columns of plain numbers, which Arrow takes as they
// are. On the data's way: from a recording or a simulation to Python, where
// arrow.py makes Arrow's arrays of the same memory.
// Invariants: all columns of a table have as many rows. A column of words has
// numbers that say which; a column of lists has the offsets of each row's.
// Ownership: a column owns its numbers until Python has them, and they live as
// long as an array there. Threads: plain values.

#ifndef BLOCKMAESTRO_PYTHON_COLUMNS_H
#define BLOCKMAESTRO_PYTHON_COLUMNS_H

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace blockmaestro::python {

using Numbers = std::variant<std::vector<uint64_t>, std::vector<uint32_t>,
                             std::vector<int32_t>, std::vector<uint8_t>>;

/// Texts that repeat, each once.
class Words {
public:
  /// The number of a text.
  int32_t numberOf(const std::string &Text);
  const std::vector<std::string> &all() const { return Texts; }

private:
  std::unordered_map<std::string, int32_t> Known;
  std::vector<std::string> Texts;
};

struct Column {
  std::string Name;
  Numbers Values;
  bool IsBool = false; ///< The bytes are 0 or 1.
  std::optional<std::vector<std::string>> Texts = {};
  std::optional<std::vector<int32_t>> Offsets = {};
};

class Table {
public:
  template <typename T> void add(std::string Name, std::vector<T> Values) {
    Columns.push_back({std::move(Name), std::move(Values)});
  }
  void addBools(std::string Name, std::vector<uint8_t> Values);
  void addWords(std::string Name, std::vector<int32_t> Values, const Words &Of);
  void addLists(std::string Name, std::vector<int32_t> Offsets,
                std::vector<int32_t> Values, const Words &Of);

  /// A list of tuples: name, numbers, whether these are truth values, texts or
  /// None, offsets or None. Leaves nothing here.
  nanobind::list toPython() &&;

private:
  std::vector<Column> Columns;
};

/// A column of what \p Get gives for each of \p Of.
template <typename T, typename Range, typename Getter>
std::vector<T> collected(const Range &Of, Getter Get) {
  std::vector<T> Out;
  Out.reserve(Of.size());
  for (const auto &Each : Of)
    Out.push_back(T(Get(Each)));
  return Out;
}

/// The same as words.
template <typename Range, typename Getter>
void addWords(Table &To, std::string Name, const Range &Of, Getter Get) {
  Words Known;
  std::vector<int32_t> Values = collected<int32_t>(
      Of, [&](const auto &Each) { return Known.numberOf(Get(Each)); });
  To.addWords(std::move(Name), std::move(Values), Known);
}

} // namespace blockmaestro::python

#endif
