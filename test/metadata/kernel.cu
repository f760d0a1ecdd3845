// --kernel shows one kernel, called by its symbol or as in the source.
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump footprints %t.o --kernel scale | FileCheck %s --check-prefixes=INT,FLOAT
// RUN: %bm-dump footprints --kernel 'scale<int>' %t.o | FileCheck %s --check-prefix=INT
// RUN: %bm-dump footprints %t.o --kernel 'void scale<float>(float*)' | FileCheck %s --check-prefix=FLOAT
// RUN: %bm-dump footprints %t.o --kernel _Z5scaleIiEvPT_ | FileCheck %s --check-prefix=INT
// RUN: %bm-dump metadata %t.o --kernel work --json | FileCheck %s --check-prefix=JSON
// RUN: not %bm-dump footprints %t.o --kernel scales 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %bm-dump footprints %t.o --kernel 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %bm-dump launches %t.o --kernel work 2>&1 | FileCheck %s --check-prefix=OPTION

// INT: kernel void scale<int>(int*)
// INT-NOT: kernel
// FLOAT-NOT: <int>
// FLOAT: kernel void scale<float>(float*)
// JSON-COUNT-1: "symbol": "{{.*}}4workEPf"
// JSON-NOT: "symbol"
// NONE: bm-dump: error: '{{.*}}': no kernel 'scales'
// NAME: bm-dump: error: '--kernel' needs a name
// OPTION: bm-dump: error: unknown option '--kernel'
template <typename T> __global__ void scale(T *a) { a[threadIdx.x] *= 2; }
template __global__ void scale<int>(int *);
namespace {
__global__ void work(float *a) { a[threadIdx.x] = 1; }
} // namespace
template __global__ void scale<float>(float *);
void launch(float *a) { work<<<1, 1>>>(a); }
