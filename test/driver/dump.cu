// -fblockmaestro-dump=footprints prints footprints to standard output, with
// source lines and no remarks, also when only the device is compiled.
// RUN: %bmclangxx -fblockmaestro -fblockmaestro-dump=footprints -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o | count 0

// CHECK: kernel work(float*) [_Z4workPf]
// CHECK-NEXT: read exact {{.*}}arg0
// CHECK-NEXT: dump.cu:[[@LINE+4]]
// CHECK-NEXT: write exact {{.*}}arg0
// CHECK-NEXT: dump.cu:[[@LINE+2]]

__global__ void work(float *a) { a[threadIdx.x] += 1; }
