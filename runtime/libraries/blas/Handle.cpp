// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Handles of cuBLAS and their settings, versions, names of its codes.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <iterator>
#include <new>

namespace blockmaestro::blas {
namespace {

struct StatusRow {
  cublasStatus_t Status;
  const char *Name;
  const char *Text;
};

constexpr StatusRow Statuses[] = {
#define BM_STATUS(Name, Text) {Name, #Name, Text}
    BM_STATUS(CUBLAS_STATUS_SUCCESS, "success"),
    BM_STATUS(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    BM_STATUS(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    BM_STATUS(CUBLAS_STATUS_INVALID_VALUE,
              "an unsupported value or parameter was passed to the function"),
    BM_STATUS(CUBLAS_STATUS_ARCH_MISMATCH,
              "a feature is absent from the device architecture"),
    BM_STATUS(CUBLAS_STATUS_MAPPING_ERROR,
              "an access to GPU memory space failed"),
    BM_STATUS(CUBLAS_STATUS_EXECUTION_FAILED,
              "the function failed to launch on the GPU"),
    BM_STATUS(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
    BM_STATUS(CUBLAS_STATUS_NOT_SUPPORTED,
              "the functionality requested is not supported"),
    BM_STATUS(CUBLAS_STATUS_LICENSE_ERROR, "a required license was not found")
#undef BM_STATUS
};

const StatusRow *rowOf(cublasStatus_t Status) {
  for (const StatusRow &Each : Statuses)
    if (Each.Status == Status)
      return &Each;
  return nullptr;
}

const char *statusName(cublasStatus_t Status) {
  const StatusRow *Row = rowOf(Status);
  return Row ? Row->Name : "";
}

const char *statusString(cublasStatus_t Status) {
  const StatusRow *Row = rowOf(Status);
  return Row ? Row->Text : "unknown status";
}

cublasStatus_t create(cublasHandle_t *Out) {
  if (!Out)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!loadCblas())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *Out = new (std::nothrow) cublasContext;
  return *Out ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

/// CUDA lets the caller wait for the device here.
cublasStatus_t destroy(cublasHandle_t H) {
  if (!H)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete H;
  return statusOf(cudaDeviceSynchronize());
}

constexpr int Version = CUBLAS_VERSION;

cublasStatus_t version(cublasHandle_t, int *Out) {
  if (!Out)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Out = Version;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t property(libraryPropertyType Which, int *Out) {
  if (!Out)
    return CUBLAS_STATUS_INVALID_VALUE;
  switch (Which) {
  case MAJOR_VERSION:
    *Out = CUBLAS_VER_MAJOR;
    return CUBLAS_STATUS_SUCCESS;
  case MINOR_VERSION:
    *Out = CUBLAS_VER_MINOR;
    return CUBLAS_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *Out = CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

size_t cudartVersion() { return CUDART_VERSION; }

cublasStatus_t setStream(cublasHandle_t H, cudaStream_t Stream) {
  if (cublasStatus_t Bad = refusal(H, true))
    return Bad;
  H->Stream = Stream;
  return CUBLAS_STATUS_SUCCESS;
}

/// The workspace is the program's, and nothing here needs one.
cublasStatus_t setWorkspace(cublasHandle_t H, void *, size_t) {
  return refusal(H, true);
}

template <auto Member, typename T>
cublasStatus_t get(cublasHandle_t H, T *Out) {
  if (cublasStatus_t Bad = refusal(H, Out))
    return Bad;
  *Out = H->*Member;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t setPointers(cublasHandle_t H, cublasPointerMode_t Mode) {
  const bool Right =
      Mode == CUBLAS_POINTER_MODE_HOST || Mode == CUBLAS_POINTER_MODE_DEVICE;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  H->Pointers = Mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t setAtomics(cublasHandle_t H, cublasAtomicsMode_t Mode) {
  const bool Right =
      Mode == CUBLAS_ATOMICS_ALLOWED || Mode == CUBLAS_ATOMICS_NOT_ALLOWED;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  H->Atomics = Mode;
  return CUBLAS_STATUS_SUCCESS;
}

/// Results are never less precise than the default mode's.
cublasStatus_t setMath(cublasHandle_t H, cublasMath_t Mode) {
  const int Kind = int(Mode) & 15;
  const bool Right = Kind <= CUBLAS_FP32_EMULATED_BF16X9_MATH ||
                     Kind == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  H->Math = Mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t setTarget(cublasHandle_t H, int Count) {
  if (cublasStatus_t Bad = refusal(H, Count >= 0))
    return Bad;
  H->MultiprocessorTarget = Count;
  return CUBLAS_STATUS_SUCCESS;
}

/// Nothing is logged.
cublasStatus_t configureLog(int, int, int, const char *) {
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

Rows handleRows() {
  return {
      BM_STAND_IN(cublasCreate_v2, create),
      BM_STAND_IN(cublasDestroy_v2, destroy),
      BM_STAND_IN(cublasGetVersion_v2, version),
      BM_STAND_IN(cublasGetProperty, property),
      BM_STAND_IN(cublasGetCudartVersion, cudartVersion),
      BM_STAND_IN(cublasGetStatusName, statusName),
      BM_STAND_IN(cublasGetStatusString, statusString),
      BM_STAND_IN(cublasSetStream_v2, setStream),
      BM_STAND_IN(cublasGetStream_v2,
                  get<&cublasContext::Stream, cudaStream_t>),
      BM_STAND_IN(cublasSetWorkspace_v2, setWorkspace),
      BM_STAND_IN(cublasSetPointerMode_v2, setPointers),
      BM_STAND_IN(cublasGetPointerMode_v2,
                  get<&cublasContext::Pointers, cublasPointerMode_t>),
      BM_STAND_IN(cublasSetAtomicsMode, setAtomics),
      BM_STAND_IN(cublasGetAtomicsMode,
                  get<&cublasContext::Atomics, cublasAtomicsMode_t>),
      BM_STAND_IN(cublasSetMathMode, setMath),
      BM_STAND_IN(cublasGetMathMode, get<&cublasContext::Math, cublasMath_t>),
      BM_STAND_IN(cublasSetSmCountTarget, setTarget),
      BM_STAND_IN(cublasGetSmCountTarget,
                  get<&cublasContext::MultiprocessorTarget, int>),
      BM_STAND_IN(cublasLoggerConfigure, configureLog)};
}

} // namespace blockmaestro::blas

namespace blockmaestro {

std::span<const LibraryFunction> cublasFunctions() {
  using namespace blas;
  static const Rows All = [] {
    Rows Out;
    for (Rows (*Part)() :
         {handleRows, transferRows, vectorRows, matrixVectorRows,
          symmetricVectorRows, triangularRows, gemmRows, mixedGemmRows,
          matrixRows, extensionRows, factorRows}) {
      const Rows Mine = Part();
      Out.insert(Out.end(), Mine.begin(), Mine.end());
    }
    return Out;
  }();
  return All;
}

} // namespace blockmaestro
