// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how long each block of a recording takes on a machine.
// On the data's way: from Recording and Machine to Workload.
// The model, an estimate by three bounds, is docs/simulator.md.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_DURATIONS_H
#define BLOCKMAESTRO_RUNTIME_SIM_DURATIONS_H

#include "Machine.h"
#include "Needs.h"
#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace blockmaestro::sim {

enum class DurationSource : uint8_t {
  Shared,  ///< From the recorded costs, the machine, and what runs beside.
  Alone,   ///< From the recorded costs and the machine.
  Events,  ///< As recorded: end minus start.
  Uniform, ///< The same for all.
};

struct DurationChoice {
  DurationSource From = DurationSource::Shared;
  uint64_t UniformNs = 0;
};

/// "shared", "model", "events" or "uniform:NS".
Result<DurationChoice> parseDurations(std::string_view Text);

/// The time for one block among others of its launch, at least 1 ns.
uint64_t aloneNs(const BlockCost &Cost, const RecordedLaunch &What,
                 const Machine &On, uint64_t ProgramBytes = ~uint64_t(0));

/// By what the bytes of a copy go. On the first CopyQueues of these one copy
/// follows the other.
enum class CopyPath : uint8_t {
  ToDevice, ///< From the host.
  ToHost,
  Within, ///< The device, or to it from nowhere: a fill.
  None,   ///< Nothing of the device moves: a release, a copy within the host.
};

inline constexpr size_t CopyQueues = 2;

CopyPath pathOf(const RecordedCopy &What);

/// How long a copy takes that nothing keeps waiting; at least 1 ns.
uint64_t copyNs(const RecordedCopy &What, CopyPath By, const Machine &On);

/// A number for each block of a launch, kept once where it is the same for all.
template <typename T> class PerBlock {
public:
  PerBlock() = default;
  PerBlock(std::initializer_list<T> Each) : PerBlock(std::vector<T>(Each)) {}
  PerBlock(std::vector<T> Each) {
    const bool Same = std::adjacent_find(Each.begin(), Each.end(),
                                         std::not_equal_to<>()) == Each.end();
    Numbers =
        Same && !Each.empty() ? std::vector<T>{Each.front()} : std::move(Each);
  }

  bool empty() const { return Numbers.empty(); }
  T operator[](size_t Block) const {
    return Numbers[Numbers.size() == 1 ? 0 : Block];
  }
  bool contains(T Number) const {
    return std::find(Numbers.begin(), Numbers.end(), Number) != Numbers.end();
  }

private:
  std::vector<T> Numbers;
};

/// What the blocks of a launch take.
struct LaunchDurations {
  /// Nanoseconds, at least 1; 0 of blocks that did not run (and have no event
  /// or cost). Where a block ran twice the last counts.
  PerBlock<uint64_t> Ns;
  /// Where they share, what they need besides; else empty.
  PerBlock<float> IssueNs, MemoryNs;
  bool SharesLast = false; ///< They need these behind the time, not beside it.
};

/// Of every launch.
std::vector<LaunchDurations> blockDurations(const Recording &Of,
                                            const Machine &On,
                                            const DurationChoice &How);

} // namespace blockmaestro::sim

#endif
