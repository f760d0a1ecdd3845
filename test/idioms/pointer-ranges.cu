// Loops from one pointer to another, as over a range of iterators: exact, their
// distance is known at launch.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel toLast
// CHECK: loop i0 < floor((-arg0 + arg1)/4)
// CHECK: read exact { [bx] -> arg0[4*i0 + 0..3]{{.*}} }
// CHECK: write exact { [bx] -> arg2[4*i0 + 0..3]{{.*}} }
__global__ void toLast(const int *first, const int *last, int *to) {
  while (first != last)
    *to++ = *first++;
}

// CHECK-LABEL: kernel gridStride
// CHECK: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] : 4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + arg0 < arg1 }
// CHECK: write exact { [bx] -> arg2[4*tx + 4*bx*Dx + 4*Dx*Gx*i0 + 0..3] :
__global__ void gridStride(const int *first, const int *last, int *to) {
  for (const int *p = first + blockIdx.x * blockDim.x + threadIdx.x; p < last;
       p += blockDim.x * gridDim.x)
    to[p - first] = *p;
}

__device__ int sum(const int *first, const int *last) {
  int result = 0;
  while (first < last)
    result += *first++;
  return result;
}

// CHECK-LABEL: kernel rows
// CHECK: loop i0 < arg2
// CHECK: read exact { [bx] -> arg1[4*tx*arg2 + 4*bx*Dx*arg2 + 4*i0 + 0..3] }
__global__ void rows(int *sums, const int *a, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  sums[row] = sum(a + row * width, a + (row + 1) * width);
}

// CHECK-LABEL: kernel together
// CHECK: read exact { [bx] -> arg1[4*tx + 4*bx*arg2 + 4*Dx*i0 + 0..3] : tx + Dx*i0 < arg2 }
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*arg2 + 4*Dx*i0 + 0..3] : tx + Dx*i0 < arg2 }
__global__ void together(int *to, const int *from, int width) {
  const int *p = from + blockIdx.x * width, *end = p + width;
  int *q = to + blockIdx.x * width + threadIdx.x;
  for (p += threadIdx.x; p < end; p += blockDim.x, q += blockDim.x)
    *q = *p;
}

// CHECK-LABEL: kernel byStride
// CHECK: loop i0 < -tx + floor(arg3/arg2)
// CHECK: read exact { [bx] -> arg1[4*tx*arg2 + 4*arg2*i0 + 0..3]
__global__ void byStride(int *sums, const int *a, int stride, int n) {
  int result = 0;
  for (const int *p = a + threadIdx.x * stride, *end = a + n; p != end;
       p += stride)
    result += *p;
  sums[threadIdx.x] = result;
}
