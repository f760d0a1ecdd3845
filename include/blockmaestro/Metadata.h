// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the record a host object carries for each device module compiled
// into it; the only thing passes and runtime share.
// On the data's way: serialised by passes/host, embedded in the section
// `.blockmaestro` of the host object, read by runtime/launch and bm-dump.
// Invariants: records are versioned and self-delimiting, so the linker may
// concatenate them (with zero padding up to MetadataAlignment). A reader
// rejects any other version and anything truncated or out of range with one
// Status. The byte format is docs/metadata.md. Ownership and threads: plain
// values.

#ifndef BLOCKMAESTRO_METADATA_H
#define BLOCKMAESTRO_METADATA_H

#include "blockmaestro/Footprint.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

inline constexpr uint32_t MetadataMagic = 0x314d4d42; // "BMM1"
inline constexpr uint32_t MetadataVersion = 8;
inline constexpr size_t MetadataAlignment = 8;
inline constexpr const char *MetadataSection = ".blockmaestro";

struct Parameter {
  uint32_t Offset = 0; ///< In the packed argument block.
  uint32_t Bytes = 0;
  uint32_t Alignment = 1;
  bool Pointer = false; ///< The whole parameter is one pointer.
  bool ByValue = false; ///< An aggregate passed by value.
};

/// What a kernel does that executors, devices or people must know of, beyond
/// the bytes it touches. A kernel's Features have bit 1 << Feature.
enum class Feature : uint8_t {
  Barrier,       ///< Waits for the threads of its block.
  DynamicShared, ///< Uses shared memory sized at launch.
  EarlyExit,     ///< Threads may end while others of their block still wait.
  GridSync,      ///< Waits for other blocks: needs a cooperative launch.
  Cluster,       ///< Reaches the shared memory of other blocks.
  Prints,        ///< printf
  Asserts,       ///< assert or trap: may end the program.
  DeviceHeap,    ///< malloc or free on the device
  Textures,      ///< Texture or surface objects.
  DynamicParallelism, ///< Launches kernels.
  IndirectCalls,      ///< Function pointers or virtual functions.
  Recursion,
  InlineAssembly,
  Volatile,  ///< Volatile accesses to memory others can see.
  Clock,     ///< Reads a clock or timer.
  WarpRows,  ///< Threads wait for all of their warp if block rows are warps.
  BlockWait, ///< Its blocks may wait for each other.
};
inline constexpr unsigned FeatureCount = unsigned(Feature::BlockWait) + 1;

struct KernelRecord {
  std::string Symbol; ///< Mangled, as in the device module.
  std::string Name;   ///< Demangled, for people.
  std::vector<Parameter> Parameters;
  uint32_t ArgumentBytes = 0; ///< Size of the packed argument block.
  uint32_t StaticSharedBytes = 0;
  uint32_t Features = 0; ///< See Feature.
  /// The extents of a cluster of blocks that the code requires; zeros where the
  /// launch may say.
  std::array<uint32_t, 3> Cluster = {0, 0, 0};
  Footprint Bytes;
  /// Symbol of the variant that waits for the launch in front of it before it
  /// touches memory; empty when there is none, and NoVariantReason says why.
  std::string PdlSymbol;
  /// Symbol of the variant whose blocks wait for their own producers, empty
  /// when there is none; NoVariantReason then says why.
  std::string PrelaunchSymbol;
  /// Symbol of the variant whose blocks note when they run, empty when there is
  /// none.
  std::string TimedSymbol;
  /// This kernel's case in the module's persistent entry, or -1.
  int32_t PersistentCase = -1;
  std::string NoVariantReason;
  /// The linker may take another kernel of this name in its place: it is weak,
  /// in relocatable device code. Its footprint is then anything.
  bool Replaceable = false;
  /// Equal numbers mean equal code, whatever file it was compiled in; 0 where
  /// that cannot be said, because the code uses variables of its own file.
  uint64_t Code = 0;

  bool has(Feature F) const { return Features >> unsigned(F) & 1; }
  void add(Feature F) { Features |= 1u << unsigned(F); }
};

/// A __device__ or __constant__ variable accesses may be rooted at.
struct GlobalRecord {
  std::string Symbol;
  uint64_t Bytes = 0;
  bool Internal = false; ///< No other file can name it.
};

/// A function or constant that other files may define too, each with the same
/// code as C++ promises, and of which the linker keeps one: an inline function.
struct SharedCode {
  std::string Symbol;
  uint64_t Code = 0; ///< As of a kernel.
};

struct ModuleRecord {
  std::string Source;       ///< Main file as given to the compiler.
  std::string Architecture; ///< "sm_90".
  std::vector<KernelRecord> Kernels;
  std::vector<GlobalRecord> Globals;
  std::string PersistentSymbol; ///< Empty when the module has no such entry.
  std::vector<uint8_t> Bitcode; ///< Device IR at the start of the pipeline.
  /// The device code may be linked with that of other files (-fgpu-rdc).
  bool Relocatable = false;
  /// What the kernels reach of this kind; only of relocatable device code.
  std::vector<SharedCode> Shared;
};

} // namespace blockmaestro

#endif
