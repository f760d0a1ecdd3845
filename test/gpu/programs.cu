// Random programs as people write them: several streams that events join, host
// threads, memory that comes and goes (also in stream order), copies from and
// to the host, pinned or not, fills, variables of the device, captured graphs,
// host functions, and kernels of all shapes between them. Their steps are
// repeated, some only now and then and some with other arguments each time.
// Every result is that of the same steps on the host, one after the other.
//
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=emulated %t 6 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXECUTOR=shuffle:3 %t 4 100 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXECUTOR=sim:consumer4 %t 4 200 | FileCheck %s
//
// CHECK: programs: ok

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int Buffers = 6, Streams = 4, Size = 6000;
using Numbers = std::vector<unsigned>;

__host__ __device__ unsigned mixed(unsigned Old, unsigned From, unsigned Salt) {
  return (Old * 31 + From) ^ (Salt * 2654435761u);
}

__device__ unsigned Shared[64];

__device__ void pause(unsigned Salt, int Long) {
  const long long Begin = clock64();
  while (clock64() - Begin < Long * ((blockIdx.x + Salt) % 3))
    ;
}

/// A number each, of one that may be far away.
__global__ void mixFar(const unsigned *From, unsigned *To, int Count, int Shift,
                       unsigned Salt, int Pause) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  pause(Salt, Pause);
  if (I < Count)
    To[I] = mixed(To[I], From[(I + Shift) % Count], Salt);
}

/// Of one nearby, by loops over the whole.
__global__ void mixNear(const unsigned *From, unsigned *To, int Count,
                        int Shift, unsigned Salt, int Pause) {
  pause(Salt, Pause);
  const int Step = gridDim.x * blockDim.x;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count; I += Step)
    To[I] = mixed(To[I], I + Shift < Count ? From[I + Shift] : 0, Salt);
}

/// Sums by blocks, added where others add too.
__global__ void addUp(const unsigned *From, unsigned *To, int Count, int Shift,
                      unsigned Salt, int Pause) {
  extern __shared__ unsigned Parts[];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Parts[threadIdx.x] = I < Count ? From[I] ^ Salt : 0;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  unsigned Sum = 0;
  for (unsigned J = 0; J < blockDim.x; ++J)
    Sum += Parts[J];
  pause(Salt, Pause);
  atomicAdd(&To[Shift % Count], Sum);
}

/// Reads what the program copies into a variable.
__global__ void mixShared(const unsigned *From, unsigned *To, int Count,
                          int Shift, unsigned Salt, int Pause) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  pause(Salt, Pause);
  To[I] = mixed(From[I] + Shared[(I + Shift) % 64], To[I], Salt);
}

void onHost(int Kind, const Numbers &From, Numbers &To, const Numbers &Variable,
            int Count, int Shift, unsigned Salt) {
  unsigned Sum = 0;
  for (int I = 0; I < Count; ++I)
    if (Kind == 0)
      To[I] = mixed(To[I], From[(I + Shift) % Count], Salt);
    else if (Kind == 1)
      To[I] = mixed(To[I], I + Shift < Count ? From[I + Shift] : 0, Salt);
    else if (Kind == 2)
      Sum += From[I] ^ Salt;
    else
      To[I] = mixed(From[I] + Variable[(I + Shift) % 64], To[I], Salt);
  if (Kind == 2)
    To[Shift % Count] += Sum;
}

void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::printf("programs: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}
#define MUST(Call) check(Call, #Call)

struct Step {
  enum Kinds {
    Launch,
    CopyWithin,
    Fill,
    Upload,
    UploadLater,
    Download,
    DownloadLater,
    Variable,
    Replace,
    Borrow,
    Graph,
    HostWork,
    WaitStream,
    WaitAll,
    Ask,
    Count
  } Kind;
  int Stream, From, To, Length, Shift, Pause, Kernel, Threads, Blocks;
  unsigned Salt;
  unsigned Every; ///< So many turns.
  bool Changes;   ///< Has other arguments in each.
};

/// One program: its memory, its streams, and what the host knows.
class Program {
public:
  Program(unsigned Seed, bool IsAlone, bool Looks)
      : Seed(Seed), Random(Seed), IsAlone(IsAlone), Looks(Looks) {}

  bool run() {
    begin();
    for (Turn = 0; Turn < Turns && Right; ++Turn) {
      for (const Step &Each : Steps)
        if (Turn % Each.Every == 0)
          take(Each);
      if (Turn % 8 == 7)
        compare();
    }
    end();
    return Right;
  }

private:
  static constexpr unsigned Turns = 72;
  static constexpr int Slots = 64;

  unsigned draw(unsigned Below) { return Random() % Below; }

  void begin() {
    MUST(cudaStreamCreate(&Stream[1]));
    for (int I : {2, 3})
      MUST(cudaStreamCreateWithFlags(&Stream[I], cudaStreamNonBlocking));
    for (auto &Each : Ends)
      MUST(cudaEventCreateWithFlags(&Each, cudaEventDisableTiming));
    MUST(cudaMallocHost(&Pinned, Slots * Size * sizeof(unsigned)));
    for (int I = 0; I < Buffers; ++I)
      replace(I);
    MUST(cudaDeviceSynchronize());
    Steps.resize(3 + draw(40));
    Fewer = draw(2);
    IsPair = !Fewer && draw(2);
    const int Most = Fewer ? 1 : 1 + int(draw(Streams));
    for (Step &Each : Steps)
      Each = step(Most);
  }

  Step step(int MostStreams) {
    // Launches, and copies within the device, are most of it.
    static constexpr Step::Kinds Rare[] = {
        Step::Upload,   Step::UploadLater, Step::Download, Step::DownloadLater,
        Step::Variable, Step::Replace,     Step::Borrow,   Step::Graph,
        Step::HostWork, Step::WaitStream,  Step::WaitAll,  Step::Ask};
    const unsigned Which = draw(32);
    Step Out;
    Out.Kind = Which < 22   ? Step::Launch
               : Which < 26 ? Step::CopyWithin
               : Which < 28 ? Step::Fill
                            : Rare[draw(std::size(Rare))];
    Out.Stream = IsPair ? 2 + int(draw(2)) : int(draw(MostStreams));
    Out.From = int(draw(Buffers));
    Out.To = (Out.From + 1 + int(draw(Buffers - 1))) % Buffers;
    Out.Length = 1 + int(draw(draw(2) ? Size : 200));
    Out.Shift = int(draw(100));
    Out.Pause = draw(4) == 0 ? 3000 : 0;
    Out.Kernel = int(draw(IsAlone ? 4 : 3));
    static constexpr int Shapes[] = {24, 32, 64, 96, 256, 1024};
    Out.Threads = Shapes[draw(std::size(Shapes))];
    Out.Blocks = (Out.Length + Out.Threads - 1) / Out.Threads;
    if (Out.Kernel == 1)
      Out.Blocks = 1 + int(draw(unsigned(Out.Blocks)));
    Out.Salt = draw(256);
    Out.Every = draw(6) == 0 ? 2 + draw(4) : 1;
    if (Out.Kind > Step::Fill && (Fewer || draw(2)))
      Out.Every = 3 + draw(8);
    Out.Changes = draw(8) == 0;
    return Out;
  }

  /// The stream comes behind whatever has used the buffer, on the others.
  void order(int Buffer, int On) {
    for (int Other = 0; Other < Streams; ++Other)
      if (Other != On && (Users[Buffer] >> Other & 1)) {
        MUST(cudaEventRecord(Ends[Other], Stream[Other]));
        MUST(cudaStreamWaitEvent(Stream[On], Ends[Other], 0));
      }
    Users[Buffer] = 1u << On;
  }
  void order(const Step &Of) {
    order(Of.From, Of.Stream);
    order(Of.To, Of.Stream);
  }

  void replace(int I) {
    MUST(cudaFree(Memory[I]));
    MUST(cudaMalloc(&Memory[I], Size * sizeof(unsigned)));
    MUST(cudaMemset(Memory[I], I, Size * sizeof(unsigned)));
    Wanted[I].assign(Size, unsigned(I) * 0x01010101u);
    // A fill of the default stream, which others need not wait for.
    Users[I] = 1;
  }

  void launch(const Step &Of, unsigned Salt, unsigned *From, unsigned *To) {
    void (*const Kernels[])(const unsigned *, unsigned *, int, int, unsigned,
                            int) = {mixFar, mixNear, addUp, mixShared};
    const size_t Bytes = Of.Kernel == 2 ? Of.Threads * sizeof(unsigned) : 0;
    Kernels[Of.Kernel]<<<Of.Blocks, Of.Threads, Bytes, Stream[Of.Stream]>>>(
        From, To, Of.Length, Of.Shift, Salt, Of.Pause);
    MUST(cudaGetLastError());
  }

  /// Memory of the host that nothing in flight uses.
  unsigned *slot() {
    if (++Taken == Slots) {
      MUST(cudaDeviceSynchronize());
      compareLater();
      Taken = 0;
    }
    return Pinned + size_t(Taken) * Size;
  }

  void take(const Step &Of) {
    const unsigned Salt = Of.Salt + (Of.Changes ? Turn : 0);
    const size_t Bytes = Of.Length * sizeof(unsigned);
    cudaStream_t On = Stream[Of.Stream];
    Numbers &From = Wanted[Of.From], &To = Wanted[Of.To];
    switch (Of.Kind) {
    case Step::Launch:
      order(Of);
      if (Of.Kernel == 3)
        orderVariable(Of.Stream);
      launch(Of, Salt, Memory[Of.From], Memory[Of.To]);
      onHost(Of.Kernel, From, To, VariableNow, Of.Length, Of.Shift, Salt);
      break;
    case Step::CopyWithin:
      order(Of);
      MUST(cudaMemcpyAsync(Memory[Of.To], Memory[Of.From], Bytes,
                           cudaMemcpyDeviceToDevice, On));
      std::copy_n(From.begin(), Of.Length, To.begin());
      break;
    case Step::Fill:
      order(Of.To, Of.Stream);
      MUST(cudaMemsetAsync(Memory[Of.To], int(Salt % 256), Bytes, On));
      std::fill_n(To.begin(), Of.Length, Salt % 256 * 0x01010101u);
      break;
    case Step::Upload: {
      order(Of.To, 0);
      Numbers Own(Of.Length);
      for (int I = 0; I < Of.Length; ++I)
        Own[I] = To[I] = mixed(Salt, unsigned(I), Turn);
      MUST(
          cudaMemcpy(Memory[Of.To], Own.data(), Bytes, cudaMemcpyHostToDevice));
      break;
    }
    case Step::UploadLater: {
      order(Of.To, Of.Stream);
      unsigned *Own = slot();
      for (int I = 0; I < Of.Length; ++I)
        Own[I] = To[I] = mixed(Salt, unsigned(I), Turn);
      MUST(cudaMemcpyAsync(Memory[Of.To], Own, Bytes, cudaMemcpyHostToDevice,
                           On));
      break;
    }
    case Step::Download: {
      order(Of.From, 0);
      Numbers Own(Of.Length);
      MUST(cudaMemcpy(Own.data(), Memory[Of.From], Bytes,
                      cudaMemcpyDeviceToHost));
      expect(Own.data(), From, Of.Length, "a download");
      break;
    }
    case Step::DownloadLater: {
      order(Of.From, Of.Stream);
      unsigned *Own = slot();
      MUST(cudaMemcpyAsync(Own, Memory[Of.From], Bytes, cudaMemcpyDeviceToHost,
                           On));
      Later.push_back({Own, Numbers(From.begin(), From.begin() + Of.Length)});
      break;
    }
    case Step::Variable:
      if (!IsAlone)
        break;
      orderVariable(Of.Stream);
      MUST(cudaMemcpyToSymbolAsync(Shared, Memory[Of.From],
                                   sizeof(unsigned) * 64, 0,
                                   cudaMemcpyDeviceToDevice, behind(Of)));
      std::copy_n(From.begin(), 64, VariableNow.begin());
      break;
    case Step::Replace:
      replace(Of.To);
      break;
    case Step::Borrow: {
      order(Of);
      unsigned *Own = nullptr;
      MUST(cudaMallocAsync(&Own, Size * sizeof(unsigned), On));
      MUST(cudaMemcpyAsync(Own, Memory[Of.To], Size * sizeof(unsigned),
                           cudaMemcpyDeviceToDevice, On));
      Step Mine = Of;
      Mine.Kernel %= 3;
      launch(Mine, Salt, Memory[Of.From], Own);
      onHost(Mine.Kernel, From, To, VariableNow, Of.Length, Of.Shift, Salt);
      MUST(cudaMemcpyAsync(Memory[Of.To], Own, Size * sizeof(unsigned),
                           cudaMemcpyDeviceToDevice, On));
      MUST(cudaFreeAsync(Own, On));
      break;
    }
    case Step::Graph:
      // While others are captured the default stream cannot be used.
      if (Of.Stream == 2 && IsAlone)
        launchGraph(Of, Salt);
      break;
    case Step::HostWork:
      MUST(cudaLaunchHostFunc(
          On, [](void *Sum) { ++*static_cast<unsigned *>(Sum); },
          &HostSum[Of.Stream]));
      ++HostWanted[Of.Stream];
      break;
    case Step::WaitStream:
      MUST(cudaStreamSynchronize(On));
      if (Looks && HostSum[Of.Stream] != HostWanted[Of.Stream])
        wrong("the count of a host function");
      break;
    case Step::WaitAll:
      MUST(cudaDeviceSynchronize());
      compareLater();
      break;
    case Step::Ask:
      while (cudaStreamQuery(On) == cudaErrorNotReady)
        std::this_thread::yield();
      break;
    case Step::Count:
      break;
    }
  }

  cudaStream_t behind(const Step &Of) {
    order(Of.From, Of.Stream);
    return Stream[Of.Stream];
  }

  /// The variable is ordered as a buffer is.
  void orderVariable(int On) {
    for (int Other = 0; Other < Streams; ++Other)
      if (Other != On && (VariableUsers >> Other & 1)) {
        MUST(cudaEventRecord(Ends[Other], Stream[Other]));
        MUST(cudaStreamWaitEvent(Stream[On], Ends[Other], 0));
      }
    VariableUsers = 1u << On;
  }

  void launchGraph(const Step &Of, unsigned Salt) {
    order(Of);
    cudaStream_t On = Stream[Of.Stream];
    cudaGraph_t Captured = nullptr;
    cudaGraphExec_t Ready = nullptr;
    Step Mine = Of;
    Mine.Kernel %= 3;
    MUST(cudaStreamBeginCapture(On, cudaStreamCaptureModeThreadLocal));
    launch(Mine, Salt, Memory[Of.From], Memory[Of.To]);
    launch(Mine, Salt + 1, Memory[Of.From], Memory[Of.To]);
    MUST(cudaStreamEndCapture(On, &Captured));
    MUST(cudaGraphInstantiate(&Ready, Captured, 0));
    for (int Time = 0; Time < 2; ++Time) {
      MUST(cudaGraphLaunch(Ready, On));
      for (unsigned More = 0; More < 2; ++More)
        onHost(Mine.Kernel, Wanted[Of.From], Wanted[Of.To], VariableNow,
               Of.Length, Of.Shift, Salt + More);
    }
    MUST(cudaGraphExecDestroy(Ready));
    MUST(cudaGraphDestroy(Captured));
  }

  void wrong(const std::string &What) {
    if (Right && Looks)
      std::printf("programs: seed %u, turn %u: %s is wrong\n", Seed, Turn,
                  What.c_str());
    Right &= !Looks;
  }
  void expect(const unsigned *Got, const Numbers &Want, int Length,
              const std::string &What) {
    if (!std::equal(Got, Got + Length, Want.begin()))
      wrong(What);
  }

  /// Behind a wait for all.
  void compareLater() {
    for (const Copied &Each : Later)
      expect(Each.Got, Each.Want, int(Each.Want.size()), "a later download");
    Later.clear();
  }

  void compare() {
    MUST(cudaDeviceSynchronize());
    compareLater();
    Numbers Got(Size);
    for (int I = 0; I < Buffers; ++I) {
      MUST(cudaMemcpy(Got.data(), Memory[I], Size * sizeof(unsigned),
                      cudaMemcpyDeviceToHost));
      expect(Got.data(), Wanted[I], Size, "buffer " + std::to_string(I));
    }
  }

  void end() {
    MUST(cudaDeviceSynchronize());
    for (unsigned *Each : Memory)
      MUST(cudaFree(Each));
    MUST(cudaFreeHost(Pinned));
    for (cudaEvent_t Each : Ends)
      MUST(cudaEventDestroy(Each));
    for (int I = 1; I < Streams; ++I)
      MUST(cudaStreamDestroy(Stream[I]));
  }

  struct Copied {
    const unsigned *Got;
    Numbers Want;
  };

  const unsigned Seed;
  std::mt19937 Random;
  /// Else it shares the device with another: it has no variable, and captures
  /// nothing, since the other waits for the device meanwhile.
  const bool IsAlone;
  const bool Looks;
  bool Fewer = false; ///< Streams, and steps that end chains of launches.
  bool IsPair = false; ///< Two streams of one kind have nearly all.
  std::vector<Step> Steps;
  unsigned Turn = 0;
  bool Right = true;
  unsigned *Memory[Buffers] = {};
  Numbers Wanted[Buffers];
  unsigned Users[Buffers] = {}; ///< Streams, since the last that came behind.
  Numbers VariableNow = Numbers(64);
  unsigned VariableUsers = 0;
  cudaStream_t Stream[Streams] = {};
  cudaEvent_t Ends[Streams] = {};
  unsigned *Pinned = nullptr;
  int Taken = -1;
  std::vector<Copied> Later;
  unsigned HostSum[Streams] = {}, HostWanted[Streams] = {};
};

} // namespace

/// programs COUNT FIRST [blind]; every fourth seed is two programs at a time,
/// in threads of their own.
int main(int Argc, char **Argv) {
  const unsigned Seeds = Argc > 1 ? std::atoi(Argv[1]) : 10;
  const unsigned First = Argc > 2 ? std::atoi(Argv[2]) : 0;
  const bool Looks = Argc <= 3 || std::string(Argv[3]) != "blind";
  for (unsigned Seed = First; Seed < First + Seeds; ++Seed) {
    const Numbers Zeros(64);
    MUST(cudaMemcpyToSymbol(Shared, Zeros.data(), 64 * sizeof(unsigned)));
    const bool IsAlone = Seed % 4 != 3;
    bool OtherRight = true;
    std::thread Other;
    if (!IsAlone)
      Other = std::thread(
          [&] { OtherRight = Program(Seed + 1000000, false, Looks).run(); });
    const bool Right = Program(Seed, IsAlone, Looks).run();
    if (Other.joinable())
      Other.join();
    if (!Right || !OtherRight)
      return 1;
  }
  std::printf("programs: ok, %u programs\n", Seeds);
}
