// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MixedGemm.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <vector>

namespace blockmaestro::blas {
namespace {

template <typename T> constexpr cudaDataType_t TypeOf = CUDA_R_32F;
template <> constexpr cudaDataType_t TypeOf<double> = CUDA_R_64F;
template <> constexpr cudaDataType_t TypeOf<std::complex<float>> = CUDA_C_32F;
template <> constexpr cudaDataType_t TypeOf<std::complex<double>> = CUDA_C_64F;

template <typename T> T widened(__half Value) { return T(__half2float(Value)); }
template <typename T> T widened(__nv_bfloat16 Value) {
  return T(__bfloat162float(Value));
}
template <typename T, typename S> T widened(S Value) { return T(Value); }

void narrow(float From, __half &To) { To = __float2half_rn(From); }
void narrow(float From, __nv_bfloat16 &To) { To = __float2bfloat16_rn(From); }
void narrow(double From, int32_t &To) { To = int32_t(int64_t(From)); }
void narrow(float From, float &To) { To = From; }

/// A matrix of some type, dense and of type T.
template <typename T> class Widened {
public:
  Widened(cudaDataType_t Type, const void *From, int64_t Rows, int64_t Columns,
          int64_t Leading)
      : Place(static_cast<const T *>(From)), Leading(Leading) {
    if (Type == TypeOf<T>)
      return;
    Owned.resize(size_t(Rows * Columns));
    if (Type == CUDA_R_16F)
      take(static_cast<const __half *>(From), Rows, Columns);
    else if (Type == CUDA_R_16BF)
      take(static_cast<const __nv_bfloat16 *>(From), Rows, Columns);
    else if (Type == CUDA_R_8I)
      take(static_cast<const int8_t *>(From), Rows, Columns);
    else
      take(static_cast<const int32_t *>(From), Rows, Columns);
  }
  const T *data() const { return Owned.empty() ? Place : Owned.data(); }
  T *owned() { return Owned.data(); }
  int leading() const { return int(Leading); }

private:
  template <typename S>
  void take(const S *From, int64_t Rows, int64_t Columns) {
    if constexpr (!IsComplex<T>)
      for (int64_t Column = 0; Column < Columns; ++Column)
        for (int64_t Row = 0; Row < Rows; ++Row)
          Owned[size_t(Column * Rows + Row)] =
              widened<T>(From[Column * Leading + Row]);
    Leading = std::max<int64_t>(1, Rows);
  }

  const T *Place;
  int64_t Leading;
  std::vector<T> Owned;
};

template <typename T, typename S>
void giveBack(const T *From, S *To, const GemmShape &Shape) {
  for (int64_t Column = 0; Column < Shape.N; ++Column)
    for (int64_t Row = 0; Row < Shape.M; ++Row)
      narrow(From[Column * Shape.M + Row], To[Column * Shape.Ldc + Row]);
}

template <typename T>
void product(const GemmShape &S, T Alpha, const Widened<T> &A,
             const Widened<T> &B, T Beta, T *C, int64_t Ldc) {
  cblas<T>().Gemm(ColumnMajor, forCblas(S.OpA), forCblas(S.OpB), int(S.M),
                  int(S.N), int(S.K), forCblas(Alpha), A.data(), A.leading(),
                  B.data(), B.leading(), forCblas(Beta), C, int(Ldc));
}

/// C = alpha A B + beta C, once.
template <typename T>
void multiplyOne(const GemmShape &S, const GemmTypes &Types, T Alpha, T Beta,
                 const void *AtA, const void *AtB, void *AtC) {
  const Widened<T> A(Types.A, AtA, S.rowsOfA(), S.columnsOfA(), S.Lda);
  const Widened<T> B(Types.B, AtB, S.rowsOfB(), S.columnsOfB(), S.Ldb);
  if (Types.C == TypeOf<T>)
    return product(S, Alpha, A, B, Beta, static_cast<T *>(AtC), S.Ldc);
  if constexpr (!IsComplex<T>) {
    Widened<T> C(Types.C, AtC, S.M, S.N, S.Ldc);
    product(S, Alpha, A, B, Beta, C.owned(), S.M);
    if constexpr (std::is_same_v<T, double>)
      giveBack(C.owned(), static_cast<int32_t *>(AtC), S);
    else if (Types.C == CUDA_R_16F)
      giveBack(C.owned(), static_cast<__half *>(AtC), S);
    else
      giveBack(C.owned(), static_cast<__nv_bfloat16 *>(AtC), S);
  }
}

const char *at(const void *Base, long long Stride, int64_t Which,
               cudaDataType_t Type) {
  return static_cast<const char *>(Base) +
         Stride * Which * int64_t(bytesOf(Type));
}
char *at(void *Base, long long Stride, int64_t Which, cudaDataType_t Type) {
  return static_cast<char *>(Base) + Stride * Which * int64_t(bytesOf(Type));
}

TouchedBox boxOf(const void *P, int64_t Rows, int64_t Columns, int64_t Leading,
                 cudaDataType_t Type) {
  const size_t Bytes = bytesOf(Type);
  return rowsOf(P, size_t(Rows) * Bytes, size_t(Columns),
                size_t(Leading) * Bytes);
}

struct GemmBoxes {
  TouchedBox A, B, C;
  GemmBoxes(const GemmRequest &What, const void *AtA, const void *AtB,
            const void *AtC) {
    const GemmShape &S = What.Shape;
    A = boxOf(AtA, S.rowsOfA(), S.columnsOfA(), S.Lda, What.Types.A);
    B = boxOf(AtB, S.rowsOfB(), S.columnsOfB(), S.Ldb, What.Types.B);
    C = boxOf(AtC, S.M, S.N, S.Ldc, What.Types.C);
  }
};

/// The result is read too, unless it is known that its factor is 0.
template <typename S>
void addResult(BlasCall &Call, const TouchedBox &Box, const Scalar<S> &Keep) {
  if (Keep.OnDevice || widened<float>(Keep.Value) != 0)
    Call.updates(Box);
  else
    Call.writes(Box);
}
template <typename R>
void addResult(BlasCall &Call, const TouchedBox &Box,
               const Scalar<std::complex<R>> &Keep) {
  if (Keep.OnDevice || Keep.Value != R())
    Call.updates(Box);
  else
    Call.writes(Box);
}

/// T is computed with, S the type of the factors.
template <typename T, typename S>
cublasStatus_t issue(cublasHandle_t H, const GemmRequest &What,
                     const GemmPlaces &Where) {
  BlasCall Call(H, What.Call);
  const auto By = Call.scalar(static_cast<const S *>(What.Alpha));
  const auto Keep = Call.scalar(static_cast<const S *>(What.Beta));
  const GemmBoxes Boxes(What, Where.A, Where.B, Where.C);
  const GemmTypes &Types = What.Types;
  auto Bytes = [](long long Stride, cudaDataType_t Type) {
    return Stride * (long long)(bytesOf(Type));
  };
  Call.reads(batchOf(Boxes.A, What.Batch, Bytes(Where.StrideA, Types.A)));
  Call.reads(batchOf(Boxes.B, What.Batch, Bytes(Where.StrideB, Types.B)));
  addResult(Call, batchOf(Boxes.C, What.Batch, Bytes(Where.StrideC, Types.C)),
            Keep);
  return Call.issue([=] {
    for (int64_t I = 0; I < What.Batch; ++I)
      multiplyOne<T>(What.Shape, What.Types, widened<T>(By.get()),
                     widened<T>(Keep.get()),
                     at(Where.A, Where.StrideA, I, What.Types.A),
                     at(Where.B, Where.StrideB, I, What.Types.B),
                     at(Where.C, Where.StrideC, I, What.Types.C));
  });
}

template <typename T, typename S>
cublasStatus_t issue(cublasHandle_t H, const GemmRequest &What,
                     const GemmPointers &Where) {
  BlasCall Call(H, What.Call);
  const auto By = Call.scalar(static_cast<const S *>(What.Alpha));
  const auto Keep = Call.scalar(static_cast<const S *>(What.Beta));
  Call.pointers(Where.A, What.Batch);
  Call.pointers(Where.B, What.Batch);
  Call.pointers(Where.C, What.Batch);
  return Call.issueChecked([=](const MayTouch &May) -> Status {
    for (int64_t I = 0; I < What.Batch; ++I) {
      const GemmBoxes Boxes(What, Where.A[I], Where.B[I], Where.C[I]);
      Reachable Seen(May, What.Call);
      Seen.needs(Boxes.A);
      Seen.needs(Boxes.B);
      Seen.needs(Boxes.C);
      if (!Seen.status().ok())
        return Seen.status();
      multiplyOne<T>(What.Shape, What.Types, widened<T>(By.get()),
                     widened<T>(Keep.get()), Where.A[I], Where.B[I],
                     Where.C[I]);
    }
    return Status();
  });
}

template <typename Places>
cublasStatus_t choose(cublasHandle_t H, const GemmRequest &What,
                      const Places &Where) {
  const bool Right =
      What.Shape.right() && What.Batch >= 0 && What.Alpha && What.Beta;
  if (cublasStatus_t Bad =
          refusal(H, Right, What.Shape.fits() && fitInt(What.Batch)))
    return Bad;
  if (What.Shape.empty() || What.Batch == 0)
    return CUBLAS_STATUS_SUCCESS;
  switch (What.Types.arithmetic()) {
  case Arithmetic::Half:
    return issue<float, __half>(H, What, Where);
  case Arithmetic::Integer:
    return issue<double, int32_t>(H, What, Where);
  case Arithmetic::Float:
    return issue<float, float>(H, What, Where);
  case Arithmetic::Double:
    return issue<double, double>(H, What, Where);
  case Arithmetic::ComplexFloat:
    return issue<std::complex<float>, std::complex<float>>(H, What, Where);
  case Arithmetic::ComplexDouble:
    return issue<std::complex<double>, std::complex<double>>(H, What, Where);
  case Arithmetic::None:
    break;
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

} // namespace

bool GemmShape::right() const {
  return valid(OpA) && valid(OpB) && M >= 0 && N >= 0 && K >= 0 &&
         Lda >= std::max<int64_t>(1, rowsOfA()) &&
         Ldb >= std::max<int64_t>(1, rowsOfB()) &&
         Ldc >= std::max<int64_t>(1, M);
}

size_t bytesOf(cudaDataType_t Type) {
  switch (Type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

/// As the table of cublasGemmEx in cuBLAS's documentation.
Arithmetic GemmTypes::arithmetic() const {
  if (A != B)
    return Arithmetic::None;
  auto All = [this](cudaDataType_t Type) { return A == Type && C == Type; };
  auto OrWider = [this](cudaDataType_t Type) {
    return A == Type && (C == Type || C == CUDA_R_32F);
  };
  switch (Compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return All(CUDA_R_16F) ? Arithmetic::Half : Arithmetic::None;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return A == CUDA_R_8I && C == CUDA_R_32I ? Arithmetic::Integer
                                             : Arithmetic::None;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    if (All(CUDA_C_64F))
      return Arithmetic::ComplexDouble;
    return All(CUDA_R_64F) ? Arithmetic::Double : Arithmetic::None;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    if (All(CUDA_C_32F))
      return Arithmetic::ComplexFloat;
    return All(CUDA_R_32F) || OrWider(CUDA_R_16F) || OrWider(CUDA_R_16BF) ||
                   (A == CUDA_R_8I && C == CUDA_R_32F)
               ? Arithmetic::Float
               : Arithmetic::None;
  default:
    return Arithmetic::None;
  }
}

cublasStatus_t multiply(cublasHandle_t Handle, const GemmRequest &What,
                        const GemmPlaces &Where) {
  return choose(Handle, What, Where);
}

cublasStatus_t multiply(cublasHandle_t Handle, const GemmRequest &What,
                        const GemmPointers &Where) {
  return choose(Handle, What, Where);
}

} // namespace blockmaestro::blas
