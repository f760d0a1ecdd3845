// The footprint as optimisation remarks: what is exact, what is not and why,
// what to do about it, at its line; one remark for each line and reason.
// RUN: %bmclangxx -O2 -fno-discard-value-names -fblockmaestro -Rpass=blockmaestro -Rpass-missed=blockmaestro -Rpass-analysis=blockmaestro --cuda-device-only -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %bmclangxx -O2 -fblockmaestro -Rpass-missed=blockmaestro --cuda-device-only -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNNAMED %s

#include <cstdio>

// UNNAMED: scatter(float*, int const*): the write through arg0 may be anywhere in its allocation: the index is itself read from memory;
// CHECK-DAG: remarks.cu:[[#@LINE+2]]:{{.*}}: scatter(float*, int const*): the write through arg0 'a' may be anywhere in its allocation: the index is itself read from memory; to help, pass the index as an argument{{.*}}[-Rpass-missed=blockmaestro]
__global__ void scatter(float *a, const int *where) {
  a[where[threadIdx.x]] = 1; // CHECK-DAG: remarks.cu:[[#@LINE]]:{{.*}}: scatter(float*, int const*): read exact { [bx] -> arg1[4*tx + 0..3] }{{.*}}[-Rpass-analysis=blockmaestro]
}

// CHECK-DAG: remarks.cu:[[#@LINE+1]]:{{.*}}: fill(float*): every access is exact [-Rpass=blockmaestro]
__global__ void fill(float *a) { a[threadIdx.x] = 1; }

// UNNAMED-COUNT-1: exchange(int*, int*, int const*): the read through arg0, the read through arg1, the write through arg0 and the write through arg1 may be
// CHECK-DAG: exchange(int*, int*, int const*): the read through arg0 'first', the read through arg1 'second', the write through arg0 'first' and the write through arg1 'second' may be anywhere in its allocation
__global__ void exchange(int *first, int *second, const int *at) {
  int i = at[threadIdx.x];
  int keep = first[i]; first[i] = second[i]; second[i] = keep;
}

// CHECK-DAG: remarks.cu:[[#@LINE+1]]:{{.*}}: speak(int): it cannot overlap with launches it depends on: prelaunch and persistent: prints, and the order of the lines would change [-Rpass-missed=blockmaestro]
__global__ void speak(int n) { printf("%d\n", n); }

// CHECK-DAG: vote(int*): the persistent executor cannot run it: uses a barrier that also votes [-Rpass-analysis=blockmaestro]
__global__ void vote(int *a) { a[0] = __syncthreads_count(a[threadIdx.x]); }
