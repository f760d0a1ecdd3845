// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the only thing an executor reports: one block has run.
// On the data's way: from runtime/exec to the recording.
// Invariants: times are nanoseconds of one monotonic clock per recording,
// Start <= End. Threads: plain value; executors may report from any thread.

#ifndef BLOCKMAESTRO_EVENT_H
#define BLOCKMAESTRO_EVENT_H

#include <cstdint>

namespace blockmaestro {

struct Event {
  uint64_t Launch = 0;
  uint64_t Block = 0; ///< Linear, x fastest.
  uint64_t Start = 0;
  uint64_t End = 0;
  uint32_t Where = 0; ///< SM, or worker thread on the emulated device.
};

/// What one block executed; counted by the emulated device when recording.
/// Classes are of warp instructions: one counts once however many of its lanes
/// were active. Transactions are what its accesses ask of the memory.
struct BlockCost {
  uint64_t Integer = 0; ///< Arithmetic, logic, comparisons, addresses.
  uint64_t Single = 0;  ///< Arithmetic of floats and halves.
  uint64_t Double = 0;
  uint64_t Special = 0;   ///< Functions, approximations, conversions.
  uint64_t Branches = 0;  ///< Whatever ends a basic block.
  uint64_t Exchanges = 0; ///< Shuffles, votes, what a warp does together.
  uint64_t Barriers = 0;  ///< Of the block.
  uint64_t Private = 0;   ///< Accesses to a thread's own memory.
  uint64_t Other = 0;
  uint64_t GlobalReads = 0;
  uint64_t GlobalWrites = 0;
  uint64_t GlobalAtomics = 0;
  uint64_t SharedReads = 0;
  uint64_t SharedWrites = 0;
  uint64_t SharedAtomics = 0;

  uint64_t GlobalReadSectors = 0; ///< Of 32 bytes.
  uint64_t GlobalWriteSectors = 0;
  uint64_t GlobalAtomicSectors = 0;
  uint64_t SharedWavefronts = 0; ///< One for each access without conflicts.

  uint64_t Products = 0;       ///< Of Integer.
  uint64_t Approximations = 0; ///< Of Special.
  uint64_t Conversions = 0;    ///< The same.

  /// Of what was read, sectors that the block had not touched before.
  uint64_t FirstReadSectors = 0;
  uint64_t FirstReads = 0; ///< Reads with such a sector.
  /// The sectors that the block touched, each once, by how many bytes blocks
  /// had touched since one before did: at most so many MiB, more, or none did.
  uint64_t Within16 = 0;
  uint64_t Within32 = 0;
  uint64_t Within64 = 0;
  uint64_t Beyond64 = 0;
  uint64_t NewSectors = 0;

  /// Of the slowest warp: all it executed, and what lies on the longest chains
  /// of instructions that need each other, basic block by basic block.
  uint64_t ChainInstructions = 0;
  uint64_t ChainArithmetic = 0; ///< Of integers, but products.
  uint64_t ChainSingle = 0;     ///< And products of integers.
  uint64_t ChainDouble = 0;
  uint64_t ChainSpecial = 0;
  uint64_t ChainApproximations = 0;
  uint64_t ChainConversions = 0;
  uint64_t ChainExchanges = 0;
  uint64_t ChainBarriers = 0;
  uint64_t ChainShared = 0;
  uint64_t ChainReads = 0;   ///< Of global memory.
  uint64_t ChainAtomics = 0; ///< Of global memory.
  uint64_t ChainPrivate = 0;
  uint64_t ChainBranches = 0;
  uint64_t ChainOther = 0;

  uint64_t arithmetic() const {
    return Integer + Single + Double + Special + Exchanges;
  }
  uint64_t globalAccesses() const {
    return GlobalReads + GlobalWrites + GlobalAtomics;
  }
  uint64_t globalSectors() const {
    return GlobalReadSectors + GlobalWriteSectors + GlobalAtomicSectors;
  }
  /// Each sector that the block touched, once.
  uint64_t touchedSectors() const {
    return Within16 + Within32 + Within64 + Beyond64 + NewSectors;
  }
  uint64_t sharedAccesses() const {
    return SharedReads + SharedWrites + SharedAtomics;
  }
  uint64_t instructions() const {
    return arithmetic() + Branches + Barriers + Private + Other +
           globalAccesses() + sharedAccesses();
  }
};

/// What a number of a BlockCost is called in recordings and dumps.
struct CostField {
  const char *Name;
  uint64_t BlockCost::*Value;
};

inline constexpr CostField CostFields[] = {
    {"integer", &BlockCost::Integer},
    {"single", &BlockCost::Single},
    {"double", &BlockCost::Double},
    {"special", &BlockCost::Special},
    {"branches", &BlockCost::Branches},
    {"exchanges", &BlockCost::Exchanges},
    {"barriers", &BlockCost::Barriers},
    {"private", &BlockCost::Private},
    {"other", &BlockCost::Other},
    {"global_reads", &BlockCost::GlobalReads},
    {"global_writes", &BlockCost::GlobalWrites},
    {"global_atomics", &BlockCost::GlobalAtomics},
    {"shared_reads", &BlockCost::SharedReads},
    {"shared_writes", &BlockCost::SharedWrites},
    {"shared_atomics", &BlockCost::SharedAtomics},
    {"global_read_sectors", &BlockCost::GlobalReadSectors},
    {"global_write_sectors", &BlockCost::GlobalWriteSectors},
    {"global_atomic_sectors", &BlockCost::GlobalAtomicSectors},
    {"shared_wavefronts", &BlockCost::SharedWavefronts},
    {"products", &BlockCost::Products},
    {"approximations", &BlockCost::Approximations},
    {"conversions", &BlockCost::Conversions},
    {"first_read_sectors", &BlockCost::FirstReadSectors},
    {"first_reads", &BlockCost::FirstReads},
    {"sectors_within_16m", &BlockCost::Within16},
    {"sectors_within_32m", &BlockCost::Within32},
    {"sectors_within_64m", &BlockCost::Within64},
    {"sectors_beyond_64m", &BlockCost::Beyond64},
    {"sectors_new", &BlockCost::NewSectors},
    {"chain_instructions", &BlockCost::ChainInstructions},
    {"chain_arithmetic", &BlockCost::ChainArithmetic},
    {"chain_single", &BlockCost::ChainSingle},
    {"chain_double", &BlockCost::ChainDouble},
    {"chain_special", &BlockCost::ChainSpecial},
    {"chain_approximations", &BlockCost::ChainApproximations},
    {"chain_conversions", &BlockCost::ChainConversions},
    {"chain_exchanges", &BlockCost::ChainExchanges},
    {"chain_barriers", &BlockCost::ChainBarriers},
    {"chain_shared", &BlockCost::ChainShared},
    {"chain_reads", &BlockCost::ChainReads},
    {"chain_atomics", &BlockCost::ChainAtomics},
    {"chain_private", &BlockCost::ChainPrivate},
    {"chain_branches", &BlockCost::ChainBranches},
    {"chain_other", &BlockCost::ChainOther},
};

} // namespace blockmaestro

#endif
