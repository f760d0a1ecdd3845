// Feature: errors: A kernel that can never end is ended with an error: barriers that not
// all threads reach, shuffles with lanes that do not come, a flag nobody sets.
// Environment: BLOCKMAESTRO_TIMEOUT=1
// Expect-stderr: kernel 'barriers(int*)' is stuck
// Expect-stderr: kernel 'lanes(int*)' is stuck
// Expect-stderr: kernel 'flag(int volatile*)' is stuck
// Emulated-only: a GPU hangs.

#include <sys/wait.h>
#include <unistd.h>

#include "Inputs/suite.h"

__global__ void barriers(int *Out) {
  if (threadIdx.x < 12)
    asm volatile("bar.sync 1, 64;");
  else
    asm volatile("bar.sync 2, 64;");
  *Out = 1;
}

__global__ void lanes(int *Out) {
  if (threadIdx.x < 5)
    *Out = __shfl_sync(0xffffffffu, threadIdx.x, 0);
  else
    __syncwarp();
}

__global__ void flag(volatile int *Flag) {
  while (*Flag == 0)
    ;
}

int tryOne(int Which) {
  int *Out;
  check(cudaMalloc(&Out, sizeof(int)));
  check(cudaMemset(Out, 0, sizeof(int)));
  if (Which == 0)
    barriers<<<2, 64>>>(Out);
  else if (Which == 1)
    lanes<<<2, 64>>>(Out);
  else
    flag<<<2, 64>>>(Out);
  cudaError_t Got = cudaDeviceSynchronize();
  if (Got != cudaErrorLaunchTimeout)
    std::printf("case %d: %s\n", Which, cudaGetErrorName(Got));
  return Got != cudaErrorLaunchTimeout || cudaGetLastError() != Got;
}

int main() {
  for (int Which = 0; Which < 3; ++Which) {
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
