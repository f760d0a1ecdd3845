// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases by hand, on BENCH_THREADS threads.

#include "Driver.h"

#include <thread>

namespace {

class ByHandDevice final : public BenchDevice {
public:
  explicit ByHandDevice(int Threads) : Threads(Threads) {}

  void load(Case &) override {}
  void launch(Case &C) override {
    std::vector<std::thread> Others;
    for (int K = 1; K < Threads; ++K)
      Others.emplace_back([&, K] { share(C, K); });
    share(C, 0);
    for (std::thread &Other : Others)
      Other.join();
  }
  void finish() override {}
  void fetch(Case &) override {}

private:
  void share(Case &C, int K) {
    C.ByHand(C, int(long(C.Rows) * K / Threads),
             int(long(C.Rows) * (K + 1) / Threads));
  }

  int Threads;
};

} // namespace

int main(int Count, char **Names) {
  const char *Threads = std::getenv("BENCH_THREADS");
  ByHandDevice Device(Threads ? std::atoi(Threads) : 1);
  return benchMain(Device, Count, Names);
}
