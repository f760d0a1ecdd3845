// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The numbers of constants.cu in the warp tier of the simulator: launches of
// the same kernels, of which traces are recorded on the emulated device. One
// JSON line for each number: the launch whose cycles count, the one whose
// cycles do not (-1: none), which is the same with less to do, and what the
// first has done more: instructions, loads or bytes. `constants` replays them.

#include "ConstantKernels.h"
#include "Measuring.h"

static int Launches = 0;

/// Number of the launch.
template <typename Run> int launched(Run Do) {
  Do();
  CHECK(cudaGetLastError());
  return Launches++;
}

static void tellOf(const std::string &Name, int Less, int More, double Amount) {
  std::printf("{\"name\": \"%s\", \"less\": %d, \"more\": %d, "
              "\"amount\": %.0f}\n",
              Name.c_str(), Less, More, Amount);
}

/// One kernel with so much to do and with twice that.
template <typename Run>
void tellTwice(const std::string &Name, double Amount, int Some, Run Do) {
  const int Less = launched([&] { Do(Some); });
  tellOf(Name, Less, launched([&] { Do(2 * Some); }), Amount);
}

constexpr int Steps = 1024;

/// Kernels whose number of steps is in their code.
template <typename Less, typename More>
void tellSteps(const std::string &Name, double Amount, Less One, More Two) {
  const int First = launched(One);
  tellOf(Name, First, launched(Two), Amount);
}

template <typename Op> void latency(const char *Name) {
  using T = typename Op::Type;
  Array<long long> Cycles(1);
  Array<T> Result(32);
  tellSteps(
      std::string("latency_cycles ") + Name, Steps * Op::Instructions,
      [&] {
        chainOf<Op, Steps><<<1, 32>>>(Cycles.get(), Result.get(), T(3), T(2));
      },
      [&] {
        chainOf<Op, 2 * Steps>
            <<<1, 32>>>(Cycles.get(), Result.get(), T(3), T(2));
      });
}

template <typename Op> void issueRate(const char *Name) {
  using T = typename Op::Type;
  Array<long long> Cycles(1);
  Array<T> Result(1024);
  tellSteps(
      std::string("instructions_per_cycle ") + Name,
      4.0 * 256 * 32 * Op::Instructions,
      [&] { rate<Op, 256><<<1, 1024>>>(Cycles.get(), Result.get(), T(2)); },
      [&] { rate<Op, 512><<<1, 1024>>>(Cycles.get(), Result.get(), T(2)); });
}

static void instructions() {
  forEachOperation([]<typename Op>(const char *Name) { latency<Op>(Name); });
  Array<long long> Cycles(1);
  Array<uint32_t> Result(1);
  tellTwice("latency_cycles iteration of two instructions", Steps, Steps,
            [&](int Count) {
              loopOf<<<1, 32>>>(Cycles.get(), Result.get(), 2, Count);
            });
  forEachOperation([]<typename Op>(const char *Name) { issueRate<Op>(Name); });
}

/// A chain that the host has written, so that no cache has it.
static void coldLoads(const std::string &Name, uint32_t Count,
                      uint32_t Stride) {
  std::vector<uint32_t> Host(size_t(Count) * Stride);
  for (uint32_t I = 0; I < Count; ++I)
    Host[size_t(I) * Stride] = (I + 1) % Count * Stride;
  Array<uint32_t> Next(Host.size()), Result(1);
  Array<long long> Cycles(1);
  CHECK(cudaMemcpy(Next.get(), Host.data(), Host.size() * sizeof(uint32_t),
                   cudaMemcpyHostToDevice));
  auto Follow = [&] {
    follow<false>
        <<<1, 1>>>(Next.get(), 0, int(Count), Cycles.get(), Result.get());
  };
  tellOf("latency_cycles " + Name, -1, launched(Follow), Count);
  tellOf("latency_cycles again " + Name, -1, launched(Follow), Count);
}

static void loads() {
  Array<uint32_t> Next(size_t(96) << 18), Result(32);
  Array<long long> Cycles(1);
  auto Link = [&](uint32_t Count) {
    launched([&] { link<<<256, 256>>>(Next.get(), Count, 32); });
  };
  auto Follow = [&](int Count) {
    follow<false><<<1, 1>>>(Next.get(), 0, Count, Cycles.get(), Result.get());
  };
  auto Again = [&](int Count, int Rounds) {
    followAgain<<<1, 1>>>(Next.get(), Count, Rounds, Cycles.get(),
                          Result.get());
  };
  // What the other half of L2 has is copied to the near one when it is read
  // first: on a GPU a chain has been followed once before it is measured.
  Link(32768);
  launched([&] { Follow(32768); });
  tellTwice("latency_cycles load from L2, 4 MiB", 16384, 16384, Follow);
  coldLoads("load from memory, 4 KiB apart", 8192, 1024);
  coldLoads("load from memory, 64 KiB apart", 1024, 16384);
  Link(128);
  launched([&] { Again(128, 1); });
  tellOf("latency_cycles load from L1", launched([&] { Again(128, 2); }),
         launched([&] { Again(128, 10); }), 8 * 128);
  for (int KiB : {16, 64, 128, 192, 224, 256, 320, 512}) {
    const int Lines = KiB * 8;
    Link(Lines);
    launched([&] { Again(Lines, 1); });
    tellOf("latency_cycles load through L1 of " + std::to_string(KiB) + " KiB",
           launched([&] { Again(Lines, 2); }),
           launched([&] { Again(Lines, 3); }), Lines);
  }
  for (int MiB : {8, 16, 24, 28, 32, 36, 40, 48, 56, 60, 64, 96}) {
    const int Lines = MiB * 8192;
    Link(Lines);
    launched([&] { Follow(Lines); });
    tellOf("latency_cycles load through L2 of " + std::to_string(MiB) + " MiB",
           -1, launched([&] { Follow(Lines); }), Lines);
  }
}

template <int Loads, bool ThroughL1>
void atOnce(const uint32_t *From, int Warps) {
  Array<uint32_t> Result(size_t(Warps) * 32);
  Array<long long> Cycles(1);
  auto Load = [&](int Rounds) {
    loadsAtOnce<Loads, ThroughL1>
        <<<1, Warps * 32>>>(From, Rounds, Cycles.get(), Result.get());
  };
  launched([&] { Load(64); });
  tellTwice(atOnceName(Loads, ThroughL1, Warps), 32, 32, Load);
}

// Some of these parts of memory belong to the half of L2 that is near.
constexpr int AtomicParts = 8;
constexpr int WordsOfPart = 64;

static void sharedAndBarriers() {
  Array<uint32_t> To(AtomicParts * WordsOfPart), Result(32);
  Array<long long> Cycles(1);
  tellSteps(
      "latency_cycles load from shared", Steps,
      [&] { followShared<Steps><<<1, 1>>>(Cycles.get(), Result.get()); },
      [&] { followShared<2 * Steps><<<1, 1>>>(Cycles.get(), Result.get()); });
  for (int Part = 0; Part < AtomicParts; ++Part) {
    uint32_t *Of = To.get() + Part * WordsOfPart;
    tellSteps(
        "latency_cycles atomic of global", 512,
        [&] { addInTurn<512><<<1, 1>>>(Of, Cycles.get()); },
        [&] { addInTurn<1024><<<1, 1>>>(Of, Cycles.get()); });
  }
  tellSteps(
      "latency_cycles atomic of shared", 512,
      [&] { addSharedInTurn<512><<<1, 1>>>(Cycles.get()); },
      [&] { addSharedInTurn<1024><<<1, 1>>>(Cycles.get()); });
  for (int Warps : {1, 2, 4, 8, 16, 32})
    tellSteps(
        "latency_cycles barrier of " + std::to_string(Warps) + " warps", Steps,
        [&] { meet<Steps><<<1, Warps * 32>>>(Cycles.get()); },
        [&] { meet<2 * Steps><<<1, Warps * 32>>>(Cycles.get()); });
}

template <bool ThroughL1>
void readRate(const std::string &Name, size_t Bytes, int Blocks, int Threads,
              int Rounds) {
  Array<uint4> From(Bytes / 16);
  Array<uint32_t> Result(1);
  auto Read = [&](int Times) {
    readAll<ThroughL1>
        <<<Blocks, Threads>>>(From.get(), Bytes / 16, Times, Result.get());
  };
  launched([&] { Read(1); });
  tellTwice("bytes_per_ns " + Name, double(Bytes) * Blocks * Rounds, Rounds,
            Read);
}

static void writeRate(const char *Name, size_t Bytes, int Blocks, int Rounds) {
  Array<uint4> To(Bytes / 16);
  tellTwice(std::string("bytes_per_ns ") + Name, double(Bytes) * Rounds, Rounds,
            [&](int Times) {
              writeAgain<<<Blocks, 1024>>>(To.get(), Bytes / 16,
                                           uint32_t(Times));
            });
}

static void rates(int Sms) {
  readRate<true>("L1, one SM", 32 << 10, 1, 1024, 16);
  readRate<false>("L2, one SM", 4 << 20, 1, 1024, 1);
  for (int Threads : {32, 128, 512})
    readRate<false>("L2, one SM, " + std::to_string(Threads) + " threads",
                    4 << 20, 1, Threads, 1);
  readRate<false>("L2, 2 MiB", 2 << 20, 2 * Sms, 1024, 1);
  writeRate("L2 written, one SM", 1 << 20, 1, 1);
  writeRate("L2 written, 8 MiB", 8 << 20, 2 * Sms, 2);
  constexpr int MiB = 64;
  constexpr double Bytes = double(MiB << 20);
  Array<uint4> From(size_t(2 * MiB) << 16), To(size_t(2 * MiB) << 16);
  Array<uint32_t> Result(1);
  const int Blocks = 2 * Sms;
  auto Count = [](int Of) { return size_t(Of) << 16; };
  // What has been written is in L2 and goes to memory later: in the first of
  // three launches that of the kernel before.
  auto Rate = [&](const char *Name, double Amount, int Some, auto Do) {
    launched([&] { Do(2 * Some); });
    tellTwice(std::string("bytes_per_ns ") + Name, Amount, Some, Do);
  };
  Rate("memory read", Bytes, MiB, [&](int Of) {
    readOnce<<<Blocks, 1024>>>(From.get(), Count(Of), Result.get());
  });
  Rate("memory written", Bytes, MiB,
       [&](int Of) { writeOnce<<<Blocks, 1024>>>(To.get(), Count(Of)); });
  Rate("memory copied, both ways", 2 * Bytes, MiB, [&](int Of) {
    copyOnce<<<Blocks, 1024>>>(From.get(), To.get(), Count(Of));
  });
  Rate("memory updated, both ways", 2 * Bytes, MiB,
       [&](int Of) { updateOnce<<<Blocks, 1024>>>(To.get(), Count(Of)); });
  Rate("memory added, both ways", 1.5 * Bytes, MiB, [&](int Of) {
    addOnce<<<Blocks, 1024>>>(From.get(), From.get() + Count(MiB), To.get(),
                              Count(Of) / 2);
  });
  const int First = launched(
      [&] { readOnce<<<1, 1024>>>(From.get(), Count(8), Result.get()); });
  tellOf("bytes_per_ns memory read, one SM", First, launched([&] {
           readOnce<<<1, 1024>>>(From.get() + Count(16), Count(16),
                                 Result.get());
         }),
         8 << 20);
}

static void atomicRate(const std::string &Of, uint32_t *To, uint32_t Words,
                       int Blocks, int Rounds) {
  auto Add = [&](int Times) { addTo<<<Blocks, 1024>>>(To, Words - 1, Times); };
  launched([&] { Add(2 * Rounds); });
  tellTwice("warp_atomics_per_us of " + Of + std::to_string(Words) + " words",
            32.0 * Blocks * Rounds, Rounds, Add);
}

static void atomics(int Sms) {
  Array<uint32_t> To(1 << 20);
  for (uint32_t Words : {1 << 20, 65536, 16384, 4096, 1024, 256, 32, 1})
    atomicRate("", To.get(), Words, 2 * Sms, 4);
  for (uint32_t Words : {1 << 20, 4096})
    atomicRate("one SM, ", To.get(), Words, 1, 32);
}

int main(int Count, char **Arguments) {
  const int Sms = Count > 1 ? std::atoi(Arguments[1]) : 132;
  instructions();
  loads();
  Array<uint32_t> From(1 << 20);
  forEachAtOnce([&]<int Loads, bool ThroughL1>(int Warps) {
    atOnce<Loads, ThroughL1>(From.get(), Warps);
  });
  sharedAndBarriers();
  rates(Sms);
  atomics(Sms);
  return 0;
}
