// Feature: printf: Every conversion of CUDA's printf, its result, and texts in device
// memory.
// Expect-stdout: int -5 5 +5 |   42|42   |00042| 52 0x2a 2A 52
// Expect-stdout: long -9000000000 9000000000 0x218711a00
// Expect-stdout: long 123 -123456789012345 ffffffffffffffff
// Expect-stdout: real 1.500000 -2.50 1.234500e+03 1.5E-10 0.0001 1e+20 0x1.8p+1
// Expect-stdout: char A|  B|text|  ab|device text|100%
// Expect-stdout: mixed 1 2.5 three 4 c
// Expect-stdout: block 1 thread 3

#include "Inputs/suite.h"

__device__ char Text[] = "device text";

__global__ void conversions(int *Counts) {
  Counts[0] = printf("int %d %u %+d |%5d|%-5d|%05d| %o %#x %X %i\n", -5, 5u, 5,
                     42, 42, 42, 42, 42, 42, 52);
  Counts[1] = printf("long %lld %llu %#llx\n", -9000000000ll, 9000000000ull,
                     9000000000ull);
  Counts[2] = printf("long %ld %ld %lx\n", 123l, -123456789012345l, ~0ul);
  Counts[3] = printf("real %f %.2f %e %.1E %g %g %a\n", 1.5f, -2.5, 1234.5,
                     1.5e-10, 0.0001, 1e20, 3.0);
  Counts[4] = printf("char %c|%3c|%s|%4.2s|%s|100%%\n", 'A', 'B', "text",
                     "abcdef", Text);
  char Small = 'c';
  short Four = 4;
  Counts[5] = printf("mixed %d %g %s %hd %c\n", 1, 2.5f, "three", Four, Small);
  Counts[6] = printf("none\n");
}

__device__ __noinline__ void say(int Depth) {
  if (Depth > 0)
    return say(Depth - 1);
  printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void some() {
  if (blockIdx.x == 1 && threadIdx.x == 3)
    say(3);
}

int main() {
  suite::Array<int> Counts(7);
  conversions<<<1, 1>>>(Counts);
  const std::vector<int> Expected = {10, 3, 3, 7, 5, 5, 0};
  same(Counts.host(), Expected);
  some<<<2, 32>>>();
  check(cudaDeviceSynchronize());
  return suite::finish();
}
