// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Campaign.h"

#include "Generate.h"
#include "Shrink.h"

#include "FootprintText.h"
#include "MetadataWriter.h"

#include <chrono>
#include <ostream>

namespace blockmaestro::soundness {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point Start) {
  return std::chrono::duration<double>(Clock::now() - Start).count();
}

/// A kernel's record as bytes, so that two can be compared.
std::vector<uint8_t> bytesOf(const KernelRecord &R) {
  ModuleRecord Alone;
  Alone.Kernels = {R};
  Alone.Kernels.front().Code = 0;
  return serialize(Alone);
}

std::optional<Finding> judge(const Kernel &K, const Compiled &C,
                             const std::vector<LaunchCase> &Launches,
                             Tally &T) {
  const KernelRecord *R = findRecord(C, K);
  if (!R)
    return Finding{"there is no record", {}, {}};
  if (auto Bad = checkRecord(K, *R, T))
    return Bad;
  for (const LaunchCase &L : Launches) {
    bool FirstDone = T.Launches == T.Undefined + T.TooLong;
    if (auto Bad = compare(K, *R, L, T, FirstDone))
      return Bad;
  }
  return std::nullopt;
}

class Campaign {
public:
  Campaign(const Settings &S, std::ostream *Progress)
      : S(S), Progress(Progress) {}

  Result run();

private:
  void batch(uint32_t First, uint32_t Count);
  void one(const Kernel &K, const Compiled &C, const Compiled *Plain);
  void removeFailing(std::vector<Kernel> &Kernels, unsigned Level);
  void fail(Kernel K, const Finding &What, bool OfLevels);
  bool enough() const { return Out.Failures.size() >= S.MostFailures; }

  const Settings &S;
  std::ostream *Progress;
  Result Out;
};

/// The first of some kernels whose records differ between -O0 and -O3, or -1.
int firstLevelDependent(std::vector<Kernel> &Some) {
  Compiled C = compile(Some, 3), Plain = compile(Some, 0);
  if (!C.Failure.empty() || !Plain.Failure.empty())
    return -1;
  for (size_t I = 0; I < Some.size(); ++I) {
    const KernelRecord *R3 = findRecord(C, Some[I]);
    const KernelRecord *R0 = findRecord(Plain, Some[I]);
    if (!R3 || !R0 || bytesOf(*R3) != bytesOf(*R0))
      return int(I);
  }
  return -1;
}

/// The first of some kernels that fails at Launch, if there is one, or without
/// any launch; or -1.
int firstFailing(std::vector<Kernel> &Some,
                 const std::optional<LaunchCase> &Launch, Finding &Last) {
  std::vector<LaunchCase> Launches;
  if (Launch)
    Launches.push_back(*Launch);
  Compiled C = compile(Some, 3);
  Tally Ignored;
  for (size_t I = 0; C.Failure.empty() && I < Some.size(); ++I)
    if (auto Still = judge(Some[I], C, Launches, Ignored)) {
      Last = *Still;
      return int(I);
    }
  return -1;
}

/// Text of a failure: the kernel, shrunk while it still fails, and its record.
void Campaign::fail(Kernel K, const Finding &What, bool OfLevels) {
  std::string Text = "seed " + std::to_string(K.Seed) + ": " + What.What + "\n";
  Finding Last = What;
  if (S.Shrink)
    K = shrink(std::move(K), [&](std::vector<Kernel> &Some) {
      return OfLevels ? firstLevelDependent(Some)
                      : firstFailing(Some, What.Launch, Last);
    });
  std::vector<Kernel> Alone = {K};
  if (!OfLevels)
    Text += "shrunk: " + Last.What + "\n";
  if (Last.Launch)
    Text += "launch: " + describe(K, *Last.Launch) +
            "\nblock: " + std::to_string(Last.Block.X) + " " +
            std::to_string(Last.Block.Y) + " " + std::to_string(Last.Block.Z) +
            "\n";
  Text += print(K);
  for (unsigned Level : {3, 0}) {
    Compiled C = compile(Alone, Level);
    if (const KernelRecord *R = findRecord(C, K); R && (Level || OfLevels))
      Text += "-O" + std::to_string(Level) + ": " + toText(*R);
  }
  if (Progress)
    *Progress << Text << std::endl;
  Out.Failures.push_back({K.Seed, std::move(Text)});
}

void Campaign::one(const Kernel &K, const Compiled &C, const Compiled *Plain) {
  Tally T;
  ++T.Kernels;
  std::optional<Finding> Bad = judge(K, C, launchesOf(K, S.Launches), T);
  Out.Counts.add(T);
  if (Bad)
    return fail(K, *Bad, false);
  if (!Plain)
    return;
  const KernelRecord *R0 = findRecord(*Plain, K), *R3 = findRecord(C, K);
  if (!R0 || bytesOf(*R0) != bytesOf(*R3))
    fail(K, {"-O0 gives another record than -O3", {}, {}}, true);
}

/// Reports the kernels that have no record even alone, and takes them out.
void Campaign::removeFailing(std::vector<Kernel> &Kernels, unsigned Level) {
  std::erase_if(Kernels, [&](Kernel &K) {
    std::vector<Kernel> Alone = {K};
    Compiled C = compile(Alone, Level);
    if (C.Failure.empty())
      return false;
    std::string Text =
        "seed " + std::to_string(K.Seed) + ": " + C.Failure + "\n" + print(K);
    if (Progress)
      *Progress << Text << std::endl;
    Out.Failures.push_back({K.Seed, std::move(Text)});
    return true;
  });
}

void Campaign::batch(uint32_t First, uint32_t Count) {
  std::vector<Kernel> Kernels;
  for (uint32_t I = 0; I < Count; ++I)
    Kernels.push_back(generate(First + I));
  Compiled C = compile(Kernels, 3), Plain;
  if (!C.Failure.empty()) {
    removeFailing(Kernels, 3);
    C = compile(Kernels, 3);
  }
  if (S.BothLevels)
    Plain = compile(Kernels, 0);
  Out.ClangSeconds += C.ClangSeconds + Plain.ClangSeconds;
  Out.AnalysisSeconds += C.AnalysisSeconds + Plain.AnalysisSeconds;
  auto Start = Clock::now();
  for (const Kernel &K : Kernels)
    if (!enough())
      one(K, C, S.BothLevels ? &Plain : nullptr);
  Out.CompareSeconds += since(Start);
}

Result Campaign::run() {
  for (uint32_t Done = 0; Done < S.Kernels && !enough(); Done += S.Batch) {
    if (Progress)
      *Progress << "seeds from " << S.FirstSeed + Done << std::flush;
    auto Start = Clock::now();
    batch(S.FirstSeed + Done, std::min(S.Batch, S.Kernels - Done));
    if (Progress)
      *Progress << ": " << since(Start) << " s" << std::endl;
  }
  return std::move(Out);
}

} // namespace

std::vector<LaunchCase> launchesOf(const Kernel &K, unsigned Count) {
  Random R(K.Seed * 7919 + 17);
  std::vector<LaunchCase> All;
  for (unsigned I = 0; I < Count; ++I)
    All.push_back(randomLaunch(K, R));
  return All;
}

Result runCampaign(const Settings &S, std::ostream *Progress) {
  return Campaign(S, Progress).run();
}

} // namespace blockmaestro::soundness
