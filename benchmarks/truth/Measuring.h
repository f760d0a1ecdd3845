// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What programs that measure a machine share: checked calls, arrays, and one
// JSON line for each number.

#ifndef BLOCKMAESTRO_BENCHMARKS_TRUTH_MEASURING_H
#define BLOCKMAESTRO_BENCHMARKS_TRUTH_MEASURING_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

template <typename Error> void check(Error Code, const char *What) {
  if (int(Code) == 0)
    return;
  std::fprintf(stderr, "error %d: %s\n", int(Code), What);
  std::exit(3);
}
#define CHECK(Call) check(Call, #Call)

inline void tell(const std::string &Name, double Number) {
  std::printf("{\"name\": \"%s\", \"value\": %.3f}\n", Name.c_str(), Number);
  std::fflush(stdout);
}

inline double median(std::vector<double> Of) {
  if (Of.empty())
    return -1;
  std::nth_element(Of.begin(), Of.begin() + long(Of.size() / 2), Of.end());
  return Of[Of.size() / 2];
}

/// Device memory, all 0.
template <typename T> class Array {
public:
  explicit Array(size_t Count) : Count(Count) {
    CHECK(cudaMalloc(&Memory, Count * sizeof(T)));
    CHECK(cudaMemset(Memory, 0, Count * sizeof(T)));
  }
  Array(const Array &) = delete;
  ~Array() { CHECK(cudaFree(Memory)); }

  T *get() const { return Memory; }
  std::vector<T> host() const {
    std::vector<T> Out(Count);
    CHECK(cudaMemcpy(Out.data(), Memory, Count * sizeof(T),
                     cudaMemcpyDeviceToHost));
    return Out;
  }

private:
  size_t Count;
  T *Memory = nullptr;
};

/// The least of five times of what it does, after one that does not count.
inline double usOf(const std::function<void()> &Do) {
  cudaEvent_t Begin, End;
  CHECK(cudaEventCreate(&Begin));
  CHECK(cudaEventCreate(&End));
  float Best = 1e30f;
  for (int I = 0; I < 6; ++I) {
    float Ms = 0;
    CHECK(cudaEventRecord(Begin));
    Do();
    CHECK(cudaEventRecord(End));
    CHECK(cudaEventSynchronize(End));
    CHECK(cudaGetLastError());
    CHECK(cudaEventElapsedTime(&Ms, Begin, End));
    Best = I ? std::min(Best, Ms) : Best;
  }
  return Best * 1000.0;
}

#endif
