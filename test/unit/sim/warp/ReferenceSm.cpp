// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceSm.h"

#include "Needs.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <optional>

namespace blockmaestro::sim {
namespace {

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

std::vector<Todo> todoOf(const WarpCode &Code, const WarpPath &Path) {
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
  std::vector<std::unique_ptr<OneWarp>> Warps;
};

struct OneScheduler {
  std::list<OneWarp *> Warps; ///< By age.
  /// By age, also of those that are gone: how many have issued no later.
  OneWarp *Last = nullptr;
  std::list<OneWarp *> NoYounger;
};

class OneSm {
public:
  OneSm(const Machine &On, WarpPolicy By, uint32_t Number, Memory &Behind)
      : On(On), By(By), L1(On, Number, Behind),
        Schedulers(On.Warps.Schedulers) {}

  void startLaunch(uint32_t Places, uint64_t SharedBytes) {
    L1.start(Places * SharedBytes);
    Starts.assign(Places, {});
    Free.clear();
    GlobalFree = 0;
    for (OneScheduler &Each : Schedulers)
      Each = {};
  }

  void give(const BlockTrace *Which, uint32_t Place, uint64_t At) {
    Starts[Place] = {Which, At};
  }

  void begin(uint64_t Now);
  /// Returns what kept the scheduler, or nothing.
  std::optional<Stall> cycle(uint32_t Which, uint64_t Now);

  L1Cache &l1() { return L1; }
  std::function<const BlockTrace *()> NextBlock;
  ReferenceWarps *Report = nullptr;
  uint64_t LastEnd = 0;

private:
  struct Start {
    const BlockTrace *Which = nullptr;
    uint64_t At = 0;
  };

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
  std::vector<Start> Starts;
  std::list<Block> Blocks;
  std::map<std::pair<Unit, uint32_t>, uint64_t> Free;
  uint64_t GlobalFree = 0;
};

void OneSm::begin(uint64_t Now) {
  for (uint32_t Place = 0; Place < Starts.size(); ++Place) {
    const BlockTrace *What = Starts[Place].Which;
    if (!What || Starts[Place].At > Now)
      continue;
    Starts[Place].Which = nullptr;
    Block &New = Blocks.emplace_back();
    New.Number = What->Block;
    New.Place = Place;
    for (uint32_t I = 0; I < What->Warps.size(); ++I) {
      auto W = std::make_unique<OneWarp>();
      W->Of = &New;
      W->Number = I;
      W->NotBefore = Now;
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
  LastEnd = Now;
  for (const auto &Each : Of.Warps)
    for (OneScheduler &S : Schedulers) {
      S.Warps.remove(Each.get());
      S.NoYounger.remove(Each.get());
      if (S.Last == Each.get())
        S.Last = nullptr;
    }
  const uint64_t Wait = (On.BlockTurnaroundNs * On.ClockMHz + 999) / 1000;
  if (const BlockTrace *Next = NextBlock())
    give(Next, Of.Place, Now + std::max<uint64_t>(1, Wait));
  Blocks.remove_if([&](const Block &Each) { return &Each == &Of; });
}

void OneSm::letGo(Block &Of, uint64_t Now) {
  for (const auto &Each : Of.Warps)
    if (!Each->Ended && !Each->Stopped)
      return;
  const uint64_t Wait =
      On.Cycles.Barrier + uint64_t(On.Cycles.BarrierWarp) * Of.Warps.size();
  for (const auto &Each : Of.Warps)
    if (Each->Stopped) {
      Each->Stopped = false;
      Each->Released = Now + std::max<uint64_t>(1, Wait);
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
    Report->Ends.push_back({W->Of->Number, W->Number, Now});
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
  const AccessTimes Is = L1.access(Do.What.Class, Do.Sectors,
                                   W.Of->Place < On.Warps.L1BypassBlocks, Now);
  Until = std::max(Now + Line.Interval, Is.PipeFree);
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

std::optional<Stall> OneSm::cycle(uint32_t Which, uint64_t Now) {
  endWarps(Which, Now);
  uint32_t Issued = 0;
  while (Issued < On.Warps.IssuesPerScheduler) {
    OneWarp *W = choose(Which, Now);
    if (!W)
      break;
    issue(*W, Which, Now);
    ++Issued;
  }
  if (Issued)
    return std::nullopt;
  Stall Out = Stall::NoWarp;
  for (OneWarp *W : Schedulers[Which].Warps)
    if (!W->Ended)
      Out = std::min(Out, W->isReady(Now) ? Stall::Structural : W->reason(Now));
  return Out;
}

class OneLaunch {
public:
  OneLaunch(std::vector<OneSm> &Sms, std::vector<const BlockTrace *> Of,
            const Machine &On, ReferenceWarps &Report)
      : Sms(Sms), Left(std::move(Of)), On(On), Report(Report) {}

  uint64_t run(const RecordedLaunch &What, const Memory &Behind, uint64_t Now) {
    std::reverse(Left.begin(), Left.end());
    const size_t Before = Report.Ends.size();
    size_t Warps = 0;
    for (const BlockTrace *Each : Left)
      Warps += Each->Warps.size();
    start(What, Now);
    for (;; ++Now) {
      for (OneSm &Each : Sms)
        Each.begin(Now);
      std::vector<std::optional<Stall>> Causes;
      for (OneSm &Each : Sms)
        for (uint32_t S = 0; S < On.Warps.Schedulers; ++S)
          Causes.push_back(Each.cycle(S, Now));
      if (Report.Ends.size() == Before + Warps)
        break;
      for (const std::optional<Stall> &Each : Causes)
        Each ? ++Report.Stalls[size_t(*Each)] : ++Report.IssueCycles;
    }
    const uint64_t End = std::max(Now, Behind.allTaken());
    Report.Stalls[size_t(Stall::NoWarp)] +=
        (End - Now) * Sms.size() * On.Warps.Schedulers;
    for (OneSm &Each : Sms)
      Each.l1().flush(End);
    return End;
  }

private:
  const BlockTrace *take() {
    if (Left.empty())
      return nullptr;
    const BlockTrace *Out = Left.back();
    Left.pop_back();
    return Out;
  }

  void start(const RecordedLaunch &What, uint64_t Now) {
    const uint32_t Places = blocksPerSm(What, On);
    for (OneSm &Each : Sms) {
      Each.startLaunch(Places, What.SharedBytes);
      Each.NextBlock = [this] { return take(); };
      Each.Report = &Report;
    }
    const uint64_t Gap = (On.BlockIssueNs * On.ClockMHz + 999) / 1000;
    for (uint32_t Place = 0; Place < Places; ++Place)
      for (OneSm &Each : Sms)
        if (const BlockTrace *Next = take())
          Each.give(Next, Place, Now + Place * Gap);
  }

  std::vector<OneSm> &Sms;
  std::vector<const BlockTrace *> Left;
  const Machine &On;
  ReferenceWarps &Report;
};

} // namespace

ReferenceWarps referenceWarps(const Recording &Of, const Machine &On,
                              WarpPolicy By) {
  ReferenceWarps Out;
  Memory Behind(On);
  std::vector<OneSm> Sms;
  for (uint32_t I = 0; I < On.Sms; ++I)
    Sms.emplace_back(On, By, I, Behind);
  for (const RecordedLaunch &Each : Of.Launches) {
    std::vector<const BlockTrace *> Mine;
    for (const BlockTrace &Trace : Of.Traces)
      if (Trace.Launch == Each.Id)
        Mine.push_back(&Trace);
    Out.Cycles = OneLaunch(Sms, Mine, On, Out).run(Each, Behind, Out.Cycles);
  }
  return Out;
}

} // namespace blockmaestro::sim
