// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceSm.h"

#include "Needs.h"

#include <algorithm>
#include <deque>
#include <functional>
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
  uint32_t Application = 0;
  bool Bypasses = false;
  std::vector<std::unique_ptr<OneWarp>> Warps;
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

  void startLaunch(uint32_t Application, uint64_t SharedBytes, uint64_t Now) {
    Arguments[Application] = Now + On.Cycles.Arguments;
    if (!Given.empty()) {
      L1.flush(Now, Application);
      L1.change(SharedBytes, Now);
      return;
    }
    L1.start(SharedBytes, Now);
    Free.clear();
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
  /// When those of an application's launch are there.
  std::map<uint32_t, uint64_t> Arguments;
};

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
  const AccessTimes Is =
      L1.access(Do.What.Class, Do.Sectors,
                W.Of->Place < On.Warps.L1BypassBlocks || W.Of->Bypasses, Now,
                W.Of->Application);
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

/// One of the recordings, on its way.
struct OneApplication {
  const Recording *Of = nullptr;
  size_t NextLaunch = 0;
  const RecordedLaunch *Launch = nullptr;
  std::vector<const BlockTrace *> Left; ///< The next one last.
  uint64_t Outstanding = 0;
  std::optional<uint64_t> EndsAt = 0; ///< What came before the first launch.
  bool HasEnded = false;
  Share Limit;
  uint64_t Since = 0; ///< When its launch began.
};

class OneRun {
public:
  OneRun(std::span<const Recording> Of, const Machine &On, WarpPolicy By,
         const Shares &Limits)
      : On(On), Behind(On, uint32_t(Of.size())), Apps(Of.size()),
        HasLimits(!Limits.empty()) {
    Report.Shares.resize(Of.size());
    for (size_t I = 0; I < Of.size(); ++I) {
      Apps[I].Of = &Of[I];
      if (!Limits.empty())
        Apps[I].Limit = Limits[I];
    }
    for (uint32_t I = 0; I < On.Sms; ++I)
      Sms.emplace_back(On, By, I, Behind);
    for (OneSm &Each : Sms) {
      Each.Report = &Report;
      Each.Ended = [this, &Each](uint32_t A, uint64_t Now) {
        blockEnded(Each, A, Now);
      };
    }
  }

  ReferenceWarps run() {
    for (uint64_t Now = 0;; ++Now) {
      std::vector<Cycle> Cycles;
      do {
        launches(Now);
        if (left() == 0) {
          Report.Cycles = Now;
          return Report;
        }
        Cycles = cycle(Now);
      } while (hasEnd(Now));
      for (const Cycle &Each : Cycles)
        count(Each);
    }
  }

private:
  std::vector<Cycle> cycle(uint64_t Now) {
    std::vector<Cycle> Out;
    for (OneSm &Each : Sms)
      Each.begin(Now);
    for (OneSm &Each : Sms)
      for (uint32_t S = 0; S < On.Warps.Schedulers; ++S)
        Out.push_back(Each.cycle(S, Now));
    return Out;
  }

  void count(const Cycle &Of) {
    ReferenceCycles &C = Report.Shares[Of.Application];
    if (Of.Issued)
      ++Report.IssueCycles, ++C.IssueCycles;
    else
      ++Report.Stalls[size_t(Of.Cause)], ++C.Stalls[size_t(Of.Cause)];
  }

  size_t left() const {
    return size_t(std::count_if(Apps.begin(), Apps.end(),
                                [](const auto &A) { return !A.HasEnded; }));
  }

  bool hasEnd(uint64_t Now) const {
    return std::any_of(Apps.begin(), Apps.end(),
                       [&](const auto &A) { return A.EndsAt == Now; });
  }

  /// Those that end now end, the next ones begin.
  void launches(uint64_t Now) {
    if (!hasEnd(Now))
      return;
    std::vector<uint32_t> Begun;
    for (uint32_t A = 0; A < Apps.size(); ++A)
      if (Apps[A].EndsAt == Now) {
        Begun.push_back(A);
        if (Apps[A].Launch)
          for (OneSm &Each : Sms)
            Each.l1().flush(Now, A);
      }
    for (uint32_t A : Begun)
      beginNext(Apps[A], Now);
    for (uint32_t A : Begun)
      for (OneSm &Each : Sms)
        if (!Apps[A].HasEnded)
          Each.startLaunch(A, sharedBytes(), Now);
    handOutAll(Now);
  }

  static void beginNext(OneApplication &A, uint64_t Now) {
    A.EndsAt.reset();
    A.Since = Now;
    A.Launch = nullptr;
    A.HasEnded = A.NextLaunch == A.Of->Launches.size();
    if (A.HasEnded)
      return;
    A.Launch = &A.Of->Launches[A.NextLaunch++];
    for (const BlockTrace &Each : A.Of->Traces)
      if (Each.Launch == A.Launch->Id)
        A.Left.push_back(&Each);
    std::reverse(A.Left.begin(), A.Left.end());
  }

  uint64_t sharedBytes() const {
    uint64_t Out = 0;
    for (const OneApplication &Each : Apps)
      if (Each.Launch)
        Out += Each.Launch->SharedBytes * blocksPerSm(*Each.Launch, On);
    return std::min<uint64_t>(Out, On.SharedBytesPerSm);
  }

  bool fits(const OneSm &Sm, const RecordedLaunch &Next) const {
    uint64_t Blocks = 1, Threads = Next.Block.count(),
             Shared = Next.SharedBytes, Registers = registersPerBlock(Next, On);
    for (const auto &[Place, Each] : Sm.given()) {
      ++Blocks;
      Threads += Each.Of->Block.count();
      Shared += Each.Of->SharedBytes;
      Registers += registersPerBlock(*Each.Of, On);
    }
    return Blocks <= On.BlocksPerSm && Threads <= On.ThreadsPerSm &&
           Shared <= On.SharedBytesPerSm && Registers <= On.RegistersPerSm;
  }

  std::optional<uint32_t> firstBegun(const OneSm &Sm) const {
    std::optional<uint32_t> Out;
    for (uint32_t A = 0; A < Apps.size(); ++A)
      if (!Apps[A].Left.empty() && (!Out || Apps[A].Since < Apps[*Out].Since))
        Out = A;
    if (Out && !fits(Sm, *Apps[*Out].Launch))
      Out.reset();
    return Out;
  }

  std::optional<uint32_t> fewest(const OneSm &Sm) const {
    const bool Alone = left() == 1;
    std::optional<uint32_t> Out;
    std::vector<uint32_t> Has(Apps.size());
    for (const auto &[Place, Each] : Sm.given())
      ++Has[Each.Application];
    for (uint32_t A = 0; A < Apps.size(); ++A)
      if (!Apps[A].Left.empty() && fits(Sm, *Apps[A].Launch) &&
          (Alone || Has[A] < Apps[A].Limit.Blocks) &&
          (!Out || Has[A] < Has[*Out]))
        Out = A;
    return Out;
  }

  bool bypasses(const OneSm &Sm, uint32_t Which) const {
    if (!HasLimits || left() == 1)
      return false;
    uint32_t Past = 0;
    for (const auto &[Place, Each] : Sm.given())
      Past += Each.Application == Which && Each.Bypasses;
    return Past < Apps[Which].Limit.Bypassing;
  }

  /// Whether an SM has got a block.
  bool handOut(OneSm &Sm, uint64_t At) {
    const std::optional<uint32_t> Which =
        HasLimits ? fewest(Sm) : firstBegun(Sm);
    if (!Which)
      return false;
    OneApplication &A = Apps[*Which];
    Sm.give({A.Left.back(), A.Launch, *Which, bypasses(Sm, *Which), At, 0});
    A.Left.pop_back();
    ++A.Outstanding;
    return true;
  }

  void handOutAll(uint64_t At) {
    for (bool Any = true; Any; At += gap()) {
      Any = false;
      for (OneSm &Each : Sms)
        Any |= handOut(Each, At);
    }
  }

  /// Once an application has no block left, others may have some for any SM.
  void blockEnded(OneSm &Sm, uint32_t Which, uint64_t Now) {
    OneApplication &A = Apps[Which];
    --A.Outstanding;
    const uint64_t Wait = (On.BlockTurnaroundNs * On.ClockMHz + 999) / 1000;
    const uint64_t First = Now + std::max<uint64_t>(1, Wait);
    const bool Had = !A.Left.empty();
    for (uint64_t At = First; handOut(Sm, At); At += gap())
      ;
    if (Had && A.Left.empty())
      handOutAll(First);
    if (A.Left.empty() && A.Outstanding == 0)
      A.EndsAt = std::max(left() > 1 ? Now + 1 : Now, Behind.allTaken(Which));
  }

  uint64_t gap() const { return (On.BlockIssueNs * On.ClockMHz + 999) / 1000; }

  const Machine &On;
  Memory Behind;
  std::deque<OneSm> Sms;
  std::vector<OneApplication> Apps;
  bool HasLimits;
  ReferenceWarps Report;
};

} // namespace

ReferenceWarps referenceTogether(std::span<const Recording> Of,
                                 const Machine &On, WarpPolicy By,
                                 const Shares &Limits) {
  return OneRun(Of, On, By, Limits).run();
}

ReferenceWarps referenceWarps(const Recording &Of, const Machine &On,
                              WarpPolicy By) {
  return referenceTogether({&Of, 1}, On, By, {});
}

} // namespace blockmaestro::sim
