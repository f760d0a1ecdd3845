// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "Checks.h"
#include "Simulated.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace blockmaestro {
namespace {

constexpr std::string_view ShufflePrefix = "shuffle:";
constexpr std::string_view SharePrefix = "share:";
constexpr std::string_view StreamsPrefix = "streams:";
constexpr std::string_view SimulatedName = "sim";
constexpr std::string_view DefaultScheduler = "producer";

template <typename T> struct Choice {
  std::string_view Text;
  T Value;
};

constexpr Choice<DeviceChoice> Devices[] = {
    {"auto", DeviceChoice::Auto},
    {"emulated", DeviceChoice::Emulated},
    {"cuda", DeviceChoice::Cuda},
};

struct NamedExecutor {
  ExecutorKind Kind;
  FormPolicy Forms = FormPolicy::Faster;
};

constexpr Choice<NamedExecutor> Executors[] = {
    {"auto", {ExecutorKind::Auto}},
    {"serial", {ExecutorKind::Serial}},
    {"pdl", {ExecutorKind::Pdl}},
    {"chained", {ExecutorKind::Chained}},
    {"chained:in-order", {ExecutorKind::Chained, FormPolicy::InOrder}},
    {"chained:by-block", {ExecutorKind::Chained, FormPolicy::ByBlock}},
    {"prelaunch", {ExecutorKind::Prelaunch}},
    {"persistent", {ExecutorKind::Persistent}},
    {"share", {ExecutorKind::Share}},
    {"streams", {ExecutorKind::Streams}},
};

constexpr Choice<bool> Switches[] = {{"0", false}, {"1", true}};

template <typename T, size_t N>
bool choose(const Choice<T> (&Among)[N], std::string_view Text, T &Out) {
  for (const Choice<T> &Each : Among)
    if (Each.Text == Text) {
      Out = Each.Value;
      return true;
    }
  return false;
}

template <typename T> bool parseNumber(std::string_view Text, T &Out) {
  const char *End = Text.data() + Text.size();
  auto [Stop, Error] = std::from_chars(Text.data(), End, Out);
  return Error == std::errc() && Stop == End;
}

bool parseDevice(std::string_view Text, Options &Out) {
  return choose(Devices, Text, Out.Device);
}

bool parseShuffle(std::string_view Seed, ExecutorChoice &Out) {
  Out.Kind = ExecutorKind::Shuffle;
  return parseNumber(Seed, Out.Seed);
}

/// Behind a colon, or the one that is taken where none is named.
bool parseSimulated(std::string_view Suffix, ExecutorChoice &Out) {
  Out.Kind = ExecutorKind::Simulated;
  Out.Scheduler = Suffix.empty() ? DefaultScheduler : Suffix.substr(1);
  return (Suffix.empty() || Suffix[0] == ':') && findSchedule(Out.Scheduler);
}

/// Workers of the first and of the second stream on each multiprocessor.
bool parseShare(std::string_view Workers, ExecutorChoice &Out) {
  constexpr uint32_t Most = 32;
  Out.Kind = ExecutorKind::Share;
  const size_t Comma = Workers.find(',');
  if (Comma == std::string_view::npos ||
      !parseNumber(Workers.substr(0, Comma), Out.Workers[0]) ||
      !parseNumber(Workers.substr(Comma + 1), Out.Workers[1]))
    return false;
  return Out.Workers[0] <= Most && Out.Workers[1] <= Most &&
         Out.Workers[0] + Out.Workers[1] > 0;
}

/// So many streams in place of one.
bool parseStreams(std::string_view Count, ExecutorChoice &Out) {
  constexpr uint32_t Most = 16;
  Out.Kind = ExecutorKind::Streams;
  return parseNumber(Count, Out.Streams) && Out.Streams >= 1 &&
         Out.Streams <= Most;
}

bool parseExecutor(std::string_view Text, Options &Out) {
  Out.ExecutorText = Text;
  if (Text.starts_with(ShufflePrefix))
    return parseShuffle(Text.substr(ShufflePrefix.size()), Out.Executor);
  if (Text.starts_with(SimulatedName))
    return parseSimulated(Text.substr(SimulatedName.size()), Out.Executor);
  if (Text.starts_with(SharePrefix))
    return parseShare(Text.substr(SharePrefix.size()), Out.Executor);
  if (Text.starts_with(StreamsPrefix))
    return parseStreams(Text.substr(StreamsPrefix.size()), Out.Executor);
  NamedExecutor Named = {};
  const bool Known = choose(Executors, Text, Named);
  Out.Executor.Kind = Named.Kind;
  Out.Executor.Forms = Named.Forms;
  return Known;
}

constexpr std::string_view WarpsSuffix = ",warps";
constexpr std::string_view SamplePrefix = ":1/";

/// A file name, behind whose last comma may be `warps` or `warps:1/N`.
bool parseRecord(std::string_view Text, Options &Out) {
  const size_t Comma = Text.rfind(',');
  Out.RecordPath = Text;
  if (Comma == std::string_view::npos ||
      !Text.substr(Comma).starts_with(WarpsSuffix))
    return true;
  std::string_view Sample = Text.substr(Comma + WarpsSuffix.size());
  Out.RecordPath = Text.substr(0, Comma);
  Out.WarpsOneIn = 1;
  if (Sample.empty())
    return Comma > 0;
  if (!Sample.starts_with(SamplePrefix))
    return false;
  Sample.remove_prefix(SamplePrefix.size());
  return Comma > 0 && parseNumber(Sample, Out.WarpsOneIn) &&
         Out.WarpsOneIn >= 1;
}

bool parseTaskReport(std::string_view Text, Options &Out) {
  Out.TaskReportPath = Text;
  return true;
}

bool parseRecordCosts(std::string_view Text, Options &Out) {
  Out.RecordCosts = Text == "1";
  return Text == "0" || Text == "1";
}

bool parseMachineName(std::string_view Text, Options &Out) {
  Out.Machine = Text;
  return true;
}

bool parseExplain(std::string_view Text, Options &Out) {
  return choose(Switches, Text, Out.Explain);
}

constexpr std::string_view InOrderSuffix = ",in-order";

/// A number, one that is followed by `,in-order`, or `paper`.
bool parseWindow(std::string_view Text, Options &Out) {
  Out.Paper = Text == "paper";
  bool Suffixed =
      Text.size() > InOrderSuffix.size() &&
      Text.substr(Text.size() - InOrderSuffix.size()) == InOrderSuffix;
  Out.Executor.InOrder = Out.Paper || Suffixed;
  if (Out.Paper)
    Text = "1";
  if (Suffixed)
    Text.remove_suffix(InOrderSuffix.size());
  return parseNumber(Text, Out.Window) && Out.Window >= 1 && Out.Window <= 64;
}

constexpr Choice<QueueKind> Queues[] = {
    {"tickets", QueueKind::Tickets},
    {"lrr", QueueKind::LocalRoundRobin},
    {"grr", QueueKind::GlobalRoundRobin},
    {"lf", QueueKind::LocalFirst},
};

bool parseQueue(std::string_view Text, Options &Out) {
  return choose(Queues, Text, Out.Queue);
}

bool parseWorkers(std::string_view Text, Options &Out) {
  return parseNumber(Text, Out.Workers) && Out.Workers >= 1 &&
         Out.Workers <= 255;
}

bool parseTimeout(std::string_view Text, Options &Out) {
  unsigned &Seconds = Out.TimeoutSeconds.emplace();
  return parseNumber(Text, Seconds) && Seconds <= 86400;
}

constexpr Choice<unsigned> Checks[] = {
    {"memory", CheckMemory},
    {"race", CheckRaces},
    {"footprints", CheckFootprints},
    {"graph", CheckGraph},
    {"all", CheckMemory | CheckRaces | CheckFootprints | CheckGraph},
};

/// Words with commas between them.
bool parseChecks(std::string_view Text, Options &Out) {
  while (true) {
    size_t Comma = Text.find(',');
    unsigned Which = 0;
    if (!choose(Checks, Text.substr(0, Comma), Which))
      return false;
    Out.Checks |= Which;
    if (Comma == std::string_view::npos)
      return true;
    Text.remove_prefix(Comma + 1);
  }
}

struct Row {
  const char *Name;
  bool (*Parse)(std::string_view Text, Options &Out);
  const char *Allowed;
};

constexpr Row Rows[] = {
    {"BLOCKMAESTRO_DEVICE", parseDevice, "auto, emulated or cuda"},
    {"BLOCKMAESTRO_EXECUTOR", parseExecutor,
     "auto, serial, shuffle:SEED, sim, sim:SCHEDULER, pdl, chained, "
     "chained:in-order, "
     "chained:by-block, prelaunch, persistent, share, share:A,B, streams or "
     "streams:N"},
    {"BLOCKMAESTRO_RECORD", parseRecord,
     "a file name, one followed by `,warps`, or by `,warps:1/N`"},
    {"BLOCKMAESTRO_RECORD_COSTS", parseRecordCosts, "0 or 1"},
    {"BLOCKMAESTRO_MACHINE", parseMachineName, "a machine or a file name"},
    {"BLOCKMAESTRO_EXPLAIN", parseExplain, "0 or 1"},
    {"BLOCKMAESTRO_WINDOW", parseWindow,
     "a number from 1 to 64, one followed by `,in-order`, or paper"},
    {"BLOCKMAESTRO_WORKERS", parseWorkers, "a number from 1 to 255"},
    {"BLOCKMAESTRO_TIMEOUT", parseTimeout,
     "a number of seconds up to 86400, or 0 for none"},
    {"BLOCKMAESTRO_QUEUE", parseQueue, "tickets, lrr, grr or lf"},
    {"BLOCKMAESTRO_TASK_REPORT", parseTaskReport, "a file name"},
    {"BLOCKMAESTRO_CHECK", parseChecks,
     "memory, race, footprints or graph, several with commas between them, or "
     "all"},
};

} // namespace

/// How many letters have to be changed, added or taken away to make B of A.
static size_t difference(std::string_view A, std::string_view B) {
  std::vector<size_t> Row(B.size() + 1);
  std::iota(Row.begin(), Row.end(), size_t(0));
  for (size_t I = 0; I < A.size(); ++I) {
    size_t Corner = std::exchange(Row[0], I + 1);
    for (size_t J = 0; J < B.size(); ++J) {
      const size_t Changed = Corner + (A[I] != B[J]);
      Corner = Row[J + 1];
      Row[J + 1] = std::min({Changed, Row[J] + 1, Corner + 1});
    }
  }
  return Row.back();
}

/// The one of some that has to be changed least to be \p Text.
static const std::string &nearestOf(const std::vector<std::string> &Some,
                                    std::string_view Text) {
  return *std::ranges::min_element(Some, {}, [&](const std::string &Each) {
    return difference(Text, Each);
  });
}

/// The words among what is allowed that stand for themselves: "auto, sim:SEED
/// or cuda" has auto and cuda; parts of a value, in backquotes, do not.
static std::vector<std::string> wordsOf(std::string_view Allowed) {
  std::vector<std::string> Out;
  std::string Word;
  const auto End = [&] {
    if (!Word.empty() && Word != "or" && Word.find('`') == Word.npos)
      Out.push_back(Word);
    Word.clear();
  };
  for (char C : Allowed) {
    if (C == ' ' || C == ',')
      End();
    else
      Word += C;
  }
  End();
  return Out;
}

/// "; is it serial?" where a part of a value between commas is spelled like a
/// word that is allowed; empty where none is.
static std::string spellingOf(const Row &Of, std::string_view Text) {
  const std::vector<std::string> Words = wordsOf(Of.Allowed);
  for (size_t Begin = 0; Begin <= Text.size();) {
    const size_t Comma = std::min(Text.find(',', Begin), Text.size());
    const std::string_view Part = Text.substr(Begin, Comma - Begin);
    Begin = Comma + 1;
    if (std::ranges::find(Words, Part) != Words.end())
      continue;
    const std::string &Nearest = nearestOf(Words, Part);
    if (3 * difference(Part, Nearest) <= Nearest.size())
      return "; is it " + Nearest + "?";
  }
  return "";
}

static std::vector<std::string> ownNames() {
  std::vector<std::string> Out = {"BLOCKMAESTRO_CACHE"};
  for (const Row &Each : Rows)
    Out.push_back(Each.Name);
  return Out;
}

std::vector<std::string> unknownVariables(const char *const *Environment) {
  constexpr size_t MostDifference = 4;
  const std::vector<std::string> Names = ownNames();
  std::vector<std::string> Out;
  for (; *Environment; ++Environment) {
    const std::string_view Set(*Environment);
    const std::string Name(Set.substr(0, Set.find('=')));
    if (!Name.starts_with("BLOCKMAESTRO_") ||
        std::ranges::find(Names, Name) != Names.end())
      continue;
    const std::string &Nearest = nearestOf(Names, Name);
    if (difference(Name, Nearest) <= MostDifference)
      Out.push_back(Name + " means nothing here; is it " + Nearest + "?");
  }
  return Out;
}

/// A persistent batch is as long as the window lets it be, and what leaves the
/// window of streams is waited for by all that comes.
unsigned defaultWindow(ExecutorKind Kind) {
  return Kind == ExecutorKind::Persistent || Kind == ExecutorKind::Streams ? 32
                                                                           : 8;
}

Result<Options> parseOptions(Lookup Environment) {
  Options Out;
  Out.Window = 0;
  for (const Row &Each : Rows) {
    const char *Text = Environment(Each.Name);
    if (!Text || !*Text)
      continue;
    if (!Each.Parse(Text, Out))
      return Status(StatusCode::InvalidArgument,
                    std::string(Each.Name) + "=" + Text + " is not " +
                        Each.Allowed + spellingOf(Each, Text));
  }
  if (Out.WarpsOneIn && !Out.RecordCosts)
    return Status(StatusCode::InvalidArgument,
                  "BLOCKMAESTRO_RECORD with warps has what blocks cost too, "
                  "which BLOCKMAESTRO_RECORD_COSTS=0 leaves out");
  if (Out.Window == 0)
    Out.Window = defaultWindow(Out.Executor.Kind);
  return Out;
}

} // namespace blockmaestro
