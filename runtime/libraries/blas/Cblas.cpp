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
    lapack(Out.Getrf, "getrf");
    lapack(Out.Getrs, "getrs");
    lapack(Out.Getri, "getri");
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
    norm(Out.Nrm2, "nrm2");
    norm(Out.Asum, "asum");
    find(Out.Scal, "scal");
    find(Out.Axpy, "axpy");
    find(Out.Copy, "copy");
    find(Out.Swap, "swap");
  }

  void loadMatrices(Cblas<T> &Out) {
    find(Out.Gemv, "gemv");
    find(Out.Gbmv, "gbmv");
    find(Out.Trmv, "trmv");
    find(Out.Trsv, "trsv");
    find(Out.Tbmv, "tbmv");
    find(Out.Tbsv, "tbsv");
    find(Out.Tpmv, "tpmv");
    find(Out.Tpsv, "tpsv");
    find(Out.Gemm, "gemm");
    find(Out.Symm, "symm");
    find(Out.Syrk, "syrk");
    find(Out.Syr2k, "syr2k");
    find(Out.Trmm, "trmm");
    find(Out.Trsm, "trsm");
  }

  void loadSymmetric(Cblas<T> &Out) {
    const bool C = IsComplex<T>;
    find(Out.Symv, C ? "hemv" : "symv");
    find(Out.Sbmv, C ? "hbmv" : "sbmv");
    find(Out.Spmv, C ? "hpmv" : "spmv");
    find(Out.Syr, C ? "her" : "syr");
    find(Out.Spr, C ? "hpr" : "spr");
    find(Out.Syr2, C ? "her2" : "syr2");
    find(Out.Spr2, C ? "hpr2" : "spr2");
    if (C) {
      find(Out.Hemm, "hemm");
      find(Out.Herk, "herk");
      find(Out.Her2k, "her2k");
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
