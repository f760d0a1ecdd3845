// What is wrong with reads of textures and with surfaces is found as it is with
// pointers: memory that was freed, and threads that write one texel.
// RUN: %bmclangxx -O1 -fblockmaestro -gline-tables-only %s -o %t
// RUN: not env BLOCKMAESTRO_CHECK=memory %t freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: env BLOCKMAESTRO_CHECK=race %t race 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not %t outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE

#include <cstring>
#include <cuda_runtime.h>

__global__ void fetch(float *Out, cudaTextureObject_t From) {
  // FREED: invalid read of 4 bytes {{.*}} of kernel 'fetch(float*, unsigned long long)' at images.cu:[[@LINE+1]]: use after release
  Out[0] = tex1Dfetch<float>(From, 3);
}

__global__ void paint(cudaSurfaceObject_t To, int Column) {
  // RACE: race: write by {{.*}} of kernel 'paint(unsigned long long, int)' at images.cu:[[@LINE+2]] and write
  // OUTSIDE: kernel 'paint(unsigned long long, int)' accessed a surface outside its boundaries: block (0,0,0), thread (0,0,0), at images.cu:[[@LINE+1]]
  surf2Dwrite(float(threadIdx.x), To, Column * 4, 0);
}

static int fetchesFreed() {
  float *Data = nullptr, *Out = nullptr;
  cudaMalloc(&Data, 64);
  cudaMalloc(&Out, 64);
  cudaMemset(Data, 0, 64);
  cudaResourceDesc From = {};
  From.resType = cudaResourceTypeLinear;
  From.res.linear = {Data, cudaCreateChannelDesc<float>(), 64};
  cudaTextureDesc How = {};
  cudaTextureObject_t Texture = 0;
  cudaCreateTextureObject(&Texture, &From, &How, nullptr);
  cudaFree(Data);
  fetch<<<1, 1>>>(Out, Texture);
  return cudaDeviceSynchronize();
}

static int paints(int Threads, int Column) {
  cudaArray_t Array = nullptr;
  const cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  cudaMallocArray(&Array, &Desc, 8, 8, cudaArraySurfaceLoadStore);
  cudaResourceDesc To = {};
  To.resType = cudaResourceTypeArray;
  To.res.array.array = Array;
  cudaSurfaceObject_t Surface = 0;
  cudaCreateSurfaceObject(&Surface, &To);
  paint<<<1, Threads>>>(Surface, Column);
  return cudaDeviceSynchronize();
}

int main(int, char **Arguments) {
  if (!std::strcmp(Arguments[1], "freed"))
    return fetchesFreed();
  return !std::strcmp(Arguments[1], "race") ? paints(2, 1) : paints(1, 8);
}
