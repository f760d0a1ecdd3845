// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the variables of a region that is being inspected: their memory
// on the device and its mirror on the host, and which of them tasks may reach.
// On the data's way: Inspection -> here -> DeviceMemory.
//
// Note [Reach]
// A task that has not run yet reaches a variable where it has an address within
// it among its data, or in a variable that it reaches. When tasks have run,
// they may have left the addresses of what they reached anywhere: from then on
// any task may reach it, until it goes. So does what the region itself has told
// the rest of the device: escape(). A variable has a byte more than the program
// asked for, so that the address behind its end is its own.
//
// Invariants: what the region sees is in the mirror; what of it tasks reach is
// on the device while they run. Memory of a variable that a task may still look
// at is not given to another one.
// Ownership: owns the memory, which it keeps. Threads: one.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_LOCALMEMORY_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_LOCALMEMORY_H

#include "DeviceMemory.h"

#include <memory>
#include <vector>

namespace blockmaestro::openmp {

class LocalMemory {
public:
  explicit LocalMemory(DeviceMemory &Memory) : Memory(Memory) {}
  LocalMemory(const LocalMemory &) = delete;
  LocalMemory &operator=(const LocalMemory &) = delete;
  ~LocalMemory();

  /// A variable, aligned to 16.
  Result<DeviceAddress> take(uint64_t Bytes);
  /// First, and all that were taken after it and are there yet, go.
  void give(DeviceAddress First);
  /// So do all.
  void clear();

  /// Where the bytes are on the host; null where they are no variable's.
  std::byte *mirror(DeviceAddress Where, uint64_t Bytes) {
    if (Where - Low >= Span)
      return nullptr;
    return mirrorWithin(Where, Bytes);
  }
  /// Whether Value may be the address of a variable.
  bool mayBeAddress(uint64_t Value) const { return Value - Low < Span; }

  /// The variable with the byte; no bytes where there is none.
  DeviceRange rangeAround(DeviceAddress Where) const;

  /// A task that is about to run reaches what these words are addresses of.
  /// Whether something is reached that was not.
  bool reach(const uint64_t *Words, size_t Count);
  /// Any task may reach what these words are addresses of.
  void escape(const uint64_t *Words, size_t Count);
  /// The region has changed these bytes.
  void changed(DeviceAddress Where, uint64_t Bytes);
  /// Whether a task that is about to run reaches some of the bytes, if there is
  /// one.
  bool isReached(DeviceAddress Where, uint64_t Bytes) const;

  /// Before and after tasks run.
  Status toDevice();
  Status fromDevice();
  /// What toDevice() brought last is brought once more, as it was, if no
  /// variable has been changed since.
  Status toDeviceAgain();
  /// All tasks have run.
  void settle();

private:
  static constexpr uint64_t Alignment = 16;
  static constexpr uint64_t FirstChunkBytes = 1 << 20;

  /// Chunks follow one another in places, from 0.
  struct Chunk {
    DeviceAddress Device = 0;
    uint64_t Bytes = 0;
    uint64_t Place = 0; ///< Of its first byte.
    std::unique_ptr<std::byte[]> Mirror;
  };
  struct Part {
    size_t Chunk = 0;
    uint64_t Begin = 0; ///< Within the chunk.
    uint64_t Bytes = 0;
  };
  enum class Reach : uint8_t { None, Pending, Any };
  struct Variable {
    uint64_t Place = 0;
    uint64_t Bytes = 0;
    size_t Chunk = 0;
    Reach By = Reach::None;
    bool Gone = false; ///< The program has given it back.
  };

  std::byte *mirrorWithin(DeviceAddress Where, uint64_t Bytes);
  const Chunk *chunkOf(DeviceAddress Where) const;
  size_t variableAt(DeviceAddress Where) const;
  Status addChunk(uint64_t Bytes);
  bool mark(const uint64_t *Words, size_t Count, Reach By);
  void markContent(Reach By);
  void dropGone();
  DeviceAddress addressOf(const Variable &Of) const;
  std::vector<Part> reachedParts() const;
  Status bring(const std::vector<Part> &Parts);

  static constexpr size_t None = SIZE_MAX;

  DeviceMemory &Memory;
  std::vector<Chunk> Chunks;
  std::vector<Variable> Variables; ///< By place.
  /// All chunks are among these addresses.
  DeviceAddress Low = 0;
  uint64_t Span = 0;
  bool AnyReached = false;
  std::vector<Part> Brought; ///< The last time.
  std::vector<size_t> Fresh; ///< Variables whose content has to be looked at.
};

} // namespace blockmaestro::openmp

#endif
