// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the functions of OpenBLAS that cuBLAS stands on, by their number
// type: CBLAS, and LAPACK's factorisations.
// On the data's way: opened by cublasCreate; called when the work of a call
// runs.
// Invariants: after loadCblas() has returned true every pointer is set. Sizes
// are of 32 bits. Threads: constant after loading; OpenBLAS may be called by
// several.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_CBLAS_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_CBLAS_H

#include <complex>
#include <type_traits>

namespace blockmaestro::blas {

template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T> using Real = typename RealOf<T>::Type;
template <typename T> constexpr bool IsComplex = !std::is_same_v<T, Real<T>>;

/// How CBLAS takes a number: a complex one by its address.
template <typename T>
using ByCblas = std::conditional_t<IsComplex<T>, const T *, T>;

template <typename T> ByCblas<T> forCblas(const T &Value) {
  if constexpr (IsComplex<T>)
    return &Value;
  else
    return Value;
}

constexpr int ColumnMajor = 102;

/// Orders, transpositions and the like are CBLAS's enumerations.
template <typename T> struct Cblas {
  using S = ByCblas<T>;
  using R = Real<T>;

  R (*Nrm2)(int, const T *, int);
  R (*Asum)(int, const T *, int);
  void (*Scal)(int, S, T *, int);
  void (*Axpy)(int, S, const T *, int, T *, int);
  void (*Copy)(int, const T *, int, T *, int);
  void (*Swap)(int, T *, int, T *, int);

  void (*Gemv)(int, int, int, int, S, const T *, int, const T *, int, S, T *,
               int);
  void (*Gbmv)(int, int, int, int, int, int, S, const T *, int, const T *, int,
               S, T *, int);
  void (*Trmv)(int, int, int, int, int, const T *, int, T *, int);
  void (*Trsv)(int, int, int, int, int, const T *, int, T *, int);
  void (*Tbmv)(int, int, int, int, int, int, const T *, int, T *, int);
  void (*Tbsv)(int, int, int, int, int, int, const T *, int, T *, int);
  void (*Tpmv)(int, int, int, int, int, const T *, T *, int);
  void (*Tpsv)(int, int, int, int, int, const T *, T *, int);

  void (*Gemm)(int, int, int, int, int, int, S, const T *, int, const T *, int,
               S, T *, int);
  void (*Symm)(int, int, int, int, int, S, const T *, int, const T *, int, S,
               T *, int);
  void (*Syrk)(int, int, int, int, int, S, const T *, int, S, T *, int);
  void (*Syr2k)(int, int, int, int, int, S, const T *, int, const T *, int, S,
                T *, int);
  void (*Trmm)(int, int, int, int, int, int, int, S, const T *, int, T *, int);
  void (*Trsm)(int, int, int, int, int, int, int, S, const T *, int, T *, int);

  /// A symmetric matrix, or of complex numbers a Hermitian one: sy and he.
  void (*Symv)(int, int, int, S, const T *, int, const T *, int, S, T *, int);
  void (*Sbmv)(int, int, int, int, S, const T *, int, const T *, int, S, T *,
               int);
  void (*Spmv)(int, int, int, S, const T *, const T *, int, S, T *, int);
  void (*Syr)(int, int, int, R, const T *, int, T *, int);
  void (*Spr)(int, int, int, R, const T *, int, T *);
  void (*Syr2)(int, int, int, S, const T *, int, const T *, int, T *, int);
  void (*Spr2)(int, int, int, S, const T *, int, const T *, int, T *);

  /// Complex only; null for real numbers.
  void (*Hemm)(int, int, int, int, int, S, const T *, int, const T *, int, S,
               T *, int);
  void (*Herk)(int, int, int, int, int, R, const T *, int, R, T *, int);
  void (*Her2k)(int, int, int, int, int, S, const T *, int, const T *, int, R,
                T *, int);

  void (*Getrf)(const int *, const int *, T *, const int *, int *, int *);
  void (*Getrs)(const char *, const int *, const int *, const T *, const int *,
                const int *, T *, const int *, int *);
  void (*Getri)(const int *, T *, const int *, const int *, T *, const int *,
                int *);
};

/// The table of a type. Only after loadCblas().
template <typename T> const Cblas<T> &cblas();

/// Opens OpenBLAS, the first time; false, and said, where it is not there.
bool loadCblas();

} // namespace blockmaestro::blas

#endif
