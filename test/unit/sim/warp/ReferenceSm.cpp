// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceSm.h"

#include <algorithm>

namespace blockmaestro::sim::reference {

static std::vector<Todo> todoOf(const WarpCode &Code, const WarpPath &Path) {
  std::vector<Todo> Out(1);
  std::map<uint32_t, uint32_t> StepOfLane;
  size_t Access = 0, Sector = 0;
  for (const WarpVisit &Visit : Path.Route->Visits) {
    std::vector<WarpMove> Moves;
    for (const WarpMove &Each : Code.Steps[Visit.Step].Moves)
      for (uint32_t Lane = 0; Lane < 32; ++Lane)
        if ((Visit.Lanes >> Lane & 1) && StepOfLane.count(Lane) &&
            StepOfLane[Lane] == Each.From) {
          Moves.push_back(Each);
          break;
        }
    for (uint32_t Lane = 0; Lane < 32; ++Lane)
      if (Visit.Lanes >> Lane & 1)
        StepOfLane[Lane] = Visit.Step;
    Out.back().Moves.push_back(Moves);
    for (const WarpInstruction &Each : Code.Steps[Visit.Step].Instructions) {
      Todo &Now = Out.back();
      Now.What = Each;
      if (isAccess(Each.Class)) {
        Now.Access = Path.Route->Accesses[Access++];
        for (uint32_t I = 0; !Now.Access.Shared && I < Now.Access.Count; ++I)
          Now.Sectors.push_back(Path.Sectors[Sector++]);
      }
      Out.emplace_back();
    }
  }
  Out.back().IsEnd = true;
  return Out;
}

void OneSm::begin(uint64_t Now) {
  for (auto Next = Starts.begin(); Next != Starts.end();) {
    const Start From = Next->second;
    if (From.At > Now) {
      ++Next;
      continue;
    }
    Next = Starts.erase(Next);
    const BlockTrace *What = From.Which;
    Block &New = Blocks.emplace_back();
    New.Number = What->Block;
    New.Place = From.Place;
    New.Application = From.Application;
    New.Bypasses = From.Bypasses;
    for (uint32_t I = 0; I < What->Warps.size(); ++I) {
      auto W = std::make_unique<OneWarp>();
      W->Of = &New;
      W->Number = I;
      W->NotBefore = std::max(Now, Arguments[From.Application]);
      W->Left = todoOf(*What->Code, *What->Warps[I]);
      W->doMoves();
      OneScheduler *Least = &Schedulers[0];
      for (OneScheduler &Each : Schedulers)
        if (Each.Warps.size() < Least->Warps.size())
          Least = &Each;
      Least->Warps.push_back(W.get());
      New.Warps.push_back(std::move(W));
    }
  }
}

void OneSm::endBlock(Block &Of, uint64_t Now) {
  for (const auto &Each : Of.Warps)
    for (OneScheduler &S : Schedulers) {
      S.Warps.remove(Each.get());
      S.NoYounger.remove(Each.get());
      if (S.Last == Each.get())
        S.Last = nullptr;
    }
  const uint32_t Application = Of.Application;
  Given.erase(Of.Place);
  Blocks.remove_if([&](const Block &Each) { return &Each == &Of; });
  Ended(Application, Now);
}

void OneSm::letGo(Block &Of, uint64_t Now) {
  for (const auto &Each : Of.Warps)
    if (!Each->Ended && !Each->Stopped)
      return;
  for (const auto &Each : Of.Warps)
    if (Each->Stopped) {
      Each->Stopped = false;
      Each->Released = std::max(Now + 1, Of.Taken + On.Cycles.Barrier);
    }
}

void OneSm::endWarps(uint32_t Which, uint64_t Now) {
  const std::list<OneWarp *> Mine = Schedulers[Which].Warps;
  for (OneWarp *W : Mine) {
    const std::list<OneWarp *> &Here = Schedulers[Which].Warps;
    if (std::find(Here.begin(), Here.end(), W) == Here.end())
      continue; // Its block has ended.
    if (!W->isReady(Now) || !W->next().IsEnd)
      continue;
    W->Ended = true;
    Report->Ends.push_back({W->Of->Number, W->Number, Now, W->Of->Application});
    Block &Of = *W->Of;
    const bool Over = std::all_of(Of.Warps.begin(), Of.Warps.end(),
                                  [](const auto &Each) { return Each->Ended; });
    if (Over)
      endBlock(Of, Now);
    else
      letGo(Of, Now);
  }
}

bool OneSm::hasUnit(const OneWarp &W, uint32_t Scheduler, uint64_t Now) {
  const Unit Needs = timingOf(W.next().What.Class, On).On;
  if (Needs == Unit::None)
    return true;
  const bool Global = isAccess(W.next().What.Class) && !W.next().Access.Shared;
  if (Global && GlobalFree > Now)
    return false;
  if (Needs == Unit::Memory && MemoryIssued[Scheduler] > Now)
    return false;
  return Free[{Needs, Scheduler % pipelineOf(Needs, On.Warps)->Count}] <= Now;
}

OneWarp *OneSm::choose(uint32_t Which, uint64_t Now) {
  OneScheduler &S = Schedulers[Which];
  std::vector<OneWarp *> Can;
  for (OneWarp *W : S.Warps)
    if (W->isReady(Now) && !W->next().IsEnd && hasUnit(*W, Which, Now))
      Can.push_back(W);
  if (Can.empty())
    return nullptr;
  if (By == WarpPolicy::GreedyThenOldest)
    return std::find(Can.begin(), Can.end(), S.Last) != Can.end() ? S.Last
                                                                  : Can[0];
  for (OneWarp *W : Can)
    if (std::find(S.NoYounger.begin(), S.NoYounger.end(), W) ==
        S.NoYounger.end())
      return W;
  return Can[0];
}

When OneSm::execute(OneWarp &W, uint32_t Scheduler, uint64_t Now) {
  const Todo &Do = W.next();
  const ClassTiming How = timingOf(Do.What.Class, On);
  const uint64_t Latency = std::max(1u, How.Latency);
  if (How.On == Unit::None)
    return {Now + Latency, false};
  const Pipeline &Line = *pipelineOf(How.On, On.Warps);
  if (How.On == Unit::Memory)
    MemoryIssued[Scheduler] = Now + On.Warps.MemoryIssueInterval;
  uint64_t &Until = Free[{How.On, Scheduler % Line.Count}];
  if (!isAccess(Do.What.Class)) {
    Until = Now + Line.Interval;
    return {Now + Latency, false};
  }
  if (Do.Access.Shared) {
    const uint64_t Times = std::max(1u, Do.Access.Count);
    Until = Now + Times * Line.Interval;
    return {Now + Latency + Times - 1, false};
  }
  const AccessTimes Is =
      L1.access(Do.What.Class, Do.Sectors,
                W.Of->Place < On.Warps.L1BypassBlocks || W.Of->Bypasses, Now,
                W.Of->Application, Do.Access.Together);
  Until = std::max(Now + Line.Interval, Is.PipeFree);
  if (Do.What.Class == WarpClass::Atomic)
    for (uint64_t I = 0, Free = Now; I < Do.Sectors.size(); ++I)
      Until = std::max(Until, Free += On.Warps.AtomicInterval);
  GlobalFree = Is.NextMay;
  return {Is.Ready, true};
}

void OneSm::issue(OneWarp &W, uint32_t Scheduler, uint64_t Now) {
  ++Report->Instructions;
  const WarpInstruction What = W.next().What;
  const When Ready = execute(W, Scheduler, Now);
  if (What.Result != NoRegister) {
    W.Registers[What.Result] = Ready;
    W.Last.later(Ready);
  }
  ++W.At;
  W.doMoves();
  if (What.Class == WarpClass::Branch)
    W.NotBefore = Ready.Time;
  if (W.next().IsEnd)
    W.NotBefore = std::max(W.NotBefore, Now + 1);
  if (What.Class == WarpClass::Barrier) {
    W.Stopped = true;
    W.Of->Taken = std::max(W.Of->Taken, Now) + On.Cycles.BarrierWarp;
    letGo(*W.Of, Now);
  }
  OneScheduler &S = Schedulers[Scheduler];
  S.Last = &W;
  S.NoYounger.clear();
  for (OneWarp *Each : S.Warps) {
    S.NoYounger.push_back(Each);
    if (Each == &W)
      break;
  }
}

Cycle OneSm::cycle(uint32_t Which, uint64_t Now) {
  endWarps(Which, Now);
  Cycle Out;
  for (uint32_t I = 0; I < On.Warps.IssuesPerScheduler; ++I) {
    OneWarp *W = choose(Which, Now);
    if (!W)
      break;
    if (!Out.Issued)
      Out = {true, Stall::NoWarp, W->Of->Application};
    issue(*W, Which, Now);
  }
  if (Out.Issued)
    return Out;
  for (OneWarp *W : Schedulers[Which].Warps) {
    if (W->Ended)
      continue;
    const Stall Is = W->isReady(Now) ? Stall::Structural : W->reason(Now);
    if (Is < Out.Cause)
      Out = {false, Is, W->Of->Application};
  }
  return Out;
}

} // namespace blockmaestro::sim::reference
