// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a cuBLAS handle, and what all calls with one have in common:
// numbers that lie on the host or on the device, vectors, matrices, results.
// On the data's way: the functions of this folder -> LibraryCall.h.
// Invariants: a number on the host is read when the call is made, one on the
// device when its work runs. Where the host gets a result the call waits.
// Threads: any; a handle may be used by several as cuBLAS allows.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_BLASCALL_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_BLASCALL_H

#include "Cblas.h"
#include "LibraryCall.h"

#include <cublas_v2.h>

#include <climits>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

struct cublasContext {
  cudaStream_t Stream = nullptr;
  cublasPointerMode_t Pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t Atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t Math = CUBLAS_DEFAULT_MATH;
  int MultiprocessorTarget = 0;
};

namespace blockmaestro::blas {

template <typename C> struct NativeOf {
  using Type = C;
};
template <> struct NativeOf<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct NativeOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
/// The number type that stands for one of cuBLAS's here.
template <typename C> using Native = typename NativeOf<C>::Type;

template <typename C> const Native<C> *native(const C *P) {
  return reinterpret_cast<const Native<C> *>(P);
}
template <typename C> Native<C> *native(C *P) {
  return reinterpret_cast<Native<C> *>(P);
}

/// Of a name such as cublasSgemm: "S".
template <typename C> constexpr const char *Letters = "";
template <> inline constexpr const char *Letters<float> = "S";
template <> inline constexpr const char *Letters<double> = "D";
template <> inline constexpr const char *Letters<cuComplex> = "C";
template <> inline constexpr const char *Letters<cuDoubleComplex> = "Z";

/// Text as a template's argument.
template <size_t Count> struct Literal {
  constexpr Literal(const char (&Given)[Count]) {
    for (size_t I = 0; I < Count; ++I)
      Text[I] = Given[I];
  }
  char Text[Count] = {};
};

/// "cublasSgemm", for as long as the process lives.
template <typename C, Literal Stem> const char *callName() {
  static const std::string Name =
      std::string("cublas") + Letters<C> + Stem.Text;
  return Name.c_str();
}

/// A number that the program has given by its address.
template <typename T> struct Scalar {
  T Value = T();
  const T *OnDevice = nullptr;
  T get() const { return OnDevice ? *OnDevice : Value; }
};

/// Whether sizes are such that OpenBLAS has numbers for them.
template <typename... I> bool fitInt(I... Sizes) {
  return ((int64_t(Sizes) <= INT_MAX && int64_t(Sizes) >= -INT_MAX) && ...);
}

cublasStatus_t statusOf(cudaError_t Error);

class BlasCall {
public:
  BlasCall(cublasHandle_t Handle, const char *Name)
      : Handle(Handle), Work(Name, Handle ? Handle->Stream : nullptr) {}

  bool hostPointers() const {
    return Handle->Pointers == CUBLAS_POINTER_MODE_HOST;
  }

  template <typename T> Scalar<T> scalar(const T *P) {
    if (hostPointers())
      return {*P, nullptr};
    Work.reads(rowsOf(P, sizeof(T), 1, sizeof(T)));
    return {T(), P};
  }

  template <typename T> void gives(T *P, size_t Count = 1) {
    if (hostPointers())
      Work.answers(P, Count * sizeof(T));
    else
      Work.writes(rowsOf(P, Count * sizeof(T), 1, Count * sizeof(T)));
  }

  template <typename T>
  static TouchedBox vector(const T *P, int64_t N, int64_t Increment) {
    return rowsOf(P, sizeof(T), size_t(N < 0 ? 0 : N),
                  size_t(std::abs(Increment)) * sizeof(T));
  }
  template <typename T>
  static TouchedBox matrix(const T *P, int64_t Rows, int64_t Columns,
                           int64_t Leading) {
    return rowsOf(P, size_t(Rows) * sizeof(T), size_t(Columns),
                  size_t(Leading) * sizeof(T));
  }
  template <typename T> static TouchedBox packed(const T *P, int64_t N) {
    const size_t Bytes = size_t(N) * size_t(N + 1) / 2 * sizeof(T);
    return rowsOf(P, Bytes, 1, Bytes);
  }

  void reads(const TouchedBox &Box) { Work.reads(Box); }
  void writes(const TouchedBox &Box) { Work.writes(Box); }
  void updates(const TouchedBox &Box) { Work.updates(Box); }
  /// Addresses in memory of the device, which are known when the work runs.
  template <typename T> void pointers(T *const *P, int64_t Count) {
    Work.reads(vector(P, Count, 1));
    Work.anywhere();
  }

  /// Run() does the work.
  template <typename Body> cublasStatus_t issue(const Body &Run) {
    return issueChecked([Run](const MayTouch &) {
      Run();
      return Status();
    });
  }
  /// Run is called with a MayTouch and returns a Status.
  template <typename Body> cublasStatus_t issueChecked(const Body &Run) {
    return statusOf(Work.issue(Run));
  }

private:
  cublasHandle_t Handle;
  LibraryCall Work;
};

/// Whether memory that was found by a pointer on the device may be touched.
class Reachable {
public:
  Reachable(const MayTouch &May, const char *Call) : May(May), Call(Call) {}
  void needs(const TouchedBox &Box);
  const Status &status() const { return Found; }

private:
  const MayTouch &May;
  const char *Call;
  Status Found;
};

/// What a call says to its arguments before anything else. Right is whether
/// their values are allowed, Fit whether sizes are below 2^31.
inline cublasStatus_t refusal(cublasHandle_t Handle, bool Right,
                              bool Fit = true) {
  if (!Handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Right)
    return CUBLAS_STATUS_INVALID_VALUE;
  return Fit ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

// CBLAS's names for what cuBLAS's enumerations say.

inline bool valid(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N || Op == CUBLAS_OP_T || Op == CUBLAS_OP_C;
}
inline bool valid(cublasFillMode_t Mode) {
  return Mode == CUBLAS_FILL_MODE_LOWER || Mode == CUBLAS_FILL_MODE_UPPER;
}
inline bool valid(cublasDiagType_t Diagonal) {
  return Diagonal == CUBLAS_DIAG_NON_UNIT || Diagonal == CUBLAS_DIAG_UNIT;
}
inline bool valid(cublasSideMode_t Side) {
  return Side == CUBLAS_SIDE_LEFT || Side == CUBLAS_SIDE_RIGHT;
}
inline int forCblas(cublasOperation_t Op) { return 111 + int(Op); }
inline int forCblas(cublasFillMode_t Mode) {
  return Mode == CUBLAS_FILL_MODE_UPPER ? 121 : 122;
}
inline int forCblas(cublasDiagType_t Diagonal) {
  return Diagonal == CUBLAS_DIAG_NON_UNIT ? 131 : 132;
}
inline int forCblas(cublasSideMode_t Side) {
  return Side == CUBLAS_SIDE_LEFT ? 141 : 142;
}

/// Rows in the two forms of a name: with sizes of int, and of int64_t.
#define BM_BOTH(Name, Suffix, Function, ...)                                   \
  BM_STAND_IN(Name##Suffix, Function<__VA_ARGS__, int>),                       \
      BM_STAND_IN(Name##Suffix##_64, Function<__VA_ARGS__, int64_t>)
#define BM_REAL(Stem, Suffix, Function)                                        \
  BM_BOTH(cublasS##Stem, Suffix, Function, float),                             \
      BM_BOTH(cublasD##Stem, Suffix, Function, double)
#define BM_COMPLEX(Stem, Suffix, Function)                                     \
  BM_BOTH(cublasC##Stem, Suffix, Function, cuComplex),                         \
      BM_BOTH(cublasZ##Stem, Suffix, Function, cuDoubleComplex)
#define BM_ALL(Stem, Suffix, Function)                                         \
  BM_REAL(Stem, Suffix, Function), BM_COMPLEX(Stem, Suffix, Function)

} // namespace blockmaestro::blas

#endif
