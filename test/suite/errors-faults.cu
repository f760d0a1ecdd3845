// Feature: errors: What a kernel dies of is the error of every later call: a trap, wild
// reads and writes, also from deep in a call.

#include <sys/wait.h>
#include <unistd.h>

#include "Inputs/suite.h"

__global__ void traps(int When) {
  if (threadIdx.x == When)
    __trap();
}

__global__ void writesWild(int *Where, int When) {
  __syncthreads();
  if (threadIdx.x == When)
    Where[1] = 1;
}

__device__ __noinline__ int readsBelow(const int *Where, int Depth) {
  if (Depth == 0)
    return *Where;
  return readsBelow(Where, Depth - 1) + 1;
}

__global__ void readsWild(const int *Where, int *Out) {
  Out[threadIdx.x] = readsBelow(Where, 10);
}

enum Case { Trap, WildWrite, WildRead, Cases };

// A process of its own for each, since none can use the device afterwards.
int tryOne(int Which) {
  int *Out;
  check(cudaMalloc(&Out, 64 * sizeof(int)));
  if (Which == Trap)
    traps<<<2, 64>>>(5);
  else if (Which == WildWrite)
    writesWild<<<2, 64>>>(nullptr, 40);
  else
    readsWild<<<1, 64>>>(reinterpret_cast<int *>(64), Out);
  cudaError_t Expected =
      Which == Trap ? cudaErrorLaunchFailure : cudaErrorIllegalAddress;
  cudaError_t Got = cudaDeviceSynchronize();
  if (Got != Expected)
    std::printf("case %d: %s\n", Which, cudaGetErrorName(Got));
  bool Sticky = cudaGetLastError() == Got && cudaMalloc(&Out, 4) == Got;
  return Got == Expected && Sticky ? 0 : 1;
}

int main() {
  for (int Which = 0; Which < Cases; ++Which) {
    std::fflush(stdout);
    pid_t Child = fork();
    if (Child == 0) {
      int Failed = tryOne(Which);
      std::fflush(stdout);
      _exit(Failed);
    }
    int State = -1;
    waitpid(Child, &State, 0);
    expect(WIFEXITED(State) && WEXITSTATUS(State) == 0);
  }
  return suite::finish();
}
