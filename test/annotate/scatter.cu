// A program that declares the ranges of launches whose addresses come from
// memory: launches on ranges apart have no relation, those on the same range
// have one, and every order that the graph allows gives serial's bytes.
// RUN: %bmclangxx -fblockmaestro -I%include %s -o %t
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t > %t.serial
// RUN: %bm-dump graph --all %t.rec | FileCheck %s
// RUN: env BLOCKMAESTRO_RECORD=%t.none %t undeclared > %t.plain && cmp %t.serial %t.plain
// RUN: %bm-dump graph --all %t.none | FileCheck --check-prefix=UNDECLARED %s
// RUN: env BLOCKMAESTRO_RECORD=%t.broken BLOCKMAESTRO_EXPLAIN=1 %t broken 2>&1 > %t.plain | FileCheck --check-prefix=EXPLAIN %s
// RUN: %bm-dump graph --all %t.broken | FileCheck --check-prefix=UNDECLARED %s
// RUN: bash -c 'for seed in {0..19}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp %t.serial - || exit 1; done'
// RUN: env BLOCKMAESTRO_CHECK=footprints %t > %t.checked && cmp %t.serial %t.checked
// RUN: env BLOCKMAESTRO_CHECK=footprints %t wrong 2>&1 | FileCheck --check-prefix=WRONG %s

// CHECK-NOT: relation 0 -> 1:
// CHECK-DAG: relation 0 -> 2: full, 16 edges, RAW+WAR+WAW
// CHECK-NOT: relation 1 -> 2:
// CHECK-DAG: relation 1 -> 3: full
// CHECK-NOT: relation 2 -> 3:

// UNDECLARED-DAG: relation 0 -> 1: full
// UNDECLARED-DAG: relation 1 -> 2: full
// UNDECLARED-DAG: relation 2 -> 3: full

// EXPLAIN: what the program declared of it has a range that is none

// WRONG: footprint: write of 4 bytes {{.*}}scatter{{.*}} is not in the footprint

#include <blockmaestro/annotate.h>
#include <cstdio>
#include <cstring>

__global__ void scatter(float *Out, const int *Places, int First, float Add) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[Places[First + I]] = Out[Places[First + I]] * 2 + Add;
}

constexpr int Half = 4 * 64;

int main(int Count, char **Arguments) {
  const char *Mode = Count > 1 ? Arguments[1] : "";
  int Host[2 * Half];
  for (int I = 0; I < 2 * Half; ++I)
    Host[I] = I / Half * Half + I * 37 % Half;
  int *Places;
  float *Out;
  cudaMalloc(&Places, sizeof(Host));
  cudaMalloc(&Out, 2 * Half * sizeof(float));
  cudaMemcpy(Places, Host, sizeof(Host), cudaMemcpyHostToDevice);
  cudaMemset(Out, 0, 2 * Half * sizeof(float));
  cudaDeviceSynchronize();
  for (int Step = 0; Step < 4; ++Step) {
    int First = Step % 2 * Half;
    int Declared = std::strcmp(Mode, "wrong") ? First : Half - First;
    if (std::strcmp(Mode, "undeclared")) {
      blockmaestro_reads(Places + First, Half * sizeof(int));
      blockmaestro_reads(Out + Declared, Half * sizeof(float));
      blockmaestro_writes(Out + Declared, Half * sizeof(float));
    }
    if (!std::strcmp(Mode, "broken") &&
        blockmaestro_reads(nullptr, 4) != BLOCKMAESTRO_NULL_RANGE)
      return 1;
    scatter<<<4, 64>>>(Out, Places, First, float(Step));
  }
  float Result[2 * Half];
  cudaMemcpy(Result, Out, sizeof(Result), cudaMemcpyDeviceToHost);
  for (float Each : Result)
    std::printf("%g\n", Each);
  return cudaGetLastError() != cudaSuccess;
}
