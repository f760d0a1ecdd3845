// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one kernel of a program of benchmarks/, with inputs of its own,
// that pairs.cu runs beside another. Each is in a file of its own, as kernels
// of two programs are.

#ifndef BLOCKMAESTRO_BENCHMARKS_SHARE_WORK_H
#define BLOCKMAESTRO_BENCHMARKS_SHARE_WORK_H

#include "../common/Program.h"

#include <functional>
#include <memory>
#include <numeric>

struct Work {
  const char *Name;
  std::function<void(cudaStream_t)> Launch;
  std::function<void()> Clear;      ///< The outputs.
  std::function<uint64_t()> Digest; ///< Of the outputs.
};

Work backpropWork();
Work histogramWork();
Work imageExtractWork();
Work jdsSpmvWork();
Work blackScholesWork();
Work lbmWork();
Work kmeansWork();
Work streamclusterWork();

/// A kernel that writes one array.
template <typename T, typename F>
Work workOf(const char *Name, std::shared_ptr<bench::Array<T>> Out, F Launch) {
  return {Name, Launch, [Out] { Out->clear(); },
          [Out] {
            uint64_t Digest = 0xcbf29ce484222325;
            const std::vector<T> Got = Out->download();
            const auto *Bytes =
                reinterpret_cast<const unsigned char *>(Got.data());
            for (size_t I = 0; I < Got.size() * sizeof(T); ++I)
              Digest = (Digest ^ Bytes[I]) * 0x100000001b3;
            return Digest;
          }};
}

/// Random numbers on the device.
template <typename T>
std::shared_ptr<bench::Array<T>> randomArray(size_t Count, double Least,
                                             double Most) {
  bench::Random From(1);
  return std::make_shared<bench::Array<T>>(
      bench::randomVector<T>(From, Count, Least, Most));
}

template <typename T>
std::shared_ptr<bench::Array<T>> arrayOf(const std::vector<T> &Values) {
  return std::make_shared<bench::Array<T>>(Values);
}

template <typename T> std::shared_ptr<bench::Array<T>> emptyArray(size_t N) {
  return std::make_shared<bench::Array<T>>(N);
}

/// Whole numbers below Limit, in an order that looks random.
template <typename T> std::vector<T> scattered(size_t Count, uint64_t Limit) {
  std::vector<T> Out(Count);
  uint64_t Value = 1;
  for (T &Each : Out) {
    Value = Value * 6364136223846793005 + 1442695040888963407;
    Each = T((Value >> 33) % Limit);
  }
  return Out;
}

#endif
