// The second file of programs-relocatable: device functions and variables that
// the first one calls and reads.

#include <cuda_runtime.h>

__device__ int Counter = 5;
__constant__ float Scale[2];
extern __device__ int Weights[4];

__device__ int weighted(int I) { return Weights[I & 3] * I; }

struct Shape {
  __device__ virtual float area() const;
  float Side;
};
__device__ float Shape::area() const { return Side * Side; }

__device__ float areaOf(float Side) {
  Shape S;
  S.Side = Side;
  return S.area() * Scale[0] + Scale[1];
}

static __global__ void elsewhere(int *Out) {
  Out[threadIdx.x] = weighted(threadIdx.x) + Counter;
}

void launchElsewhere(int *Out) { elsewhere<<<1, 8>>>(Out); }
