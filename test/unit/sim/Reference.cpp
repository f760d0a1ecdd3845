// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference.h"
#include "ReferenceBuffers.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::sim {
namespace {

struct ReferenceSm {
  uint32_t Blocks = 0, Threads = 0, Shared = 0, Registers = 0;
  uint64_t NextStart = 0;
};

class Reference {
public:
  Reference(const Workload &What, const Machine &On, const Scheduler &By)
      : What(What), On(On), By(By), Launches(What.Launches.size()), Sms(On.Sms),
        Buffers{On} {
    for (size_t I = 0; I < Launches.size(); ++I)
      Launches[I].Blocks.resize(What.Launches[I].Blocks);
    noteCalls();
  }

  ReferenceRun run() {
    for (Now = 0; first() < Launches.size(); ++Now) {
      bool Happened = issueWhatMayBe();
      while (happensNext()) {
        Happened = true;
        noteCompleted();
        noteReady();
        issueWhatMayBe();
      }
      if (Happened)
        place();
    }
    return {std::move(Launches), Buffers.Requests, Decoded, Stalls};
  }

private:
  bool isWindow() const { return By.Knows != Tracking::Queue; }
  bool launchesWhenReady() const { return By.Knows == Tracking::HostWindow; }

  static bool isIssued(const ReferenceLaunch &L) { return L.Issued != NotYet; }
  static bool isLaunching(const ReferenceLaunch &L) {
    return L.Begun != NotYet && !L.IsLaunched;
  }
  template <typename F> size_t countOf(F Holds) const {
    return size_t(std::count_if(Launches.begin(), Launches.end(), Holds));
  }

  /// The earliest launch that has not completed.
  size_t first() const {
    return countOf(
        [](const ReferenceLaunch &L) { return L.Completed != NotYet; });
  }
  /// The first one that has not been issued.
  size_t next() const { return countOf(isIssued); }

  uint64_t cycles(uint64_t Count) const {
    return (1000 * Count + On.ClockMHz - 1) / On.ClockMHz;
  }

  uint64_t overhead(const WorkLaunch &Of) const {
    if (Of.IsCopy && Of.Path == CopyPath::None)
      return 0;
    switch (By.Launches) {
    case Launcher::Nobody:
      return 0;
    case Launcher::Device:
      return On.DeviceLaunchNs;
    case Launcher::Stream:
      return On.StreamGapNs;
    case Launcher::Graph:
      return On.GraphGapNs;
    case Launcher::EarlyGraph:
      return On.EarlyGapNs;
    case Launcher::Host:
      break;
    }
    return On.LaunchOverheadNs + (By.Knows == Tracking::DeviceWindow
                                      ? cycles(By.KernelsInFlight)
                                      : 0);
  }

  bool callsTakeTime() const { return By.Launches == Launcher::Stream; }

  /// The host's calls, where they matter.
  void noteCalls() {
    if (What.HostTakesTime || callsTakeTime())
      Calls = What.HostCalls;
    for (HostCall &Each : Calls)
      if (const WorkLaunch &Of = What.Launches[Each.Launch];
          callsTakeTime() && !Each.Waits &&
          !(Of.IsCopy && Of.Path == CopyPath::None))
        Each.Ns += On.LaunchOverheadNs;
  }

  uint64_t leaving() const {
    return By.Knows == Tracking::Queue        ? 0
           : By.Knows == Tracking::HostWindow ? On.StreamSyncNs
                                              : cycles(By.KernelsInFlight - 1);
  }

  /// Lets the first thing happen that is to happen now; false when there is
  /// none.
  bool happensNext() {
    if (CheckEnds == Now) {
      CheckEnds = NotYet;
      issue(next());
      return true;
    }
    for (ReferenceLaunch &L : Launches)
      if (isLaunching(L) && L.LaunchEnds == Now)
        return L.IsLaunched = true;
    for (ReferenceLaunch &L : Launches)
      if (!L.HasLeft && L.Leaves == Now)
        return L.HasLeft = true;
    for (size_t L = 0; L < Launches.size(); ++L)
      for (ReferenceBlock &B : Launches[L].Blocks)
        if (!B.HasEnded && B.End == Now)
          return end(L, B);
    return false;
  }

  bool end(size_t Launch, ReferenceBlock &B) {
    const WorkLaunch &Of = What.Launches[Launch];
    ReferenceLaunch &L = Launches[Launch];
    B.HasEnded = true;
    tellChildren(Launch, uint32_t(&B - L.Blocks.data()));
    if (!Of.IsCopy) {
      --Sms[B.Sm].Blocks;
      Sms[B.Sm].Threads -= Of.Threads;
      Sms[B.Sm].Shared -= Of.SharedBytes;
      Sms[B.Sm].Registers -= Of.Registers;
    }
    if (std::all_of(L.Blocks.begin(), L.Blocks.end(),
                    [](const ReferenceBlock &Each) { return Each.HasEnded; }))
      L.Leaves = Now + leaving();
    L.HasLeft = L.Leaves == Now;
    return true;
  }

  void noteCompleted() {
    for (size_t I = first(); I < Launches.size() && Launches[I].HasLeft; ++I)
      Launches[I].Completed = Now;
  }

  /// Whether nothing waits for all of a launch any more.
  bool isOver(uint32_t Launch) const {
    return isWindow() ? Launches[Launch].HasLeft
                      : Launches[Launch].Completed != NotYet;
  }

  bool waitsForAll(const WorkRelation &R) const {
    return By.Waits == Granularity::Kernel || R.KernelLevel;
  }

  /// Whether a launch waits for all of another one that is not over.
  bool waitsForLaunch(const WorkLaunch &Of) const {
    return std::any_of(Of.In.begin(), Of.In.end(), [&](uint32_t Index) {
      const WorkRelation &R = What.Relations[Index];
      const Expansion &E = What.Expansions[R.Expanded];
      const bool Needs = E.KernelLevel || !E.Children.empty();
      return Needs && waitsForAll(R) && !isOver(R.Producer);
    });
  }

  bool waitsForBlock(const WorkLaunch &Of, uint32_t Block) const {
    for (uint32_t Index : Of.In) {
      const WorkRelation &R = What.Relations[Index];
      const Expansion &E = What.Expansions[R.Expanded];
      if (waitsForAll(R))
        continue;
      const std::vector<ReferenceBlock> &Parents = Launches[R.Producer].Blocks;
      for (uint32_t P = 0; P < Parents.size(); ++P)
        if (!Parents[P].HasEnded &&
            std::count(E.Children.begin() + E.Begin[P],
                       E.Children.begin() + E.Begin[P + 1], Block))
          return true;
    }
    return false;
  }

  /// Whether a parent of a block has ended, and another has not.
  bool isPartlyUpdated(const WorkLaunch &Of, uint32_t Block) const {
    bool Ended = false;
    for (uint32_t Index : Of.In) {
      const WorkRelation &R = What.Relations[Index];
      const Expansion &E = What.Expansions[R.Expanded];
      const std::vector<ReferenceBlock> &Parents = Launches[R.Producer].Blocks;
      for (uint32_t P = 0; !waitsForAll(R) && P < Parents.size(); ++P)
        Ended |= Parents[P].HasEnded &&
                 std::count(E.Children.begin() + E.Begin[P],
                            E.Children.begin() + E.Begin[P + 1], Block);
    }
    return Ended && waitsForBlock(Of, Block);
  }

  bool hasUpdateRoom(size_t Launch) const {
    if (!By.BoundsUpdates || Launch == first())
      return true;
    size_t Partly = 0;
    for (size_t I = first(); I < next(); ++I)
      for (uint32_t Block = 0; Block < What.Launches[I].Blocks; ++Block)
        Partly += isPartlyUpdated(What.Launches[I], Block);
    return Partly < On.PendingUpdateEntries;
  }

  void noteReady() {
    for (size_t I = first(); I < next(); ++I) {
      ReferenceLaunch &L = Launches[I];
      const WorkLaunch &Of = What.Launches[I];
      if (!L.IsLaunched || waitsForLaunch(Of))
        continue;
      for (uint32_t Block = 0; Block < Of.Blocks; ++Block)
        if (!L.Blocks[Block].IsReady && !waitsForBlock(Of, Block)) {
          L.Blocks[Block].IsReady = true;
          L.Queue.push_back(Block);
        }
    }
  }

  /// Calls Each(relation, children) for what waits for a block by its counters,
  /// as far as it is issued.
  template <typename F>
  void forEachList(size_t Launch, uint32_t Block, F Each) const {
    for (const WorkRelation &R : What.Relations) {
      if (R.Producer != Launch || R.Consumer >= next() || waitsForAll(R))
        continue;
      const Expansion &E = What.Expansions[R.Expanded];
      Each(R, std::vector<uint32_t>(E.Children.begin() + E.Begin[Block],
                                    E.Children.begin() + E.Begin[Block + 1]));
    }
  }

  /// That its list takes in the buffer.
  uint64_t entries(const WorkRelation &R, size_t Children) const {
    const bool Decodes =
        On.ClosedFormsDecode && What.Expansions[R.Expanded].Decodes;
    return Decodes ? 0 : Buffers.entries(Children);
  }

  uint64_t fetchList(const WorkRelation &R, size_t Children) {
    const uint64_t Entries = entries(R, Children);
    Decoded += Buffers.entries(Children) - Entries;
    Buffers.fetchList(Entries);
    return Entries;
  }

  void fetchLists(size_t Launch, uint32_t Block) {
    Buffers.drop({Launch, Block});
    ReferenceBlock &B = Launches[Launch].Blocks[Block];
    B.KnownUpTo = next();
    forEachList(Launch, Block,
                [&](const WorkRelation &R, const auto &Children) {
                  B.ListEntries += fetchList(R, Children.size());
                  for (uint32_t Child : Children)
                    Buffers.need({R.Consumer, Child});
                });
  }

  /// Lists of what was issued since the block's start come late, and go.
  void tellChildren(size_t Launch, uint32_t Block) {
    const ReferenceBlock &B = Launches[Launch].Blocks[Block];
    forEachList(Launch, Block,
                [&](const WorkRelation &R, const auto &Children) {
                  if (R.Consumer >= B.KnownUpTo)
                    Buffers.Lists -= fetchList(R, Children.size());
                });
    forEachList(Launch, Block,
                [&](const WorkRelation &R, const auto &Children) {
                  for (uint32_t Child : Children)
                    Buffers.need({R.Consumer, Child});
                });
    Buffers.Lists -= B.ListEntries;
  }

  bool hasBufferRoom(size_t Launch, uint32_t Block) const {
    if (!On.FullBuffersStall || By.BoundsUpdates)
      return true;
    uint64_t Lists = 0, Counters = 0;
    forEachList(Launch, Block,
                [&](const WorkRelation &R, const auto &Children) {
                  Lists += entries(R, Children.size());
                  for (uint32_t Child : Children)
                    Counters += !Buffers.holds({R.Consumer, Child});
                });
    const uint64_t Held =
        Buffers.Counters.size() - Buffers.holds({Launch, Block});
    return (Lists == 0 || Buffers.Lists + Lists <= On.DependencyListEntries) &&
           (Counters == 0 || Held + Counters <= On.ParentCounterEntries);
  }

  /// When the host knows that all launches before First have completed.
  uint64_t completionOf(size_t First) const {
    uint64_t Last = 0;
    for (size_t I = 0; I < First; ++I)
      Last = std::max(Last, Launches[I].Completed);
    if (First > 0 && Last != NotYet && callsTakeTime())
      Last += On.StreamSyncNs;
    return Last;
  }

  /// Whether the host has asked for a launch by now: the thread that does has
  /// computed for all of its calls up to it, and waited in those that wait.
  bool isAsked(size_t Launch) const {
    const auto Asks = [=](const HostCall &Each) {
      return !Each.Waits && Each.Launch == Launch;
    };
    const auto Mine = std::find_if(Calls.begin(), Calls.end(), Asks);
    if (Mine == Calls.end())
      return true;
    uint64_t Clock = 0;
    for (auto Each = Calls.begin(); Each <= Mine; ++Each) {
      if (Each->Thread != Mine->Thread)
        continue;
      Clock += Each->Ns;
      if (Each->Waits)
        Clock = std::max(Clock, completionOf(Each->Launch));
      if (Clock > Now)
        return false;
    }
    return true;
  }

  bool mayIssue() const {
    const size_t Next = next(), First = first();
    const size_t InFlight = isWindow() ? countOf([](const ReferenceLaunch &L) {
      return isIssued(L) && !L.HasLeft;
    })
                                       : Next - First;
    return Next < Launches.size() && CheckEnds == NotYet &&
           InFlight < By.KernelsInFlight && Next - First <= What.Window &&
           (launchesWhenReady() || countOf(isLaunching) < On.LaunchesAtOnce) &&
           (!What.Launches[Next].Barrier || First == Next) && isAsked(Next);
  }

  /// Whether anything was issued, or was begun to be checked.
  bool issueWhatMayBe() {
    bool Any = false;
    for (; mayIssue(); Any = true) {
      if (isWindow() && On.DependencyCheckNs > 0)
        CheckEnds = Now + On.DependencyCheckNs;
      else
        issue(next());
    }
    if (launchesWhenReady())
      for (size_t I = first(); I < next(); ++I)
        if (mayLaunch(I))
          launch(I);
    return Any;
  }

  void issue(size_t Launch) {
    Launches[Launch].Issued = Now;
    if (!launchesWhenReady())
      launch(Launch);
  }

  bool mayLaunch(size_t Launch) const {
    const auto IsInStream = [](const ReferenceLaunch &L) {
      return L.Begun != NotYet && !L.HasLeft;
    };
    return Launches[Launch].Begun == NotYet &&
           !waitsForLaunch(What.Launches[Launch]) &&
           countOf(IsInStream) < On.SchedulerStreams &&
           countOf(isLaunching) < On.LaunchesAtOnce;
  }

  void launch(size_t Launch) {
    Launches[Launch].Begun = Now;
    Launches[Launch].LaunchEnds = Now + overhead(What.Launches[Launch]);
  }

  void place() {
    for (size_t I = first(); I < next(); ++I)
      if (What.Launches[I].IsCopy && !Launches[I].Queue.empty())
        placeCopy(I);
    while (placeNext(/*Forced=*/false))
      ;
    if (!isIdle() || !placeNext(/*Forced=*/true))
      return;
    ++Stalls.Forced;
    while (placeNext(/*Forced=*/false))
      ;
  }

  bool isIdle() const {
    return std::all_of(Sms.begin(), Sms.end(), [](const ReferenceSm &Each) {
      return Each.Blocks == 0;
    });
  }

  /// Places one block, the first in order of priority that may start; false
  /// where there is none, or one finds no room on an SM. A block is held while
  /// the buffers have no room for what it needs, unless that is forced.
  bool placeNext(bool Forced) {
    for (size_t I = first(), Last = next(); I < Last; ++I) {
      const bool Earlier = By.First == Priority::Producer;
      const size_t Launch = Earlier ? I : Last - 1 - (I - first());
      ReferenceLaunch &L = Launches[Launch];
      if (L.Queue.empty() || What.Launches[Launch].IsCopy)
        continue;
      if (!hasUpdateRoom(Launch))
        return false;
      if (!Forced && isHeld(Launch, L.Queue.front()))
        continue;
      if (!placeBlock(What.Launches[Launch], L.Queue.front(), L))
        return false;
      fetchLists(Launch, L.Queue.front());
      L.Queue.erase(L.Queue.begin());
      return true;
    }
    return false;
  }

  bool isHeld(size_t Launch, uint32_t Block) {
    if (hasBufferRoom(Launch, Block))
      return false;
    Stalls.Held += !std::exchange(Launches[Launch].Blocks[Block].WasHeld, true);
    return true;
  }

  void placeCopy(size_t Launch) {
    const WorkLaunch &Of = What.Launches[Launch];
    ReferenceBlock &B = Launches[Launch].Blocks[0];
    Launches[Launch].Queue.clear();
    B.Start = Now;
    if (Of.queues())
      for (size_t I = 0; I < Launches.size(); ++I)
        if (What.Launches[I].IsCopy && What.Launches[I].Path == Of.Path &&
            I != Launch && Launches[I].Blocks[0].End != NotYet)
          B.Start = std::max(B.Start, Launches[I].Blocks[0].End);
    B.End = B.Start + Of.DurationNs[0];
    fetchLists(Launch, 0);
  }

  bool placeBlock(const WorkLaunch &Of, uint32_t Block, ReferenceLaunch &L) {
    for (uint32_t I = 0; I < On.Sms; ++I) {
      const uint32_t Number = (Turn + I) % On.Sms;
      ReferenceSm &Sm = Sms[Number];
      if (Sm.Blocks + 1 > On.BlocksPerSm ||
          Sm.Threads + Of.Threads > On.ThreadsPerSm ||
          Sm.Shared + Of.SharedBytes > On.SharedBytesPerSm ||
          Sm.Registers + Of.Registers > On.RegistersPerSm)
        continue;
      Turn = (Number + 1) % On.Sms;
      ++Sm.Blocks;
      Sm.Threads += Of.Threads;
      Sm.Shared += Of.SharedBytes;
      Sm.Registers += Of.Registers;
      ReferenceBlock &B = L.Blocks[Block];
      B.Sm = Number;
      B.Start = std::max(Now, Sm.NextStart);
      B.End = B.Start + Of.DurationNs[Block];
      Sm.NextStart = B.Start + On.BlockIssueNs;
      return true;
    }
    return false;
  }

  const Workload &What;
  const Machine &On;
  const Scheduler &By;
  std::vector<HostCall> Calls;
  std::vector<ReferenceLaunch> Launches;
  std::vector<ReferenceSm> Sms;
  ReferenceBuffers Buffers;
  uint64_t Decoded = 0;
  BufferStalls Stalls;
  uint32_t Turn = 0; ///< The SM that is asked first.
  uint64_t CheckEnds = NotYet;
  uint64_t Now = 0;
};

} // namespace

ReferenceRun referenceRun(const Workload &What, const Machine &On,
                          const Scheduler &By) {
  return Reference(What, On, By).run();
}

} // namespace blockmaestro::sim
