// A call of cuBLAS is a node among launches: related block by block to kernels in front and behind, by rows of its matrix; what it cannot do it says.
// REQUIRES: cublas
// RUN: rm -rf %t && mkdir %t
// RUN: %bmclangxx -O1 -fblockmaestro %s -o %t/app -lcublas
// RUN: env BLOCKMAESTRO_RECORD=%t/app.bmr %t/app order
// RUN: %bm-dump graph %t/app.bmr | FileCheck --check-prefix=GRAPH %s
// RUN: env BLOCKMAESTRO_CHECK=graph %t/app order 2>&1 | FileCheck --allow-empty --check-prefix=CLEAN %s
// RUN: %t/app stray 2>&1 | FileCheck --check-prefix=STRAY %s
// RUN: %t/app pointers 2>&1 | FileCheck --check-prefix=POINTERS %s
// RUN: %t/app capture 2>&1 | FileCheck --check-prefix=CAPTURE %s
// RUN: touch %t/libopenblas.so.0
// RUN: env LD_LIBRARY_PATH=%t %t/app order 2>&1 | FileCheck --check-prefix=ABSENT %s

#include <cstdio>
#include <cstring>
#include <cublas_v2.h>

__global__ void fill(float *To) { To[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
__global__ void copy(float *To, const float *From) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[I];
}

cublasHandle_t Handle;
const float Two = 2;

// The second half of 8 blocks is scaled: it waits for 4 of them, and 4 wait for it.
// GRAPH: relation 0 -> copy 0: n-to-1, 4 edges, RAW+WAW, exact
// GRAPH-NEXT: relation copy 0 -> 1: 1-to-n, 4 edges, RAW, exact
// CLEAN-NOT: BLOCKMAESTRO_CHECK
void order(float *A, float *B) {
  fill<<<8, 32>>>(A);
  cublasSscal(Handle, 128, &Two, A + 128, 1);
  copy<<<8, 32>>>(B, A);
  float Last = 0;
  cudaMemcpy(&Last, B + 255, sizeof(Last), cudaMemcpyDeviceToHost);
  std::printf("last %g\n", Last);
}

// STRAY: BlockMaestro: cublasSscal reads 4096 bytes at 0x{{[0-9a-f]+}}, which are not all memory of the device
// STRAY: stray: cudaErrorIllegalAddress
void stray(float *A) {
  cublasSscal(Handle, 1024, &Two, A, 1);
  std::printf("stray: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// POINTERS: BlockMaestro: cublasSgemmBatched follows a pointer to 4 bytes at 0x10, which are not all memory of the device
// POINTERS: pointers: cudaErrorIllegalAddress
void pointers() {
  float *Wrong = reinterpret_cast<float *>(16), **List = nullptr;
  cudaMalloc(&List, sizeof(Wrong));
  cudaMemcpy(List, &Wrong, sizeof(Wrong), cudaMemcpyHostToDevice);
  cublasSgemmBatched(Handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &Two, List, 1, List, 1, &Two, List, 1, 1);
  std::printf("pointers: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// A result for the host would have to be there before the graph has run.
// CAPTURE: capture: 13, cudaErrorStreamCaptureInvalidated
void capture(float *A) {
  cudaStream_t Stream;
  cudaGraph_t Graph;
  float Sum = 0;
  cudaStreamCreate(&Stream);
  cublasSetStream(Handle, Stream);
  cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal);
  int Status = cublasSasum(Handle, 4, A, 1, &Sum);
  std::printf("capture: %d, %s\n", Status, cudaGetErrorName(cudaStreamEndCapture(Stream, &Graph)));
}

// ABSENT: BlockMaestro: cuBLAS on the emulated device needs OpenBLAS: there is no libopenblas.so.0; install the package libopenblas0-pthread
// ABSENT-NEXT: no handle: 1
int main(int, char **Arguments) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  float *A, *B;
  cudaMalloc(&A, 256 * sizeof(float));
  cudaMalloc(&B, 256 * sizeof(float));
  if (int Status = cublasCreate(&Handle)) {
    std::printf("no handle: %d\n", Status);
    return 0;
  }
  const char *What = Arguments[1];
  if (!std::strcmp(What, "order"))
    order(A, B);
  else if (!std::strcmp(What, "stray"))
    stray(A);
  else if (!std::strcmp(What, "pointers"))
    pointers();
  else
    capture(A);
}
