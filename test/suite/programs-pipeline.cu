// Feature: programs: The usual frame of a program: error macros, device choice, chunks through
// several streams with pinned memory, timing by events, a check at the end, a reset.

#include <algorithm>
#include <cmath>
#include <string>

#include "Inputs/suite.h"

#define checkCudaErrors(Value) reportError((Value), #Value, __FILE__, __LINE__)
#define getLastCudaError(Message) reportError(cudaGetLastError(), Message, __FILE__, __LINE__)

template <typename T> void reportError(T Result, const char *Call, const char *File, int Line) {
  if (Result) {
    std::fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", File, Line,
                 static_cast<unsigned>(Result), cudaGetErrorName(Result), Call);
    std::exit(EXIT_FAILURE);
  }
}

#define gpuErrchk(Answer) gpuAssert((Answer), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t Code, const char *File, int Line, bool Abort = true) {
  if (Code != cudaSuccess) {
    std::fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(Code), File, Line);
    if (Abort)
      std::exit(Code);
  }
}

static int bestDevice() {
  int Count = 0, Best = 0, Most = -1;
  checkCudaErrors(cudaGetDeviceCount(&Count));
  for (int I = 0; I < Count; ++I) {
    cudaDeviceProp P;
    checkCudaErrors(cudaGetDeviceProperties(&P, I));
    if (P.multiProcessorCount > Most) {
      Most = P.multiProcessorCount;
      Best = I;
    }
    expect(P.warpSize == 32 && P.maxThreadsPerBlock >= 1024 && P.totalGlobalMem > 0 &&
           P.sharedMemPerBlock >= 48 * 1024 && std::string(P.name).size() > 0);
  }
  return Best;
}

__global__ void price(const float *__restrict__ Spot, const float *__restrict__ Strike,
                      float *__restrict__ Call, int N, float Years, float Rate, float Volatility) {
  const int Stride = blockDim.x * gridDim.x;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N; I += Stride) {
    const float Root = sqrtf(Years);
    const float D1 = (logf(Spot[I] / Strike[I]) + (Rate + 0.5f * Volatility * Volatility) * Years) /
                     (Volatility * Root);
    const float D2 = D1 - Volatility * Root;
    Call[I] = Spot[I] * normcdff(D1) - Strike[I] * expf(-Rate * Years) * normcdff(D2);
  }
}

int main() {
  const int Device = bestDevice();
  checkCudaErrors(cudaSetDevice(Device));
  constexpr int Chunks = 6, Each = 1000, N = Chunks * Each, Streams = 3;
  float *Spot, *Strike, *Call, *DSpot[Streams], *DStrike[Streams], *DCall[Streams];
  checkCudaErrors(cudaHostAlloc(&Spot, N * sizeof(float), cudaHostAllocDefault));
  checkCudaErrors(cudaMallocHost(&Strike, N * sizeof(float)));
  checkCudaErrors(cudaHostAlloc(&Call, N * sizeof(float), cudaHostAllocPortable));
  for (int I = 0; I < N; ++I) {
    Spot[I] = 50.0f + I * 37 % 100;
    Strike[I] = 60.0f + I * 53 % 80;
    Call[I] = -1;
  }
  cudaStream_t Stream[Streams];
  cudaEvent_t Start, Stop, Ready[Streams];
  gpuErrchk(cudaEventCreate(&Start));
  gpuErrchk(cudaEventCreate(&Stop));
  for (int S = 0; S < Streams; ++S) {
    gpuErrchk(cudaStreamCreateWithFlags(&Stream[S], cudaStreamNonBlocking));
    gpuErrchk(cudaEventCreateWithFlags(&Ready[S], cudaEventDisableTiming));
    gpuErrchk(cudaMalloc((void **)&DSpot[S], Each * sizeof(float)));
    gpuErrchk(cudaMalloc((void **)&DStrike[S], Each * sizeof(float)));
    gpuErrchk(cudaMalloc((void **)&DCall[S], Each * sizeof(float)));
  }
  int Grid = 0, Block = 0;
  gpuErrchk(cudaOccupancyMaxPotentialBlockSize(&Grid, &Block, price, 0, 0));
  expect(Block >= 32 && Block <= 1024 && Grid >= 1);
  Grid = (Each + Block - 1) / Block;

  gpuErrchk(cudaEventRecord(Start, 0));
  for (int C = 0; C < Chunks; ++C) {
    const int S = C % Streams, At = C * Each;
    gpuErrchk(cudaMemcpyAsync(DSpot[S], Spot + At, Each * sizeof(float), cudaMemcpyHostToDevice, Stream[S]));
    gpuErrchk(cudaMemcpyAsync(DStrike[S], Strike + At, Each * sizeof(float), cudaMemcpyDefault, Stream[S]));
    price<<<Grid, Block, 0, Stream[S]>>>(DSpot[S], DStrike[S], DCall[S], Each, 1.5f, 0.02f, 0.3f);
    getLastCudaError("price() execution failed\n");
    gpuErrchk(cudaMemcpyAsync(Call + At, DCall[S], Each * sizeof(float), cudaMemcpyDeviceToHost, Stream[S]));
    gpuErrchk(cudaEventRecord(Ready[S], Stream[S]));
  }
  for (int S = 0; S < Streams; ++S)
    gpuErrchk(cudaStreamWaitEvent(0, Ready[S], 0));
  gpuErrchk(cudaEventRecord(Stop, 0));
  gpuErrchk(cudaEventSynchronize(Stop));
  float Milliseconds = -1;
  gpuErrchk(cudaEventElapsedTime(&Milliseconds, Start, Stop));
  expect(Milliseconds > 0 && Milliseconds < 60000);

  for (int I = 0; I < N; ++I) {
    const double D1 = (std::log(double(Spot[I]) / Strike[I]) + (0.02 + 0.045) * 1.5) / (0.3 * std::sqrt(1.5));
    const double D2 = D1 - 0.3 * std::sqrt(1.5);
    const auto Normal = [](double X) { return 0.5 * std::erfc(-X / std::sqrt(2.0)); };
    expect(std::fabs(Call[I] - (Spot[I] * Normal(D1) - Strike[I] * std::exp(-0.03) * Normal(D2))) < 1e-3);
  }
  for (int S = 0; S < Streams; ++S) {
    gpuErrchk(cudaFree(DSpot[S]));
    gpuErrchk(cudaFree(DStrike[S]));
    gpuErrchk(cudaFree(DCall[S]));
    gpuErrchk(cudaEventDestroy(Ready[S]));
    gpuErrchk(cudaStreamDestroy(Stream[S]));
  }
  gpuErrchk(cudaEventDestroy(Start));
  gpuErrchk(cudaEventDestroy(Stop));
  gpuErrchk(cudaFreeHost(Spot));
  gpuErrchk(cudaFreeHost(Strike));
  gpuErrchk(cudaFreeHost(Call));
  gpuErrchk(cudaDeviceReset());
  return suite::finish();
}
