// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordMutator.h"

#include "blockmaestro/MetadataLayout.h"

#include <algorithm>
#include <iterator>
#include <random>

namespace blockmaestro {
namespace {

constexpr int64_t LikelyNumbers[] = {
    0,         1,         2,          -1,        3,           4,
    8,         31,        32,         33,        63,          64,
    255,       256,       1024,       65535,     INT32_MAX,   INT32_MIN,
    INT64_MAX, INT64_MIN, UINT32_MAX, 1ll << 40, -(1ll << 40)};

/// Walks a record and changes the field that comes Nth; see MetadataLayout.h
/// for the members.
class Change {
public:
  static constexpr bool Fills = true;

  Change(size_t Nth, std::mt19937 &Random) : Nth(Nth), Random(Random) {}

  template <typename T> void number(T &Value) {
    if (hit())
      Value = static_cast<T>(anyNumber());
  }

  template <typename T> void choice(T &Value, T Last) {
    if (hit())
      Value = static_cast<T>(below(static_cast<size_t>(Last) + 1));
  }

  void text(std::string &Value) {
    if (!hit())
      return;
    if (below(3) == 0)
      Value.clear();
    else
      Value.insert(Value.begin() + ptrdiff_t(below(Value.size() + 1)),
                   char(below(256)));
  }

  void bytes(std::vector<uint8_t> &Value) {
    if (hit())
      Value.resize(below(64));
  }

  template <typename T> void numbers(std::vector<T> &Values) {
    list(Values, [this](T &Value) { number(Value); });
  }

  template <typename T> void list(std::vector<T> &Values) {
    list(Values, [this](T &Value) { fields(*this, Value); });
  }

  size_t seen() const { return Seen; }

private:
  template <typename T, typename Function>
  void list(std::vector<T> &Values, Function Each) {
    if (hit())
      resize(Values);
    for (T &Value : Values)
      Each(Value);
  }

  template <typename T> void resize(std::vector<T> &Values) {
    size_t Place = below(Values.size() + 1);
    if (Place == Values.size()) {
      Values.emplace_back();
      return;
    }
    auto At = Values.begin() + ptrdiff_t(Place);
    switch (below(3)) {
    case 0:
      Values.erase(At);
      break;
    case 1:
      Values.push_back(T(*At));
      break;
    default:
      std::swap(*At, Values.back());
    }
  }

  bool hit() { return Seen++ == Nth; }
  size_t below(size_t Limit) { return Random() % Limit; }

  /// Mostly small, as indices of other things are.
  int64_t anyNumber() {
    switch (below(4)) {
    case 0:
      return LikelyNumbers[below(std::size(LikelyNumbers))];
    case 1:
      return int64_t(uint64_t(Random()) << 32 | Random());
    default:
      return int64_t(below(16));
    }
  }

  size_t Nth;
  size_t Seen = 0;
  std::mt19937 &Random;
};

size_t countFields(ModuleRecord &Record, std::mt19937 &Random) {
  Change Nothing(SIZE_MAX, Random);
  fields(Nothing, Record);
  return Nothing.seen();
}

template <typename T> void store(uint8_t *To, T Value) {
  for (size_t I = 0; I < sizeof(T); ++I)
    To[I] = static_cast<uint8_t>(Value >> (8 * I));
}

} // namespace

void mutateFields(ModuleRecord &Record, uint32_t Seed) {
  std::mt19937 Random(Seed);
  for (size_t Times = 1 + Random() % 4; Times > 0; --Times) {
    size_t Count = countFields(Record, Random);
    Change One(Random() % Count, Random);
    fields(One, Record);
  }
}

size_t fixHeader(uint8_t *Data, size_t Size) {
  if (Size < MetadataHeaderBytes)
    return Size;
  Size -= Size % MetadataAlignment;
  uint64_t Body = 0;
  for (int I = 15; I >= 8; --I)
    Body = Body << 8 | Data[I];
  size_t Room = Size - MetadataHeaderBytes;
  if (Body > Room || Room - Body >= MetadataAlignment)
    Body = Room;
  std::fill(Data + MetadataHeaderBytes + Body, Data + Size, uint8_t(0));
  store(Data, MetadataMagic);
  store(Data + 4, MetadataVersion);
  store(Data + 8, Body);
  uint64_t Sum = metadataChecksum(Data, MetadataCheckedHeaderBytes);
  store(Data + 16, metadataChecksum(Data + MetadataHeaderBytes, Body, Sum));
  return Size;
}

} // namespace blockmaestro
