// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What issuing a launch costs the host, and a row of launches the GPU: one by
// one by CUDA's and the driver's calls, with programmatic serialization, and as
// graphs whose nodes stay or are all set anew. Needs a GPU of compute
// capability 9.0; compiled by plain clang with -lcudart -ldl, nothing of
// BlockMaestro.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <functional>
#include <vector>

constexpr int Launches = 480, Repetitions = 25;
constexpr unsigned Blocks = 132, Threads = 256;

template <typename Error> void check(Error Code, const char *What) {
  if (int(Code) == 0)
    return;
  std::fprintf(stderr, "issue: error %d: %s\n", int(Code), What);
  std::exit(3);
}
#define CHECK(Call) check(Call, #Call)

__global__ void addTo(int *A, int N, int Value) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    A[I] += Value;
}

__global__ void waitAndAddTo(int *A, int N, int Value) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    A[I] += Value;
}

struct Arguments {
  int *A = nullptr;
  int N = Blocks * Threads, Value = 1;
  void *Pointers[3] = {&A, &N, &Value};
};

const void *kernelOf(bool Early) {
  return reinterpret_cast<const void *>(Early ? waitAndAddTo : addTo);
}

void launch(Arguments &With, bool Early, cudaStream_t On) {
  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = Blocks;
  Config.blockDim = Threads;
  Config.stream = On;
  Config.attrs = &Attribute;
  Config.numAttrs = Early;
  CHECK(cudaLaunchKernelExC(&Config, kernelOf(Early), With.Pointers));
}

class Graph {
public:
  Graph(Arguments &With, int Length, bool Early) : With(With), Early(Early) {
    cudaStream_t On;
    CHECK(cudaStreamCreate(&On));
    CHECK(cudaStreamBeginCapture(On, cudaStreamCaptureModeThreadLocal));
    for (int I = 0; I < Length; ++I)
      launch(With, Early, On);
    cudaGraph_t Made;
    CHECK(cudaStreamEndCapture(On, &Made));
    CHECK(cudaGraphInstantiate(&Ready, Made, 0));
    size_t Count = 0;
    CHECK(cudaGraphGetNodes(Made, nullptr, &Count));
    Nodes.resize(Count);
    CHECK(cudaGraphGetNodes(Made, Nodes.data(), &Count));
  }
  void set() {
    cudaKernelNodeParams Node = {};
    Node.func = const_cast<void *>(kernelOf(Early));
    Node.gridDim = Blocks;
    Node.blockDim = Threads;
    Node.kernelParams = With.Pointers;
    for (cudaGraphNode_t Each : Nodes)
      CHECK(cudaGraphExecKernelNodeSetParams(Ready, Each, &Node));
  }
  void launchAll(bool Anew) {
    for (size_t Done = 0; Done < Launches; Done += Nodes.size()) {
      if (Anew)
        set();
      CHECK(cudaGraphLaunch(Ready, nullptr));
    }
  }

private:
  Arguments &With;
  const bool Early;
  cudaGraphExec_t Ready = nullptr;
  std::vector<cudaGraphNode_t> Nodes;
};

/// Prints the medians, for one launch, of the time until the host is free and
/// until all is done, and the range of the latter.
void measure(const char *Name, const std::function<void()> &Work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> Issued, Done;
  for (int I = 0; I < Repetitions; ++I) {
    CHECK(cudaDeviceSynchronize());
    const auto Begin = Clock::now();
    Work();
    const auto Free = Clock::now();
    CHECK(cudaDeviceSynchronize());
    const auto End = Clock::now();
    using Micro = std::chrono::duration<double, std::micro>;
    Issued.push_back(Micro(Free - Begin).count() / Launches);
    Done.push_back(Micro(End - Begin).count() / Launches);
  }
  std::sort(Issued.begin(), Issued.end());
  std::sort(Done.begin(), Done.end());
  std::printf("%-28s issue %.2f whole %.2f (%.2f..%.2f)\n", Name,
              Issued[Repetitions / 2], Done[Repetitions / 2], Done.front(),
              Done.back());
}

int main() {
  Arguments With;
  CHECK(cudaMalloc(&With.A, With.N * sizeof(int)));
  CHECK(cudaMemset(With.A, 0, With.N * sizeof(int)));
  auto each = [](const std::function<void()> &One) {
    return [One] {
      for (int I = 0; I < Launches; ++I)
        One();
    };
  };
  measure("cudaLaunchKernel",
          each([&] { addTo<<<Blocks, Threads>>>(With.A, With.N, 1); }));
  measure("ExC", each([&] { launch(With, false, nullptr); }));
  measure("ExC pdl", each([&] { launch(With, true, nullptr); }));
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto *Direct = reinterpret_cast<decltype(&cuLaunchKernel)>(
      dlsym(Driver, "cuLaunchKernel"));
  cudaFunction_t Function;
  CHECK(cudaGetFuncBySymbol(&Function, kernelOf(false)));
  measure("cuLaunchKernel", each([&] {
            CHECK(Direct(Function, Blocks, 1, 1, Threads, 1, 1, 0, nullptr,
                         With.Pointers, nullptr));
          }));
  for (int Length : {8, 32, 120})
    for (bool Early : {false, true})
      for (bool Anew : {false, true}) {
        Graph Row(With, Length, Early);
        char Name[64];
        std::snprintf(Name, sizeof Name, "graph of %d%s%s", Length,
                      Early ? " pdl" : "", Anew ? ", set anew" : "");
        measure(Name, [&] { Row.launchAll(Anew); });
      }
}
