// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangWords.h"

using namespace llvm;

namespace blockmaestro::nvcc {

void addWord(const Word &W, bool IsCuda, std::vector<std::string> &Out) {
  if (!IsCuda && W.For != Side::Both && W.For != Side::Host)
    return;
  if (IsCuda && W.For == Side::Host)
    Out.push_back("-Xarch_host");
  if (IsCuda && W.For == Side::Device)
    Out.push_back("-Xarch_device");
  Out.push_back(W.Text);
}

void addDeviceOptimization(const Request &R, std::vector<std::string> &Out) {
  bool Optimizes = !R.DeviceDebug || R.OptimizesDevice;
  StringRef Debug = Optimizes ? "-gline-tables-only" : "-g";
  Out.insert(Out.end(), {"-Xarch_device", Optimizes ? "-O3" : "-O0"});
  if (R.DeviceDebug)
    Out.insert(Out.end(), {"-Xarch_device", Debug.str()});
  if (!Optimizes)
    Out.push_back("--cuda-noopt-device-debug");
}

void addHeaderFolders(StringRef Root, StringRef Toolkit, bool IsCuda,
                      bool CudaCompat, std::vector<std::string> &Out) {
  if (IsCuda)
    Out.insert(Out.end(), {"-isystem", (Root + "/nvcc/clang/host").str(),
                           "-Xarch_device", "-DBLOCKMAESTRO_DEVICE_SIDE"});
  Out.insert(Out.end(), {"-isystem", (Root + "/nvcc/clang/removed").str(),
                         "-isystem", (Toolkit + "/include").str()});
  if (CudaCompat)
    Out.push_back("-DBLOCKMAESTRO_CUDA_COMPAT");
}

void includeSourceHeaders(std::vector<std::string> &Out) {
  Out.insert(Out.end(), {"-include", "blockmaestro/host_min_max.h", "-include",
                         "blockmaestro/device_source.h"});
}

void tolerateSource(bool IsC, std::vector<std::string> &Out) {
  constexpr StringLiteral Cxx[] = {
      "register", "c++11-narrowing", "reserved-user-defined-literal",
      "missing-template-arg-list-after-template-kw"};
  constexpr StringLiteral C[] = {"implicit-function-declaration",
                                 "implicit-int",
                                 "int-conversion",
                                 "incompatible-pointer-types",
                                 "incompatible-function-pointer-types",
                                 "return-mismatch"};
  for (StringRef Each : IsC ? ArrayRef(C) : ArrayRef(Cxx))
    Out.push_back(("-Wno-error=" + Each).str());
}

} // namespace blockmaestro::nvcc
