// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two kernels on two streams, from the first call until both have ended, in
// microseconds of the host: `pairs FIRST SECOND SAMPLES WARMUPS`, by numbers
// from 0 to 7. Says in a JSON line how long two streams, a graph with two
// branches, and each kernel alone took, and whether the results are those of
// the kernels one after the other.

#include "Work.h"

#include <chrono>

using Clock = std::chrono::steady_clock;

template <typename F> static double timed(F Body) {
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto Begin = Clock::now();
  Body();
  CUDA_CHECK(cudaDeviceSynchronize());
  return std::chrono::duration<double, std::micro>(Clock::now() - Begin)
      .count();
}

/// A graph with a branch for each.
static cudaGraphExec_t branches(const Work &A, const Work &B,
                                cudaStream_t First, cudaStream_t Second) {
  cudaEvent_t Fork, Join;
  cudaGraph_t Made;
  cudaGraphExec_t Ready;
  CUDA_CHECK(cudaEventCreate(&Fork));
  CUDA_CHECK(cudaEventCreate(&Join));
  CUDA_CHECK(cudaStreamBeginCapture(First, cudaStreamCaptureModeGlobal));
  CUDA_CHECK(cudaEventRecord(Fork, First));
  CUDA_CHECK(cudaStreamWaitEvent(Second, Fork, 0));
  A.Launch(First);
  B.Launch(Second);
  CUDA_CHECK(cudaEventRecord(Join, Second));
  CUDA_CHECK(cudaStreamWaitEvent(First, Join, 0));
  CUDA_CHECK(cudaStreamEndCapture(First, &Made));
  CUDA_CHECK(cudaGraphInstantiate(&Ready, Made, 0));
  return Ready;
}

static void print(const char *Name, const std::vector<double> &Times) {
  std::printf(", \"%s\": [", Name);
  for (size_t I = 0; I < Times.size(); ++I)
    std::printf("%s%.1f", I ? ", " : "", Times[I]);
  std::printf("]");
}

int main(int Argc, char **Argv) {
  Work (*const Makers[])() = {backpropWork, histogramWork,    imageExtractWork,
                              jdsSpmvWork,  blackScholesWork, lbmWork,
                              kmeansWork,   streamclusterWork};
  if (Argc != 5 || std::atoi(Argv[1]) > 7 || std::atoi(Argv[2]) > 7)
    return 2;
  const Work A = Makers[std::atoi(Argv[1])](), B = Makers[std::atoi(Argv[2])]();
  const int Samples = std::atoi(Argv[3]), Warmups = std::atoi(Argv[4]);
  cudaStream_t First, Second;
  CUDA_CHECK(cudaStreamCreateWithFlags(&First, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&Second, cudaStreamNonBlocking));
  std::vector<double> Pair, Graph, AloneA, AloneB;
  for (int I = 0; I < 5; ++I) {
    AloneA.push_back(timed([&] { A.Launch(First); }));
    AloneB.push_back(timed([&] { B.Launch(First); }));
  }
  const uint64_t WantA = A.Digest(), WantB = B.Digest();
  A.Clear();
  B.Clear();
  const auto Both = [&] {
    A.Launch(First);
    B.Launch(Second);
  };
  for (int I = 0; I < Warmups; ++I)
    timed(Both);
  const cudaGraphExec_t Ready = branches(A, B, First, Second);
  for (int I = 0; I < Samples; ++I) {
    Pair.push_back(timed(Both));
    Graph.push_back(timed([&] { CUDA_CHECK(cudaGraphLaunch(Ready, First)); }));
  }
  const bool Right = A.Digest() == WantA && B.Digest() == WantB;
  std::printf("{\"first\": \"%s\", \"second\": \"%s\", \"check\": \"%s\"",
              A.Name, B.Name, Right ? "pass" : "fail");
  print("streams_us", Pair);
  print("graph_us", Graph);
  print("first_us", AloneA);
  print("second_us", AloneB);
  std::printf("}\n");
  return Right ? 0 : 1;
}
