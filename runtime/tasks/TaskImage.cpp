// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskImage.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace blockmaestro {

/// Counters, each in a sector of the cache of its own.
static constexpr size_t CounterStride = 64;
/// So much may be left free behind what a task has, on average, in bytes and in
/// children, so that workers need not ask where it is.
static constexpr size_t RecordSlack = 64, ChildSlack = 4;
static constexpr size_t NextCounter = 0, LeftCounter = 1, CounterCount = 2;

static size_t roundUp(size_t Bytes, size_t To) {
  return (Bytes + To - 1) / To * To;
}

/// The place of so many bytes, behind all so far.
size_t TaskImage::put(size_t Bytes) {
  const size_t At = roundUp(Total, CounterStride);
  Total = At + Bytes;
  return At;
}

/// Whether what tasks have is as far apart for all of them.
void TaskImage::measure() {
  size_t Bytes = 0, WidestRecord = 0, WidestChildren = 0;
  for (uint32_t Node : Order) {
    const size_t Own = roundUp(Of.nodes()[Node].Bytes, RecordArena::Alignment);
    Bytes += Own;
    WidestRecord = std::max(WidestRecord, Own);
    WidestChildren = std::max(WidestChildren, Of.children().of(Node).size());
  }
  const size_t Count = Order.size();
  if (WidestRecord <= TaskBufferBytes &&
      WidestRecord * Count <= 2 * Bytes + Count * RecordSlack)
    RecordStride = WidestRecord;
  if (WidestChildren * Count <= 2 * Of.edges() + Count * ChildSlack)
    ChildStride = WidestChildren;
}

TaskImage::TaskImage(const TaskGraph &Of, std::vector<uint32_t> InOrder,
                     TaskQueue Queue, uint32_t Workers)
    : Of(Of), Order(std::move(InOrder)), Queue(Queue), Workers(Workers) {
  Places.resize(Order.size());
  for (uint32_t Place = 0; Place < Order.size(); ++Place) {
    Places[Order[Place]] = Place;
    if (Of.producers().of(Order[Place]).size() == 0)
      Roots.push_back(Place);
  }
  measure();
  Tasks = put(Order.size() * sizeof(DeviceTask));
  if (Workers != 0) {
    Children = put(std::max(Of.edges(), Order.size() * ChildStride) *
                   sizeof(uint32_t));
    Open = put(Order.size() * sizeof(uint32_t));
    Counters = put(CounterCount * CounterStride);
    Sizes = put(Workers * sizeof(int32_t));
    Ends = put(Workers * sizeof(uint32_t));
  }
  Records.resize(Order.size());
  size_t At = FirstRecord = put(0);
  for (uint32_t Place = 0; Place < Order.size(); ++Place) {
    Records[Place] = At;
    const size_t Bytes = Of.nodes()[Order[Place]].Bytes;
    At += RecordStride ? RecordStride : roundUp(Bytes, RecordArena::Alignment);
    RecordsInPlace |= Bytes > TaskBufferBytes;
  }
  Filled = Total = At;
  if (Workers != 0 && Queue != TaskQueue::Tickets)
    Entries = put(Workers * rowBytes());
}

void TaskImage::fillTasks(std::byte *To, uint64_t Base) const {
  auto *List = reinterpret_cast<DeviceTask *>(To + Tasks);
  auto *Child = reinterpret_cast<uint32_t *>(To + Children);
  auto *Count = reinterpret_cast<uint32_t *>(To + Open);
  uint32_t First = 0;
  for (uint32_t Place = 0; Place < Order.size(); ++Place) {
    const TaskNode &Node = Of.nodes()[Order[Place]];
    const NodeLists::View Mine = Of.children().of(Order[Place]);
    List[Place] = {Node.Kind,
                   uint32_t(Node.Bytes),
                   reinterpret_cast<void *>(Base + Records[Place]),
                   First,
                   uint32_t(Mine.size()),
                   uint32_t(Of.producers().of(Order[Place]).size())};
    if (Workers == 0)
      continue;
    for (uint32_t Each : Mine)
      Child[First++] = Places[Each];
    if (ChildStride != 0)
      First = uint32_t((Place + 1) * ChildStride);
    Count[Place] = List[Place].ProducerCount;
  }
}

void TaskImage::fillRecords(std::byte *To) const {
  for (uint32_t Place = 0; Place < Order.size(); ++Place) {
    const TaskNode &Node = Of.nodes()[Order[Place]];
    if (Node.Bytes != 0)
      std::memcpy(To + Records[Place], Node.Data, Node.Bytes);
  }
}

std::vector<uint32_t> TaskImage::firstEntries() const {
  std::vector<uint32_t> Out(Workers, 0);
  for (size_t I = 0; I < Roots.size(); ++I)
    ++Out[I % Workers];
  return Out;
}

std::vector<uint32_t> TaskImage::entryRows(size_t &EachRow) const {
  EachRow = (Roots.size() + Workers - 1) / Workers;
  std::vector<uint32_t> Out(EachRow * Workers, 0);
  for (size_t I = 0; I < Roots.size(); ++I)
    Out[I % Workers * EachRow + I / Workers] = Roots[I];
  return Out;
}

void TaskImage::fillQueues(std::byte *To) const {
  std::memset(To + Counters, 0, CounterCount * CounterStride);
  const auto Count = uint32_t(Order.size());
  std::memcpy(To + Counters + LeftCounter * CounterStride, &Count,
              sizeof(Count));
  const std::vector<uint32_t> First = firstEntries();
  std::memcpy(To + Sizes, First.data(), Workers * sizeof(uint32_t));
  std::memcpy(To + Ends, First.data(), Workers * sizeof(uint32_t));
}

void TaskImage::fill(std::byte *To, uint64_t Base) const {
  fillTasks(To, Base);
  fillRecords(To);
  if (Workers != 0)
    fillQueues(To);
}

TaskImage::Part TaskImage::state() const {
  if (Queue == TaskQueue::Tickets)
    return {};
  return {Open, Ends + Workers * sizeof(uint32_t)};
}

TaskWork TaskImage::work(uint64_t Base) const {
  auto At = [Base](size_t Offset) {
    return reinterpret_cast<uint32_t *>(Base + Offset);
  };
  TaskWork Out = {};
  Out.Tasks = reinterpret_cast<const DeviceTask *>(Base + Tasks);
  Out.Children = At(Children);
  Out.Open = At(Open);
  Out.Records = reinterpret_cast<const void *>(Base + FirstRecord);
  Out.RecordStride = uint32_t(RecordStride);
  Out.ChildStride = uint32_t(ChildStride);
  Out.Count = uint32_t(Order.size());
  Out.Queue = Queue;
  Out.Next = At(Counters + NextCounter * CounterStride);
  Out.Left = At(Counters + LeftCounter * CounterStride);
  Out.Sizes = reinterpret_cast<int32_t *>(Base + Sizes);
  Out.Ends = At(Ends);
  Out.Entries = At(Entries);
  return Out;
}

} // namespace blockmaestro
