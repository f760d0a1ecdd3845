// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the pieces of the recording's byte format that writer and reader
// share: kinds of chunks and entries, variable-length numbers.
// On the data's way: inside runtime/record. The format is docs/recording.md.
// Invariants: everything is little-endian whatever the host.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_FORMAT_H
#define BLOCKMAESTRO_RUNTIME_RECORD_FORMAT_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace blockmaestro::record {

enum class ChunkType : uint32_t {
  Info = 1,    ///< Always the first, once.
  Control = 2, ///< Launches and copies with their relations, and barriers.
  Blocks = 3,  ///< Events and costs.
  End = 4,     ///< Always the last, once.
  Warps = 5,   ///< What warps of traced blocks did.
};

/// First byte of every entry of a control chunk.
enum class ControlEntry : uint8_t {
  Launch = 1,
  Barrier = 2,
  Copy = 3,
  Observation = 4,
  Forget = 5, ///< The strings so far are not referred to any more.
  Wait = 6,
};

/// First byte of every entry of a warps chunk.
enum class TraceEntry : uint8_t {
  Code = 1,
  Block = 2,
  Forget = 3, ///< Codes and routes so far are not referred to any more.
};

/// Bits of the first number of a relation; above them, how many launches or
/// copies the producer is before.
enum RelationBits : uint8_t { FromCopy = 1, RelationShift = 1 };

/// The largest number of a field of 32 bits.
inline constexpr uint64_t MaxWord = std::numeric_limits<uint32_t>::max();

/// How a block's cost follows its event.
enum class CostForm : uint8_t { None = 0, SameAsLast = 1, Given = 2 };

inline constexpr size_t PreambleBytes = 8;

inline uint64_t zigzag(int64_t Value) {
  return (uint64_t(Value) << 1) ^ uint64_t(Value >> 63);
}
inline int64_t unzigzag(uint64_t Value) {
  return int64_t(Value >> 1) ^ -int64_t(Value & 1);
}

/// Appends numbers and strings to a byte buffer.
class ByteWriter {
public:
  void byte(uint8_t Value) { Bytes.push_back(Value); }
  void word(uint32_t Value);
  void number(uint64_t Value);
  void signedNumber(int64_t Value) { number(zigzag(Value)); }
  void text(const std::string &Value);

  std::vector<uint8_t> Bytes;
};

/// Takes them off again. Reading past the end or a malformed number sets
/// Failed and gives zeros from then on; it never reads outside the buffer.
class ByteReader {
public:
  ByteReader(const uint8_t *Data, size_t Bytes)
      : Next(Data), Last(Data + Bytes) {}

  uint8_t byte();
  /// A byte that is 0 or 1.
  bool flag();
  uint32_t word();
  uint64_t number();
  int64_t signedNumber() { return unzigzag(number()); }
  std::string text();
  /// A number that must not exceed Limit.
  uint64_t numberUpTo(uint64_t Limit);
  /// How many entries follow, each at least one byte long.
  size_t count();

  size_t left() const { return size_t(Last - Next); }
  bool atEnd() const { return Next == Last; }
  bool failed() const { return Failed; }

private:
  uint64_t fail() {
    Failed = true;
    Next = Last;
    return 0;
  }

  const uint8_t *Next;
  const uint8_t *Last;
  bool Failed = false;
};

} // namespace blockmaestro::record

#endif
