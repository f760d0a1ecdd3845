// With -fgpu-rdc the linker may put a function or kernel of another file in the
// place of a weak one, which then may touch anything. Without, and where C++
// promises the same code in every file, the body that is there is the one that
// runs.
// RUN: %bmclangxx -O0 -fblockmaestro -fgpu-rdc -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s --check-prefixes=BOTH,LINKED
// RUN: %bmclangxx -O3 -fblockmaestro -fgpu-rdc -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s --check-prefixes=BOTH,LINKED
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s --check-prefixes=BOTH,WHOLE
// RUN: %bmclangxx -O3 -fblockmaestro -fgpu-rdc -fno-gpu-rdc -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s --check-prefixes=BOTH,WHOLE

__device__ __attribute__((weak)) int place(int i) { return i; }
__device__ int viaPlace(int i) { return place(i); }
inline __device__ int next(int i) { return i + 1; }
template <typename T> __device__ T twice(T i) { return i + i; }
template __device__ long twice<long>(long);
__device__ __attribute__((weak)) extern const int shift = 1;
__device__ __attribute__((weak)) int table[8];
typedef int (*Function)(int);
__device__ const Function functions[] = {place, next};

// BOTH-LABEL: kernel calls(int*)
// LINKED: read unknown { [bx] -> anywhere }
// LINKED-NEXT: because weak code that another file may replace may touch any memory (place(int))
// LINKED: write allocation { [bx] -> arg0[*] }
// WHOLE-NOT: unknown
// WHOLE: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void calls(int *a) { a[viaPlace(threadIdx.x)] = 1; }

// BOTH-LABEL: kernel promised(int*)
// BOTH-NEXT: write exact { [bx] -> arg0[4*tx + 4..7] }
// BOTH-NEXT: at
// BOTH-NEXT: write exact { [bx] -> arg0[8*tx + 0..3] }
__global__ void promised(int *a) {
  a[next(threadIdx.x)] = 1;
  a[twice<long>(threadIdx.x)] = 2;
}

// BOTH-LABEL: kernel variables(int*)
// BOTH-NEXT: read exact { [bx] -> @shift[0..3] }
// BOTH: write allocation { [bx] -> arg0[*] }
// BOTH: write exact { [bx] -> @table[4*tx + 0..3] }
__global__ void variables(int *a) {
  a[threadIdx.x + shift] = 1;
  table[threadIdx.x] = 2;
}

// BOTH-LABEL: kernel replaced(int*)
// LINKED-NEXT: read unknown { [bx] -> anywhere }
// LINKED-NEXT: because weak code that another file may replace may touch any memory (replaced(int*))
// LINKED-NEXT: write unknown { [bx] -> anywhere }
// WHOLE-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ __attribute__((weak)) void replaced(int *a) { a[threadIdx.x] = 1; }

// BOTH-LABEL: kernel chosen(int*, int)
// LINKED: because a call through a function pointer may touch any memory
// WHOLE-NOT: unknown
__global__ void chosen(int *a, int n) { *a = functions[n & 1](1); }
