// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.h"

#include "Membership.h"

#include <iterator>

namespace blockmaestro {

/// Launches whose footprints are remembered; more are never in flight.
static constexpr size_t MostExpected = 4096;

Status Checks::touches(const ObservedAccess &What) {
  if (Which & CheckMemory)
    if (Status Bad = Memory.touches(What); !Bad.ok())
      return Bad;
  if (Which & CheckRaces)
    Races.touches(What);
  if (Which & CheckFootprints) {
    checkFootprint(What);
    Tasks.touches(What);
  }
  if (Which & CheckGraph)
    Graph.touches(What);
  return Status();
}

void Checks::fences(const Launch &What, uint64_t Block, uint32_t Thread) {
  if (Which & CheckRaces)
    Races.fences(What, Block);
  if (Which & CheckFootprints)
    Tasks.fences(What, Block, Thread);
}

void Checks::ends(const Launch &What, uint64_t Block) {
  if (Which & CheckGraph)
    Graph.ends(What, Block);
  if (Which & CheckFootprints)
    Tasks.ends(What, Block);
}

void Checks::memory(const std::string &Name, uint64_t Address, uint64_t Bytes,
                    bool Constant) {
  if (Constant) {
    std::lock_guard<std::mutex> Guard(Lock);
    Constants[Address] = Bytes;
  }
  if (Bytes != 0 && Which & CheckRaces)
    Races.forget(Address, Bytes);
  if (Bytes != 0 && Name.empty())
    Tasks.allocated(Address, Bytes);
  if (Bytes == 0)
    Memory.forget(Address);
  else
    Memory.add(Address, Bytes,
               Name.empty() ? "malloc in a kernel"
                            : "the variable '" + Name + "'");
}

void Checks::expect(ExpectedNode Next) {
  if (Next.What) {
    std::lock_guard<std::mutex> Guard(Lock);
    Expected[Next.What->Id] = Next.Touched;
    if (Expected.size() > MostExpected)
      Expected.erase(Expected.begin());
  }
  if (Which & CheckGraph)
    Graph.expect(std::move(Next));
}

void Checks::expectTasks(ExpectedTasks Next) {
  if (Which & CheckFootprints)
    Tasks.expect(std::move(Next));
}

/// Whether only a constant is read, which is in no footprint.
bool Checks::isConstant(const ObservedAccess &What) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto After = Constants.upper_bound(What.Address);
  if (What.Bits & AccessWrites || After == Constants.begin())
    return false;
  const auto &[Address, Bytes] = *std::prev(After);
  return What.Address - Address < Bytes &&
         What.Bytes <= Bytes - (What.Address - Address);
}

void Checks::checkFootprint(const ObservedAccess &What) {
  if (What.Space != AccessSpace::Global)
    return;
  std::shared_ptr<const LaunchAccesses> Of;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    auto Known = Expected.find(What.What->Id);
    if (Known == Expected.end())
      return;
    Of = Known->second;
  }
  bool Reads = What.Bits & AccessReads, Writes = What.Bits & AccessWrites;
  if (mayTouch(*Of, blockOf(What.Block, What.What->Grid), What.Address,
               What.Bytes, Reads, Writes) ||
      isConstant(What))
    return;
  Found.add("footprint " + What.What->Kernel->Name + What.Where +
                (Writes ? "/write" : "/read"),
            std::string("footprint: ") + (Writes ? "write" : "read") + " of " +
                std::to_string(What.Bytes) + " bytes at " +
                hexadecimal(What.Address) + " by " + placeOf(What) +
                " is not in the footprint of the kernel");
}

} // namespace blockmaestro
