// Pointers inside structures passed by value, nested ones too: exact, with the
// place of the pointer inside the argument.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

struct View {
  float *data;
  int width, height;
};

// CHECK-LABEL: kernel fill
// CHECK-NEXT: write exact { [bx, by] -> arg0[4*tx + {{.*}}by*Dy*arg0@8{{.*}} + 0..3] : tx + bx*Dx < arg0@8 and ty + by*Dy < arg0@12 }
__global__ void fill(View v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < v.width && y < v.height)
    v.data[y * v.width + x] = 0.0f;
}

struct Pair {
  int count;
  View from, to;
};

// CHECK-LABEL: kernel copy
// CHECK-DAG: read exact { [bx] -> arg0@8[4*tx + 0..3] : tx < arg0{{.*}} }
// CHECK-DAG: write exact { [bx] -> arg0@24[4*tx + 0..3] : tx < arg0{{.*}} }
__global__ void copy(Pair p) {
  if (threadIdx.x < p.count)
    p.to.data[threadIdx.x] = p.from.data[threadIdx.x];
}

struct Many {
  float *arrays[4];
};

// CHECK-LABEL: kernel second
// CHECK-NEXT: write exact { [bx] -> arg0@8[4*tx + 0..3] }
__global__ void second(Many m) { m.arrays[1][threadIdx.x] = 0.0f; }
