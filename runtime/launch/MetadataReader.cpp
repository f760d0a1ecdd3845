// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MetadataReader.h"

#include "MetadataCheck.h"
#include "blockmaestro/MetadataLayout.h"

#include <algorithm>

namespace blockmaestro {
namespace {

/// Takes fields off the front of the bytes; see MetadataLayout.h for the
/// members. After the first thing that does not fit, Good is false and nothing
/// more is read.
class Reader {
public:
  static constexpr bool Fills = true;

  Reader(const uint8_t *Data, size_t Size) : Next(Data), Left(Size) {}

  template <typename T> void number(T &Value) {
    uint64_t Bits = 0;
    if (!take(sizeof(T)))
      return;
    const uint8_t *From = Next - sizeof(T);
    for (size_t I = 0; I < sizeof(T); ++I)
      Bits |= uint64_t(From[I]) << (8 * I);
    if (std::is_same_v<T, bool> && Bits > 1)
      Good = false;
    Value = static_cast<T>(Bits);
  }

  template <typename T> void choice(T &Value, T Last) {
    uint8_t Bits = 0;
    number(Bits);
    Good = Good && Bits <= static_cast<uint8_t>(Last);
    if (Good)
      Value = static_cast<T>(Bits);
  }

  void text(std::string &Value) { sequence(Value); }
  void bytes(std::vector<uint8_t> &Value) { sequence(Value); }

  template <typename T> void numbers(std::vector<T> &Values) {
    for (uint32_t Count = count(); Good && Count > 0; --Count)
      number(Values.emplace_back());
  }

  template <typename T> void list(std::vector<T> &Values) {
    for (uint32_t Count = count(); Good && Count > 0; --Count)
      fields(*this, Values.emplace_back());
  }

  /// Everything was read, and nothing is left.
  bool finished() const { return Good && Left == 0; }

private:
  bool take(size_t Bytes) {
    Good = Good && Bytes <= Left;
    if (!Good)
      return false;
    Next += Bytes;
    Left -= Bytes;
    return true;
  }

  /// A count of things that are at least one byte each.
  uint32_t count() {
    uint32_t Count = 0;
    number(Count);
    Good = Good && Count <= Left;
    return Count;
  }

  template <typename T> void sequence(T &Value) {
    uint32_t Count = count();
    if (take(Count))
      Value.assign(Next - Count, Next);
  }

  const uint8_t *Next;
  size_t Left;
  bool Good = true;
};

Status corrupt(const std::string &What) {
  return {StatusCode::Corrupt, "the metadata is corrupt: " + What};
}

struct Header {
  uint32_t Magic = 0;
  uint32_t Version = 0;
  uint64_t BodyBytes = 0;
  uint64_t Checksum = 0;
};

Status checkHeader(const Header &H, size_t BytesAfter) {
  if (H.Magic != MetadataMagic)
    return {StatusCode::Corrupt, "this is not BlockMaestro metadata"};
  if (H.Version != MetadataVersion)
    return {StatusCode::VersionMismatch, "the metadata has version " +
                                             std::to_string(H.Version) +
                                             ", this build reads version " +
                                             std::to_string(MetadataVersion) +
                                             "; compile the program again"};
  if (H.BodyBytes > BytesAfter)
    return corrupt("it is cut off");
  return {};
}

/// Bytes from the end of a record of Bytes bytes to the next aligned place.
size_t paddingAfter(size_t Bytes) {
  return (MetadataAlignment - Bytes % MetadataAlignment) % MetadataAlignment;
}

bool allZero(const uint8_t *Data, size_t Size) {
  return std::all_of(Data, Data + Size, [](uint8_t B) { return B == 0; });
}

} // namespace

Result<ModuleRecord> readRecord(const uint8_t *&Data, size_t &Size) {
  if (Size < MetadataHeaderBytes)
    return corrupt("it is cut off");
  Header H;
  Reader Head(Data, MetadataHeaderBytes);
  Head.number(H.Magic);
  Head.number(H.Version);
  Head.number(H.BodyBytes);
  Head.number(H.Checksum);
  if (Status S = checkHeader(H, Size - MetadataHeaderBytes); !S.ok())
    return S;

  const uint8_t *Body = Data + MetadataHeaderBytes;
  size_t Bytes = MetadataHeaderBytes + H.BodyBytes;
  size_t Padding = paddingAfter(Bytes);
  if (Padding > Size - Bytes)
    return corrupt("it is cut off");
  uint64_t HeaderSum = metadataChecksum(Data, MetadataCheckedHeaderBytes);
  if (metadataChecksum(Body, H.BodyBytes, HeaderSum) != H.Checksum)
    return corrupt("its checksum is wrong");
  if (!allZero(Data + Bytes, Padding))
    return corrupt("its padding is not zero");

  ModuleRecord Record;
  Reader Fields(Body, H.BodyBytes);
  fields(Fields, Record);
  if (!Fields.finished())
    return corrupt("a field is out of range");
  if (std::string Error = findInconsistency(Record); !Error.empty())
    return corrupt(Error);
  Data += Bytes + Padding;
  Size -= Bytes + Padding;
  return Record;
}

Result<std::vector<ModuleRecord>> readMetadata(const uint8_t *Data,
                                               size_t Size) {
  std::vector<ModuleRecord> Records;
  while (Size != 0) {
    size_t Word = std::min(Size, MetadataAlignment);
    if (allZero(Data, Word)) {
      Data += Word;
      Size -= Word;
      continue;
    }
    Result<ModuleRecord> Record = readRecord(Data, Size);
    if (!Record.ok())
      return Record.status();
    Records.push_back(std::move(*Record));
  }
  return Records;
}

} // namespace blockmaestro
