// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeStreams.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace blockmaestro {

void FakeStreams::give(void *Stream, int Number) {
  Operation Next;
  Next.Stream = Stream;
  Next.Number = Number;
  Operations.push_back(Next);
}

Status FakeStreams::launch(const GpuLaunch &What) {
  const int Number = *static_cast<int *>(What.Arguments[0]);
  if (Number == Failing)
    return {StatusCode::OutOfMemory, "the launch failed"};
  Works.push_back({Number, What.Stream});
  give(What.Stream, Number);
  return {};
}

Status FakeStreams::copy(const GpuCopy &What) {
  Works.push_back({int(What.Bytes), What.Stream});
  give(What.Stream, int(What.Bytes));
  return {};
}

Status FakeStreams::fill(const GpuFill &What) {
  Works.push_back({int(What.Bytes), What.Stream});
  give(What.Stream, int(What.Bytes));
  return {};
}

Status FakeStreams::launchChain(void *Chain, void *Stream) {
  const ChainOrder &Order = orderOf(Chain);
  const std::vector<int> Numbers = numbersOf(Chain);
  const size_t First = Operations.size();
  ++Graphs;
  for (size_t I = 0; I < Numbers.size(); ++I) {
    Works.push_back({Numbers[I], Stream});
    give(Stream, Numbers[I]);
    Operations.back().Graph = Graphs;
    for (uint32_t Each : Order.Behind[I])
      Operations.back().InGraph.push_back(First + Each);
  }
  return {};
}

Result<void *> FakeStreams::makeStream(int Priority) {
  if (Sides.size() == MostStreams)
    return Status(StatusCode::OutOfMemory, "no more streams");
  ++StreamsMade;
  void *Made = reinterpret_cast<void *>(++Names);
  Sides.insert(Made);
  SidesEver.insert(Made);
  LastPriority = Priority;
  return Made;
}

void FakeStreams::releaseStream(void *Stream) {
  EXPECT_EQ(Sides.erase(Stream), 1u);
}

Result<void *> FakeStreams::makeEvent() {
  if (Events.size() == MostEvents)
    return Status(StatusCode::OutOfMemory, "no more events");
  ++EventsMade;
  void *Made = reinterpret_cast<void *>(++Names);
  Events[Made] = std::nullopt;
  return Made;
}

void FakeStreams::releaseEvent(void *Event) {
  EXPECT_EQ(Events.erase(Event), 1u);
}

Status FakeStreams::record(void *Event, void *Stream) {
  ++Records;
  Operation Next;
  Next.Kind = Operation::Record;
  Next.Stream = Stream;
  Events.at(Event) = Operations.size();
  Operations.push_back(Next);
  return {};
}

Status FakeStreams::comeBehind(void *Stream, void *Event) {
  const std::optional<size_t> Behind = Events.at(Event);
  EXPECT_TRUE(Behind) << "the event stands for nothing";
  EXPECT_TRUE(isSide(Stream) || SidesEver.count(Stream) == 0)
      << "the stream is gone";
  const bool Forgotten = ForgottenWait == Waits++;
  if (!Behind || Forgotten)
    return {};
  Operation Next;
  Next.Kind = Operation::Wait;
  Next.Stream = Stream;
  Next.Behind = *Behind;
  Operations.push_back(Next);
  return {};
}

/// By the streams alone.
bool FakeStreams::isInFront(size_t First, size_t Second) const {
  const Operation &Earlier = Operations[First], &Later = Operations[Second];
  if (Earlier.Graph != 0 && Earlier.Graph == Later.Graph)
    return std::count(Later.InGraph.begin(), Later.InGraph.end(), First) != 0;
  if (Earlier.Stream == Later.Stream)
    return true;
  const bool Default = !Earlier.Stream || !Later.Stream;
  return Default && !isSide(Earlier.Stream) && !isSide(Later.Stream);
}

bool FakeStreams::mayBegin(size_t Index) const {
  const Operation &Mine = Operations[Index];
  if (Mine.Begun ||
      (Mine.Kind == Operation::Wait && !Operations[Mine.Behind].Done))
    return false;
  for (size_t I = FirstOpen; I < Index; ++I)
    if (!Operations[I].Done && isInFront(I, Index))
      return false;
  return true;
}

/// The oldest that can go on, the newest, or any; or all begin before one ends.
bool FakeStreams::step() {
  while (FirstOpen < Operations.size() && Operations[FirstOpen].Done)
    ++FirstOpen;
  std::vector<size_t> Open;
  bool AnyBegins = false;
  for (size_t I = FirstOpen; I < Operations.size(); ++I) {
    const Operation &Each = Operations[I];
    const bool Begins = mayBegin(I);
    if (Begins || (Each.Begun && !Each.Done))
      Open.push_back(I);
    AnyBegins |= Begins;
  }
  if (Open.empty())
    return false;
  if (Policy == 3 && AnyBegins)
    std::erase_if(Open, [&](size_t I) { return Operations[I].Begun; });
  const size_t Index = Policy == 0   ? Open.front()
                       : Policy == 1 ? Open.back()
                                     : Open[Random() % Open.size()];
  Operation &Next = Operations[Index];
  const bool IsWork = Next.Kind == Operation::Work;
  if (!Next.Begun && IsWork && Begin)
    Begin(Next.Number);
  else if (Next.Begun && End)
    End(Next.Number);
  Next.Done = Next.Begun || !IsWork;
  Next.Begun = true;
  return true;
}

Status FakeStreams::synchronize(void *) {
  while (step())
    ;
  EXPECT_EQ(FirstOpen, Operations.size()) << "something waits for ever";
  return {};
}

} // namespace blockmaestro
