// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the sequences of numbers of cuRAND's generators, in the order in
// which its host API writes them to memory.
// On the data's way: a Generator asks one of them when a call's work runs.
// Invariants: two calls of one kind give what one call of both lengths gives.
// docs/libraries.md says which sequences are NVIDIA's.
// Threads: one at a time.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_RANDOM_SOURCES_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_RANDOM_SOURCES_H

#include "Streams.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace blockmaestro::random {

/// The normal distribution's inverse.
double normalInverse(double Probability);

/// Bits of a stream as the standard library's distributions want them.
template <typename Stream> struct StandardBits {
  using result_type = uint32_t;
  Stream &From;
  static constexpr uint32_t min() { return 0; }
  static constexpr uint32_t max() { return UINT32_MAX; }
  uint32_t operator()() { return From.bits(); }
};

/// Streams by turns, each a subsequence behind the one before: one number of
/// each, or a pair of normal ones.
template <typename Stream> class Interleaved {
public:
  Interleaved(uint64_t Seed, uint64_t Offset, size_t Count) {
    Stream Next(Seed);
    for (size_t I = 0; I < Count; ++I) {
      Streams.push_back(Next);
      Streams.back().skip(Offset / Count + (I < Offset % Count));
      Next.skipSubsequence();
    }
    Turn = Offset % Count;
  }

  void bits(uint32_t *Out, size_t N) {
    each(Out, N, [](Stream &S) { return S.bits(); });
  }
  void uniform(float *Out, size_t N) {
    each(Out, N, [](Stream &S) { return S.uniform(); });
  }
  void uniform(double *Out, size_t N) {
    each(Out, N, [](Stream &S) { return S.uniformDouble(); });
  }
  void normal(float *Out, size_t N) {
    pairs(Out, N, [](Stream &S) { return S.normals(); });
  }
  void normal(double *Out, size_t N) {
    pairs(Out, N, [](Stream &S) { return S.normalDoubles(); });
  }
  template <typename Distribution>
  void integers(uint32_t *Out, size_t N, Distribution By) {
    each(Out, N, [&](Stream &S) {
      By.reset();
      StandardBits<Stream> Source{S};
      return uint32_t(By(Source));
    });
  }

private:
  Stream &next() {
    Stream &Out = Streams[Turn];
    Turn = Turn + 1 == Streams.size() ? 0 : Turn + 1;
    return Out;
  }
  template <typename T, typename Body> void each(T *Out, size_t N, Body Give) {
    for (size_t I = 0; I < N; ++I)
      Out[I] = Give(next());
  }
  template <typename R, typename Body> void pairs(R *Out, size_t N, Body Give) {
    for (size_t I = 0; I < N; I += 2) {
      const Pair<R> Both = Give(next());
      Out[I] = Both.First;
      if (I + 1 < N)
        Out[I + 1] = Both.Second;
    }
  }

  std::vector<Stream> Streams;
  size_t Turn = 0;
};

/// Philox: 65536 streams that give four numbers each in turn. Doubles take two
/// counters for that.
class PhiloxSource {
public:
  PhiloxSource(uint64_t Seed, uint64_t Offset);
  void bits(uint32_t *Out, size_t N);
  void uniform(float *Out, size_t N);
  void uniform(double *Out, size_t N);
  void normal(float *Out, size_t N);
  void normal(double *Out, size_t N);
  template <typename Distribution>
  void integers(uint32_t *Out, size_t N, Distribution By) {
    for (size_t I = 0; I < N; ++I) {
      Counted Source{*this};
      By.reset();
      Out[I] = uint32_t(By(Source));
    }
  }

private:
  static constexpr size_t Count = 65536;
  /// One number after the other, for distributions that need several.
  struct Counted {
    using result_type = uint32_t;
    PhiloxSource &From;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return UINT32_MAX; }
    uint32_t operator()() {
      uint32_t Out = 0;
      From.bits(&Out, 1);
      return Out;
    }
  };

  /// Counters is how many a turn of four takes, Make what a turn is.
  template <typename T, typename Body>
  void fours(T *Out, size_t N, unsigned Counters, Body Make);

  uint64_t Key;
  std::vector<uint64_t> Counters; ///< Of each stream.
  size_t Turn = 0;                ///< Of numbers, up to 4 * Count.
};

/// Sobol's points in gray-code order, all of one dimension after the other.
class SobolSource {
public:
  static constexpr size_t MostDimensions = 128;
  SobolSource(unsigned Dimensions, bool Wide, bool Scrambled, uint64_t Offset);

  size_t dimensions() const { return Directions.size(); }
  /// Points have so many numbers from now on; which one is next stays.
  void haveDimensions(unsigned Count);
  void bits(uint32_t *Out, size_t N);
  void longBits(uint64_t *Out, size_t N);
  void uniform(float *Out, size_t N);
  void uniform(double *Out, size_t N);
  void normal(float *Out, size_t N);
  void normal(double *Out, size_t N);

private:
  template <typename T, typename Body> void points(T *Out, size_t N, Body Give);
  double probability(uint64_t Bits) const;

  const bool Wide, Scrambled;
  std::vector<std::array<uint64_t, 64>> Directions; ///< Of 64 bits.
  std::vector<uint64_t> Shifts;                     ///< 0: not scrambled.
  uint64_t Index;
};

} // namespace blockmaestro::random

#endif
