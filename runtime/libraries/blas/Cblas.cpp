// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cblas.h"

#include "CpuLibrary.h"
#include "Process.h"

#include <string>

namespace blockmaestro::blas {
namespace {

template <typename T> constexpr char Letter = 0;
template <> constexpr char Letter<float> = 's';
template <> constexpr char Letter<double> = 'd';
template <> constexpr char Letter<std::complex<float>> = 'c';
template <> constexpr char Letter<std::complex<double>> = 'z';

template <typename T> Cblas<T> Table;

/// Finds the functions of one type: cblas_sgemm, sgetrf_.
template <typename T> class Loader {
public:
  explicit Loader(FunctionFinder &In) : In(In) {}

  void load(Cblas<T> &Out) {
    loadVectors(Out);
    loadMatrices(Out);
    loadSymmetric(Out);
    lapack(Out.getrf, "getrf");
    lapack(Out.getrs, "getrs");
    lapack(Out.getri, "getri");
  }

private:
  template <typename P> void find(P &Into, const std::string &Name) {
    In.find(Into, ("cblas_" + (Letter<T> + Name)).c_str());
  }
  template <typename P> void lapack(P &Into, const std::string &Name) {
    In.find(Into, (Letter<T> + Name + "_").c_str());
  }

  /// Norms of complex numbers have two letters: scnrm2, dzasum.
  template <typename P> void norm(P &Into, const std::string &Name) {
    const std::string First =
        IsComplex<T> ? std::string(1, Letter<Real<T>>) : std::string();
    In.find(Into, ("cblas_" + First + Letter<T> + Name).c_str());
  }

  void loadVectors(Cblas<T> &Out) {
    norm(Out.nrm2, "nrm2");
    norm(Out.asum, "asum");
    find(Out.scal, "scal");
    find(Out.axpy, "axpy");
    find(Out.copy, "copy");
    find(Out.swap, "swap");
  }

  void loadMatrices(Cblas<T> &Out) {
    find(Out.gemv, "gemv");
    find(Out.gbmv, "gbmv");
    find(Out.trmv, "trmv");
    find(Out.trsv, "trsv");
    find(Out.tbmv, "tbmv");
    find(Out.tbsv, "tbsv");
    find(Out.tpmv, "tpmv");
    find(Out.tpsv, "tpsv");
    find(Out.gemm, "gemm");
    find(Out.symm, "symm");
    find(Out.syrk, "syrk");
    find(Out.syr2k, "syr2k");
    find(Out.trmm, "trmm");
    find(Out.trsm, "trsm");
  }

  void loadSymmetric(Cblas<T> &Out) {
    const bool C = IsComplex<T>;
    find(Out.symv, C ? "hemv" : "symv");
    find(Out.sbmv, C ? "hbmv" : "sbmv");
    find(Out.spmv, C ? "hpmv" : "spmv");
    find(Out.syr, C ? "her" : "syr");
    find(Out.spr, C ? "hpr" : "spr");
    find(Out.syr2, C ? "her2" : "syr2");
    find(Out.spr2, C ? "hpr2" : "spr2");
    if (C) {
      find(Out.hemm, "hemm");
      find(Out.herk, "herk");
      find(Out.her2k, "her2k");
    }
  }

  FunctionFinder &In;
};

bool loadNow() {
  void *Library = openCpuLibrary(
      {"cuBLAS", "OpenBLAS", "libopenblas.so.0", "libopenblas0-pthread"});
  if (!Library)
    return false;
  FunctionFinder In(Library);
  Loader<float>(In).load(Table<float>);
  Loader<double>(In).load(Table<double>);
  Loader<std::complex<float>>(In).load(Table<std::complex<float>>);
  Loader<std::complex<double>>(In).load(Table<std::complex<double>>);
  if (!In.complete())
    sayFailure("libopenblas.so.0 lacks functions of CBLAS or LAPACK");
  return In.complete();
}

} // namespace

template <typename T> const Cblas<T> &cblas() { return Table<T>; }
template const Cblas<float> &cblas();
template const Cblas<double> &cblas();
template const Cblas<std::complex<float>> &cblas();
template const Cblas<std::complex<double>> &cblas();

bool loadCblas() {
  static const bool Loaded = loadNow();
  return Loaded;
}

} // namespace blockmaestro::blas
