// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Graphs as bytes for a device: what workers find by place alone is what the
// tasks say.

#include "TaskImage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace blockmaestro;

namespace {

constexpr uint64_t ImageBase = 1 << 20;
constexpr uint32_t ImageWorkers = 4;

/// A graph as a device has it.
struct Laid {
  explicit Laid(const TaskGraph &Graph)
      : Graph(Graph), Image(Graph, Graph.ticketOrder(ImageWorkers),
                            TaskQueue::Tickets, ImageWorkers),
        Bytes(Image.bytes()), Work(Image.work(ImageBase)) {
    Image.fill(Bytes.data(), ImageBase);
  }

  template <typename T> const T *at(const T *Device) const {
    const auto Offset = reinterpret_cast<uint64_t>(Device) - ImageBase;
    return reinterpret_cast<const T *>(Bytes.data() + Offset);
  }
  const DeviceTask &task(uint32_t Place) const { return at(Work.Tasks)[Place]; }

  /// As blockmaestro/task_workers.h reads them.
  uint32_t childOf(uint32_t Place, uint32_t Number) const {
    const uint32_t First =
        Work.ChildStride ? Place * Work.ChildStride : task(Place).FirstChild;
    return at(Work.Children)[First + Number];
  }
  const std::byte *recordOf(uint32_t Place) const {
    const auto *Data = static_cast<const std::byte *>(
        Work.RecordStride ? Work.Records : task(Place).Data);
    return at(Data + size_t(Place) * Work.RecordStride);
  }

  void expectTold(uint32_t Place) const {
    const uint32_t Node = Image.order()[Place];
    const DeviceTask &Task = task(Place);
    EXPECT_EQ(at(static_cast<const std::byte *>(Task.Data)), recordOf(Place));
    EXPECT_TRUE(
        std::equal(recordOf(Place), recordOf(Place) + Task.Bytes,
                   static_cast<const std::byte *>(Graph.nodes()[Node].Data)));
    const auto Children = Graph.children().of(Node);
    ASSERT_EQ(Task.ChildCount, Children.size());
    for (uint32_t I = 0; I < Task.ChildCount; ++I) {
      EXPECT_EQ(childOf(Place, I), Image.places()[Children.begin()[I]]);
      EXPECT_EQ(at(Work.Children)[Task.FirstChild + I], childOf(Place, I));
    }
  }
  void expectAllTold() const {
    for (uint32_t Place = 0; Place < Work.Count; ++Place)
      expectTold(Place);
  }

  const TaskGraph &Graph;
  TaskImage Image;
  std::vector<std::byte> Bytes;
  TaskWork Work;
};

/// A task with a record of so many bytes, all the same, that touches Where.
void addTask(TaskGraph &Graph, size_t Bytes, uint64_t Where,
             DependKind Kind = DependKind::Out) {
  const std::vector<std::byte> Record(Bytes, std::byte(Where));
  Graph.depend(Graph.add(0, Record.data(), Bytes), Where, 1, Kind);
}

TEST(TaskImageTest, LikeTasksAreFoundByTheirPlace) {
  TaskGraph Graph;
  for (uint64_t I = 0; I < 40; ++I)
    addTask(Graph, 72, I % 8);
  Graph.finish();
  const Laid Image(Graph);
  EXPECT_EQ(Image.Work.RecordStride, 80u);
  EXPECT_EQ(Image.Work.ChildStride, 1u);
  Image.expectAllTold();
}

TEST(TaskImageTest, FewLongRecordsAreNotWhatAllHaveRoomFor) {
  TaskGraph Graph;
  for (uint64_t I = 0; I < 40; ++I)
    addTask(Graph, I == 7 ? 1000 : 24, I);
  Graph.finish();
  const Laid Image(Graph);
  EXPECT_EQ(Image.Work.RecordStride, 0u);
  Image.expectAllTold();
}

TEST(TaskImageTest, RecordsThatDoNotFitABufferAreNoneOfALength) {
  TaskGraph Graph;
  for (uint64_t I = 0; I < 4; ++I)
    addTask(Graph, TaskBufferBytes + 8, I);
  Graph.finish();
  const Laid Image(Graph);
  EXPECT_EQ(Image.Work.RecordStride, 0u);
  Image.expectAllTold();
}

TEST(TaskImageTest, ManyChildrenOfOneAreNotWhatAllHaveRoomFor) {
  TaskGraph Graph;
  addTask(Graph, 24, 1);
  for (uint64_t I = 0; I < 40; ++I)
    addTask(Graph, 24, 1, DependKind::In);
  Graph.finish();
  const Laid Image(Graph);
  EXPECT_EQ(Image.Work.ChildStride, 0u);
  Image.expectAllTold();
}

TEST(TaskImageTest, RandomGraphsAreWhatTheyWere) {
  for (uint64_t Seed = 0; Seed < 200; ++Seed) {
    std::mt19937_64 Numbers(Seed);
    TaskGraph Graph;
    const uint64_t Longest = 8 + Numbers() % 200, Places = 1 + Numbers() % 60;
    for (unsigned Count = 1 + Numbers() % 100; Count > 0; --Count)
      addTask(Graph, 8 + Numbers() % Longest, Numbers() % Places,
              Numbers() % 3 ? DependKind::In : DependKind::Out);
    Graph.finish();
    Laid(Graph).expectAllTold();
  }
}

} // namespace
