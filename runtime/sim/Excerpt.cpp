// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Excerpt.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::sim {
namespace {

/// A part of a list, whose numbers become those from 0.
struct Part {
  uint64_t First = 0;
  uint64_t End = 0; ///< Behind the last one.

  bool has(uint64_t Number) const { return First <= Number && Number < End; }

  template <typename T> void cut(std::vector<T> &All) const {
    All.erase(All.begin() + ptrdiff_t(End), All.end());
    All.erase(All.begin(), All.begin() + ptrdiff_t(First));
  }
};

class Excerpt {
public:
  Excerpt(const Recording &Of, uint64_t First, uint64_t Last)
      : Launches{First, Last + 1},
        Copies{copiesBefore(Of, First), copiesBefore(Of, Last)} {}

  void cut(Recording &To) const {
    Launches.cut(To.Launches);
    Copies.cut(To.Copies);
    for (RecordedCopy &Each : To.Copies) {
      Each.Id -= Copies.First;
      Each.Before -= Launches.First;
    }
    cutRelations(To.Relations);
    cutRelations(To.CopyRelations);
    cutBarriers(To.Barriers);
    cutBarriers(To.Waits);
    for (RecordedWait &Each : To.Waits)
      Each.Until -= std::min(Each.Until, Launches.First + Copies.First);
    cutOfLaunches(To.Events);
    cutOfLaunches(To.Costs);
    cutTraces(To.Traces);
    To.Observations.clear();
  }

private:
  static uint64_t copiesBefore(const Recording &Of, uint64_t Launch) {
    return uint64_t(std::partition_point(Of.Copies.begin(), Of.Copies.end(),
                                         [&](const RecordedCopy &C) {
                                           return C.Before <= Launch;
                                         }) -
                    Of.Copies.begin());
  }

  bool has(uint64_t Number, bool IsCopy) const {
    return (IsCopy ? Copies : Launches).has(Number);
  }

  void cutRelations(std::vector<RecordedRelation> &All) const {
    std::erase_if(All, [&](const RecordedRelation &R) {
      return !has(R.Producer, R.ProducerIsCopy) ||
             !has(R.Consumer, R.ConsumerIsCopy);
    });
    for (RecordedRelation &R : All) {
      R.Producer -= (R.ProducerIsCopy ? Copies : Launches).First;
      R.Consumer -= (R.ConsumerIsCopy ? Copies : Launches).First;
    }
  }

  /// A barrier right before the first launch holds nothing back.
  template <typename T> void cutBarriers(std::vector<T> &All) const {
    std::erase_if(All, [&](const T &B) {
      return B.BeforeLaunch <= Launches.First || B.BeforeLaunch >= Launches.End;
    });
    for (T &B : All) {
      B.BeforeLaunch -= Launches.First;
      B.BeforeCopy -= Copies.First;
    }
  }

  template <typename T> void cutOfLaunches(PackedBlocks<T> &All) const {
    PackedBlocks<T> Kept;
    for (T Each : All) {
      if (!Launches.has(Each.Launch))
        continue;
      Each.Launch -= Launches.First;
      Kept.add(Each);
    }
    All = std::move(Kept);
  }

  void cutTraces(std::vector<BlockTrace> &All) const {
    std::erase_if(All,
                  [&](const BlockTrace &T) { return !Launches.has(T.Launch); });
    for (BlockTrace &T : All)
      T.Launch -= Launches.First;
  }

  Part Launches, Copies;
};

} // namespace

Recording excerptOf(Recording Whole, uint64_t First, uint64_t Last) {
  Excerpt(Whole, First, Last).cut(Whole);
  return Whole;
}

} // namespace blockmaestro::sim
