// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the simulator's machine files say of a GPU, measured on one: latencies
// of instructions in a chain, rates of the SMs and of memory, and what lies
// between blocks and between launches. One JSON line for each number, in the
// cycles or nanoseconds that its name says. Compiled by plain clang with
// -lcudart, nothing of BlockMaestro.

#include "ConstantKernels.h"
#include "Measuring.h"

#include <chrono>

constexpr int Steps = 2048;
constexpr int Atomics = 512;

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
    chainOf<Op, Steps><<<1, 32>>>(Cycles.get(), Result.get(),
                                  typename Op::Type(3), typename Op::Type(2));
    Each.push_back(double(Cycles.host()[0]) / Steps / Op::Instructions);
  }
  tell(std::string("latency_cycles ") + Name, median(Each));
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

static void memoryLatencies() {
  loadLatency<false>("load from L2, 4 MiB", 32768, 32, false);
  loadLatency<false>("load from L2, 16 MiB", 131072, 32, false);
  loadLatency<false>("load from memory, 4 KiB apart", 8192, 1024, true);
  loadLatency<false>("load from memory, 64 KiB apart", 8192, 16384, true);
  Array<uint32_t> Next(4096), Result(32);
  Array<long long> Cycles(1);
  link<<<1, 128>>>(Next.get(), 128, 32);
  followAgain<<<1, 1>>>(Next.get(), 128, 2, Cycles.get(), Result.get());
  tell("latency_cycles load from L1", double(Cycles.host()[0]) / 128);
  followShared<Steps><<<1, 1>>>(Cycles.get(), Result.get());
  tell("latency_cycles load from shared", double(Cycles.host()[0]) / Steps);
  addInTurn<Atomics><<<1, 1>>>(Next.get() + 64, Cycles.get());
  tell("latency_cycles atomic of global", double(Cycles.host()[0]) / Atomics);
  addSharedInTurn<Atomics><<<1, 1>>>(Cycles.get());
  tell("latency_cycles atomic of shared", double(Cycles.host()[0]) / Atomics);
  for (int Warps : {1, 2, 4, 8, 16, 32}) {
    meet<Steps><<<1, Warps * 32>>>(Cycles.get());
    tell("latency_cycles barrier of " + std::to_string(Warps) + " warps",
         double(Cycles.host()[0]) / Steps);
  }
}

/// Chains that go through so many KiB a line of 128 bytes at a time, once they
/// have been followed.
static void cacheSizes() {
  Array<uint32_t> Next(size_t(96) << 18), Result(1);
  Array<long long> Cycles(1);
  for (int KiB : {16, 64, 128, 192, 224, 256, 320, 512}) {
    link<<<256, 256>>>(Next.get(), KiB * 8, 32);
    followAgain<<<1, 1>>>(Next.get(), KiB * 8, 2, Cycles.get(), Result.get());
    tell("latency_cycles load through L1 of " + std::to_string(KiB) + " KiB",
         double(Cycles.host()[0]) / (KiB * 8));
  }
  for (int MiB = 8; MiB <= 96; MiB += MiB < 16 || MiB >= 68 ? 4 : 2) {
    link<<<256, 256>>>(Next.get(), MiB * 8192, 32);
    for (int I = 0; I < 2; ++I)
      follow<false>
          <<<1, 1>>>(Next.get(), 0, MiB * 8192, Cycles.get(), Result.get());
    tell("latency_cycles load through L2 of " + std::to_string(MiB) + " MiB",
         double(Cycles.host()[0]) / (MiB * 8192));
  }
}

/// By 32 rounds more.
template <int Loads, bool ThroughL1> void atOnce(int Warps) {
  Array<uint32_t> From(1 << 20), Result(Warps * 32);
  Array<long long> Cycles(1);
  auto Run = [&](int Rounds) {
    loadsAtOnce<Loads, ThroughL1>
        <<<1, Warps * 32>>>(From.get(), Rounds, Cycles.get(), Result.get());
    return double(Cycles.host()[0]);
  };
  Run(64);
  const double Less = Run(32);
  tell(atOnceName(Loads, ThroughL1, Warps), (Run(64) - Less) / 32);
}

/// Warp instructions a cycle of one SM, with 32 warps.
template <typename Op> void issueRate(const char *Name) {
  Array<long long> Cycles(1);
  Array<typename Op::Type> Result(1024);
  for (int I = 0; I < 2; ++I)
    rate<Op, 512>
        <<<1, 1024>>>(Cycles.get(), Result.get(), typename Op::Type(2));
  tell(std::string("instructions_per_cycle ") + Name,
       4.0 * 512 * 32 * Op::Instructions / double(Cycles.host()[0]));
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

static void writeRate(const char *Name, size_t Bytes, int Blocks, int Rounds) {
  Array<uint4> To(Bytes / 16);
  const double Us = usOf([&] {
    writeAgain<<<Blocks, 1024>>>(To.get(), Bytes / 16, uint32_t(Rounds));
  });
  tell(std::string("bytes_per_ns ") + Name, double(Bytes) * Rounds / Us / 1000);
}

static void memoryRates(int Sms) {
  readRate<true>("L1, one SM", 32 << 10, 1, 1024, 256);
  readRate<false>("L2, one SM", 4 << 20, 1, 1024, 4);
  for (int Threads : {32, 64, 128, 256, 512})
    readRate<false>("L2, one SM, " + std::to_string(Threads) + " threads",
                    4 << 20, 1, Threads, 2);
  readRate<false>("L2, 2 MiB", 2 << 20, 2 * Sms, 1024, 8);
  readRate<false>("L2, 8 MiB", 8 << 20, 2 * Sms, 1024, 2);
  readRate<false>("L2, 32 MiB", 32 << 20, 2 * Sms, 1024, 1);
  writeRate("L2 written, one SM", 1 << 20, 1, 16);
  writeRate("L2 written, 8 MiB", 8 << 20, 2 * Sms, 64);
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
  Grids("memory updated, both ways", 2 * Sms, 2,
        [&](int Blocks) { updateOnce<<<Blocks, 1024>>>(To.get(), Count); });
  Grids("memory added, both ways", 2 * Sms, 1.5, [&](int Blocks) {
    addOnce<<<Blocks, 1024>>>(From.get(), From.get() + Count / 2, To.get(),
                              Count / 2);
  });
  tell("bytes_per_ns memory read, one SM",
       double(256 << 20) / usOf([&] {
         readOnce<<<1, 1024>>>(From.get(), (256 << 20) / 16, Result.get());
       }) / 1000.0);
}

/// Atomics of warps a microsecond.
static double atomicRate(uint32_t *To, uint32_t Words, int Blocks, int Rounds) {
  const double Us =
      usOf([&] { addTo<<<Blocks, 1024>>>(To, Words - 1, Rounds); });
  return double(Blocks) * 32 * Rounds / Us;
}

static void atomicRates(int Sms) {
  Array<uint32_t> To(1 << 20);
  for (uint32_t Words = 1 << 20; Words > 0; Words /= 2)
    tell("warp_atomics_per_us of " + std::to_string(Words) + " words",
         atomicRate(To.get(), Words, 2 * Sms, 64));
  for (uint32_t Words : {1 << 20, 4096})
    tell("warp_atomics_per_us of one SM, " + std::to_string(Words) + " words",
         atomicRate(To.get(), Words, 1, 512));
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

template <bool Early> __global__ void note(Ran *To, int Cycles) {
  if constexpr (Early) {
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
  }
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
    note<false><<<Blocks, Threads>>>(To.get(), 6000);
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
        note<false><<<Sms, 32>>>(Array<Ran>(Sms).get(), 1000);
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

static void launchEarly(cudaStream_t On, int Blocks, Ran *To) {
  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = dim3(Blocks);
  Config.blockDim = dim3(256);
  Config.stream = On;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&Config, note<true>, To, 6000));
}

/// From the last end of a block to the first start of the next launch, by the
/// GPU's clock, which steps by 256 ns: a mean.
static void gaps(int Sms) {
  constexpr int Launches = 512;
  Array<Ran> To(size_t(Sms) * Launches);
  auto Gap = [&] {
    const std::vector<Ran> All = To.host();
    double Sum = 0;
    for (int L = 1; L < Launches; ++L) {
      uint64_t End = 0, Start = ~uint64_t(0);
      for (int B = 0; B < Sms; ++B) {
        End = std::max(End, All[size_t(L - 1) * Sms + B].EndNs);
        Start = std::min(Start, All[size_t(L) * Sms + B].StartNs);
      }
      Sum += double(Start) - double(End);
    }
    return Sum / (Launches - 1);
  };
  int L = 0;
  auto Place = [&] { return To.get() + size_t(L++ % Launches) * Sms; };
  auto Next = [&](cudaStream_t S) {
    note<false><<<Sms, 256, 0, S>>>(Place(), 6000);
  };
  queuedNs(Launches, [&] { Next(nullptr); });
  tell("ns from last end to first start, in a stream", Gap());
  L = 0;
  graphNs(Launches, Next);
  tell("ns from last end to first start, in a graph", Gap());
  L = 0;
  graphNs(Launches, [&](cudaStream_t S) { launchEarly(S, Sms, Place()); });
  tell("ns from last end to first start, in a graph, early", Gap());
  for (L = 0; L < Launches;) {
    Next(nullptr);
    CHECK(cudaStreamSynchronize(nullptr));
  }
  tell("ns from last end to first start, when the host has waited", Gap());
}

/// What a launch takes its host, into a stream that has nothing else.
static void calls(int Sms) {
  constexpr int Launches = 400;
  Array<uint32_t> To(size_t(Sms) * 256);
  std::vector<double> Each;
  for (int I = 0; I < 25; ++I) {
    CHECK(cudaDeviceSynchronize());
    const auto Begin = std::chrono::steady_clock::now();
    for (int J = 0; J < Launches; ++J)
      addOne<<<Sms, 256>>>(To.get());
    const std::chrono::duration<double, std::nano> Took =
        std::chrono::steady_clock::now() - Begin;
    Each.push_back(Took.count() / Launches);
  }
  tell("ns of the host for a launch", median(Each));
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
  forEachOperation([]<typename Op>(const char *Name) { latency<Op>(Name); });
  loopLatency();
  memoryLatencies();
  cacheSizes();
  forEachAtOnce([]<int Loads, bool ThroughL1>(int Warps) {
    atOnce<Loads, ThroughL1>(Warps);
  });
  forEachOperation([]<typename Op>(const char *Name) { issueRate<Op>(Name); });
  memoryRates(Sms);
  atomicRates(Sms);
  for (int Threads : {64, 128, 256, 512, 1024})
    for (bool Waves : {false, true})
      blockStarts(Sms, Threads, std::min(16, 2048 / Threads), Waves);
  leastBlocks(Sms);
  gaps(Sms);
  calls(Sms);
  launches(Sms);
  return 0;
}
