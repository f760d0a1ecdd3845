// The first call after a library with closed kernels has been loaded names it, once; a library of another name is not named.
// RUN: mkdir -p %t.d && echo 'extern "C" int status() { return 14; }' > %t.cpp
// RUN: clang++ -shared -fPIC %t.cpp -o %t.d/libcusolver.so.12 -Wl,-soname,libcusolver.so.12
// RUN: clang++ -shared -fPIC %t.cpp -o %t.d/libcusparse.so.12 -Wl,-soname,libcusparse.so.12
// RUN: clang++ -shared -fPIC %t.cpp -o %t.d/libcubic.so.1 -Wl,-soname,libcubic.so.1
// RUN: %bmclangxx -fblockmaestro --cuda-gpu-arch=sm_90 %s -o %t %t.d/libcusolver.so.12 %t.d/libcubic.so.1 -Wl,--no-as-needed -Wl,-rpath,%t.d
// RUN: %t %t.d/libcusparse.so.12 2>&1 | FileCheck %s

#include <cstdio>
#include <dlfcn.h>

extern "C" int status();

// CHECK-NOT: cubic
// CHECK: BlockMaestro: libcusolver.so.12: the code of its kernels is closed and cannot run on the emulated device; its calls fail
// CHECK: first 0, status 14
// CHECK-NOT: libcusolver
// CHECK: BlockMaestro: libcusparse.so.12: the code of its kernels is closed
// CHECK: later 0
int main(int, char **Arguments) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  void *Memory = nullptr;
  std::printf("first %d, status %d\n", cudaMalloc(&Memory, 8), status());
  dlopen(Arguments[1], RTLD_NOW);
  std::printf("later %d\n", cudaMalloc(&Memory, 8));
}
