// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: work that is held back, or that a node of a chain does, with a
// copy of its arguments.
// On the data's way: inside Chained.
// Ownership: owns its arguments, and its memory is used again. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_HELDWORK_H
#define BLOCKMAESTRO_RUNTIME_EXEC_HELDWORK_H

#include "GpuWork.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace blockmaestro {

/// What a node of a graph is for good: a kernel, a copy from one kind of
/// memory, or a fill. By default it is none of these.
class NodeKind {
public:
  NodeKind() = default;
  explicit NodeKind(const KernelRecord &Kernel)
      : Code(reinterpret_cast<uintptr_t>(&Kernel)) {}
  explicit NodeKind(CopySource From) : Code(FirstCopy + uintptr_t(From)) {}
  static NodeKind fill() { return NodeKind(Fill); }

  /// A copy or a fill: the memory is part of what CUDA knows of the node.
  bool namesMemory() const { return Code >= Fill && Code < FirstCopy + Copies; }
  uintptr_t code() const { return Code; }
  auto operator<=>(const NodeKind &) const = default;

private:
  /// Where no kernel is.
  static constexpr uintptr_t Fill = 1, FirstCopy = 2, Copies = 3;
  explicit NodeKind(uintptr_t Code) : Code(Code) {}

  uintptr_t Code = 0; ///< The address of a kernel, or one of these.
};
static_assert(alignof(KernelRecord) >= 8);

NodeKind kindOf(const GpuWork &What);

/// Mixes Value into Seed: a step of MurmurHash's 64-bit finalizer.
inline uint64_t mix(uint64_t Seed, uint64_t Value) {
  Seed = (Seed ^ Value) * 0xff51afd7ed558ccdu;
  return Seed ^ Seed >> 33;
}

/// What things cost host and device together, as measured on an H200, in fifths
/// of a microsecond: a launch or copy by itself; a chain; to set a node to
/// other arguments, to other sizes, or to another copy or fill.
constexpr unsigned LaunchCost = 15;
constexpr unsigned ChainCost = 16;
constexpr unsigned ArgumentCost = 3;
constexpr unsigned SizeCost = 12;
constexpr unsigned CopyCost = 4;

class HeldWork {
public:
  HeldWork() = default;
  HeldWork(const HeldWork &) = delete;
  HeldWork &operator=(const HeldWork &) = delete;
  HeldWork(HeldWork &&) = default;
  HeldWork &operator=(HeldWork &&) = default;

  void copy(const GpuWork &From);
  void moveTo(void *Stream) {
    std::visit([=](auto &Each) { Each.Stream = Stream; }, Work);
  }
  /// The bytes of this copy have been taken aside.
  void readFrom(const void *Aside) { std::get<GpuCopy>(Work).From = Aside; }

  /// Its arguments stay until the next copy().
  const GpuWork &work() const { return Work; }

  /// What it costs to set a node of this kind from Other to this.
  unsigned costAfter(const HeldWork &Other) const;

  /// A number of its arguments and sizes, on top of Seed. Of works that cost
  /// nothing after each other the same.
  uint64_t hash(uint64_t Seed) const;

private:
  void makeRoomFor(const KernelRecord &Kernel);

  GpuWork Work;
  const KernelRecord *Room = nullptr; ///< Whose arguments Bytes can have.
  std::vector<std::byte> Bytes;
  std::vector<void *> Arguments; ///< Into Bytes.
};

/// Works in a row, whose memory is used again by the next ones.
class HeldWorks {
public:
  size_t size() const { return Count; }
  bool empty() const { return Count == 0; }
  HeldWork &back() { return Room[Count - 1]; }
  std::span<const HeldWork> all() const { return {Room.data(), Count}; }
  void push(const GpuWork &From);
  void pop() { --Count; }
  void clear() { Count = 0; }
  /// Nothing is kept of kernels that are gone.
  void forgetKernels();

private:
  std::vector<HeldWork> Room;
  size_t Count = 0;
};

} // namespace blockmaestro

#endif
