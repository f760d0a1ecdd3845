// BLOCKMAESTRO_MACHINE picks what the emulated device says it is, by name or by file; a wrong file fails with its key named.
// RUN: %bmclangxx -fblockmaestro --cuda-gpu-arch=sm_90 %s -o %t
// RUN: %t | FileCheck --check-prefix=DEFAULT %s
// RUN: env BLOCKMAESTRO_MACHINE=small %t | FileCheck --check-prefix=SMALL %s
// RUN: echo '{"name": "mine", "sms": 7, "compute_capability_major": 8}' > %t.json
// RUN: env BLOCKMAESTRO_MACHINE=%t.json %t | FileCheck --check-prefix=MINE %s
// RUN: echo '{"smss": 7}' > %t.wrong.json
// RUN: env BLOCKMAESTRO_MACHINE=%t.wrong.json %t 2>&1 | FileCheck --check-prefix=WRONG %s

#include <cstdio>

// DEFAULT: 0: BlockMaestro emulated device, 9.0, 16
// SMALL: 0: BlockMaestro small device, 9.0, 2
// MINE: 0: mine, 8.0, 7
// WRONG: BlockMaestro: BLOCKMAESTRO_MACHINE: {{.*}}.wrong.json: unknown key 'smss'
// WRONG: 1: , 0.0, 0
int main() {
  cudaDeviceProp P = {};
  int Error = cudaGetDeviceProperties(&P, 0);
  std::printf("%d: %s, %d.%d, %d\n", Error, P.name, P.major, P.minor,
              P.multiProcessorCount);
}
