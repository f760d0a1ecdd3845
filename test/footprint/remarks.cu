// The footprint as optimisation remarks: what is exact, what is not and why,
// what to do about it, at its line.
// RUN: %bmclangxx -O2 -fblockmaestro -Rpass=blockmaestro -Rpass-missed=blockmaestro -Rpass-analysis=blockmaestro --cuda-device-only -c %s -o %t.o 2>&1 | FileCheck %s

// CHECK-DAG: remarks.cu:[[#@LINE+2]]:{{.*}}: scatter(float*, int const*): the write through arg0 is allocation: the index is itself read from memory; to help, pass the index as an argument{{.*}}[-Rpass-missed=blockmaestro]
__global__ void scatter(float *a, const int *where) {
  a[where[threadIdx.x]] = 1; // CHECK-DAG: remarks.cu:[[#@LINE]]:{{.*}}: scatter(float*, int const*): read exact { [bx] -> arg1[4*tx + 0..3] }{{.*}}[-Rpass-analysis=blockmaestro]
}

// CHECK-DAG: remarks.cu:[[#@LINE+1]]:{{.*}}: fill(float*): every access is exact [-Rpass=blockmaestro]
__global__ void fill(float *a) { a[threadIdx.x] = 1; }
