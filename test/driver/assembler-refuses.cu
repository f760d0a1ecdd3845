// Where ptxas refuses an architecture clang, which takes that for a crash, preprocesses the program, and not our library.
// RUN: rm -rf %t && mkdir %t
// RUN: not env TMPDIR=%t %bmclangxx -fblockmaestro --offload-arch=sm_52 %s -o %t/program 2>&1 | FileCheck %s --implicit-check-not="Error generating"

// CHECK: ptxas fatal
// CHECK: Preprocessed source(s)
// CHECK: assembler-refuses-{{.*}}.cu

int main() {}
