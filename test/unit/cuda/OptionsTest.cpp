// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"
#include "RecordName.h"

#include "Checks.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <unistd.h>

using namespace blockmaestro;

namespace {

std::map<std::string, std::string> Variables;

const char *lookup(const char *Name) {
  auto Found = Variables.find(Name);
  return Found == Variables.end() ? nullptr : Found->second.c_str();
}

Result<Options> parse(std::map<std::string, std::string> Given) {
  Variables = std::move(Given);
  return parseOptions(lookup);
}

TEST(Options, DefaultsWhenNothingIsSet) {
  Result<Options> Out = parse({{"BLOCKMAESTRO_DEVICE", ""}});
  ASSERT_TRUE(Out.ok());
  EXPECT_EQ(Out->Device, DeviceChoice::Auto);
  EXPECT_EQ(Out->Executor.Kind, ExecutorKind::Auto);
  EXPECT_EQ(Out->RecordPath, "");
  EXPECT_FALSE(Out->Explain);
  EXPECT_EQ(Out->Window, 8u);
}

TEST(Options, ChecksAddUp) {
  EXPECT_EQ(parse({})->Checks, 0u);
  EXPECT_EQ(parse({{"BLOCKMAESTRO_CHECK", "memory"}})->Checks,
            unsigned(CheckMemory));
  EXPECT_EQ(parse({{"BLOCKMAESTRO_CHECK", "footprints,race"}})->Checks,
            unsigned(CheckFootprints | CheckRaces));
  EXPECT_EQ(parse({{"BLOCKMAESTRO_CHECK", "all"}})->Checks,
            unsigned(CheckMemory | CheckRaces | CheckFootprints | CheckGraph));
}

TEST(Options, WorkersAndTimeout) {
  EXPECT_EQ(parse({})->Workers, 0u);
  EXPECT_EQ(parse({})->TimeoutSeconds, std::nullopt);
  Result<Options> Out =
      parse({{"BLOCKMAESTRO_WORKERS", "3"}, {"BLOCKMAESTRO_TIMEOUT", "0"}});
  EXPECT_EQ(Out->Workers, 3u);
  EXPECT_EQ(Out->TimeoutSeconds, 0u);
}

TEST(Options, TasksAreReportedWhereAsked) {
  EXPECT_EQ(parse({})->TaskReportPath, "");
  EXPECT_EQ(parse({{"BLOCKMAESTRO_TASK_REPORT", "a.jsonl"}})->TaskReportPath,
            "a.jsonl");
}

TEST(Options, EveryVariableIsRead) {
  Result<Options> Out = parse({{"BLOCKMAESTRO_DEVICE", "emulated"},
                               {"BLOCKMAESTRO_EXECUTOR", "shuffle:17"},
                               {"BLOCKMAESTRO_RECORD", "a.bmr"},
                               {"BLOCKMAESTRO_RECORD_COSTS", "0"},
                               {"BLOCKMAESTRO_EXPLAIN", "1"},
                               {"BLOCKMAESTRO_WINDOW", "3"}});
  ASSERT_TRUE(Out.ok());
  EXPECT_FALSE(Out->RecordCosts);
  EXPECT_TRUE(parse({})->RecordCosts);
  EXPECT_EQ(Out->Device, DeviceChoice::Emulated);
  EXPECT_EQ(Out->Executor.Kind, ExecutorKind::Shuffle);
  EXPECT_EQ(Out->Executor.Seed, 17u);
  EXPECT_EQ(Out->ExecutorText, "shuffle:17");
  EXPECT_EQ(Out->RecordPath, "a.bmr");
  EXPECT_TRUE(Out->Explain);
  EXPECT_EQ(Out->Window, 3u);
}

TEST(Options, RecordingsMayHaveWhatWarpsDid) {
  const struct {
    const char *Text, *Path;
    uint32_t OneIn;
  } Cases[] = {{"a.bmr", "a.bmr", 0},
               {"a.bmr,warps", "a.bmr", 1},
               {"a,b,warps:1/8", "a,b", 8},
               {"a,warps,warps", "a,warps", 1},
               {"a,warp", "a,warp", 0}};
  for (const auto &[Text, Path, OneIn] : Cases) {
    const auto Out = parse({{"BLOCKMAESTRO_RECORD", Text}});
    ASSERT_TRUE(Out.ok()) << Text;
    EXPECT_EQ(Out->RecordPath, Path);
    EXPECT_EQ(Out->WarpsOneIn, OneIn);
  }
  for (const char *Wrong : {"a,warps:8", "a,warps:1/0", "a,warps:1/", ",warps",
                            "a,warps:1/8x", "a,warpsx"})
    EXPECT_EQ(parse({{"BLOCKMAESTRO_RECORD", Wrong}}).status().message(),
              std::string("BLOCKMAESTRO_RECORD=") + Wrong +
                  " is not a file name, one followed by `,warps`, or by "
                  "`,warps:1/N`");
  EXPECT_FALSE(parse({{"BLOCKMAESTRO_RECORD", "a,warps"},
                      {"BLOCKMAESTRO_RECORD_COSTS", "0"}})
                   .ok());
}

TEST(Options, EachProcessMayHaveARecordingOfItsOwn) {
  Variables = {{"RANK", "3"}, {"EMPTY", ""}};
  const std::pair<const char *, const char *> Cases[] = {
      {"a.bmr", "a.bmr"},
      {"a.%p.bmr", "a.42.bmr"},
      {"%q{RANK}/%p%%", "3/42%"},
      {"a%q{EMPTY}b", "ab"}};
  for (const auto &[Pattern, Name] : Cases) {
    const Result<std::string> Out = recordName(Pattern, lookup, 42);
    ASSERT_TRUE(Out.ok()) << Pattern;
    EXPECT_EQ(*Out, Name);
  }
  char Host[256] = {};
  ASSERT_EQ(::gethostname(Host, sizeof Host - 1), 0);
  EXPECT_EQ(*recordName("a.%h", lookup, 42), std::string("a.") + Host);
  const std::pair<const char *, const char *> Wrong[] = {
      {"%q{NONE}", "%q{NONE} names a variable that is not set"},
      {"a%q{RANK", "%q{ has no }"},
      {"100%", "behind % comes p, h, q{NAME} or another %"},
      {"%d", "behind % comes p, h, q{NAME} or another %"}};
  for (const auto &[Pattern, Why] : Wrong) {
    const Result<std::string> Out = recordName(Pattern, lookup, 42);
    ASSERT_FALSE(Out.ok()) << Pattern;
    EXPECT_EQ(Out.status().message(),
              std::string("BLOCKMAESTRO_RECORD: ") + Why);
  }
}

TEST(Options, WhatIsMisspelledIsNamed) {
  const char *const Environment[] = {"PATH=/bin",
                                     "BLOCKMAESTRO_CACHE=off",
                                     "BLOCKMAESTRO_EXECUTER=serial",
                                     "BLOCKMAESTRO_RECORD=a",
                                     "BLOCKMAESTRO_COSTS",
                                     "BLOCKMAESTRO_SEQUENCES=1",
                                     nullptr};
  EXPECT_EQ(unknownVariables(Environment),
            (std::vector<std::string>{
                "BLOCKMAESTRO_EXECUTER means nothing here; is it "
                "BLOCKMAESTRO_EXECUTOR?",
                "BLOCKMAESTRO_COSTS means nothing here; is it "
                "BLOCKMAESTRO_CACHE?"}));
}

TEST(Options, SimulatedSchedulers) {
  const std::pair<const char *, const char *> Cases[] = {
      {"sim", "producer"},
      {"sim:consumer4", "consumer4"},
      {"sim:producer+reorder", "producer+reorder"}};
  for (auto [Text, Scheduler] : Cases) {
    Result<Options> Out = parse({{"BLOCKMAESTRO_EXECUTOR", Text}});
    ASSERT_TRUE(Out.ok());
    EXPECT_EQ(Out->Executor.Kind, ExecutorKind::Simulated);
    EXPECT_EQ(Out->Executor.Scheduler, Scheduler);
  }
}

TEST(Options, FormsOfChains) {
  const std::pair<const char *, FormPolicy> Cases[] = {
      {"chained", FormPolicy::Faster},
      {"chained:in-order", FormPolicy::InOrder},
      {"chained:by-block", FormPolicy::ByBlock}};
  for (const auto &[Text, Forms] : Cases) {
    const auto Out = parse({{"BLOCKMAESTRO_EXECUTOR", Text}});
    ASSERT_TRUE(Out.ok()) << Text;
    EXPECT_EQ(Out->Executor.Kind, ExecutorKind::Chained);
    EXPECT_EQ(Out->Executor.Forms, Forms) << Text;
  }
  EXPECT_FALSE(parse({{"BLOCKMAESTRO_EXECUTOR", "chained:"}}).ok());
}

TEST(Options, SharesAreNumbersOfWorkers) {
  EXPECT_EQ(parse({{"BLOCKMAESTRO_EXECUTOR", "share"}})->Executor.Workers[0],
            0u);
  const auto ByHand = parse({{"BLOCKMAESTRO_EXECUTOR", "share:4,2"}});
  EXPECT_EQ(ByHand->Executor.Kind, ExecutorKind::Share);
  EXPECT_EQ(ByHand->Executor.Workers[0], 4u);
  EXPECT_EQ(ByHand->Executor.Workers[1], 2u);
  for (const char *Wrong : {"share:", "share:4", "share:0,0", "share:33,1"})
    EXPECT_FALSE(parse({{"BLOCKMAESTRO_EXECUTOR", Wrong}}).ok()) << Wrong;
}

TEST(Options, StreamsAreCounted) {
  const auto Some = parse({{"BLOCKMAESTRO_EXECUTOR", "streams"}});
  EXPECT_EQ(Some->Executor.Kind, ExecutorKind::Streams);
  EXPECT_EQ(Some->Executor.Streams, 0u);
  EXPECT_EQ(Some->Window, 32u);
  const auto Counted = parse({{"BLOCKMAESTRO_EXECUTOR", "streams:3"}});
  EXPECT_EQ(Counted->Executor.Kind, ExecutorKind::Streams);
  EXPECT_EQ(Counted->Executor.Streams, 3u);
  for (const char *Wrong : {"streams:", "streams:0", "streams:17", "streams:a"})
    EXPECT_FALSE(parse({{"BLOCKMAESTRO_EXECUTOR", Wrong}}).ok()) << Wrong;
}

TEST(Options, ThePersistentExecutorLooksFurther) {
  EXPECT_EQ(parse({{"BLOCKMAESTRO_EXECUTOR", "persistent"}})->Window, 32u);
  EXPECT_EQ(parse({{"BLOCKMAESTRO_EXECUTOR", "prelaunch"}})->Window, 8u);
  EXPECT_EQ(parse({{"BLOCKMAESTRO_WINDOW", "5"},
                   {"BLOCKMAESTRO_EXECUTOR", "persistent"}})
                ->Window,
            5u);
}

TEST(Options, WindowsOfThreeKinds) {
  Result<Options> Plain = parse({{"BLOCKMAESTRO_WINDOW", "5"}});
  EXPECT_FALSE(Plain->Executor.InOrder || Plain->Paper);
  Result<Options> InOrder = parse({{"BLOCKMAESTRO_WINDOW", "5,in-order"}});
  EXPECT_EQ(InOrder->Window, 5u);
  EXPECT_TRUE(InOrder->Executor.InOrder);
  EXPECT_FALSE(InOrder->Paper);
  Result<Options> Paper = parse({{"BLOCKMAESTRO_WINDOW", "paper"}});
  EXPECT_EQ(Paper->Window, 1u);
  EXPECT_TRUE(Paper->Executor.InOrder && Paper->Paper);
  for (const char *Error : {",in-order", "0,in-order", "65,in-order",
                            "5,inorder", "in-order", "paper,in-order", "Paper"})
    EXPECT_FALSE(parse({{"BLOCKMAESTRO_WINDOW", Error}}).ok()) << Error;
}

TEST(Options, WrongValuesNameVariableAndChoice) {
  const std::pair<const char *, const char *> Error[] = {
      {"BLOCKMAESTRO_DEVICE", "gpu"},
      {"BLOCKMAESTRO_EXECUTOR", "fast"},
      {"BLOCKMAESTRO_EXECUTOR", "shuffle"},
      {"BLOCKMAESTRO_EXECUTOR", "shuffle:"},
      {"BLOCKMAESTRO_EXECUTOR", "shuffle:-1"},
      {"BLOCKMAESTRO_EXECUTOR", "shuffle:1x"},
      {"BLOCKMAESTRO_EXECUTOR", "sim:"},
      {"BLOCKMAESTRO_EXECUTOR", "sim:best"},
      {"BLOCKMAESTRO_EXECUTOR", "simple"},
      {"BLOCKMAESTRO_EXPLAIN", "yes"},
      {"BLOCKMAESTRO_WINDOW", "0"},
      {"BLOCKMAESTRO_WINDOW", "65"},
      {"BLOCKMAESTRO_WINDOW", "8k"},
      {"BLOCKMAESTRO_WORKERS", "0"},
      {"BLOCKMAESTRO_WORKERS", "256"},
      {"BLOCKMAESTRO_TIMEOUT", "soon"},
      {"BLOCKMAESTRO_CHECK", "memory,"},
      {"BLOCKMAESTRO_CHECK", "leaks"}};
  for (auto [Name, Value] : Error) {
    Result<Options> Out = parse({{Name, Value}});
    ASSERT_FALSE(Out.ok()) << Name << "=" << Value;
    EXPECT_EQ(Out.status().message().find(std::string(Name) + "=" + Value +
                                          " is not "),
              0u);
  }
}

TEST(Options, WrongValuesNameWhatIsSpelledLikeThem) {
  const std::tuple<const char *, const char *, std::string> Like[] = {
      {"BLOCKMAESTRO_EXECUTOR", "seriel", "; is it serial?"},
      {"BLOCKMAESTRO_EXECUTOR", "chained:inorder", "; is it chained:in-order?"},
      {"BLOCKMAESTRO_DEVICE", "Cuda", "; is it cuda?"},
      {"BLOCKMAESTRO_CHECK", "memory,rase", "; is it race?"},
      {"BLOCKMAESTRO_WINDOW", "papers", "; is it paper?"},
      {"BLOCKMAESTRO_EXECUTOR", "fastest", ""},
      {"BLOCKMAESTRO_WORKERS", "none", ""}};
  for (const auto &[Name, Value, Spelling] : Like) {
    const std::string Message = parse({{Name, Value}}).status().message();
    const size_t Question = Message.find("; is it");
    EXPECT_EQ(Question == Message.npos ? "" : Message.substr(Question),
              Spelling)
        << Value;
  }
}

} // namespace
