// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ManageOutput.h"

#include "Energy.h"
#include "Replay.h"
#include "WarpValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {
namespace {

/// How much more is done in a cycle than one after the other, where that was
/// run.
std::optional<double> gainOf(const ManagedRun &Run, const ManageOutcome &Of) {
  for (const ManagedRun &Each : Of.Runs)
    if (Each.Policy == "sequential")
      return throughputOf(Run.Report.All) / throughputOf(Each.Report.All);
  return std::nullopt;
}

double l1MissRate(const WarpCounts &C) {
  return C.L1.Reads ? 1 - double(C.L1.Hits + C.L1.UnderWay) / double(C.L1.Reads)
                    : 0;
}

/// The file's name without folder and ending.
std::string shortName(StringRef File) { return sys::path::stem(File).str(); }

/// "2", "2-1" with one that goes past L1, or "-" without limit, of each.
std::string textOf(const ManagedRun &Run) {
  std::string Out;
  for (const Share &Each : Run.Limits) {
    Out += Out.empty() ? "" : ",";
    Out += Each.Blocks == Share::Unlimited ? "-" : std::to_string(Each.Blocks);
    if (Each.Bypassing)
      Out += "-" + std::to_string(Each.Bypassing);
  }
  for (size_t I = 0; I < Run.SmsOf.size(); ++I)
    Out += (I             ? ","
            : Out.empty() ? "SMs "
                          : " SMs ") +
           std::to_string(Run.SmsOf[I]);
  return Out;
}

/// What activity takes, and with that all there is; null where the machine says
/// nothing of energy.
json::Value energyOf(const WarpCounts &C, const Machine &On, bool WithStatic) {
  if (!hasEnergies(On))
    return nullptr;
  return rounded(activityEnergy(C, On) +
                 (WithStatic ? staticEnergy(C.Cycles, On) : 0));
}

json::Object limitOf(const Share &Of) {
  return json::Object{{"blocks", Of.Blocks == Share::Unlimited
                                     ? json::Value(nullptr)
                                     : json::Value(Of.Blocks)},
                      {"bypassing", Of.Bypassing}};
}

/// Of one among several: cycles without any warp are nobody's.
json::Object ofApplication(const WarpCounts &C, const Machine &On) {
  json::Object Out = toJson(C, On);
  Out.erase("stall_no_warp");
  Out["throughput"] = rounded(throughputOf(C));
  Out["l1_miss_rate"] = rounded(l1MissRate(C));
  Out["sp"] = rounded(spUse(C, On));
  Out["ldst"] = rounded(memoryUse(C, On));
  Out["activity_uj"] = energyOf(C, On, false);
  return Out;
}

json::Object ofAll(const WarpCounts &C, const Machine &On) {
  json::Object Out = ofApplication(C, On);
  Out["stall_no_warp"] = toJson(C, On)["stall_no_warp"];
  return Out;
}

/// A part of the time that pipelines are kept, of both applications.
double partOf(const std::array<uint64_t, 2> &Begin,
              const std::array<uint64_t, 2> &End, double Cycles) {
  return rounded(double(End[0] + End[1] - Begin[0] - Begin[1]) / Cycles);
}

json::Object toJson(const SamplingPeriod &Of, const Machine &On) {
  const WarpNumbers &W = On.Warps;
  const double Cycles =
      double(std::max<uint64_t>(1, Of.End.Time - Of.Begin.Time));
  return json::Object{
      {"begin", Of.Begin.Time},
      {"end", Of.End.Time},
      {"blocks", json::Array{Of.Limits[0].Blocks, Of.Limits[1].Blocks}},
      {"bypassing",
       json::Array{Of.Limits[0].Bypassing, Of.Limits[1].Bypassing}},
      {"sp", partOf(Of.Begin.Sp, Of.End.Sp,
                    Cycles * (W.Integer.Count + W.Single.Count))},
      {"ldst", partOf(Of.Begin.LdSt, Of.End.LdSt, Cycles * W.Memory.Count)},
      {"stalls", Of.End.Stalls - Of.Begin.Stalls}};
}

json::Value learnedOf(const ManagedRun &Run, const Machine &On) {
  if (!Run.Learned)
    return nullptr;
  json::Array First;
  for (const SamplingPeriod &Each : Run.Learned->OfFirstSm)
    First.push_back(toJson(Each, On));
  return json::Object{{"periods", Run.Learned->Periods},
                      {"changes", Run.Learned->Changes},
                      {"first_sm", std::move(First)}};
}

json::Object toJson(const ManagedRun &Run, const ManageOutcome &Of) {
  const WarpCounts &All = Run.Report.All;
  json::Array Applications, Limits, Sms;
  for (const ApplicationReport &Each : Run.Report.Applications)
    Applications.push_back(ofApplication(Each.All, Of.On));
  for (const Share &Each : Run.Limits)
    Limits.push_back(limitOf(Each));
  for (uint32_t Each : Run.SmsOf)
    Sms.push_back(Each);
  const std::optional<double> Gain = gainOf(Run, Of);
  json::Object Out{
      {"policy", Run.Policy},
      {"cycles", All.Cycles},
      {"instructions", All.Executed.Instructions},
      {"throughput", rounded(throughputOf(All))},
      {"gain", Gain ? json::Value(rounded(*Gain)) : json::Value(nullptr)},
      {"limits", std::move(Limits)},
      {"sms", std::move(Sms)},
      {"tried", Run.Tried},
      {"learning", learnedOf(Run, Of.On)},
      {"energy_uj", energyOf(All, Of.On, true)},
      {"all", ofAll(All, Of.On)},
      {"applications", std::move(Applications)}};
  if (Of.InFlight)
    Out["early_blocks"] = Run.Report.Early;
  return Out;
}

json::Array applicationsOf(const ManageOutcome &Of) {
  json::Array Out;
  for (size_t I = 0; I < Of.Files.size(); ++I)
    Out.push_back(
        json::Object{{"recording", Of.Files[I]},
                     {"program", Of.What[I]->Program},
                     {"launches", int64_t(Of.What[I]->Launches.size())},
                     {"truncated", Of.What[I]->Truncated},
                     {"warps_one_in", std::max(1u, Of.What[I]->WarpsOneIn)}});
  return Out;
}

json::Object headOf(const ManageOutcome &Of) {
  json::Object Out{{"machine", Of.On.Name},
                   {"warp_scheduler", nameOf(Of.How.WarpsBy)},
                   {"instructions_limit", Of.How.Instructions},
                   {"applications", applicationsOf(Of)}};
  if (Of.InFlight)
    Out["launches_in_flight"] = Of.InFlight;
  return Out;
}

void printRow(StringRef Name, const WarpCounts &C, raw_ostream &Out) {
  Out << left_justify(Name, 24)
      << format(" %12llu %12llu %7.3f", (unsigned long long)C.Cycles,
                (unsigned long long)C.Executed.Instructions, throughputOf(C));
}

void printSampled(const ManageOutcome &Of, raw_ostream &Out) {
  for (size_t I = 0; I < Of.Files.size(); ++I)
    if (Of.What[I]->WarpsOneIn > 1)
      Out << "of " << shortName(Of.Files[I]) << " one block in "
          << Of.What[I]->WarpsOneIn
          << " of each launch was traced, which the others go by\n";
  for (size_t I = 0; I < Of.Files.size(); ++I)
    if (Of.What[I]->Truncated)
      Out << "the recording of " << shortName(Of.Files[I]) << " is cut off\n";
}

/// Of one whose launches overlap there is nothing but what all is.
void printApplications(const ManagedRun &Run, const ManageOutcome &Of,
                       raw_ostream &Out) {
  if (Of.InFlight) {
    Out << "  blocks beside an earlier launch: " << Run.Report.Early << " of "
        << Run.Report.All.Blocks << '\n';
    return;
  }
  for (size_t I = 0; I < Run.Report.Applications.size(); ++I) {
    const WarpCounts &C = Run.Report.Applications[I].All;
    printRow("  " + shortName(Of.Files[I]), C, Out);
    Out << "        |";
    printIssueAndMemory(C, Of.On, Out);
  }
}

} // namespace

void printTable(const ManageOutcome &Of, raw_ostream &Out) {
  for (size_t I = 0; I < Of.Files.size(); ++I)
    Out << (I ? ", " : "") << shortName(Of.Files[I]);
  Out << " on " << Of.On.Name << ", ";
  if (Of.InFlight)
    Out << Of.InFlight << " launches in flight, ";
  else
    Out << "side by side, ";
  Out << nameOf(Of.How.WarpsBy) << '\n';
  printSampled(Of, Out);
  Out << '\n'
      << left_justify("policy", 24)
      << "       cycles instructions a cycle   gain |" << IssueAndMemoryTitles
      << '\n';
  for (const ManagedRun &Run : Of.Runs) {
    printRow(Run.Policy, Run.Report.All, Out);
    const std::optional<double> Gain = gainOf(Run, Of);
    Out << (Gain ? std::string(formatv(" {0,6:F3} |", *Gain)) : "        |");
    printIssueAndMemory(Run.Report.All, Of.On, Out);
    printApplications(Run, Of, Out);
    if (std::string Limits = textOf(Run); !Limits.empty())
      Out << "  blocks an SM: " << Limits << '\n';
    if (Run.Learned)
      Out << "  learned in " << Run.Learned->Periods << " periods, "
          << Run.Learned->Changes << " changes\n";
  }
}

void printCsv(const ManageOutcome &Of, raw_ostream &Out) {
  Out << "policy,application";
  for (const WarpValue &Each : warpValues())
    Out << ',' << Each.Name;
  Out << '\n';
  const auto Line = [&](StringRef Policy, StringRef Name, const WarpCounts &C) {
    Out << '"' << Policy << "\"," << Name;
    for (const WarpValue &Each : warpValues())
      Out << format(Each.IsRatio ? ",%.4f" : ",%.0f", Each.Of(C, Of.On));
    Out << '\n';
  };
  for (const ManagedRun &Run : Of.Runs) {
    Line(Run.Policy, "all", Run.Report.All);
    for (size_t I = 0; I < Run.Report.Applications.size(); ++I)
      Line(Run.Policy, std::to_string(I), Run.Report.Applications[I].All);
  }
}

void printJson(const ManageOutcome &Of, raw_ostream &Out) {
  json::Object Top = headOf(Of);
  json::Array Policies;
  for (const ManagedRun &Each : Of.Runs)
    Policies.push_back(toJson(Each, Of));
  Top["policies"] = std::move(Policies);
  Out << formatv("{0:2}", json::Value(std::move(Top))) << '\n';
}

void printTable(const ProfileOutcome &Of, raw_ostream &Out) {
  const Machine &On = Of.Of.On;
  Out << shortName(Of.Of.Files[0]) << " on " << On.Name << ", "
      << nameOf(Of.Of.How.WarpsBy) << ": "
      << KernelTypeNames[size_t(Of.Is.Type)] << ", best with " << Of.Is.Best
      << " of " << Of.Is.Points.size() << " blocks on an SM\n";
  printSampled(Of.Of, Out);
  Out << "\nblocks       cycles a cycle      SP  LD/ST |"
      << IssueAndMemoryTitles << '\n';
  for (const ProfilePoint &Each : Of.Is.Points) {
    const WarpCounts &C = Each.Counts;
    Out << format("%6u %12llu %7.3f %6.1f%% %5.1f%% |", Each.Blocks,
                  (unsigned long long)C.Cycles, throughputOf(C),
                  100 * spUse(C, On), 100 * memoryUse(C, On));
    printIssueAndMemory(C, On, Out);
  }
}

void printCsv(const ProfileOutcome &Of, raw_ostream &Out) {
  Out << "blocks_per_sm";
  for (const WarpValue &Each : warpValues())
    Out << ',' << Each.Name;
  Out << '\n';
  for (const ProfilePoint &Point : Of.Is.Points) {
    Out << Point.Blocks;
    for (const WarpValue &Each : warpValues())
      Out << format(Each.IsRatio ? ",%.4f" : ",%.0f",
                    Each.Of(Point.Counts, Of.Of.On));
    Out << '\n';
  }
}

void printJson(const ProfileOutcome &Of, raw_ostream &Out) {
  json::Object Top = headOf(Of.Of);
  json::Array Points;
  for (const ProfilePoint &Each : Of.Is.Points) {
    json::Object Next = ofAll(Each.Counts, Of.Of.On);
    Next["blocks_per_sm"] = Each.Blocks;
    Next["energy_uj"] = energyOf(Each.Counts, Of.Of.On, true);
    Points.push_back(std::move(Next));
  }
  Top["type"] = KernelTypeNames[size_t(Of.Is.Type)];
  Top["opt"] = Of.Is.Best;
  Top["max"] = int64_t(Of.Is.Points.size());
  Top["points"] = std::move(Points);
  Out << formatv("{0:2}", json::Value(std::move(Top))) << '\n';
}

} // namespace blockmaestro
