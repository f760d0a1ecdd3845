// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: runs inline PTX on the host: statements are put into functions,
// lowered and compiled, all of a table at once.

#ifndef BLOCKMAESTRO_TEST_UNIT_PTX_PTXMACHINE_H
#define BLOCKMAESTRO_TEST_UNIT_PTX_PTXMACHINE_H

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

inline uint64_t bits(float X) { return std::bit_cast<uint32_t>(X); }
inline uint64_t bits(double X) { return std::bit_cast<uint64_t>(X); }

/// A statement, its operands and what it must write. Operands are written as in
/// CUDA ("=r", "f"), their values are bits.
struct PtxCase {
  std::string Text;
  std::vector<std::string> Outputs;
  std::vector<std::pair<std::string, uint64_t>> Inputs;
  std::vector<uint64_t> Expected;
};

/// Runs every case and reports those that differ as failures of the test.
void runPtxCases(const std::vector<PtxCase> &Cases);

/// Why the statement \p Text without operands is refused; empty when it is not.
std::string whyPtxRefused(const std::string &Text);

} // namespace blockmaestro

#endif
