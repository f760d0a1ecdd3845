// Works of one stream that are repeated, with some on a second that forks from it
// and joins it again, of which some run beside others, or
// blocks wait for blocks: random launches, copies and fills between few buffers,
// copies from the host and events, so that each hazard comes often. What is copied from
// pageable memory is overwritten as soon as the call has returned. Some works get another argument each time, blocks take times of
// their own, and buffers are given back and allocated again. Every result is
// that of the same steps on the host.
// REQUIRES: gpu
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=cuda %t 40 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=chained:by-block \
// RUN:   %t 40 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=streams:8 %t 40 \
// RUN:   | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=serial %t 10 \
// RUN:   | FileCheck %s
// CHECK: orders: ok

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

constexpr int Buffers = 6, Threads = 64, Size = 24 * Threads;
using Numbers = std::vector<unsigned>;

__host__ __device__ unsigned mixed(unsigned Old, unsigned From, unsigned Salt) {
  return (Old * 31 + From) ^ (Salt * 2654435761u);
}

__device__ void pause(unsigned Salt, int Pause) {
  long long Begin = clock64();
  while (clock64() - Begin < Pause * (1 + (blockIdx.x + Salt) % 3))
    ;
}

__global__ void mix(const unsigned *From, unsigned *To, int Count, int Shift,
                    unsigned Salt, int Pause) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  pause(Salt, Pause);
  if (I < Count)
    To[I] = mixed(To[I], From[(I + Shift) % Count], Salt);
}

/// Reads what a few blocks have written.
__global__ void mixNear(const unsigned *From, unsigned *To, int Count,
                        int Shift, unsigned Salt, int Pause) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  pause(Salt, Pause);
  unsigned Near = 0;
  if (I + Shift < Count)
    Near = From[I + Shift];
  if (I < Count)
    To[I] = mixed(To[I], Near, Salt);
}

struct Step {
  enum { Launch, Near, Copy, Fill, Upload, UploadPinned, Event, Side } Kind;
  int From, To, Count, Shift, Pause;
  unsigned Salt;
  bool Changes;
};

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::printf("orders: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

static std::vector<Step> randomSteps(std::mt19937 &Random) {
  std::vector<Step> Steps(2 + Random() % 50);
  for (Step &Each : Steps) {
    unsigned Kind = Random() % 20;
    Each.Kind = Kind < 4     ? Step::Launch
                : Kind < 13  ? Step::Near
                : Kind < 15  ? Step::Copy
                : Kind == 15 ? Step::Fill
                : Kind == 16 ? Step::Upload
                : Kind == 17 ? Step::UploadPinned
                : Kind == 18 ? Step::Event
                             : Step::Side;
    Each.From = Random() % Buffers;
    Each.To = (Each.From + 1 + Random() % (Buffers - 1)) % Buffers;
    Each.Count = Threads * (1 + Random() % 24) - Random() % 3;
    Each.Shift = Random() % 100;
    Each.Pause = Random() % 4 == 0 ? 3000 : 0;
    Each.Salt = Random() % 256;
    Each.Changes = Random() % 8 == 0;
  }
  return Steps;
}

/// From Own, which is pinned, or else from what is somebody else's at once.
static void upload(const Step &What, unsigned Salt, unsigned *To,
                   unsigned *Pinned, cudaStream_t Stream) {
  static unsigned Passing[Size];
  unsigned *From = What.Kind == Step::Upload ? Passing : Pinned;
  for (int I = 0; I < What.Count; ++I)
    From[I] = mixed(Salt, I, What.Shift);
  check(cudaMemcpyAsync(To, From, What.Count * sizeof(unsigned),
                        cudaMemcpyHostToDevice, Stream),
        "upload");
  std::fill_n(Passing, Size, 0xdeadbeef);
}

/// Records an event, and asks for it, waits for it on its own stream, or gives
/// it back.
static void event(unsigned How, cudaStream_t Stream) {
  static cudaEvent_t Known[3] = {};
  cudaEvent_t &Mine = Known[How % 3];
  if (!Mine)
    check(cudaEventCreateWithFlags(&Mine, cudaEventDisableTiming), "event");
  check(cudaEventRecord(Mine, Stream), "record");
  if (How / 3 % 4 == 0)
    check(cudaStreamWaitEvent(Stream, Mine, 0), "wait");
  if (How / 3 % 4 == 1 && cudaEventQuery(Mine) == cudaSuccess)
    check(cudaStreamWaitEvent(Stream, Mine, 0), "wait");
  if (How / 3 % 4 == 2)
    check(cudaEventDestroy(std::exchange(Mine, nullptr)), "destroy");
}

/// Pinned is memory of this step alone.
/// The streams of a program, the second for what is beside, and events.
struct Lines {
  cudaStream_t Stream = nullptr, Side = nullptr;
  cudaEvent_t Fork = nullptr, Join = nullptr;

  void fork() const {
    check(cudaEventRecord(Fork, Stream), "fork");
    check(cudaStreamWaitEvent(Side, Fork, 0), "fork");
  }
  void join() const {
    check(cudaEventRecord(Join, Side), "join");
    check(cudaStreamWaitEvent(Stream, Join, 0), "join");
  }
};

static void onDevice(const Step &What, unsigned Turn, unsigned *const *Memory,
                     unsigned *Pinned, const Lines &Of) {
  cudaStream_t Stream = Of.Stream;
  unsigned Salt = What.Salt + (What.Changes ? Turn : 0);
  unsigned *To = Memory[What.To];
  size_t Bytes = What.Count * sizeof(unsigned);
  const int Blocks = (What.Count + Threads - 1) / Threads;
  if (What.Kind == Step::Launch)
    mix<<<Blocks, Threads, 0, Stream>>>(Memory[What.From], To, What.Count,
                                        What.Shift, Salt, What.Pause);
  else if (What.Kind == Step::Side) {
    Of.fork();
    mixNear<<<Blocks, Threads, 0, Of.Side>>>(Memory[What.From], To, What.Count,
                                             What.Shift, Salt, What.Pause);
    Of.join();
  } else if (What.Kind == Step::Near)
    mixNear<<<Blocks, Threads, 0, Stream>>>(Memory[What.From], To, What.Count,
                                            What.Shift, Salt, What.Pause);
  else if (What.Kind == Step::Copy)
    check(cudaMemcpyAsync(To, Memory[What.From], Bytes,
                          cudaMemcpyDeviceToDevice, Stream),
          "copy");
  else if (What.Kind == Step::Event)
    event(What.Salt, Stream);
  else if (What.Kind != Step::Fill)
    upload(What, Salt, To, Pinned, Stream);
  else
    check(cudaMemsetAsync(To, int(Salt % 256), Bytes, Stream), "fill");
}

static void onHost(const Step &What, unsigned Turn,
                   std::vector<Numbers> &Memory) {
  if (What.Kind == Step::Event)
    return;
  unsigned Salt = What.Salt + (What.Changes ? Turn : 0);
  const Numbers &From = Memory[What.From];
  Numbers &To = Memory[What.To];
  for (int I = 0; I < What.Count; ++I)
    if (What.Kind == Step::Launch)
      To[I] = mixed(To[I], From[(I + What.Shift) % What.Count], Salt);
    else if (What.Kind == Step::Near || What.Kind == Step::Side)
      To[I] = mixed(
          To[I], I + What.Shift < What.Count ? From[I + What.Shift] : 0, Salt);
    else if (What.Kind == Step::Copy)
      To[I] = From[I];
    else
      To[I] = What.Kind == Step::Fill ? Salt % 256 * 0x01010101u
                                      : mixed(Salt, I, What.Shift);
}

/// Turns of the same steps. Where it Looks, the host looks after some of them, and gives the
/// buffers back after others.
static bool runProgram(unsigned Seed, bool Looks) {
  std::mt19937 Random(Seed);
  const std::vector<Step> Steps = randomSteps(Random);
  std::vector<Numbers> Wanted(Buffers, Numbers(Size));
  unsigned *Memory[Buffers] = {}, *Pinned = nullptr;
  check(cudaMallocHost(&Pinned, Steps.size() * Size * sizeof(unsigned)),
        "pinned memory");
  Lines Of;
  cudaStream_t &Stream = Of.Stream;
  if (Seed % 2)
    check(cudaStreamCreate(&Stream), "stream");
  check(cudaStreamCreate(&Of.Side), "stream");
  for (cudaEvent_t *Each : {&Of.Fork, &Of.Join})
    check(cudaEventCreateWithFlags(Each, cudaEventDisableTiming), "event");
  constexpr unsigned Turns = 120;
  for (unsigned Turn = 0; Turn < Turns; ++Turn) {
    if (Turn % 60 == 0)
      for (int I = 0; I < Buffers; ++I) {
        check(cudaFree(Memory[I]), "free");
        check(cudaMalloc(&Memory[I], Size * sizeof(unsigned)), "malloc");
        check(cudaMemcpy(Memory[I], Wanted[I].data(), Size * sizeof(unsigned),
                         cudaMemcpyHostToDevice),
              "upload");
      }
    for (size_t I = 0; I < Steps.size(); ++I)
      onDevice(Steps[I], Turn, Memory, Pinned + I * Size, Of);
    for (const Step &Each : Steps)
      onHost(Each, Turn, Wanted);
    check(cudaStreamSynchronize(Stream), "synchronize");
    for (int I = 0; I < Buffers && Turn % 10 == 9 && Looks; ++I) {
      Numbers Got(Size);
      check(cudaMemcpy(Got.data(), Memory[I], Size * sizeof(unsigned),
                       cudaMemcpyDeviceToHost),
            "download");
      if (Got == Wanted[I])
        continue;
      std::printf("orders: seed %u, turn %u: buffer %d is wrong\n", Seed, Turn,
                  I);
      return false;
    }
  }
  for (unsigned *Each : Memory)
    check(cudaFree(Each), "free");
  check(cudaFreeHost(Pinned), "free");
  for (cudaEvent_t Each : {Of.Fork, Of.Join})
    check(cudaEventDestroy(Each), "destroy");
  check(cudaStreamDestroy(Of.Side), "destroy");
  if (Stream)
    check(cudaStreamDestroy(Stream), "destroy");
  return true;
}

int main(int Argc, char **Argv) {
  const unsigned Seeds = Argc > 1 ? std::atoi(Argv[1]) : 10;
  const unsigned First = Argc > 2 ? std::atoi(Argv[2]) : 0;
  const bool Looks = Argc <= 3 || std::string(Argv[3]) != "blind";
  for (unsigned Seed = First; Seed < First + Seeds; ++Seed)
    if (!runProgram(Seed, Looks))
      return 1;
  std::printf("orders: ok, %u programs\n", Seeds);
}
