// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: writes random programs of barriers and exits as one CUDA source,
// behind lines that say what each kernel is and what was seen in it.
// On the data's way: tests only, run by `campaign`. Threads: one.

#include "Program.h"

#include <cstdlib>
#include <cstring>
#include <iostream>

using namespace blockmaestro::barriers;

namespace {

/// // kernel NAME block-parts 0 warp-parts 1 row 64 shapes early,loop
void describe(const Program &P, const Kernel &K) {
  std::cout << "// kernel b" << P.Seed << "_" << K.Number << " block-parts "
            << K.BlockParts << " warp-parts " << K.WarpParts << " row "
            << K.Block[0] << " shapes ";
  const char *Between = "";
  for (const std::string &Shape : K.Shapes) {
    std::cout << Between << Shape;
    Between = ",";
  }
  std::cout << "\n";
}

} // namespace

int main(int Count, char **Given) {
  uint32_t First = 1, Programs = 1;
  bool Large = false;
  for (int I = 1; I < Count; ++I) {
    if (!std::strcmp(Given[I], "--large")) {
      Large = true;
    } else if (I + 1 < Count && !std::strcmp(Given[I], "--first-seed")) {
      First = std::strtoul(Given[++I], nullptr, 10);
    } else if (I + 1 < Count && !std::strcmp(Given[I], "--programs")) {
      Programs = std::strtoul(Given[++I], nullptr, 10);
    } else {
      std::cerr << "usage: bm-barriers [--first-seed N] [--programs N] "
                   "[--large]\n";
      return 2;
    }
  }
  std::string Calls;
  std::cout << "#include \"BarrierRun.h\"\n";
  for (uint32_t Seed = First; Seed < First + Programs; ++Seed) {
    const Program P = makeProgram(Seed, Large);
    std::cout << "// program " << Seed << " kernels " << P.Kernels.size()
              << " launches " << P.Launches.size() << "\n";
    for (const Kernel &K : P.Kernels)
      describe(P, K);
    std::cout << print(P);
    const std::string Text = std::to_string(Seed);
    Calls += "static const Registered r" + Text + "(" + Text + ", program" +
             Text + ");\n";
  }
  std::cout << Calls;
  return 0;
}
