/* All of a program but its kernel, in C: the API's C form and a launch by
   cudaLaunchKernel. */

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

const void *addKernel(void);

#define CHECK(Call)                                                            \
  do {                                                                         \
    cudaError_t Error = (Call);                                                \
    if (Error != cudaSuccess) {                                                \
      printf("%s: %s\n", #Call, cudaGetErrorString(Error));                    \
      return 1;                                                                \
    }                                                                          \
  } while (0)

int runInC(void) {
  enum { N = 1000 };
  int Count = 0, Device = -1, I;
  struct cudaDeviceProp Properties;
  CHECK(cudaGetDeviceCount(&Count));
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&Device));
  CHECK(cudaGetDeviceProperties(&Properties, Device));
  if (Count < 1 || Device != 0 || Properties.major < 5 || !Properties.name[0])
    return 1;
  int *Host = NULL, *A = NULL, *B = NULL;
  CHECK(cudaMallocHost((void **)&Host, N * sizeof *Host));
  CHECK(cudaMalloc((void **)&A, N * sizeof *A));
  CHECK(cudaMalloc((void **)&B, N * sizeof *B));
  for (I = 0; I < N; ++I)
    Host[I] = I;
  cudaStream_t Stream;
  cudaEvent_t Start, Stop;
  float Time = -1;
  CHECK(cudaStreamCreate(&Stream));
  CHECK(cudaEventCreate(&Start));
  CHECK(cudaEventCreate(&Stop));
  CHECK(cudaEventRecord(Start, Stream));
  CHECK(cudaMemcpyAsync(A, Host, N * sizeof *A, cudaMemcpyHostToDevice, Stream));
  CHECK(cudaMemsetAsync(B, 0, N * sizeof *B, Stream));
  int Size = N, Add = 5;
  void *Arguments[] = {&A, &B, &Size, &Add};
  dim3 Grid = {(N + 127) / 128, 1, 1}, Block = {128, 1, 1};
  CHECK(cudaLaunchKernel(addKernel(), Grid, Block, Arguments, 0, Stream));
  CHECK(cudaMemcpyAsync(Host, B, N * sizeof *B, cudaMemcpyDeviceToHost, Stream));
  CHECK(cudaEventRecord(Stop, Stream));
  CHECK(cudaEventSynchronize(Stop));
  CHECK(cudaEventElapsedTime(&Time, Start, Stop));
  if (Time < 0)
    return 1;
  for (I = 0; I < N; ++I)
    if (Host[I] != I + 5) {
      printf("%d is %d\n", I, Host[I]);
      return 1;
    }
  CHECK(cudaEventDestroy(Start));
  CHECK(cudaEventDestroy(Stop));
  CHECK(cudaStreamDestroy(Stream));
  CHECK(cudaFree(A));
  CHECK(cudaFree(B));
  CHECK(cudaFreeHost(Host));
  return 0;
}
