// Feature: memory: __managed__ variables, used by both sides and by their
// address, static ones too.
// Emulated-only: clang alone has no such variables; nvcc compiles the program.

#include "Inputs/suite.h"

__managed__ int Counter = 40;
__device__ __managed__ float Table[256] = {1, 2, 3};
static __managed__ unsigned long long Sum;
struct Point {
  int X, Y;
  __host__ __device__ int both() const { return X + Y; }
};
namespace {
__managed__ Point Corner = {3, 4};
} // namespace
__managed__ int Edges = 4;
__managed__ int *Chosen;

__global__ void fill() {
  Table[threadIdx.x] += threadIdx.x;
  atomicAdd(&Sum, threadIdx.x);
  atomicAdd(&Counter, 1);
}
__global__ void use(float *Given, const Point *At) {
  Given[2] += At->both() + Edges;
  Corner.X = 10;
  *Chosen += 7;
}

static int *pick(bool First) { return First ? &Counter : &Corner.Y; }

int main() {
  Counter += 2;
  fill<<<1, 256>>>();
  check(cudaDeviceSynchronize());
  expect(Counter == 298);
  expect(Table[0] == 1 && Table[255] == 255);
  expect(Sum == 255 * 256 / 2);

  Chosen = pick(false);
  for (float &Each : Table)
    Each = 1;
  use<<<1, 1>>>(Table, &Corner);
  fill<<<1, 256>>>();
  check(cudaDeviceSynchronize());
  expect(Table[2] == 1 + 7 + 4 + 2);
  expect(Corner.both() == 21 && *pick(false) == 11);
  expect(*pick(true) == Counter && Counter == 554);

  int Value = 5, Back = 0;
  size_t Bytes = 0;
  void *Address = nullptr;
  check(cudaMemcpyToSymbol(Counter, &Value, sizeof(int)));
  check(cudaDeviceSynchronize());
  expect(Counter == 5);
  check(cudaMemcpyFromSymbol(&Back, Counter, sizeof(int)));
  check(cudaGetSymbolAddress(&Address, Counter));
  check(cudaGetSymbolSize(&Bytes, Table));
  expect(Back == 5 && Address == &Counter && Bytes == sizeof(Table));
  check(cudaMemcpy(&Table[4], &Counter, sizeof(int), cudaMemcpyDefault));
  check(cudaMemset(&Sum, 0, sizeof(Sum)));
  check(cudaDeviceSynchronize());
  expect(Sum == 0);
  return suite::finish();
}
