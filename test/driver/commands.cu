// Both compilations of a CUDA file load the plugin, the newest architecture we
// have variants for is the default, and the runtime is linked first; -### only
// shows it.
// RUN: rm -rf %t && mkdir -p %t/temporary
// RUN: env TMPDIR=%t/temporary %bmclangxx -fblockmaestro -### %s -o %t/program 2>&1 | FileCheck %s
// RUN: ls -A %t %t/temporary | FileCheck %s --check-prefix=NOTHING

// CHECK: "-triple" "nvptx64-nvidia-cuda"
// CHECK-SAME: "-target-cpu" "sm_90"
// CHECK-SAME: "-fpass-plugin={{.*}}/lib/BlockMaestroPasses.so"
// CHECK: "-triple" "x86_64
// CHECK-SAME: "-fpass-plugin={{.*}}/lib/BlockMaestroPasses.so"
// CHECK: clang-linker-wrapper
// CHECK-SAME: "--no-as-needed" "{{[^"]*}}/lib/libblockmaestro.so" "--pop-state" "-rpath" "{{.*}}/lib"
// CHECK-SAME: commands-{{[^"]*}}.o"
// CHECK-SAME: "-lstdc++"
// CHECK-NOT: cudart

// NOTHING-NOT: program
// NOTHING-NOT: blockmaestro-

__global__ void work(float *a) { a[threadIdx.x] += 1; }
int main() { work<<<1, 32>>>(nullptr); }
