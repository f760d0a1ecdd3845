// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the checks of BLOCKMAESTRO_CHECK together: what the emulated
// device tells of accesses goes to each that is on.
// On the data's way: the front end tells it the footprint of every launch, and
// what it waits for, before it runs, the emulated device's memory its areas,
// the emulator what threads touch. Ownership: the findings outlive it. Threads:
// any.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_CHECKS_H
#define BLOCKMAESTRO_RUNTIME_CHECK_CHECKS_H

#include "GraphCheck.h"
#include "MemoryCheck.h"
#include "RaceCheck.h"
#include "TaskCheck.h"

#include "blockmaestro/BlockAccess.h"

#include <map>
#include <memory>
#include <mutex>

namespace blockmaestro {

enum CheckBits : unsigned {
  CheckMemory = 1,
  CheckRaces = 2,
  CheckFootprints = 4,
  CheckGraph = 8,
};

class Checks final : public AccessObserver {
public:
  Checks(unsigned Which, Findings &Found)
      : Which(Which), Found(Found), Races(Found), Graph(Found), Tasks(Found) {}

  Status touches(const ObservedAccess &What) override;
  void fences(const Launch &What, uint64_t Block, uint32_t Thread) override;
  void ends(const Launch &What, uint64_t Block) override;
  void memory(const std::string &Name, uint64_t Address, uint64_t Bytes,
              bool Constant) override;

  /// What comes next: a launch, or a copy.
  void expect(ExpectedNode Next);
  /// A graph of tasks comes next, whose launches are told of too.
  void expectTasks(ExpectedTasks Next);

  /// The program's own allocations, for memory and leaks.
  MemoryCheck &areas() { return Memory; }
  GraphCheck &graph() { return Graph; }
  unsigned which() const { return Which; }

private:
  void checkFootprint(const ObservedAccess &What);
  bool isConstant(const ObservedAccess &What);

  const unsigned Which;
  Findings &Found;
  MemoryCheck Memory;
  RaceCheck Races;
  GraphCheck Graph;
  TaskCheck Tasks;
  std::mutex Lock;
  std::map<uint64_t, std::shared_ptr<const LaunchAccesses>> Expected;
  std::map<uint64_t, uint64_t> Constants; ///< Bytes, by address.
};

} // namespace blockmaestro

#endif
