// Random graphs that a program captures of kernels, fills and copies, on one
// stream or two, and launches many times, on whatever streams, with nothing but
// the graph itself to order its launches. Meanwhile it changes arguments,
// kernels and whole graphs, switches nodes off, and destroys streams. Every
// result is that of the same steps on the host, one after the other.
//
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=emulated %t 6 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXECUTOR=shuffle:3 %t 4
// 100 | FileCheck %s
//
// CHECK: graphs: ok

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <random>
#include <utility>
#include <vector>

namespace {

#define MUST(Call)                                                             \
  do {                                                                         \
    const cudaError_t Error = (Call);                                          \
    if (Error != cudaSuccess) {                                                \
      std::printf("%s: %s\n", #Call, cudaGetErrorString(Error));               \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

constexpr int Buffers = 6, Half = Buffers / 2, Streams = 3, Size = 20000;
using Numbers = std::vector<unsigned>;

__device__ void pause(unsigned Salt) {
  const long long Begin = clock64();
  while (clock64() - Begin < 2000 * ((blockIdx.x + Salt) % 4))
    ;
}

__host__ __device__ unsigned mixed(unsigned Old, unsigned From, unsigned Salt) {
  return (Old * 31 + From) ^ (Salt * 2654435761u);
}

/// Numbers of one that may be far away, written late by some blocks.
__global__ void mixFar(unsigned *To, const unsigned *From, unsigned Salt) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  pause(Salt);
  if (I < Size)
    To[I] = mixed(To[I], From[(I + 7919 * (Salt % 5)) % Size], Salt);
}

/// Of the opposite one.
__global__ void mixBack(unsigned *To, const unsigned *From, unsigned Salt) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  pause(Salt);
  if (I < Size)
    To[I] = mixed(To[I], From[Size - 1 - I], Salt + 1);
}

struct Step {
  enum Kind { Far, Back, Fill, Copy } What = Far;
  int From = 0, To = 1;
  unsigned Salt = 0;
  bool Aside = false; ///< On a second stream, with buffers of its own.
  bool Off = false;
};

class Test {
public:
  explicit Test(unsigned Seed) : Random(Seed) {
    for (int I = 0; I < Buffers; ++I) {
      Wanted.emplace_back(Size);
      for (unsigned &Each : Wanted.back())
        Each = Random();
      MUST(cudaMalloc(&Memory[I], Size * sizeof(unsigned)));
      MUST(cudaMemcpy(Memory[I], Wanted[I].data(), Size * sizeof(unsigned),
                      cudaMemcpyHostToDevice));
    }
    for (cudaStream_t &Each : On)
      MUST(cudaStreamCreate(&Each));
  }

  ~Test() {
    for (unsigned *Each : Memory)
      MUST(cudaFree(Each));
    for (cudaStream_t Each : On)
      MUST(cudaStreamDestroy(Each));
  }

  bool run() {
    choose();
    cudaGraph_t Graph = captured();
    cudaGraphExec_t Ready = nullptr;
    MUST(cudaGraphInstantiate(&Ready, Graph, 0));
    learnNodes(Graph);
    int Lane = 0;
    for (int Time = 0; Time < 14; ++Time) {
      if (below(4) == 0)
        Lane = below(Streams);
      if (Time > 5 && below(4) == 0)
        change(Ready);
      if (below(8) == 0)
        renew(Lane);
      MUST(cudaGraphLaunch(Ready, On[Lane]));
      for (const Step &Each : Steps)
        onHost(Each);
    }
    if (below(2))
      MUST(cudaGraphExecDestroy(Ready));
    else
      Left.push_back(Ready);
    MUST(cudaGraphDestroy(Graph));
    return isRight();
  }

private:
  int below(int Limit) { return int(Random() % unsigned(Limit)); }

  void choose() {
    const int Count = 2 + below(9);
    const bool Forks = below(2);
    for (int I = 0; I < Count; ++I) {
      Step Next;
      Next.What = Step::Kind(below(6) % 4);
      Next.Aside = Forks && below(2);
      const int First = Forks && Next.Aside ? Half : 0;
      const int Among = Forks ? Half : Buffers;
      Next.From = First + below(Among);
      Next.To = First + (Next.From - First + 1 + below(Among - 1)) % Among;
      Next.Salt = unsigned(I + 10 * below(100));
      Steps.push_back(Next);
    }
  }

  /// The kernels' parameters are addresses and a number that tells them apart.
  cudaGraph_t captured() {
    cudaGraph_t Out = nullptr;
    cudaEvent_t Fork, Join;
    MUST(cudaEventCreateWithFlags(&Fork, cudaEventDisableTiming));
    MUST(cudaEventCreateWithFlags(&Join, cudaEventDisableTiming));
    MUST(cudaStreamBeginCapture(On[0], cudaStreamCaptureModeThreadLocal));
    MUST(cudaEventRecord(Fork, On[0]));
    MUST(cudaStreamWaitEvent(On[1], Fork, 0));
    for (const Step &Each : Steps)
      issue(Each, On[Each.Aside]);
    MUST(cudaEventRecord(Join, On[1]));
    MUST(cudaStreamWaitEvent(On[0], Join, 0));
    MUST(cudaStreamEndCapture(On[0], &Out));
    MUST(cudaEventDestroy(Fork));
    MUST(cudaEventDestroy(Join));
    return Out;
  }

  void issue(const Step &Of, cudaStream_t Stream) {
    constexpr int Threads = 128, Blocks = (Size + Threads - 1) / Threads;
    if (Of.What == Step::Fill)
      MUST(cudaMemsetAsync(Memory[Of.To], int(Of.Salt & 0xff),
                           Size * sizeof(unsigned) / 2, Stream));
    else if (Of.What == Step::Copy)
      MUST(cudaMemcpyAsync(Memory[Of.To], Memory[Of.From],
                           Size * sizeof(unsigned) / 2,
                           cudaMemcpyDeviceToDevice, Stream));
    else if (Of.What == Step::Far)
      mixFar<<<Blocks, Threads, 0, Stream>>>(Memory[Of.To], Memory[Of.From],
                                             Of.Salt);
    else
      mixBack<<<Blocks, Threads, 0, Stream>>>(Memory[Of.To], Memory[Of.From],
                                              Of.Salt);
    MUST(cudaGetLastError());
  }

  void onHost(const Step &Of) {
    if (Of.Off)
      return;
    Numbers &To = Wanted[Of.To];
    const Numbers From = Wanted[Of.From];
    if (Of.What == Step::Fill)
      std::memset(To.data(), int(Of.Salt & 0xff), Size * sizeof(unsigned) / 2);
    else if (Of.What == Step::Copy)
      std::memcpy(To.data(), From.data(), Size * sizeof(unsigned) / 2);
    else if (Of.What == Step::Far)
      for (int I = 0; I < Size; ++I)
        To[I] = mixed(To[I], From[(I + 7919 * (Of.Salt % 5)) % Size], Of.Salt);
    else
      for (int I = 0; I < Size; ++I)
        To[I] = mixed(To[I], From[Size - 1 - I], Of.Salt + 1);
  }

  /// Finds out which node does what, by the number that each kernel has.
  void learnNodes(cudaGraph_t Graph) {
    size_t Count = 0;
    MUST(cudaGraphGetNodes(Graph, nullptr, &Count));
    std::vector<cudaGraphNode_t> Nodes(Count);
    MUST(cudaGraphGetNodes(Graph, Nodes.data(), &Count));
    for (cudaGraphNode_t Each : Nodes) {
      cudaGraphNodeType Kind;
      MUST(cudaGraphNodeGetType(Each, &Kind));
      if (Kind != cudaGraphNodeTypeKernel)
        continue;
      cudaKernelNodeParams Params = {};
      MUST(cudaGraphKernelNodeGetParams(Each, &Params));
      unsigned Salt = 0;
      std::memcpy(&Salt, Params.kernelParams[2], sizeof(Salt));
      for (Step &Of : Steps)
        if (Of.Salt == Salt && Of.What < Step::Fill)
          Kernels.push_back({Each, &Of});
    }
  }

  void change(cudaGraphExec_t Ready) {
    const int How = below(3);
    if (How == 0 || Kernels.empty())
      return update(Ready);
    const auto &[Node, Of] = Kernels[unsigned(below(int(Kernels.size())))];
    if (How == 1) {
      Of->Off = !Of->Off;
      MUST(cudaGraphNodeSetEnabled(Ready, Node, !Of->Off));
      return;
    }
    cudaKernelNodeParams Params = {};
    MUST(cudaGraphKernelNodeGetParams(Node, &Params));
    Of->Salt += 1000;
    void *Arguments[] = {&Memory[Of->To], &Memory[Of->From], &Of->Salt};
    Params.kernelParams = Arguments;
    MUST(cudaGraphExecKernelNodeSetParams(Ready, Node, &Params));
  }

  /// To the same steps with other numbers.
  void update(cudaGraphExec_t Ready) {
    for (const Step &Each : Steps)
      if (Each.Off)
        return;
    for (Step &Each : Steps)
      Each.Salt += 1000;
    cudaGraph_t Other = captured();
    cudaGraphExecUpdateResultInfo Found = {};
    MUST(cudaGraphExecUpdate(Ready, Other, &Found));
    MUST(cudaGraphDestroy(Other));
  }

  /// Another stream may get the name of one that has work left.
  void renew(int Lane) {
    MUST(cudaStreamDestroy(On[Lane]));
    MUST(cudaStreamCreate(&On[Lane]));
  }

  bool isRight() {
    MUST(cudaDeviceSynchronize());
    for (cudaGraphExec_t Each : Left)
      MUST(cudaGraphExecDestroy(Each));
    for (int I = 0; I < Buffers; ++I) {
      Numbers Got(Size);
      MUST(cudaMemcpy(Got.data(), Memory[I], Size * sizeof(unsigned),
                      cudaMemcpyDeviceToHost));
      if (Got != Wanted[unsigned(I)])
        return false;
    }
    return true;
  }

  std::mt19937 Random;
  std::vector<Step> Steps;
  std::vector<std::pair<cudaGraphNode_t, Step *>> Kernels;
  std::vector<Numbers> Wanted;
  unsigned *Memory[Buffers] = {};
  cudaStream_t On[Streams] = {};
  std::vector<cudaGraphExec_t> Left;
};

} // namespace

int main(int Count, char **Given) {
  const unsigned Times = Count > 1 ? unsigned(std::atoi(Given[1])) : 10;
  const unsigned First = Count > 2 ? unsigned(std::atoi(Given[2])) : 0;
  for (unsigned Seed = First; Seed < First + Times; ++Seed) {
    Test Next(Seed);
    if (!Next.run()) {
      std::printf("graphs: wrong with %u\n", Seed);
      return 1;
    }
  }
  std::printf("graphs: ok\n");
}
