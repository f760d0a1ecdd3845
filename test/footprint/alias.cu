// An alias of a function is that function, where no other file can change which
// one; of a weak function another file may, so that it may touch any memory.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -S %s -o %t.s | FileCheck %s --check-prefixes=BOTH,WHOLE
// RUN: %bmclangxx -O3 -fblockmaestro -fgpu-rdc -fblockmaestro-dump=footprints --cuda-device-only -S %s -o %t.s | FileCheck %s --check-prefixes=BOTH,LINKED
// RUN: %bmclangxx -O0 -fblockmaestro -fgpu-rdc -fblockmaestro-dump=footprints --cuda-device-only -S %s -o %t.s | FileCheck %s --check-prefixes=BOTH,LINKED

extern "C" {
__device__ void put(int *p, int v) { p[threadIdx.x] = v; }
__device__ void alias(int *p, int v) __attribute__((alias("put")));
__device__ void aliasOfAlias(int *p, int v) __attribute__((alias("alias")));
__device__ __attribute__((weak)) void weak(int *p) { p[threadIdx.x] = 1; }
__device__ void aliasOfWeak(int *p) __attribute__((alias("weak")));
__device__ void leave(int n) {
  if (threadIdx.x >= n)
    asm volatile("exit;");
}
__device__ void aliasOfLeave(int n) __attribute__((alias("leave")));
}

// BOTH-LABEL: kernel calls(int*)
// BOTH-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void calls(int *a) { alias(a, 1); }

// BOTH-LABEL: kernel callsTwice(int*)
// BOTH-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void callsTwice(int *a) {
  aliasOfAlias(a + blockIdx.x * blockDim.x, 2);
}

// BOTH-LABEL: kernel chooses(int*, bool)
// BOTH-NEXT: write {{allocation|exact}} { [bx] -> arg0[
__global__ void chooses(int *a, bool twice) {
  auto function = twice ? aliasOfAlias : put;
  function(a, 3);
}

// BOTH-LABEL: kernel callsWeak(int*)
// WHOLE-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
// LINKED: read unknown { [bx] -> anywhere }
// LINKED-NEXT: because weak code that another file may replace may touch any memory (aliasOfWeak)
// LINKED: write unknown { [bx] -> anywhere }
__global__ void callsWeak(int *a) { aliasOfWeak(a); }

// BOTH-LABEL: kernel leaves(int*, int)
// BOTH-NEXT: early exit, inline assembly
// BOTH-NEXT: write bounded { [bx] -> arg0[4*tx + 0..3] }
__global__ void leaves(int *a, int n) {
  aliasOfLeave(n);
  a[threadIdx.x] = 1;
}
