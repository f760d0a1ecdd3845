// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

namespace {

/// Of what --json says of a launch under a scheduler.
struct Span {
  uint64_t First = 0, Last = 0;
};

double inUs(const Span &Of) { return double(Of.Last - Of.First) / 1000; }

bool fromJSON(const json::Value &From, Span &To, json::Path At) {
  json::ObjectMapper O(From, At);
  if (!O || !O.map("first_start_ns", To.First) ||
      !O.map("last_end_ns", To.Last))
    return false;
  if (To.Last < To.First)
    At.report("a launch ends before it starts");
  return To.Last >= To.First;
}

} // namespace

static bool fromJSON(const json::Value &From, ComparedLaunch &To,
                     json::Path At) {
  json::ObjectMapper O(From, At);
  if (!O || !O.map("id", To.Id) || !O.map("kernel", To.Kernel) ||
      !O.map("grid", To.Grid))
    return false;
  if (To.Grid.size() != 3)
    At.field("grid").report("a grid is three numbers");
  return To.Grid.size() == 3;
}

static bool fromJSON(const json::Value &From, ComparedScheduler &To,
                     json::Path At) {
  std::vector<Span> Launches;
  json::ObjectMapper O(From, At);
  if (!O || !O.map("name", To.Name) || !O.map("time_us", To.TimeUs) ||
      !O.map("launches", Launches))
    return false;
  append_range(To.LaunchUs, map_range(Launches, inUs));
  return true;
}

static bool fromJSON(const json::Value &From, ComparedRun &To, json::Path At) {
  json::ObjectMapper O(From, At);
  if (!O || !O.map("machine", To.Machine) || !O.map("kernels", To.Launches) ||
      !O.map("schedulers", To.Schedulers))
    return false;
  for (const ComparedScheduler &Each : To.Schedulers)
    if (Each.LaunchUs.size() != To.Launches.size()) {
      At.field("kernels").report("not as many as the schedulers have launches");
      return false;
    }
  return true;
}

bool isJson(StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> First =
      MemoryBuffer::getFileSlice(File, 1, 0);
  return First && (*First)->getBuffer() == "{";
}

Expected<ComparedRun> readRun(StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(File);
  if (!Text)
    return createFileError(File, Text.getError());
  Expected<ComparedRun> Out =
      json::parse<ComparedRun>((*Text)->getBuffer(), "output");
  if (!Out)
    return createStringError(
        File + ": not what bm-sim --json prints: " + toString(Out.takeError()));
  Out->File = File.str();
  return Out;
}

ComparedRun runOf(const Outcome &Of) {
  ComparedRun Out{Of.File, Of.On.Name, {}, {}};
  for (const SimulationReport &R : Of.Reports)
    Out.Schedulers.push_back({R.Scheduler, double(R.MakespanNs) / 1000, {}});
  size_t Launch = 0;
  for (size_t I = 0; I < Of.Work.Launches.size(); ++I) {
    if (Of.Work.Launches[I].IsCopy)
      continue;
    const RecordedLaunch &L = Of.What.Launches[Launch++];
    Out.Launches.push_back({L.Id, L.Kernel, {L.Grid.X, L.Grid.Y, L.Grid.Z}});
    for (auto [To, From] : zip(Out.Schedulers, Of.Reports))
      To.LaunchUs.push_back(
          inUs({From.Launches[I].FirstStart, From.Launches[I].LastEnd}));
  }
  return Out;
}

static std::string gridText(const ComparedLaunch &Of) {
  std::string Out;
  for (uint32_t Each : Of.Grid)
    Out += (Out.empty() ? "" : "x") + std::to_string(Each);
  while (StringRef(Out).ends_with("x1"))
    Out.resize(Out.size() - 2);
  return Out;
}

static std::string launchText(const ComparedLaunch &Of) {
  return Of.Kernel + " of " + gridText(Of) + " blocks";
}

static Error checkSameLaunches(const ComparedRun &A, const ComparedRun &B) {
  const std::string Which =
      A.File + " and " + B.File + " are not of the same program: ";
  for (const auto &[L, R] : zip(A.Launches, B.Launches))
    if (std::tie(L.Kernel, L.Grid) != std::tie(R.Kernel, R.Grid))
      return createStringError(Which + "launch " + Twine(L.Id) + " is " +
                               launchText(L) + " in one, " + launchText(R) +
                               " in the other");
  if (A.Launches.size() != B.Launches.size())
    return createStringError(Which + Twine(A.Launches.size()) +
                             " launches and " + Twine(B.Launches.size()));
  return Error::success();
}

/// Takes the scheduler of that name out of the run, if there.
static std::optional<ComparedScheduler> take(ComparedRun &From,
                                             StringRef Name) {
  auto Found = find_if(From.Schedulers, [&](const ComparedScheduler &Each) {
    return Each.Name == Name;
  });
  if (Found == From.Schedulers.end())
    return std::nullopt;
  ComparedScheduler Out = std::move(*Found);
  From.Schedulers.erase(Found);
  return Out;
}

Expected<Comparison> compare(ComparedRun A, ComparedRun B) {
  if (Error Wrong = checkSameLaunches(A, B))
    return std::move(Wrong);
  Comparison Out;
  std::vector<ComparedScheduler> InA, InB;
  for (ComparedScheduler &Each : A.Schedulers)
    if (std::optional<ComparedScheduler> Other = take(B, Each.Name)) {
      InA.push_back(std::move(Each));
      InB.push_back(std::move(*Other));
    } else {
      Out.OnlyInOne.push_back(Each.Name + " in " + A.File);
    }
  for (const ComparedScheduler &Each : B.Schedulers)
    Out.OnlyInOne.push_back(Each.Name + " in " + B.File);
  if (InA.empty())
    return createStringError(A.File + " and " + B.File +
                             " have no scheduler in common");
  A.Schedulers = std::move(InA);
  B.Schedulers = std::move(InB);
  Out.A = std::move(A);
  Out.B = std::move(B);
  return Out;
}

namespace {

/// A launch under the scheduler under which it differs most.
struct Difference {
  size_t Launch;
  size_t Scheduler;
  double Us; ///< Without sign.
};

} // namespace

static Difference largestOf(const Comparison &Of, size_t Launch) {
  Difference Out{Launch, 0, -1};
  for (size_t S = 0; S < Of.A.Schedulers.size(); ++S) {
    const double Us = std::abs(Of.B.Schedulers[S].LaunchUs[Launch] -
                               Of.A.Schedulers[S].LaunchUs[Launch]);
    if (Us > Out.Us)
      Out = {Launch, S, Us};
  }
  return Out;
}

/// The launches that differ, largest first, at most so many.
static std::vector<Difference> differencesIn(const Comparison &Of,
                                             size_t Most) {
  std::vector<Difference> Out;
  for (size_t I = 0; I < Of.A.Launches.size(); ++I)
    if (Difference Next = largestOf(Of, I); Next.Us > 0)
      Out.push_back(Next);
  llvm::sort(Out, [](const Difference &A, const Difference &B) {
    return std::make_pair(-A.Us, A.Launch) < std::make_pair(-B.Us, B.Launch);
  });
  Out.resize(std::min(Out.size(), Most));
  return Out;
}

static double ratio(double A, double B) { return A > 0 ? B / A : 1; }

static void printDifferences(const Comparison &Of, raw_ostream &Out) {
  constexpr size_t Most = 10;
  const std::vector<Difference> Shown = differencesIn(Of, Most);
  if (Shown.empty()) {
    Out << "\nevery launch takes the same time in both\n";
    return;
  }
  Out << "\nlaunches that differ most, from their first block to their last:\n"
         "        A us        B us      B/A  launch, under\n";
  for (const Difference &Each : Shown) {
    const ComparedScheduler &A = Of.A.Schedulers[Each.Scheduler];
    const ComparedScheduler &B = Of.B.Schedulers[Each.Scheduler];
    const double InA = A.LaunchUs[Each.Launch], InB = B.LaunchUs[Each.Launch];
    const ComparedLaunch &L = Of.A.Launches[Each.Launch];
    Out << format("%12.3f%12.3f%9.3f  ", InA, InB, ratio(InA, InB)) << L.Id
        << ": " << launchText(L) << ", " << A.Name << '\n';
  }
}

void printTable(const Comparison &Of, raw_ostream &Out) {
  Out << "A: " << Of.A.File << " on " << Of.A.Machine << "\nB: " << Of.B.File
      << " on " << Of.B.Machine << '\n'
      << Of.A.Launches.size() << " launches\n";
  for (const std::string &Each : Of.OnlyInOne)
    Out << "only " << Each << '\n';
  size_t Width = 10;
  for (const ComparedScheduler &Each : Of.A.Schedulers)
    Width = std::max(Width, Each.Name.size());
  Out << '\n'
      << left_justify("scheduler", Width)
      << "        A us        B us      B/A\n";
  for (auto [A, B] : zip(Of.A.Schedulers, Of.B.Schedulers))
    Out << left_justify(A.Name, Width)
        << format("%12.3f%12.3f%9.3f\n", A.TimeUs, B.TimeUs,
                  ratio(A.TimeUs, B.TimeUs));
  printDifferences(Of, Out);
}

void printCsv(const Comparison &Of, raw_ostream &Out) {
  Out << "scheduler,a_us,b_us,ratio\n";
  for (auto [A, B] : zip(Of.A.Schedulers, Of.B.Schedulers))
    Out << A.Name
        << format(",%.3f,%.3f,%.4f\n", A.TimeUs, B.TimeUs,
                  ratio(A.TimeUs, B.TimeUs));
}

static json::Value toJson(const Comparison &Of, size_t Scheduler) {
  const ComparedScheduler &A = Of.A.Schedulers[Scheduler];
  const ComparedScheduler &B = Of.B.Schedulers[Scheduler];
  json::Array Launches;
  for (size_t I = 0; I < Of.A.Launches.size(); ++I)
    Launches.push_back(
        json::Object{{"a_us", A.LaunchUs[I]}, {"b_us", B.LaunchUs[I]}});
  return json::Object{{"name", A.Name},
                      {"a_us", A.TimeUs},
                      {"b_us", B.TimeUs},
                      {"ratio", rounded(ratio(A.TimeUs, B.TimeUs))},
                      {"launches", std::move(Launches)}};
}

static json::Value toJson(const ComparedRun &Of) {
  return json::Object{{"file", Of.File}, {"machine", Of.Machine}};
}

void printJson(const Comparison &Of, raw_ostream &Out) {
  json::Array Kernels, Schedulers;
  for (const ComparedLaunch &Each : Of.A.Launches)
    Kernels.push_back(json::Object{
        {"id", Each.Id}, {"kernel", Each.Kernel}, {"grid", Each.Grid}});
  for (size_t I = 0; I < Of.A.Schedulers.size(); ++I)
    Schedulers.push_back(toJson(Of, I));
  json::Object Top{{"a", toJson(Of.A)},
                   {"b", toJson(Of.B)},
                   {"only_in_one", Of.OnlyInOne},
                   {"kernels", std::move(Kernels)},
                   {"schedulers", std::move(Schedulers)}};
  Out << formatv("{0:2}", json::Value(std::move(Top))) << '\n';
}

} // namespace blockmaestro
