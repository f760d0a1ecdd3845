// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the simulator's machine files say of a GPU, measured on one: latencies
// of instructions in a chain, rates of the SMs and of memory, and what lies
// between blocks and between launches. One JSON line for each number, in the
// cycles or nanoseconds that its name says. Compiled by plain clang with
// -lcudart, nothing of BlockMaestro.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

template <typename Error> void check(Error Code, const char *What) {
  if (int(Code) == 0)
    return;
  std::fprintf(stderr, "constants: error %d: %s\n", int(Code), What);
  std::exit(3);
}
#define CHECK(Call) check(Call, #Call)

static void tell(const std::string &Name, double Number) {
  std::printf("{\"name\": \"%s\", \"value\": %.3f}\n", Name.c_str(), Number);
  std::fflush(stdout);
}

static double median(std::vector<double> Of) {
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
static double usOf(const std::function<void()> &Do) {
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

// Chains of instructions, each of which needs the one before.

constexpr int Steps = 2048;

struct Xor {
  using Type = uint32_t;
  static constexpr int Instructions = 2;
  static __device__ void step(Type &A, Type B) { A = (A ^ B) + B; }
};
struct IntegerMad {
  using Type = uint32_t;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = A * B + B; }
};
struct SingleFma {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __fmaf_rn(A, B, B); }
};
struct DoubleFma {
  using Type = double;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __fma_rn(A, B, B); }
};
/// With an addition behind it.
struct Reciprocal {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) {
    asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(A));
    A += B;
  }
};
struct SingleDivision {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __fdiv_rn(B, A); }
};
struct SingleRoot {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type) { A = __fsqrt_rn(A); }
};
struct DoubleDivision {
  using Type = double;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = __ddiv_rn(B, A); }
};
struct Exponential {
  using Type = float;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type) { A = expf(-A); }
};
struct IntegerDivision {
  using Type = uint32_t;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type B) { A = B / (A | 1); }
};
struct Conversion {
  using Type = float;
  static constexpr int Instructions = 2;
  static __device__ void step(Type &A, Type) {
    int I;
    asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(I) : "f"(A));
    asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(A) : "r"(I));
  }
};
struct Shuffle {
  using Type = uint32_t;
  static constexpr int Instructions = 1;
  static __device__ void step(Type &A, Type) { A = __shfl_xor_sync(~0u, A, 1); }
};

template <typename Op>
__global__ void chainOf(long long *Cycles, typename Op::Type *Result,
                        typename Op::Type Start, typename Op::Type Other) {
  typename Op::Type A = Start + typename Op::Type(threadIdx.x);
  const long long Begin = clock64();
#pragma unroll 64
  for (int I = 0; I < Steps; ++I)
    Op::step(A, Other);
  const long long End = clock64();
  Result[threadIdx.x] = A;
  Cycles[0] = End - Begin;
}

/// A loop of one step, which is not unrolled.
__global__ void loopOf(long long *Cycles, uint32_t *Result, uint32_t Other,
                       int Count) {
  uint32_t A = Other;
  const long long Begin = clock64();
#pragma unroll 1
  for (int I = 0; I < Count; ++I) {
    Xor::step(A, Other);
    asm volatile("" : "+r"(A));
  }
  Cycles[0] = clock64() - Begin;
  Result[0] = A;
}

static void loopLatency() {
  Array<long long> Cycles(1);
  Array<uint32_t> Result(1);
  for (int I = 0; I < 2; ++I)
    loopOf<<<1, 32>>>(Cycles.get(), Result.get(), 2, Steps);
  tell("latency_cycles iteration of two instructions",
       double(Cycles.host()[0]) / Steps);
}

template <typename Op> void latency(const char *Name) {
  Array<long long> Cycles(1);
  Array<typename Op::Type> Result(32);
  std::vector<double> Each;
  for (int I = 0; I < 5; ++I) {
    chainOf<Op><<<1, 32>>>(Cycles.get(), Result.get(), typename Op::Type(3),
                           typename Op::Type(2));
    Each.push_back(double(Cycles.host()[0]) / Steps / Op::Instructions);
  }
  tell(std::string("latency_cycles ") + Name, median(Each));
}

// Chains of pointers.

__global__ void link(uint32_t *Next, uint32_t Count, uint32_t Stride) {
  for (uint32_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    Next[size_t(I) * Stride] = ((I + 1) % Count) * Stride;
}

template <bool ThroughL1>
__global__ void follow(const uint32_t *Next, uint32_t From, int Count,
                       long long *Cycles, uint32_t *Result) {
  uint32_t At = From;
  const long long Begin = clock64();
  for (int I = 0; I < Count; ++I) {
    const uint32_t *P = Next + At;
    if (ThroughL1)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(At) : "l"(P));
    else
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(At) : "l"(P));
  }
  const long long End = clock64();
  Result[0] = At;
  Cycles[0] = End - Begin;
}

/// A chain of Count loads that are Stride words apart; twice, of which the
/// second counts, or cold.
template <bool ThroughL1>
void loadLatency(const char *Name, uint32_t Count, uint32_t Stride, bool Cold) {
  Array<uint32_t> Next(size_t(Count) * Stride), Result(1);
  Array<long long> Cycles(1);
  link<<<256, 256>>>(Next.get(), Count, Stride);
  Array<char> Flush(size_t(512) << 20);
  const int Loads = int(std::min<uint32_t>(Count, 8192));
  if (!Cold)
    follow<ThroughL1>
        <<<1, 1>>>(Next.get(), 0, int(Count), Cycles.get(), Result.get());
  else
    CHECK(cudaMemset(Flush.get(), 1, size_t(512) << 20));
  auto Run = [&] {
    follow<ThroughL1>
        <<<1, 1>>>(Next.get(), 0, Loads, Cycles.get(), Result.get());
    return double(Cycles.host()[0]) / Loads;
  };
  tell(std::string("latency_cycles ") + Name, Run());
  if (ThroughL1)
    return;
  tell(std::string("latency_cycles again ") + Name, Run());
}

/// The same where the chain is followed twice within the kernel, so that L1
/// has it.
__global__ void followTwice(const uint32_t *Next, int Count, long long *Cycles,
                            uint32_t *Result) {
  uint32_t At = 0;
  long long Begin = 0;
  for (int Round = 0; Round < 2; ++Round) {
    Begin = clock64();
    for (int I = 0; I < Count; ++I)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(At) : "l"(Next + At));
    Cycles[0] = clock64() - Begin;
  }
  Result[0] = At;
}

__global__ void followShared(long long *Cycles, uint32_t *Result) {
  __shared__ uint32_t Next[256];
  for (int I = 0; I < 256; ++I)
    Next[I] = (I + 1) % 256;
  uint32_t At = 0;
  const long long Begin = clock64();
#pragma unroll 16
  for (int I = 0; I < Steps; ++I)
    At = static_cast<volatile uint32_t *>(Next)[At];
  Cycles[0] = clock64() - Begin;
  Result[0] = At;
}

__global__ void addInTurn(uint32_t *To, long long *Cycles) {
  uint32_t At = 0;
  const long long Begin = clock64();
  for (int I = 0; I < 512; ++I)
    At = atomicAdd(To + (At & 1), 0u);
  Cycles[0] = clock64() - Begin + At;
}

__global__ void addSharedInTurn(long long *Cycles) {
  __shared__ uint32_t To[32];
  To[threadIdx.x] = 0;
  uint32_t At = 0;
  const long long Begin = clock64();
  for (int I = 0; I < 512; ++I)
    At = atomicAdd(To + (At & 1), 0u);
  Cycles[0] = clock64() - Begin + At;
}

__global__ void meet(long long *Cycles) {
  __syncthreads();
  const long long Begin = clock64();
#pragma unroll 16
  for (int I = 0; I < Steps; ++I)
    __syncthreads();
  if (threadIdx.x == 0)
    Cycles[0] = clock64() - Begin;
}

static void memoryLatencies() {
  loadLatency<false>("load from L2, 4 MiB", 32768, 32, false);
  loadLatency<false>("load from L2, 16 MiB", 131072, 32, false);
  loadLatency<false>("load from memory, 4 KiB apart", 8192, 1024, true);
  loadLatency<false>("load from memory, 64 KiB apart", 8192, 16384, true);
  Array<uint32_t> Next(4096), Result(32);
  Array<long long> Cycles(1);
  link<<<1, 128>>>(Next.get(), 128, 32);
  followTwice<<<1, 1>>>(Next.get(), 128, Cycles.get(), Result.get());
  tell("latency_cycles load from L1", double(Cycles.host()[0]) / 128);
  followShared<<<1, 1>>>(Cycles.get(), Result.get());
  tell("latency_cycles load from shared", double(Cycles.host()[0]) / Steps);
  addInTurn<<<1, 1>>>(Next.get() + 64, Cycles.get());
  tell("latency_cycles atomic of global", double(Cycles.host()[0]) / 512);
  addSharedInTurn<<<1, 1>>>(Cycles.get());
  tell("latency_cycles atomic of shared", double(Cycles.host()[0]) / 512);
  for (int Warps : {1, 2, 4, 8, 16, 32}) {
    meet<<<1, Warps * 32>>>(Cycles.get());
    tell("latency_cycles barrier of " + std::to_string(Warps) + " warps",
         double(Cycles.host()[0]) / Steps);
  }
}

/// One warp with so many loads from L2 that need nothing of each other.
template <int Loads>
__global__ void loadsAtOnce(const uint32_t *From, long long *Cycles,
                            uint32_t *Result) {
  uint32_t Sum = 0;
  const uint32_t *P = From + threadIdx.x;
  const long long Begin = clock64();
  for (int Round = 0; Round < 32; ++Round) {
    uint32_t Each[Loads];
#pragma unroll
    for (int I = 0; I < Loads; ++I)
      asm volatile("ld.global.cg.u32 %0, [%1];"
                   : "=r"(Each[I])
                   : "l"(P + size_t(Round * Loads + I) * 32));
#pragma unroll
    for (int I = 0; I < Loads; ++I)
      Sum += Each[I];
    P += Sum;
  }
  Cycles[0] = clock64() - Begin;
  Result[threadIdx.x] = Sum;
}

template <int Loads> void atOnce() {
  Array<uint32_t> From(1 << 20), Result(32);
  Array<long long> Cycles(1);
  for (int I = 0; I < 2; ++I)
    loadsAtOnce<Loads><<<1, 32>>>(From.get(), Cycles.get(), Result.get());
  tell("latency_cycles " + std::to_string(Loads) + " loads from L2 at once",
       double(Cycles.host()[0]) / 32);
}

// Rates.

template <typename Op>
__global__ void rate(long long *Cycles, typename Op::Type *Result,
                     typename Op::Type Other) {
  typename Op::Type A[4];
  for (int I = 0; I < 4; ++I)
    A[I] = typename Op::Type(threadIdx.x + I);
  __syncthreads();
  const long long Begin = clock64();
#pragma unroll 16
  for (int I = 0; I < 512; ++I)
    for (auto &Each : A)
      Op::step(Each, Other);
  __syncthreads();
  Cycles[0] = clock64() - Begin;
  Result[threadIdx.x] = A[0] + A[1] + A[2] + A[3];
}

/// Warp instructions a cycle of one SM, with 32 warps.
template <typename Op> void issueRate(const char *Name) {
  Array<long long> Cycles(1);
  Array<typename Op::Type> Result(1024);
  for (int I = 0; I < 2; ++I)
    rate<Op><<<1, 1024>>>(Cycles.get(), Result.get(), typename Op::Type(2));
  tell(std::string("instructions_per_cycle ") + Name,
       4.0 * 512 * 32 * Op::Instructions / double(Cycles.host()[0]));
}

/// Every block reads all of them, a power of two, from a place of its own on.
template <bool ThroughL1>
__global__ void readAll(const uint4 *From, size_t Count, int Rounds,
                        uint32_t *Result) {
  uint32_t Sum = 0;
  const size_t Step = size_t(blockDim.x) * 4;
  const size_t Offset = size_t(blockIdx.x) * 977 * Step;
  for (int Round = 0; Round < Rounds; ++Round)
    for (size_t I = 0; I < Count; I += Step)
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const size_t At =
            ((Offset + I + size_t(J) * blockDim.x) & (Count - 1)) + threadIdx.x;
        uint4 V;
        if (ThroughL1)
          asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                       : "l"(From + At));
        else
          asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                       : "l"(From + At));
        Sum += V.x ^ V.y ^ V.z ^ V.w;
      }
  if (Sum == 12345)
    *Result = Sum;
}

/// Bytes a nanosecond.
template <bool ThroughL1>
void readRate(const std::string &Name, size_t Bytes, int Blocks, int Threads,
              int Rounds) {
  Array<uint4> From(Bytes / 16);
  Array<uint32_t> Result(1);
  const double Us = usOf([&] {
    readAll<ThroughL1>
        <<<Blocks, Threads>>>(From.get(), Bytes / 16, Rounds, Result.get());
  });
  tell("bytes_per_ns " + Name, double(Bytes) * Blocks * Rounds / Us / 1000.0);
}

__global__ void readOnce(const uint4 *From, size_t Count, uint32_t *Result) {
  uint32_t Sum = 0;
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step) {
    const uint4 V = __ldcg(From + I);
    Sum += V.x ^ V.y ^ V.z ^ V.w;
  }
  if (Sum == 12345)
    *Result = Sum;
}

__global__ void writeOnce(uint4 *To, size_t Count) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step)
    To[I] = make_uint4(1, 2, 3, 4);
}

__global__ void copyOnce(const uint4 *From, uint4 *To, size_t Count) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step)
    To[I] = __ldcg(From + I);
}

__global__ void addTo(uint32_t *To, uint32_t Mask, int Rounds) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Round = 0; Round < Rounds; ++Round)
    atomicAdd(To + ((I + Round * 4096) & Mask), 1u);
}

static void memoryRates(int Sms) {
  readRate<true>("L1, one SM", 32 << 10, 1, 1024, 256);
  readRate<false>("L2, one SM", 4 << 20, 1, 1024, 4);
  readRate<false>("L2, one SM, 128 threads", 4 << 20, 1, 128, 2);
  readRate<false>("L2, 8 MiB", 8 << 20, 2 * Sms, 1024, 2);
  readRate<false>("L2, 32 MiB", 32 << 20, 2 * Sms, 1024, 1);
  const size_t Bytes = size_t(2) << 30, Count = Bytes / 16;
  Array<uint4> From(Count), To(Count);
  Array<uint32_t> Result(1);
  auto Grids = [&](const char *Name, int Blocks, double Times, auto Do) {
    tell(std::string("bytes_per_ns ") + Name,
         Times * double(Bytes) / usOf([&] { Do(Blocks); }) / 1000.0);
  };
  auto Read = [&](int Blocks) {
    readOnce<<<Blocks, 1024>>>(From.get(), Count, Result.get());
  };
  Grids("memory read", 2 * Sms, 1, Read);
  Grids("memory written", 2 * Sms, 1,
        [&](int Blocks) { writeOnce<<<Blocks, 1024>>>(To.get(), Count); });
  Grids("memory copied, both ways", 2 * Sms, 2, [&](int Blocks) {
    copyOnce<<<Blocks, 1024>>>(From.get(), To.get(), Count);
  });
  tell("bytes_per_ns memory read, one SM",
       double(256 << 20) / usOf([&] {
         readOnce<<<1, 1024>>>(From.get(), (256 << 20) / 16, Result.get());
       }) / 1000.0);
}

static void atomicRates(int Sms) {
  Array<uint32_t> To(1 << 20);
  for (uint32_t Mask : {0xfffffu, 0xfffu, 31u, 0u}) {
    const int Rounds = 64, Blocks = Sms * 2;
    const double Us =
        usOf([&] { addTo<<<Blocks, 1024>>>(To.get(), Mask, Rounds); });
    tell("warp_atomics_per_us of " + std::to_string(Mask + 1) + " words",
         double(Blocks) * 32 * Rounds / Us);
  }
}

// Blocks and launches.

__device__ uint64_t globalNs() {
  uint64_t Ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Ns));
  return Ns;
}

struct Ran {
  long long Start, End;
  uint64_t StartNs, EndNs;
  uint32_t Sm, Free;
};

__global__ void note(Ran *To, int Cycles) {
  const long long Start = clock64();
  const uint64_t StartNs = globalNs();
  while (clock64() - Start < Cycles)
    ;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  Ran R = {};
  R.Start = Start;
  R.StartNs = StartNs;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(R.Sm));
  R.EndNs = globalNs();
  R.End = clock64();
  To[blockIdx.x] = R;
}

/// Starts on one SM: between those of the first wave, and from an end to the
/// start that takes its place.
static void blockStarts(int Sms, int Threads, int PerSm, bool Waves) {
  const int Blocks = Sms * PerSm * (Waves ? 6 : 1);
  Array<Ran> To(Blocks);
  for (int I = 0; I < 2; ++I)
    note<<<Blocks, Threads>>>(To.get(), 6000);
  std::vector<Ran> All = To.host();
  std::vector<std::vector<Ran>> BySm(Sms);
  uint64_t First = ~uint64_t(0), Last = 0;
  for (const Ran &R : All) {
    BySm[R.Sm].push_back(R);
    First = std::min(First, R.StartNs);
    Last = std::max(Last, R.StartNs);
  }
  std::vector<double> Between, Refill;
  for (auto &Of : BySm) {
    std::sort(Of.begin(), Of.end(),
              [](const Ran &A, const Ran &B) { return A.Start < B.Start; });
    std::vector<long long> Ends;
    for (const Ran &R : Of)
      Ends.push_back(R.End);
    std::sort(Ends.begin(), Ends.end());
    for (size_t I = 1; I < Of.size(); ++I)
      if (I < size_t(PerSm))
        Between.push_back(double(Of[I].Start - Of[I - 1].Start));
      else
        Refill.push_back(double(Of[I].Start - Ends[I - PerSm]));
  }
  const std::string Of = " of " + std::to_string(Threads) + " threads, " +
                         std::to_string(PerSm) + " an SM";
  if (Waves) {
    tell("cycles from end to start" + Of, median(Refill));
    return;
  }
  tell("cycles between starts" + Of, median(Between));
  tell("ns from first to last start" + Of, double(Last - First));
}

/// A block that writes what it was given, from its begin until all threads
/// have.
__global__ void writeGiven(uint32_t *To, Ran *Times, uint32_t Given) {
  const long long Start = clock64();
  To[blockIdx.x * blockDim.x + threadIdx.x] = Given;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  Ran R = {};
  R.Start = Start;
  R.End = clock64();
  Times[blockIdx.x] = R;
}

/// The same with a word that is read from L2.
__global__ void addGiven(uint32_t *To, Ran *Times, uint32_t Given) {
  const long long Start = clock64();
  To[blockIdx.x * blockDim.x + threadIdx.x] += Given;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  Ran R = {};
  R.Start = Start;
  R.End = clock64();
  Times[blockIdx.x] = R;
}

/// The least that blocks take, another kernel before each launch.
static void leastBlocks(int Sms) {
  for (int PerSm : {1, 4, 8}) {
    const int Blocks = Sms * PerSm;
    Array<uint32_t> To(size_t(Blocks) * 256);
    Array<Ran> Times(Blocks);
    auto Tell = [&](const char *What, auto Kernel) {
      std::vector<double> Each;
      for (int I = 0; I < 3; ++I) {
        note<<<Sms, 32>>>(Array<Ran>(Sms).get(), 1000);
        Kernel<<<Blocks, 256>>>(To.get(), Times.get(), 1);
        for (const Ran &R : Times.host())
          Each.push_back(double(R.End - R.Start));
      }
      tell(std::string("cycles of a block that ") + What + ", " +
               std::to_string(PerSm) + " an SM",
           median(Each));
    };
    Tell("writes", writeGiven);
    Tell("reads and writes", addGiven);
  }
}

__global__ void spin(long long Cycles) {
  const long long Begin = clock64();
  while (clock64() - Begin < Cycles)
    ;
}

__global__ void nothing() {}

__global__ void addOne(uint32_t *To) {
  To[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

/// Launches that are all in the queue before the first begins.
static double queuedNs(int Launches, const std::function<void()> &Do) {
  cudaEvent_t Begin, End;
  CHECK(cudaEventCreate(&Begin));
  CHECK(cudaEventCreate(&End));
  float Best = 1e30f;
  for (int I = 0; I < 6; ++I) {
    spin<<<1, 1>>>(20000000);
    CHECK(cudaEventRecord(Begin));
    for (int J = 0; J < Launches; ++J)
      Do();
    CHECK(cudaEventRecord(End));
    CHECK(cudaEventSynchronize(End));
    float Ms = 0;
    CHECK(cudaEventElapsedTime(&Ms, Begin, End));
    Best = std::min(Best, Ms);
  }
  return Best * 1e6 / Launches;
}

static double graphNs(int Launches,
                      const std::function<void(cudaStream_t)> &Do) {
  cudaStream_t Stream;
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  CHECK(cudaStreamCreate(&Stream));
  CHECK(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
  for (int J = 0; J < Launches; ++J)
    Do(Stream);
  CHECK(cudaStreamEndCapture(Stream, &Graph));
  CHECK(cudaGraphInstantiate(&Exec, Graph, 0));
  return 1000.0 / Launches *
         usOf([&] { CHECK(cudaGraphLaunch(Exec, cudaStream_t(0))); });
}

static void launches(int Sms) {
  Array<uint32_t> To(size_t(Sms) * 64 * 256);
  for (int Blocks : {1, Sms, Sms * 8, Sms * 64}) {
    const std::string Of = " of " + std::to_string(Blocks) + " blocks";
    tell("ns a launch in a stream that is full, empty" + Of,
         queuedNs(400, [&] { nothing<<<Blocks, 256>>>(); }));
    tell("ns a launch in a stream that is full, read and write" + Of,
         queuedNs(400, [&] { addOne<<<Blocks, 256>>>(To.get()); }));
    tell("ns a launch in a graph, empty" + Of,
         graphNs(400,
                 [&](cudaStream_t S) { nothing<<<Blocks, 256, 0, S>>>(); }));
    tell("ns a launch in a graph, read and write" + Of,
         graphNs(400, [&](cudaStream_t S) {
           addOne<<<Blocks, 256, 0, S>>>(To.get());
         }));
  }
}

/// From the last end of a block to the first start of the next launch, by the
/// GPU's clock, in a stream that is full and in a graph.
static void gaps(int Sms) {
  constexpr int Launches = 64;
  Array<Ran> To(size_t(Sms) * Launches);
  auto Gap = [&] {
    const std::vector<Ran> All = To.host();
    std::vector<double> Each;
    for (int L = 1; L < Launches; ++L) {
      uint64_t End = 0, Start = ~uint64_t(0);
      for (int B = 0; B < Sms; ++B) {
        End = std::max(End, All[size_t(L - 1) * Sms + B].EndNs);
        Start = std::min(Start, All[size_t(L) * Sms + B].StartNs);
      }
      Each.push_back(double(Start) - double(End));
    }
    return median(Each);
  };
  int L = 0;
  auto Next = [&](cudaStream_t S) {
    note<<<Sms, 256, 0, S>>>(To.get() + size_t(L++ % Launches) * Sms, 6000);
  };
  queuedNs(Launches, [&] { Next(nullptr); });
  tell("ns from last end to first start, in a stream", Gap());
  L = 0;
  graphNs(Launches, Next);
  tell("ns from last end to first start, in a graph", Gap());
}

int main() {
  cudaDeviceProp Prop;
  CHECK(cudaGetDeviceProperties(&Prop, 0));
  const int Sms = Prop.multiProcessorCount;
  int ClockKHz = 0;
  CHECK(cudaDeviceGetAttribute(&ClockKHz, cudaDevAttrClockRate, 0));
  std::printf("{\"name\": \"device %s\", \"value\": %d}\n", Prop.name, Sms);
  tell("clock_mhz", ClockKHz / 1000.0);
  spin<<<Sms, 32>>>(2000000000);
  CHECK(cudaDeviceSynchronize());
  latency<Xor>("integer logic and addition");
  latency<IntegerMad>("integer multiplication and addition");
  latency<SingleFma>("float multiplication and addition");
  latency<DoubleFma>("double multiplication and addition");
  latency<Reciprocal>("approximate reciprocal and addition");
  latency<SingleDivision>("float division");
  latency<SingleRoot>("float square root");
  latency<DoubleDivision>("double division");
  latency<Exponential>("float exponential");
  latency<IntegerDivision>("integer division");
  latency<Conversion>("conversion");
  latency<Shuffle>("shuffle");
  loopLatency();
  memoryLatencies();
  atOnce<1>();
  atOnce<2>();
  atOnce<4>();
  atOnce<8>();
  atOnce<16>();
  atOnce<32>();
  issueRate<Xor>("integer logic and addition");
  issueRate<IntegerMad>("integer multiplication and addition");
  issueRate<SingleFma>("float multiplication and addition");
  issueRate<DoubleFma>("double multiplication and addition");
  issueRate<Reciprocal>("approximate reciprocal and addition");
  issueRate<SingleDivision>("float division");
  issueRate<SingleRoot>("float square root");
  issueRate<DoubleDivision>("double division");
  issueRate<Exponential>("float exponential");
  issueRate<IntegerDivision>("integer division");
  issueRate<Conversion>("conversion");
  issueRate<Shuffle>("shuffle");
  memoryRates(Sms);
  atomicRates(Sms);
  for (int Threads : {64, 128, 256, 512, 1024})
    for (bool Waves : {false, true})
      blockStarts(Sms, Threads, std::min(16, 2048 / Threads), Waves);
  leastBlocks(Sms);
  gaps(Sms);
  launches(Sms);
  return 0;
}
