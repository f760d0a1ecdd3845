// What the checks must know besides the program's allocations: tables of
// virtual functions that are linked piece by piece, the memory in which a grid
// meets, and that a promise of alignment is not an instruction's need.
// RUN: %bmclangxx -O0 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=all %t 2>&1 | FileCheck %s --implicit-check-not=BlockMaestro
// CHECK: 49 49 49 no error
#include <cooperative_groups.h>
#include <cstdio>

struct Shape {
  __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
  int Side;
  __device__ explicit Square(int Side) : Side(Side) {}
  __device__ int area() const override { return Side * Side; }
};
struct alignas(32) Wide {
  int First[8];
};
struct Narrow {
  int Pad[4];
  int Bytes[8];
};

__global__ void grid(Narrow *Where, int *Out) {
  Square Own(threadIdx.x + 7);
  const Shape *Any = Out ? &Own : nullptr;
  if (threadIdx.x == 0)
    Where[blockIdx.x].Bytes[0] = Any->area();
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0)
    Out[blockIdx.x] =
        reinterpret_cast<const Wide *>(Where[(blockIdx.x + 1) % gridDim.x].Bytes)->First[0];
}

int main() {
  Narrow *Where;
  int *Out, Got[3] = {};
  cudaMalloc(&Where, 3 * sizeof *Where);
  cudaMalloc(&Out, sizeof Got);
  void *Arguments[] = {&Where, &Out};
  cudaLaunchCooperativeKernel((void *)grid, 3, 32, Arguments, 0, 0);
  cudaMemcpy(Got, Out, sizeof Got, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %s\n", Got[0], Got[1], Got[2], cudaGetErrorString(cudaGetLastError()));
  cudaFree(Where);
  cudaFree(Out);
}
