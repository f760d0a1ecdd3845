// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the structures that clang 22 lays out for the host half of
// OpenMP's offloading, as its code passes them.
// On the data's way: compiled programs and the constructor that
// clang-linker-wrapper makes -> here -> Images, DeviceData, TargetCalls.
// Invariants: layouts are clang's and never change within a version of it.
// Ownership: all of it is the program's. Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_CLANGINTERFACE_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_CLANGINTERFACE_H

#include <cstddef>
#include <cstdint>

namespace blockmaestro::openmp {

/// What a map clause says of one list item; several at once.
enum MapType : uint64_t {
  MapTo = 0x1,
  MapFrom = 0x2,
  MapAlways = 0x4,
  MapDelete = 0x8,
  MapPointerAndObject = 0x10, ///< The base is the address of a pointer.
  MapParameter = 0x20,        ///< An argument of the kernel.
  MapReturned = 0x40,         ///< use_device_ptr, use_device_addr
  MapPrivate = 0x80,          ///< Not mapped: each region has its own.
  MapLiteral = 0x100,         ///< Not mapped: the base is the value.
  MapImplicit = 0x200,
  MapPresent = 0x1000,
  MapHold = 0x2000,   ///< ompx_hold
  MapAttach = 0x4000, ///< The pointer at the base shall point to the data.
  MapNullWhereAbsent = 0x8000,
  MapStrided = 0x100000000000,
};

/// Type's struct is this item of the list; negative for none.
inline int parentOf(uint64_t Type) { return int(Type >> 48) - 1; }

/// One dimension of a strided section; sizes are in bytes where Stride is.
struct StridedDimension {
  uint64_t Offset;
  uint64_t Count;
  uint64_t Stride;
};

/// ident_t
struct CallLocation {
  int32_t Unused;
  int32_t Flags;
  int32_t MoreUnused[2];
  const char *Text; ///< ";file;function;line;column;;"
};

enum EntryFlag : uint32_t {
  EntryLink = 0x1, ///< A pointer to the variable, not the variable.
  EntryIndirect = 0x8,
  EntryRequires = 0x10, ///< Its data are the flags of `requires`.
  EntryVirtualTable = 0x20,
};

enum RequiresFlag : uint64_t {
  RequiresReverseOffload = 0x2,
  RequiresUnifiedAddress = 0x4,
  RequiresUnifiedSharedMemory = 0x8,
};

constexpr uint16_t EntryOfOpenMP = 1;

/// A kernel (no bytes) or a variable that host and device both know.
struct OffloadEntry {
  uint64_t Unused;
  uint16_t Version;
  uint16_t Kind;
  uint32_t Flags;
  void *Address; ///< Of the region's id, or of the host's variable.
  const char *Symbol;
  uint64_t Bytes;
  uint64_t Data;
  void *Auxiliary;
};
static_assert(sizeof(OffloadEntry) == 56);

struct DeviceImage {
  const uint8_t *Begin;
  const uint8_t *End;
  const OffloadEntry *FirstEntry;
  const OffloadEntry *EntriesEnd;
};

/// __tgt_bin_desc
struct LinkedBinary {
  int32_t ImageCount;
  const DeviceImage *Images;
  const OffloadEntry *FirstEntry;
  const OffloadEntry *EntriesEnd;
};

/// __tgt_kernel_arguments, version 3
struct KernelLaunch {
  uint32_t Version;
  uint32_t Count;
  void **Bases;
  void **Begins;
  int64_t *Sizes;
  int64_t *Types;
  void **Names;
  void **Mappers;
  uint64_t TripCount;
  uint64_t Flags;
  uint32_t Teams[3];
  uint32_t Threads[3];
  uint32_t DynamicSharedBytes;
};
static_assert(sizeof(KernelLaunch) == 104);

enum KernelMode : uint8_t {
  GenericMode = 1,
  SpmdMode = 2,
  GenericSpmdMode = 3
};

/// What clang says of a kernel in the variable <kernel>_kernel_environment.
/// Limits that are not positive are none.
struct KernelEnvironment {
  uint8_t UsesStateMachine;
  uint8_t MayNestParallel;
  uint8_t Mode;
  uint8_t Unused;
  int32_t LeastThreads;
  int32_t MostThreads;
  int32_t LeastTeams;
  int32_t MostTeams;
  int32_t ReductionBytes;
  int32_t ReductionLength;
};
static_assert(sizeof(KernelEnvironment) == 28);

/// What a kernel's first argument points to; zeroes but for the buffer.
struct LaunchEnvironment {
  uint32_t ReductionCount;
  uint32_t ReductionRound;
  void *ReductionBuffer;
};

} // namespace blockmaestro::openmp

#endif
