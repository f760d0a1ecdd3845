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

  R (*nrm2)(int, const T *, int);
  R (*asum)(int, const T *, int);
  void (*scal)(int, S, T *, int);
  void (*axpy)(int, S, const T *, int, T *, int);
  void (*copy)(int, const T *, int, T *, int);
  void (*swap)(int, T *, int, T *, int);

  void (*gemv)(int, int, int, int, S, const T *, int, const T *, int, S, T *,
               int);
  void (*gbmv)(int, int, int, int, int, int, S, const T *, int, const T *, int,
               S, T *, int);
  void (*trmv)(int, int, int, int, int, const T *, int, T *, int);
  void (*trsv)(int, int, int, int, int, const T *, int, T *, int);
  void (*tbmv)(int, int, int, int, int, int, const T *, int, T *, int);
  void (*tbsv)(int, int, int, int, int, int, const T *, int, T *, int);
  void (*tpmv)(int, int, int, int, int, const T *, T *, int);
  void (*tpsv)(int, int, int, int, int, const T *, T *, int);

  void (*gemm)(int, int, int, int, int, int, S, const T *, int, const T *, int,
               S, T *, int);
  void (*symm)(int, int, int, int, int, S, const T *, int, const T *, int, S,
               T *, int);
  void (*syrk)(int, int, int, int, int, S, const T *, int, S, T *, int);
  void (*syr2k)(int, int, int, int, int, S, const T *, int, const T *, int, S,
                T *, int);
  void (*trmm)(int, int, int, int, int, int, int, S, const T *, int, T *, int);
  void (*trsm)(int, int, int, int, int, int, int, S, const T *, int, T *, int);

  /// A symmetric matrix, or of complex numbers a Hermitian one: sy and he.
  void (*symv)(int, int, int, S, const T *, int, const T *, int, S, T *, int);
  void (*sbmv)(int, int, int, int, S, const T *, int, const T *, int, S, T *,
               int);
  void (*spmv)(int, int, int, S, const T *, const T *, int, S, T *, int);
  void (*syr)(int, int, int, R, const T *, int, T *, int);
  void (*spr)(int, int, int, R, const T *, int, T *);
  void (*syr2)(int, int, int, S, const T *, int, const T *, int, T *, int);
  void (*spr2)(int, int, int, S, const T *, int, const T *, int, T *);

  /// Complex only; null for real numbers.
  void (*hemm)(int, int, int, int, int, S, const T *, int, const T *, int, S,
               T *, int);
  void (*herk)(int, int, int, int, int, R, const T *, int, R, T *, int);
  void (*her2k)(int, int, int, int, int, S, const T *, int, const T *, int, R,
                T *, int);

  void (*getrf)(const int *, const int *, T *, const int *, int *, int *);
  void (*getrs)(const char *, const int *, const int *, const T *, const int *,
                const int *, T *, const int *, int *);
  void (*getri)(const int *, T *, const int *, const int *, T *, const int *,
                int *);
};

/// The table of a type. Only after loadCblas().
template <typename T> const Cblas<T> &cblas();

/// Opens OpenBLAS, the first time; false, and said, where it is not there.
bool loadCblas();

} // namespace blockmaestro::blas

#endif
