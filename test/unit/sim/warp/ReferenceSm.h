// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An SM of docs/warp-tier.md that asks every warp in each cycle whether it
// could issue, and remembers nothing but what has happened.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_WARP_REFERENCESM_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_WARP_REFERENCESM_H

#include "ReferenceRun.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

namespace blockmaestro::sim::reference {

/// When something is there and whether memory brings it.
struct When {
  uint64_t Time = 0;
  bool Memory = false;
  void later(const When &Other) {
    if (Other.Time > Time || (Other.Time == Time && Other.Memory))
      *this = Other;
  }
};

/// An instruction that a warp is to execute, with the moves before it.
struct Todo {
  std::vector<std::vector<WarpMove>> Moves;
  WarpInstruction What;
  WarpAccess Access;
  std::vector<uint64_t> Sectors;
  bool IsEnd = false;
};

struct Block;

struct OneWarp {
  Block *Of = nullptr;
  uint32_t Number = 0;
  std::vector<Todo> Left;
  size_t At = 0;
  std::map<uint32_t, When> Registers;
  When Last;
  uint64_t NotBefore = 0;
  bool Stopped = false;
  uint64_t Released = 0;
  bool Ended = false;

  const Todo &next() const { return Left[At]; }

  void doMoves() {
    for (const std::vector<WarpMove> &Group : next().Moves) {
      std::map<uint32_t, When> Results;
      for (const WarpMove &Each : Group)
        Results[Each.Result].later(
            Each.Operand == NoRegister ? When() : Registers[Each.Operand]);
      for (const auto &[Register, Ready] : Results)
        Registers[Register] = Ready;
    }
  }

  When due() {
    When Out = {NotBefore, false};
    if (next().IsEnd) {
      Out.later(Last);
      return Out;
    }
    for (uint32_t Each : next().What.Operands)
      Out.later(Registers[Each]);
    if (next().What.Result != NoRegister)
      Out.later(Registers[next().What.Result]);
    return Out;
  }

  bool isReady(uint64_t Now) {
    return !Ended && !Stopped && Released <= Now && due().Time <= Now;
  }

  Stall reason(uint64_t Now) {
    if (Stopped || (Released > Now && Released >= due().Time))
      return Stall::Barrier;
    return due().Memory ? Stall::Memory : Stall::Dependence;
  }
};

struct Block {
  uint64_t Number = 0;
  uint32_t Place = 0;
  uint32_t Application = 0;
  bool Bypasses = false;
  std::vector<std::unique_ptr<OneWarp>> Warps;
  uint64_t Taken = 0; ///< When the barrier has taken those that came.
};

struct OneScheduler {
  std::list<OneWarp *> Warps; ///< By age.
  /// By age, also of those that are gone: how many have issued no later.
  OneWarp *Last = nullptr;
  std::list<OneWarp *> NoYounger;
};

/// A block that an SM has been given.
struct Start {
  const BlockTrace *Which = nullptr;
  const RecordedLaunch *Of = nullptr;
  uint32_t Application = 0;
  bool Bypasses = false;
  uint64_t At = 0;
  uint32_t Place = 0;
};

struct Cycle {
  bool Issued = false;
  Stall Cause = Stall::NoWarp;
  uint32_t Application = 0;
};

class OneSm {
public:
  OneSm(const Machine &On, WarpPolicy By, uint32_t Number, Memory &Behind)
      : On(On), By(By), L1(On, Number, Behind),
        Schedulers(On.Warps.Schedulers) {}

  void startLaunch(uint32_t Application, uint64_t SharedBytes, uint64_t Now,
                   uint64_t Later) {
    Arguments[Application] = Now + Later + On.Cycles.Arguments;
    if (!Given.empty()) {
      L1.flush(Now, Application);
      L1.change(SharedBytes, Now);
      return;
    }
    L1.start(SharedBytes, Now);
    Free.clear();
    MemoryIssued.clear();
    GlobalFree = 0;
    for (OneScheduler &Each : Schedulers)
      Each = {};
  }

  void give(const Start &What) {
    Start Next = What;
    while (Given.count(Next.Place))
      ++Next.Place;
    Starts.insert({Next.Place, Next});
    Given.insert({Next.Place, Next});
  }

  void begin(uint64_t Now);
  /// Whose warp issued, or what kept the scheduler, and whose warp.
  Cycle cycle(uint32_t Which, uint64_t Now);

  L1Cache &l1() { return L1; }
  const std::map<uint32_t, Start> &given() const { return Given; }
  std::function<void(uint32_t Application, uint64_t Now)> Ended;
  ReferenceWarps *Report = nullptr;

private:
  void endWarps(uint32_t Which, uint64_t Now);
  void endBlock(Block &Of, uint64_t Now);
  bool hasUnit(const OneWarp &W, uint32_t Scheduler, uint64_t Now);
  OneWarp *choose(uint32_t Which, uint64_t Now);
  void issue(OneWarp &W, uint32_t Scheduler, uint64_t Now);
  When execute(OneWarp &W, uint32_t Scheduler, uint64_t Now);
  void letGo(Block &Of, uint64_t Now);

  const Machine &On;
  WarpPolicy By;
  L1Cache L1;
  std::vector<OneScheduler> Schedulers;
  std::map<uint32_t, Start> Starts, Given; ///< By their places.
  std::list<Block> Blocks;
  std::map<std::pair<Unit, uint32_t>, uint64_t> Free;
  uint64_t GlobalFree = 0;
  /// When a scheduler may issue to memory again.
  std::map<uint32_t, uint64_t> MemoryIssued;
  /// When those of an application's launch are there.
  std::map<uint32_t, uint64_t> Arguments;
};

} // namespace blockmaestro::sim::reference

#endif
