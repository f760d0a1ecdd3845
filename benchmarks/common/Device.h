// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: errors of CUDA calls, arrays in device memory and pinned ones of
// the host.
// Ownership: an Array or Pinned owns its memory.

#ifndef BLOCKMAESTRO_BENCHMARKS_DEVICE_H
#define BLOCKMAESTRO_BENCHMARKS_DEVICE_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace bench {

/// Ends the program where a call failed.
inline void checkCall(cudaError_t Error, const char *Call) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s (%s)\n", Call, cudaGetErrorName(Error),
               cudaGetErrorString(Error));
  std::exit(3);
}

#define CUDA_CHECK(Call) ::bench::checkCall((Call), #Call)

template <typename T> class Array {
public:
  explicit Array(size_t Size) : Count(Size) {
    CUDA_CHECK(cudaMalloc(&Memory, Size * sizeof(T)));
  }
  explicit Array(const std::vector<T> &Host) : Array(Host.size()) {
    upload(Host);
  }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { cudaFree(Memory); }

  T *data() const { return Memory; }
  operator T *() const { return Memory; }
  size_t size() const { return Count; }

  void upload(const std::vector<T> &Host) {
    CUDA_CHECK(cudaMemcpy(Memory, Host.data(), Host.size() * sizeof(T),
                          cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> Host(Count);
    CUDA_CHECK(cudaMemcpy(Host.data(), Memory, Count * sizeof(T),
                          cudaMemcpyDeviceToHost));
    return Host;
  }
  void clear() { CUDA_CHECK(cudaMemset(Memory, 0, Count * sizeof(T))); }

private:
  T *Memory = nullptr;
  size_t Count;
};

/// Memory of the host that the device copies from and to without a detour.
template <typename T> class Pinned {
public:
  explicit Pinned(size_t Size) : Count(Size) {
    CUDA_CHECK(cudaMallocHost(&Memory, Size * sizeof(T)));
  }
  Pinned(const Pinned &) = delete;
  Pinned &operator=(const Pinned &) = delete;
  ~Pinned() { cudaFreeHost(Memory); }

  operator T *() const { return Memory; }
  size_t size() const { return Count; }
  std::vector<T> copy() const { return {Memory, Memory + Count}; }

private:
  T *Memory = nullptr;
  size_t Count;
};

} // namespace bench

#endif
