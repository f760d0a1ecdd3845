// --json: `footprints` has the kernels, `metadata` the modules around them.
// RUN: %bmclangxx -g -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump footprints --json %t.o | FileCheck %s
// RUN: %bm-dump metadata %t.o --json | FileCheck %s --check-prefix=MODULE

// CHECK: "kernels": [
// CHECK: "accesses": [
// CHECK: "assumptions": [
// CHECK: "bytes": 4,
// CHECK: "domain": [
// CHECK-NEXT: "tx < arg1"
// CHECK: "exactness": "exact"
// CHECK: "kind": "write"
// CHECK: "location": {
// CHECK: "file": "{{.*}}json.cu"
// CHECK: "line": [[#@LINE + 15]]
// CHECK: "offset": "4*tx"
// CHECK: "reason": ""
// CHECK: "root": "arg0"
// CHECK: "attributes": {
// CHECK: "argument_bytes": 12
// CHECK: "cluster": [
// CHECK-NEXT: 0,
// CHECK-NEXT: 0,
// CHECK-NEXT: 0
// CHECK: "features": []
// CHECK: "name": "work(float*, int)"
// CHECK: "symbol": "_Z4workPfi"
__global__ void work(float *a, int n) {
  if (threadIdx.x < n)
    a[threadIdx.x] = 1;
}

// MODULE: "modules": [
// MODULE: "architecture": "sm_90"
// MODULE: "bitcode_bytes": {{[1-9][0-9]+}}
// MODULE: "parameters": [
// MODULE: "offset": 8
// MODULE: "source": "{{.*}}json.cu"
// MODULE: "version": 8
