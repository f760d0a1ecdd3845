// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Column.h"

#include <algorithm>
#include <charconv>

using namespace llvm;

namespace blockmaestro {

static Column deltasOf(const Column &Numbers) {
  Column Out;
  Out.reserve(Numbers.size());
  int64_t Before = 0;
  for (int64_t Each : Numbers) {
    Out.push_back(Each - Before);
    Before = Each;
  }
  return Out;
}

/// Each number that differs from the one before, with how often it follows
/// itself.
static Column runsOf(const Column &Numbers) {
  Column Out;
  for (size_t I = 0, End = 0; I < Numbers.size(); I = End) {
    while (End < Numbers.size() && Numbers[End] == Numbers[I])
      ++End;
    Out.push_back(Numbers[I]);
    Out.push_back(int64_t(End - I));
  }
  return Out;
}

/// Of the numbers as text, with what separates them.
static size_t textBytes(const Column &Numbers) {
  char Text[24];
  size_t Out = 0;
  for (int64_t Each : Numbers)
    Out += size_t(std::to_chars(std::begin(Text), std::end(Text), Each).ptr -
                  Text) +
           1;
  return Out;
}

namespace {

struct ColumnForm {
  StringRef Name;
  Column Numbers;
};

} // namespace

/// The first of those that take the fewest bytes.
static ColumnForm shortestForm(const Column &Numbers) {
  Column Deltas = deltasOf(Numbers);
  Column Steps = runsOf(Deltas);
  ColumnForm Forms[] = {{"list", Numbers},
                        {"deltas", std::move(Deltas)},
                        {"runs", runsOf(Numbers)},
                        {"steps", std::move(Steps)}};
  return *std::min_element(std::begin(Forms), std::end(Forms),
                           [](const ColumnForm &A, const ColumnForm &B) {
                             return textBytes(A.Numbers) < textBytes(B.Numbers);
                           });
}

void writeColumn(json::OStream &Out, const Column &Numbers) {
  const ColumnForm Form = shortestForm(Numbers);
  Out.object([&] {
    Out.attributeArray(Form.Name, [&] {
      for (int64_t Each : Form.Numbers)
        Out.value(Each);
    });
  });
}

void writeColumn(json::OStream &Out, StringRef Name, const Column &Numbers) {
  Out.attributeBegin(Name);
  writeColumn(Out, Numbers);
  Out.attributeEnd();
}

} // namespace blockmaestro
