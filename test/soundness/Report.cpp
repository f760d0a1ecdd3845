// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Campaign.h"

#include "Generate.h"

#include <algorithm>
#include <cstdio>

namespace blockmaestro::soundness {

static std::string percent(uint64_t Part, uint64_t Of) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.1f%%",
                Of ? 100.0 * double(Part) / double(Of) : 0.0);
  return Text;
}

static std::string row(const std::string &Name, const Tally::Row &R) {
  uint64_t All = R.Exact + R.Bounded + R.Allocation + R.Unknown;
  return "| " + Name + " | " + std::to_string(All) + " | " +
         percent(R.Exact, All) + " | " + percent(R.Bounded, All) + " | " +
         percent(R.Allocation, All) + " | " + percent(R.Unknown, All) + " | " +
         percent(R.LaunchExact, R.Launched) + " | " +
         percent(R.LaunchBounded, R.Launched) + " |\n";
}

static std::string reasons(const char *Title,
                           const std::map<std::string, uint64_t> &Of) {
  std::vector<std::pair<uint64_t, std::string>> Sorted;
  for (const auto &[Why, Count] : Of)
    Sorted.push_back({Count, Why});
  std::sort(Sorted.rbegin(), Sorted.rend());
  std::string Text = std::string("\n| ") + Title + " | accesses |\n|---|---|\n";
  for (const auto &[Count, Why] : Sorted)
    Text += "| " + Why + " | " + std::to_string(Count) + " |\n";
  return Text;
}

std::string report(const Result &Of) {
  const Tally &T = Of.Counts;
  std::string Text =
      "| idiom | instructions | exact | bounded | allocation | unknown | exact "
      "at launch | bounded at launch |\n"
      "|---|---|---|---|---|---|---|---|\n";
  Tally::Row Sum;
  for (const auto &[Idiom, R] : T.Idioms) {
    Text += row(Idiom ? idiomName(Idiom - 1) : "(no line)", R);
    Sum.Exact += R.Exact;
    Sum.Bounded += R.Bounded;
    Sum.Allocation += R.Allocation;
    Sum.Unknown += R.Unknown;
    Sum.Launched += R.Launched;
    Sum.LaunchExact += R.LaunchExact;
    Sum.LaunchBounded += R.LaunchBounded;
  }
  Text += row("all", Sum);
  Text += reasons("why not exact", T.Reasons);
  Text += reasons("why an exact one is not exact at a launch", T.LaunchReasons);
  Text += "\n";
  auto Line = [&](const char *What, uint64_t Count) {
    Text += std::string(What) + ": " + std::to_string(Count) + "\n";
  };
  Line("kernels", T.Kernels);
  Line("launches", T.Launches);
  Line("launches undefined in C++, not judged", T.Undefined);
  Line("launches too long, not judged", T.TooLong);
  Line("bytes of truth compared", T.BytesCompared);
  Line("accesses in records", T.Accesses);
  Line("followable accesses x launches", T.Instances);
  Text += "of these degraded by an assumption: " +
          percent(T.Degraded, T.Instances) + "\n";
  Line("accesses x blocks with too many points", T.TooMany);
  Line("accesses x blocks taken as a hull", T.Loose);
  Line("exact sets compared with isl", T.IslCompared);
  Line("exact sets isl was not asked (not affine, too large)", T.IslRefused);
  Line("failures", Of.Failures.size());
  char Times[128];
  std::snprintf(Times, sizeof(Times),
                "seconds: clang %.1f, analysis %.1f, comparing %.1f\n",
                Of.ClangSeconds, Of.AnalysisSeconds, Of.CompareSeconds);
  return Text + Times;
}

} // namespace blockmaestro::soundness
