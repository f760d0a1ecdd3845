// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MetadataWriter.h"

#include "blockmaestro/MetadataLayout.h"

namespace blockmaestro {
namespace {

/// Appends fields to Out; see MetadataLayout.h for the members.
class Writer {
public:
  static constexpr bool Fills = false;

  template <typename T> void number(T Value) {
    auto Bits = static_cast<uint64_t>(Value);
    for (size_t I = 0; I < sizeof(T); ++I)
      Out.push_back(static_cast<uint8_t>(Bits >> (8 * I)));
  }

  template <typename T> void choice(T Value, T) {
    number(static_cast<uint8_t>(Value));
  }

  void text(const std::string &Value) { sequence(Value); }
  void bytes(const std::vector<uint8_t> &Value) { sequence(Value); }

  template <typename T> void numbers(const std::vector<T> &Values) {
    number(static_cast<uint32_t>(Values.size()));
    for (T Value : Values)
      number(Value);
  }

  template <typename T> void list(const std::vector<T> &Values) {
    number(static_cast<uint32_t>(Values.size()));
    for (const T &Value : Values)
      fields(*this, Value);
  }

  std::vector<uint8_t> Out;

private:
  template <typename T> void sequence(const T &Value) {
    number(static_cast<uint32_t>(Value.size()));
    Out.insert(Out.end(), Value.begin(), Value.end());
  }
};

} // namespace

std::vector<uint8_t> serialize(const ModuleRecord &Record) {
  Writer Body;
  fields(Body, Record);

  Writer Whole;
  Whole.number(MetadataMagic);
  Whole.number(MetadataVersion);
  Whole.number(uint64_t(Body.Out.size()));
  uint64_t HeaderSum =
      metadataChecksum(Whole.Out.data(), MetadataCheckedHeaderBytes);
  Whole.number(metadataChecksum(Body.Out.data(), Body.Out.size(), HeaderSum));
  Whole.Out.insert(Whole.Out.end(), Body.Out.begin(), Body.Out.end());
  while (Whole.Out.size() % MetadataAlignment != 0)
    Whole.Out.push_back(0);
  return Whole.Out;
}

} // namespace blockmaestro
