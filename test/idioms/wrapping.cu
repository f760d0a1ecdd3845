// Index arithmetic that may wrap: exact under an assumption that says which
// number must fit how many bits.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel narrow
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
// CHECK-NEXT: assuming {{.*}}i32(tx + bx*Dx){{.*}}
__global__ void narrow(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 0.0f;
}

// CHECK-LABEL: kernel unsignedNarrow
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
// CHECK-NEXT: assuming {{.*}}u32(tx + bx*Dx){{.*}}
__global__ void unsignedNarrow(float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 0.0f;
}

// CHECK-LABEL: kernel wide
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
// CHECK-NOT: assuming {{.*}}32(
__global__ void wide(float *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 0.0f;
}

// CHECK-LABEL: kernel product
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + 4*by*arg1 + 0..3] }
// CHECK-NEXT: assuming {{.*}}32({{.*}}by*arg1{{.*}})
__global__ void product(float *a, int width) {
  int i = blockIdx.y * width + threadIdx.x;
  a[i] = 0.0f;
}

// CHECK-LABEL: kernel less
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx - 4*arg1 + 0..3] }
// CHECK-NEXT: assuming {{.*}}u32(tx - arg1){{.*}}
__global__ void less(float *a, unsigned k) { a[threadIdx.x - k] = 0.0f; }

// What only the address rests on must hold where the conditions do.
// CHECK-LABEL: kernel guarded
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx - 12 + 0..3] : arg1 < arg2 }
// CHECK-NEXT: assuming u32(tx + bx*Dx - 3) where the conditions hold
__global__ void guarded(float *a, int least, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (least < n)
    a[i - 3] = 0.0f;
}

// What a condition rests on must hold where those around it do.
// CHECK-LABEL: kernel nested
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg1 and {{.*}}3*bx{{.*}} }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: assuming u32(-3*bx + arg2) where tx + bx*Dx < arg1
__global__ void nested(float *a, int n, unsigned m, long k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && static_cast<long>(m - 3 * blockIdx.x) > k)
    a[i] = 0.0f;
}
