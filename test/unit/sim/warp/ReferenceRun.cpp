// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceRun.h"

#include "Needs.h"
#include "ReferenceSm.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>

namespace blockmaestro::sim {

using namespace reference;

namespace {

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
      for (size_t I = 0; I < Sms.size(); ++I)
        if (!Apps[A].HasEnded)
          Sms[I].startLaunch(A, sharedBytes(), Now, laterOn(I));
    handOutAll(Now, true);
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

  uint64_t laterOn(size_t Sm) const {
    return Sm * ((On.Warps.SmStartNs * On.ClockMHz + 999) / 1000) / Sms.size();
  }

  void handOutAll(uint64_t At, bool Starts = false) {
    for (bool Any = true; Any; At += gap()) {
      Any = false;
      for (size_t I = 0; I < Sms.size(); ++I)
        Any |= handOut(Sms[I], At + (Starts ? laterOn(I) : 0));
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
