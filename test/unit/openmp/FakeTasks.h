// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A device whose tasks are functions of the test, and tables of tasks as the
// compiler writes them. Tasks run when their graph does, the last one of a
// level first.

#ifndef BLOCKMAESTRO_TEST_UNIT_OPENMP_FAKETASKS_H
#define BLOCKMAESTRO_TEST_UNIT_OPENMP_FAKETASKS_H

#include "FakeMemory.h"
#include "Inspection.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace blockmaestro::openmp {

/// A task, as its code finds it.
struct FakeTask {
  uint32_t Kind;
  std::byte *Record;

  template <typename T> T &at(size_t Offset) const {
    return *reinterpret_cast<T *>(Record + Offset);
  }
};

class FakePort final : public TaskPort {
public:
  DeviceMemory &memory() override { return Memory; }

  void expect(const TaskKernels &) override {}

  Status start(const TaskGraph &Graph, const TaskKernels &) override {
    Started = &Graph;
    return Starting;
  }

  Status wait() override {
    TaskGraph::ByLevel Levels = Started->byLevel();
    for (size_t Level = 0; Level + 1 < Levels.Begin.size(); ++Level)
      for (uint32_t Place = Levels.Begin[Level + 1];
           Place-- > Levels.Begin[Level];)
        runNode(Started->nodes()[Levels.Order[Place]]);
    Runs.push_back(Started->tasks());
    return Ending;
  }

  DeviceRange rangeAround(DeviceAddress Where) override {
    for (const DeviceRange &Each : Known)
      if (Where - Each.Begin < Each.Bytes)
        return Each;
    return {};
  }

  bool isOnDevice(uint64_t Where) override {
    auto Behind = Memory.All.upper_bound(Where);
    if (Behind == Memory.All.begin())
      return false;
    const auto &[Begin, Bytes] = *std::prev(Behind);
    return Where - Begin < Bytes->size();
  }

  unsigned processors() override { return 4; }

  void fail(const std::string &Why) override { throw std::runtime_error(Why); }

  FakeMemory Memory;
  std::vector<DeviceRange> Known;
  std::function<void(const FakeTask &)> Body = [](const FakeTask &) {};
  std::vector<uint32_t> Runs; ///< Tasks of each graph that ran.
  Status Starting, Ending;

private:
  void runNode(const TaskNode &Node) {
    if (Node.Task == TaskNode::Join)
      return;
    // As the device does, in a copy.
    alignas(16) std::array<std::byte, 4096> Record;
    std::memcpy(Record.data(), Node.Data, Node.Bytes);
    Body({Node.Kind, Record.data()});
  }

  const TaskGraph *Started = nullptr;
};

/// Tasks with 6 words of their own, of which the last 3 are shareds, and
/// behind them a copy. Kind 0 copies what no field says; of kind 1 the first
/// of the shareds is a copied variable of 8 bytes, and the second is not looked
/// at.
struct FakeTable {
  static constexpr size_t Privates = 40, Shareds = 64, Copy = 88, Bytes = 96;

  SharedCopy Copies[2] = {{0, Copy, 8}, {8, 0, 0}};
  TaskKind Kinds[2] = {{"a.cpp:1", 64, 24, Shareds, Bytes, 0, nullptr},
                       {"a.cpp:2", 64, 24, Shareds, Bytes, 2, Copies}};
  TaskTable Table = {nullptr, nullptr, 2, 0, Kinds, nullptr};
};

} // namespace blockmaestro::openmp

#endif
