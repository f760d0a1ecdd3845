// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What most programs of the suite need: errors checked, results compared, and
// the one line at the end. Plain CUDA, no part of BlockMaestro.

#ifndef SUITE_H
#define SUITE_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace suite {

inline int Failures = 0;

inline void checkAt(cudaError_t Error, const char *Text, int Line) {
  if (Error == cudaSuccess)
    return;
  std::printf("line %d: %s: %s\n", Line, Text, cudaGetErrorName(Error));
  std::exit(1);
}

inline void expectAt(bool Right, const char *Text, int Line) {
  if (Right || ++Failures > 20)
    return;
  std::printf("line %d: not so: %s\n", Line, Text);
}

/// Notes the first elements of Got that are not those of Expected.
template <typename T>
void sameAt(const std::vector<T> &Got, const std::vector<T> &Expected,
            const char *Text, int Line) {
  expectAt(Got.size() == Expected.size(), Text, Line);
  for (size_t I = 0; I < Got.size() && I < Expected.size(); ++I)
    if (!(Got[I] == Expected[I]) && ++Failures <= 20)
      std::printf("line %d: %s[%zu] is %g, expected %g\n", Line, Text, I,
                  static_cast<double>(Got[I]),
                  static_cast<double>(Expected[I]));
}

/// An array in device memory that lives as long as this object. Streams that do
/// not wait for the default one may use it too, so that has to be done.
template <typename T> class Array {
public:
  explicit Array(size_t Size) : Size(Size) {
    checkAt(cudaMalloc(&Data, Size * sizeof(T)), "cudaMalloc", __LINE__);
    checkAt(cudaMemset(Data, 0, Size * sizeof(T)), "cudaMemset", __LINE__);
    finishSetting();
  }
  explicit Array(const std::vector<T> &Host) : Array(Host.size()) {
    checkAt(
        cudaMemcpy(Data, Host.data(), Size * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy", __LINE__);
    finishSetting();
  }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { cudaFree(Data); }
  T *get() const { return Data; }
  operator T *() const { return Data; }
  size_t size() const { return Size; }

  /// Waits for the device, reports what its kernels died of, and copies.
  std::vector<T> host() const {
    std::vector<T> Host(Size);
    checkAt(cudaGetLastError(), "launch", __LINE__);
    checkAt(cudaDeviceSynchronize(), "kernel", __LINE__);
    checkAt(
        cudaMemcpy(Host.data(), Data, Size * sizeof(T), cudaMemcpyDeviceToHost),
        "cudaMemcpy", __LINE__);
    return Host;
  }

private:
  static void finishSetting() {
    checkAt(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize", __LINE__);
  }

  T *Data = nullptr;
  size_t Size;
};

/// Prints `ok` when nothing differed; the exit status of main.
inline int finish() {
  if (Failures == 0)
    std::puts("ok");
  return Failures != 0;
}

} // namespace suite

#define check(Call) suite::checkAt(Call, #Call, __LINE__)
#define expect(Condition) suite::expectAt(Condition, #Condition, __LINE__)
#define same(Got, Expected) suite::sameAt(Got, Expected, #Got, __LINE__)

#endif // SUITE_H
