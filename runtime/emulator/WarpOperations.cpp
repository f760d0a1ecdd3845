// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What each warp operation gives its lanes, as PTX defines it. Two results of
// one lane are packed: the value below, the predicate in bit 32.

#include "MatrixShapes.h"
#include "ThreadScheduler.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace blockmaestro {

namespace {

constexpr uint64_t PredicateBit = uint64_t(1) << 32;

template <typename Function> void forEachLane(uint32_t Lanes, Function Do) {
  for (; Lanes; Lanes &= Lanes - 1)
    Do(uint32_t(std::countr_zero(Lanes)));
}

void giveAll(WarpState &W, uint32_t Lanes, uint64_t Outcome) {
  forEachLane(Lanes, [&](uint32_t Lane) { W.Outcome[Lane] = Outcome; });
}

/// A lane gets the value of \p SourceOf(lane, its segment's first lane, its
/// second operand, its segment mask) if \p Within(source, last lane), otherwise
/// its own. What comes from a lane that does not take part is undefined in
/// CUDA; it is 0 here, on which copied reductions rely.
template <typename Source, typename Bound>
void shuffle(WarpState &W, uint32_t Lanes, Source SourceOf, Bound Within) {
  forEachLane(Lanes, [&](uint32_t Lane) {
    uint32_t Segment = W.Third[Lane] >> 8 & 31;
    uint32_t First = Lane & Segment;
    uint32_t Last = First | (W.Third[Lane] & 31 & ~Segment);
    uint32_t From = SourceOf(Lane, First, W.Second[Lane] & 31, Segment);
    bool Inside = Within(int32_t(From), int32_t(Last));
    bool TakesPart = Lanes >> (From & 31) & 1;
    uint32_t Got = !Inside     ? uint32_t(W.Value[Lane])
                   : TakesPart ? uint32_t(W.Value[From])
                               : 0;
    W.Outcome[Lane] = Got | (Inside ? PredicateBit : 0);
  });
}

bool atLeast(int32_t Lane, int32_t Bound) { return Lane >= Bound; }
bool atMost(int32_t Lane, int32_t Bound) { return Lane <= Bound; }

void shuffleUp(WarpState &W, uint32_t Lanes) {
  shuffle(
      W, Lanes,
      [](uint32_t Lane, uint32_t, uint32_t By, uint32_t) { return Lane - By; },
      atLeast);
}
void shuffleDown(WarpState &W, uint32_t Lanes) {
  shuffle(
      W, Lanes,
      [](uint32_t Lane, uint32_t, uint32_t By, uint32_t) { return Lane + By; },
      atMost);
}
void shuffleButterfly(WarpState &W, uint32_t Lanes) {
  shuffle(
      W, Lanes,
      [](uint32_t Lane, uint32_t, uint32_t By, uint32_t) { return Lane ^ By; },
      atMost);
}
void shuffleIndex(WarpState &W, uint32_t Lanes) {
  shuffle(
      W, Lanes,
      [](uint32_t, uint32_t First, uint32_t Which, uint32_t Segment) {
        return First | (Which & ~Segment);
      },
      atMost);
}

uint32_t lanesThatSay(const WarpState &W, uint32_t Lanes, bool What) {
  uint32_t Set = 0;
  forEachLane(Lanes, [&](uint32_t Lane) {
    Set |= uint32_t((W.Value[Lane] != 0) == What) << Lane;
  });
  return Set;
}

void sync(WarpState &, uint32_t) {}
void voteAll(WarpState &W, uint32_t Lanes) {
  giveAll(W, Lanes, lanesThatSay(W, Lanes, false) == 0);
}
void voteAny(WarpState &W, uint32_t Lanes) {
  giveAll(W, Lanes, lanesThatSay(W, Lanes, true) != 0);
}
void voteUniform(WarpState &W, uint32_t Lanes) {
  uint32_t Yes = lanesThatSay(W, Lanes, true);
  giveAll(W, Lanes, Yes == 0 || Yes == Lanes);
}
void ballot(WarpState &W, uint32_t Lanes) {
  giveAll(W, Lanes, lanesThatSay(W, Lanes, true));
}

uint32_t lanesWith(const WarpState &W, uint32_t Lanes, uint64_t Value) {
  uint32_t Set = 0;
  forEachLane(Lanes, [&](uint32_t Lane) {
    Set |= uint32_t(W.Value[Lane] == Value) << Lane;
  });
  return Set;
}

void matchAny(WarpState &W, uint32_t Lanes) {
  for (uint32_t Left = Lanes; Left;) {
    uint32_t Same = lanesWith(W, Left, W.Value[std::countr_zero(Left)]);
    giveAll(W, Same, Same);
    Left &= ~Same;
  }
}

void matchAll(WarpState &W, uint32_t Lanes) {
  bool Same = lanesWith(W, Lanes, W.Value[std::countr_zero(Lanes)]) == Lanes;
  giveAll(W, Lanes, Same ? Lanes | PredicateBit : 0);
}

void elect(WarpState &W, uint32_t Lanes) {
  uint32_t Leader = std::countr_zero(Lanes);
  giveAll(W, Lanes, Leader);
  W.Outcome[Leader] |= PredicateBit;
}

/// Combines the lanes' values as \p T, the lowest lane's first.
template <typename T, typename Function>
void reduce(WarpState &W, uint32_t Lanes, Function Combine) {
  T Sum = T(uint32_t(W.Value[std::countr_zero(Lanes)]));
  forEachLane(Lanes & (Lanes - 1), [&](uint32_t Lane) {
    Sum = Combine(Sum, T(uint32_t(W.Value[Lane])));
  });
  giveAll(W, Lanes, uint32_t(Sum));
}

void add(WarpState &W, uint32_t Lanes) {
  reduce<uint32_t>(W, Lanes, [](uint32_t A, uint32_t B) { return A + B; });
}
void bitAnd(WarpState &W, uint32_t Lanes) {
  reduce<uint32_t>(W, Lanes, [](uint32_t A, uint32_t B) { return A & B; });
}
void bitOr(WarpState &W, uint32_t Lanes) {
  reduce<uint32_t>(W, Lanes, [](uint32_t A, uint32_t B) { return A | B; });
}
void bitXor(WarpState &W, uint32_t Lanes) {
  reduce<uint32_t>(W, Lanes, [](uint32_t A, uint32_t B) { return A ^ B; });
}
void minimum(WarpState &W, uint32_t Lanes) {
  reduce<int32_t>(W, Lanes, [](int32_t A, int32_t B) { return A < B ? A : B; });
}
void maximum(WarpState &W, uint32_t Lanes) {
  reduce<int32_t>(W, Lanes, [](int32_t A, int32_t B) { return A > B ? A : B; });
}
void unsignedMinimum(WarpState &W, uint32_t Lanes) {
  reduce<uint32_t>(W, Lanes,
                   [](uint32_t A, uint32_t B) { return A < B ? A : B; });
}
void unsignedMaximum(WarpState &W, uint32_t Lanes) {
  reduce<uint32_t>(W, Lanes,
                   [](uint32_t A, uint32_t B) { return A > B ? A : B; });
}

/// The least or greatest of floats. A NaN is passed over, or, where \p
/// KeepsNaN, is the result.
template <bool Greatest, bool Absolute, bool KeepsNaN>
void reduceFloat(WarpState &W, uint32_t Lanes) {
  auto At = [&](uint32_t Lane) {
    auto X = std::bit_cast<float>(uint32_t(W.Value[Lane]));
    return Absolute ? std::fabs(X) : X;
  };
  float Best = At(std::countr_zero(Lanes));
  bool SawNaN = std::isnan(Best);
  forEachLane(Lanes & (Lanes - 1), [&](uint32_t Lane) {
    float X = At(Lane);
    SawNaN |= std::isnan(X);
    Best = Greatest ? std::fmax(Best, X) : std::fmin(Best, X);
  });
  constexpr uint32_t CanonicalNaN = 0x7fffffff;
  bool IsNaN = std::isnan(Best) || (KeepsNaN && SawNaN);
  giveAll(W, Lanes, IsNaN ? CanonicalNaN : std::bit_cast<uint32_t>(Best));
}

void multiply(WarpState &W, uint32_t Lanes) {
  uint8_t *Memories[WarpSize] = {};
  forEachLane(Lanes, [&](uint32_t Lane) {
    Memories[Lane] = reinterpret_cast<uint8_t *>(W.Value[Lane]);
  });
  multiplyMatrices(Memories);
}

void collect(WarpState &W, uint32_t Lanes) {
  uint32_t Words[WarpSize] = {};
  forEachLane(Lanes, [&](uint32_t Lane) {
    Words[Lane] = *reinterpret_cast<const uint32_t *>(W.Value[Lane]);
  });
  forEachLane(Lanes, [&](uint32_t Lane) {
    std::memcpy(reinterpret_cast<void *>(W.Value[Lane]), Words, sizeof(Words));
  });
}

using Resolver = void (*)(WarpState &W, uint32_t Lanes);

/// In the order of WarpOperation, without Active.
const Resolver Resolvers[] = {
    sync,
    shuffleUp,
    shuffleDown,
    shuffleButterfly,
    shuffleIndex,
    voteAll,
    voteAny,
    voteUniform,
    ballot,
    matchAny,
    matchAll,
    elect,
    add,
    bitAnd,
    bitOr,
    bitXor,
    minimum,
    maximum,
    unsignedMinimum,
    unsignedMaximum,
    reduceFloat<false, false, false>,
    reduceFloat<false, true, false>,
    reduceFloat<false, false, true>,
    reduceFloat<false, true, true>,
    reduceFloat<true, false, false>,
    reduceFloat<true, true, false>,
    reduceFloat<true, false, true>,
    reduceFloat<true, true, true>,
    multiply,
    collect,
};

} // namespace

void resolve(WarpState &W, WarpOperation Operation, uint32_t Lanes) {
  Resolvers[size_t(Operation)](W, Lanes);
}

} // namespace blockmaestro
