// Structures copied whole: exact, all their bytes.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

struct Particle {
  float position[3];
  float velocity[3];
  double mass;
  int kind;
};

// CHECK-LABEL: kernel copy
// CHECK-DAG: read exact { [bx] -> arg1[40*tx + 40*bx*Dx + 0..39] : tx + bx*Dx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[40*tx + 40*bx*Dx + 0..39] : tx + bx*Dx < arg2 }
__global__ void copy(Particle *to, const Particle *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

// CHECK-LABEL: kernel member
// CHECK-NEXT: write exact { [bx] -> arg0[40*tx + 24..31] }
__global__ void member(Particle *a) { a[threadIdx.x].mass = 1.0; }

// CHECK-LABEL: kernel store
// CHECK-NEXT: write exact { [bx] -> arg0[40*tx + 0..39] }
__global__ void store(Particle *a, Particle one) { a[threadIdx.x] = one; }

// CHECK-LABEL: kernel change
// CHECK-DAG: read exact { [bx] -> arg0[40*tx + 0..15] }
// CHECK-DAG: read exact { [bx] -> arg0[40*tx + 16..19] }
// CHECK-DAG: read exact { [bx] -> arg0[40*tx + 20..39] }
// CHECK-DAG: write exact { [bx] -> arg0[40*tx + 0..15] }
// CHECK-DAG: write exact { [bx] -> arg0[40*tx + 16..19] }
// CHECK-DAG: write exact { [bx] -> arg0[40*tx + 20..39] }
__global__ void change(Particle *a) {
  Particle p = a[threadIdx.x];
  p.velocity[1] -= 9.81f;
  a[threadIdx.x] = p;
}
