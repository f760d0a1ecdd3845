// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fftw.h"

#include "CpuLibrary.h"

#include <string>

namespace blockmaestro::fft {
namespace {

template <typename R>
const Fftw<R> *load(const CpuLibraryName &Which, const std::string &Prefix) {
  static Fftw<R> Table;
  FunctionFinder In(openCpuLibrary(Which));
  auto Find = [&](auto &Into, const char *Name) {
    In.find(Into, (Prefix + Name).c_str());
  };
  Find(Table.ComplexPlan, "plan_guru64_dft");
  Find(Table.ForwardPlan, "plan_guru64_dft_r2c");
  Find(Table.BackwardPlan, "plan_guru64_dft_c2r");
  Find(Table.RunComplex, "execute_dft");
  Find(Table.RunForward, "execute_dft_r2c");
  Find(Table.RunBackward, "execute_dft_c2r");
  Find(Table.Destroy, "destroy_plan");
  return In.complete() ? &Table : nullptr;
}

} // namespace

template <> const Fftw<float> *fftw<float>() {
  static const Fftw<float> *Loaded = load<float>(
      {"cuFFT", "FFTW3", "libfftw3f.so.3", "libfftw3-single3"}, "fftwf_");
  return Loaded;
}

template <> const Fftw<double> *fftw<double>() {
  static const Fftw<double> *Loaded = load<double>(
      {"cuFFT", "FFTW3", "libfftw3.so.3", "libfftw3-double3"}, "fftw_");
  return Loaded;
}

} // namespace blockmaestro::fft
