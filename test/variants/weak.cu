// Where the linker may put other code in the place of a kernel, or of a function
// that it calls, a variant would be made of the wrong code.
// RUN: %bmclangxx -fblockmaestro -fgpu-rdc -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s --check-prefixes=BOTH,LINKED
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s --check-prefixes=BOTH,WHOLE

__device__ __attribute__((weak)) int place(int i) { return i; }
inline __device__ int next(int i) { return i + 1; }

// BOTH-LABEL: kernel calls(int*)
// LINKED: no variant: another file may replace its weak _Z5placei
// WHOLE: prelaunch: _Z5callsPi$bm_prelaunch
__global__ void calls(int *a) { a[place(threadIdx.x)] = 1; }

// BOTH-LABEL: kernel promised(int*)
// BOTH: prelaunch: _Z8promisedPi$bm_prelaunch
__global__ void promised(int *a) { a[next(threadIdx.x)] = 1; }

// BOTH-LABEL: kernel replaced(int*)
// LINKED: no variant: another file may replace its weak _Z8replacedPi
// LINKED-NEXT: weak: another file may replace it
// WHOLE: prelaunch: _Z8replacedPi$bm_prelaunch
__global__ __attribute__((weak)) void replaced(int *a) { a[threadIdx.x] = 1; }
