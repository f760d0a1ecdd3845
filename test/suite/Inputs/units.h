// What the files of programs-units share: a template kernel, made in both.

#ifndef UNITS_H
#define UNITS_H

#include <cuda_runtime.h>

template <typename T, int Factor>
__global__ void scaled(const T *In, T *Out, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = In[I] * Factor;
}

void otherLocal(int *Out);
void otherScaled(const float *In, float *Out, int N);

#endif // UNITS_H
