// JSON alone is complete: what quotients, powers, values and counters stand for
// is listed beside the accesses, in the words of the text.
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump footprints --json %t.o | FileCheck %s

// CHECK: "tx < arg2",
// CHECK-NEXT: "0 <= v0 <= 255"
// CHECK-NEXT: ],
// CHECK-NEXT: "exactness": "bounded",
// CHECK-NEXT: "kind": "write",
// CHECK-NEXT: "location": null,
// CHECK-NEXT: "offset": "4*v0",
// CHECK-NEXT: "reason": "the index is itself read from memory{{.*}}",
// CHECK-NEXT: "root": "arg0"
// CHECK: "features": [
// CHECK-NEXT: "barrier"
// CHECK: "counters": [
// CHECK-NEXT: "arg3"
// CHECK: "powers": []
// CHECK: "quotients": [
// CHECK-NEXT: {
// CHECK-NEXT: "denominator": "arg3",
// CHECK-NEXT: "numerator": "tx"
// CHECK: "values": [
// CHECK-NEXT: {
// CHECK-NEXT: "high": "255",
// CHECK-NEXT: "low": "0"
__global__ void spread(float *a, const int *where, int n, int width) {
  __shared__ int sums[32];
  sums[threadIdx.x / width] = where[threadIdx.x / width];
  __syncthreads();
  for (int i = 0; i < width; ++i)
    sums[0] += where[i];
  if (threadIdx.x < n)
    a[where[threadIdx.x] & 255] = sums[0];
}
