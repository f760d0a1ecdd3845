// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sources.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace blockmaestro::random {
namespace {

struct Direction {
  unsigned Polynomial; ///< Its coefficients as bits.
  std::vector<uint64_t> First;
};

const std::vector<Direction> &directions() {
  static const std::vector<Direction> All = {
#define BM_DIRECTION(Polynomial, ...) {Polynomial, __VA_ARGS__},
#include "Directions.def"
#undef BM_DIRECTION
  };
  return All;
}

/// Direction I as a number of 64 bits, of a dimension by its number from 0.
std::array<uint64_t, 64> directionsOf(size_t Dimension) {
  std::array<uint64_t, 64> Out;
  if (Dimension == 0) {
    for (size_t I = 0; I < 64; ++I)
      Out[I] = uint64_t(1) << (63 - I);
    return Out;
  }
  const Direction &Its = directions()[Dimension - 1];
  const size_t Degree = Its.First.size();
  for (size_t I = 0; I < 64; ++I) {
    if (I < Degree) {
      Out[I] = Its.First[I] << (63 - I);
      continue;
    }
    Out[I] = Out[I - Degree] ^ (Out[I - Degree] >> Degree);
    for (size_t K = 1; K < Degree; ++K)
      if (Its.Polynomial >> (Degree - K) & 1)
        Out[I] ^= Out[I - K];
  }
  return Out;
}

/// Steele, Lea and Flood's mixing of a counter.
uint64_t mixed(uint64_t Value) {
  Value += 0x9E3779B97F4A7C15u;
  Value = (Value ^ (Value >> 30)) * 0xBF58476D1CE4E5B9u;
  Value = (Value ^ (Value >> 27)) * 0x94D049BB133111EBu;
  return Value ^ (Value >> 31);
}

double normalBelow(double X) { return 0.5 * std::erfc(-X / std::sqrt(2.0)); }

/// A first guess for the lower half: Abramowitz and Stegun 26.2.23.
double guessInverse(double P) {
  const double T = std::sqrt(-2 * std::log(P));
  return -(T - (2.515517 + T * (0.802853 + T * 0.010328)) /
                   (1 + T * (1.432788 + T * (0.189269 + T * 0.001308))));
}

} // namespace

/// Halley's steps double the digits of the guess, three times each.
double normalInverse(double P) {
  if (P == 0.5)
    return 0;
  if (P > 0.5)
    return -normalInverse(1 - P);
  if (P <= 0)
    return -HUGE_VAL;
  double X = guessInverse(P);
  for (int Step = 0; Step < 3; ++Step) {
    const double Error = (normalBelow(X) - P) *
                         std::sqrt(2 * std::numbers::pi) * std::exp(X * X / 2);
    X -= Error / (1 + X * Error / 2);
  }
  return X;
}

PhiloxSource::PhiloxSource(uint64_t Seed, uint64_t Offset) : Key(Seed) {
  Counters.assign(Count, Offset / (4 * Count));
  Turn = Offset % (4 * Count);
  for (size_t I = 0; I < Turn / 4; ++I)
    ++Counters[I];
}

template <typename T, typename Body>
void PhiloxSource::fours(T *Out, size_t N, unsigned Taken, Body Make) {
  for (size_t I = 0; I < N;) {
    const size_t Stream = Turn / 4;
    const std::array<T, 4> Now = Make(Counters[Stream], Stream);
    for (; I < N && Turn / 4 == Stream; ++I, ++Turn)
      Out[I] = Now[Turn % 4];
    if (Turn / 4 != Stream)
      Counters[Stream] += Taken;
    if (Turn == 4 * Count)
      Turn = 0;
  }
}

void PhiloxSource::bits(uint32_t *Out, size_t N) {
  fours(Out, N, 1, [this](uint64_t Counter, uint64_t Stream) {
    return philox(Key, Counter, Stream);
  });
}

void PhiloxSource::uniform(float *Out, size_t N) {
  fours(Out, N, 1, [this](uint64_t Counter, uint64_t Stream) {
    const auto B = philox(Key, Counter, Stream);
    return std::array<float, 4>{uniformOf(B[0]), uniformOf(B[1]),
                                uniformOf(B[2]), uniformOf(B[3])};
  });
}

void PhiloxSource::uniform(double *Out, size_t N) {
  fours(Out, N, 2, [this](uint64_t Counter, uint64_t Stream) {
    const auto A = philox(Key, Counter, Stream);
    const auto B = philox(Key, Counter + 1, Stream);
    return std::array<double, 4>{uniformOf(A[0], A[1]), uniformOf(A[2], A[3]),
                                 uniformOf(B[0], B[1]), uniformOf(B[2], B[3])};
  });
}

void PhiloxSource::normal(float *Out, size_t N) {
  fours(Out, N, 1, [this](uint64_t Counter, uint64_t Stream) {
    const auto B = philox(Key, Counter, Stream);
    const Pair<float> One = normalsOf(B[0], B[1]), Two = normalsOf(B[2], B[3]);
    return std::array<float, 4>{One.First, One.Second, Two.First, Two.Second};
  });
}

void PhiloxSource::normal(double *Out, size_t N) {
  fours(Out, N, 2, [this](uint64_t Counter, uint64_t Stream) {
    const auto A = philox(Key, Counter, Stream);
    const auto B = philox(Key, Counter + 1, Stream);
    const Pair<double> One = normalsOf(A[0], A[1], A[2], A[3]);
    const Pair<double> Two = normalsOf(B[0], B[1], B[2], B[3]);
    return std::array<double, 4>{One.First, One.Second, Two.First, Two.Second};
  });
}

SobolSource::SobolSource(unsigned Dimensions, bool Wide, bool Scrambled,
                         uint64_t Offset)
    : Wide(Wide), Scrambled(Scrambled), Index(Offset) {
  haveDimensions(Dimensions);
}

void SobolSource::haveDimensions(unsigned Count) {
  Directions.resize(std::min<size_t>(Count, Directions.size()));
  Shifts.resize(Directions.size());
  for (auto D = unsigned(Directions.size()); D < Count; ++D) {
    Directions.push_back(directionsOf(D));
    Shifts.push_back(Scrambled ? mixed(D) : 0);
  }
}

/// The bits of a point: of 64, or the upper 32 of them.
template <typename T, typename Body>
void SobolSource::points(T *Out, size_t N, Body Give) {
  const size_t Each = N / Directions.size();
  for (size_t D = 0; D < Directions.size(); ++D) {
    uint64_t Point = Shifts[D];
    for (uint64_t Gray = Index ^ (Index >> 1); Gray; Gray &= Gray - 1)
      Point ^= Directions[D][size_t(__builtin_ctzll(Gray))];
    for (size_t I = 0; I < Each; ++I) {
      Out[D * Each + I] = Give(Wide ? Point : Point >> 32);
      Point ^= Directions[D][size_t(__builtin_ctzll(~(Index + I)))];
    }
  }
  Index += Each;
}

double SobolSource::probability(uint64_t Bits) const {
  return Wide ? double(Bits >> 11) * 0x1p-53 + 0x1p-54
              : double(Bits) * 0x1p-32 + 0x1p-33;
}

void SobolSource::bits(uint32_t *Out, size_t N) {
  points(Out, N, [](uint64_t Bits) { return uint32_t(Bits); });
}

void SobolSource::longBits(uint64_t *Out, size_t N) {
  points(Out, N, [](uint64_t Bits) { return Bits; });
}

void SobolSource::uniform(float *Out, size_t N) {
  points(Out, N, [this](uint64_t Bits) {
    return uniformOf(uint32_t(Wide ? Bits >> 32 : Bits));
  });
}

void SobolSource::uniform(double *Out, size_t N) {
  points(Out, N, [this](uint64_t Bits) {
    return Wide ? probability(Bits) : double(Bits) * 0x1p-32 + 0x1p-32;
  });
}

/// As floats, the two halves are the same but for their sign.
void SobolSource::normal(float *Out, size_t N) {
  points(Out, N, [this](uint64_t Bits) {
    const uint32_t Short = uint32_t(Wide ? Bits >> 32 : Bits);
    const bool Upper = Short >> 31;
    const float Half = uniformOf(Upper ? ~Short : Short);
    const float Below = float(normalInverse(Half));
    return Upper ? -Below : Below;
  });
}

void SobolSource::normal(double *Out, size_t N) {
  points(Out, N,
         [this](uint64_t Bits) { return normalInverse(probability(Bits)); });
}

} // namespace blockmaestro::random
