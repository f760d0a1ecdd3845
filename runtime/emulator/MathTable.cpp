// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MathTable.h"

#include <cmath>
#include <cstring>

using namespace llvm;

namespace blockmaestro {

namespace {

/// The C function's address, its overload chosen by its type.
template <typename T> void *address(T *Function) {
  return reinterpret_cast<void *>(Function);
}

#define UNARY(Name)                                                            \
  {#Name, address<double(double)>(::Name)}, {                                  \
    #Name "f", address<float(float)>(::Name##f)                                \
  }
#define BINARY(Name)                                                           \
  {#Name, address<double(double, double)>(::Name)}, {                          \
    #Name "f", address<float(float, float)>(::Name##f)                         \
  }

const HostFunction HostFunctions[] = {
    UNARY(acos),
    UNARY(acosh),
    UNARY(asin),
    UNARY(asinh),
    UNARY(atan),
    UNARY(atanh),
    UNARY(cbrt),
    UNARY(ceil),
    UNARY(cos),
    UNARY(cosh),
    UNARY(erf),
    UNARY(erfc),
    UNARY(exp),
    UNARY(exp10),
    UNARY(exp2),
    UNARY(expm1),
    UNARY(fabs),
    UNARY(floor),
    UNARY(j0),
    UNARY(j1),
    UNARY(lgamma),
    UNARY(log),
    UNARY(log10),
    UNARY(log1p),
    UNARY(log2),
    UNARY(logb),
    UNARY(nearbyint),
    UNARY(rint),
    UNARY(round),
    UNARY(roundeven),
    UNARY(sin),
    UNARY(sinh),
    UNARY(sqrt),
    UNARY(tan),
    UNARY(tanh),
    UNARY(tgamma),
    UNARY(trunc),
    UNARY(y0),
    UNARY(y1),
    BINARY(atan2),
    BINARY(copysign),
    BINARY(fdim),
    BINARY(fmax),
    BINARY(fmin),
    BINARY(fmod),
    BINARY(hypot),
    BINARY(nextafter),
    BINARY(pow),
    BINARY(remainder),
    {"fma", address<double(double, double, double)>(::fma)},
    {"fmaf", address<float(float, float, float)>(::fmaf)},
    {"ldexp", address<double(double, int)>(::ldexp)},
    {"ldexpf", address<float(float, int)>(::ldexpf)},
    {"ilogb", address<int(double)>(::ilogb)},
    {"ilogbf", address<int(float)>(::ilogbf)},
    {"memcpy", address<void *(void *, const void *, size_t)>(::memcpy)},
    {"memmove", address<void *(void *, const void *, size_t)>(::memmove)},
    {"memset", address<void *(void *, int, size_t)>(::memset)},
};

#undef UNARY
#undef BINARY

struct LibdeviceRow {
  const char *Name; ///< Without __nv_ and without the f of single precision.
  Intrinsic::ID Id;
};

const LibdeviceRow LibdeviceRows[] = {
    {"ceil", Intrinsic::ceil},      {"copysign", Intrinsic::copysign},
    {"cos", Intrinsic::cos},        {"exp", Intrinsic::exp},
    {"exp2", Intrinsic::exp2},      {"fabs", Intrinsic::fabs},
    {"floor", Intrinsic::floor},    {"fma", Intrinsic::fma},
    {"fmax", Intrinsic::maxnum},    {"fmin", Intrinsic::minnum},
    {"log", Intrinsic::log},        {"log10", Intrinsic::log10},
    {"log2", Intrinsic::log2},      {"pow", Intrinsic::pow},
    {"rint", Intrinsic::rint},      {"round", Intrinsic::round},
    {"sin", Intrinsic::sin},        {"sqrt", Intrinsic::sqrt},
    {"trunc", Intrinsic::trunc},    {"nearbyint", Intrinsic::nearbyint},
    {"fast_cos", Intrinsic::cos},   {"fast_exp", Intrinsic::exp},
    {"fast_log", Intrinsic::log},   {"fast_log10", Intrinsic::log10},
    {"fast_log2", Intrinsic::log2}, {"fast_pow", Intrinsic::pow},
    {"fast_sin", Intrinsic::sin},
};

constexpr Intrinsic::ID NoId = Intrinsic::not_intrinsic;

/// Only round-to-nearest and approximate forms: the host rounds to nearest.
const NvvmRow NvvmRows[] = {
    {"llvm.nvvm.add.rn.", NvvmForm::Add, NoId},
    {"llvm.nvvm.ceil.", NvvmForm::Intrinsic, Intrinsic::ceil},
    {"llvm.nvvm.cos.approx.", NvvmForm::Intrinsic, Intrinsic::cos},
    {"llvm.nvvm.div.approx.", NvvmForm::Divide, NoId},
    {"llvm.nvvm.div.full", NvvmForm::Divide, NoId},
    {"llvm.nvvm.div.rn.", NvvmForm::Divide, NoId},
    {"llvm.nvvm.ex2.approx.", NvvmForm::Intrinsic, Intrinsic::exp2},
    {"llvm.nvvm.fabs", NvvmForm::Intrinsic, Intrinsic::fabs},
    {"llvm.nvvm.floor.", NvvmForm::Intrinsic, Intrinsic::floor},
    {"llvm.nvvm.fma.rn.", NvvmForm::Intrinsic, Intrinsic::fma},
    {"llvm.nvvm.fmax.", NvvmForm::Intrinsic, Intrinsic::maxnum},
    {"llvm.nvvm.fmin.", NvvmForm::Intrinsic, Intrinsic::minnum},
    {"llvm.nvvm.lg2.approx.", NvvmForm::Intrinsic, Intrinsic::log2},
    {"llvm.nvvm.mul.rn.", NvvmForm::Multiply, NoId},
    {"llvm.nvvm.mulhi.i", NvvmForm::HighHalfSigned, NoId},
    {"llvm.nvvm.mulhi.ll", NvvmForm::HighHalfSigned, NoId},
    {"llvm.nvvm.mulhi.u", NvvmForm::HighHalfUnsigned, NoId},
    {"llvm.nvvm.rcp.approx.", NvvmForm::Reciprocal, NoId},
    {"llvm.nvvm.rcp.rn.", NvvmForm::Reciprocal, NoId},
    {"llvm.nvvm.round.", NvvmForm::Intrinsic, Intrinsic::roundeven},
    {"llvm.nvvm.rsqrt.approx.", NvvmForm::ReciprocalRoot, NoId},
    {"llvm.nvvm.saturate.", NvvmForm::Saturate, NoId},
    {"llvm.nvvm.sin.approx.", NvvmForm::Intrinsic, Intrinsic::sin},
    {"llvm.nvvm.sqrt.approx.", NvvmForm::Intrinsic, Intrinsic::sqrt},
    {"llvm.nvvm.sqrt.f", NvvmForm::Intrinsic, Intrinsic::sqrt},
    {"llvm.nvvm.sqrt.rn.", NvvmForm::Intrinsic, Intrinsic::sqrt},
    {"llvm.nvvm.trunc.", NvvmForm::Intrinsic, Intrinsic::trunc},
};

/// Parts of a name that change the meaning of the rows above.
const char *const UnknownModifiers[] = {".sat.", ".relu", ".nan", ".xorsign",
                                        ".oob"};

} // namespace

ArrayRef<HostFunction> hostFunctions() { return HostFunctions; }

const HostFunction *findHostFunction(StringRef Name) {
  for (const HostFunction &Row : HostFunctions)
    if (Name == Row.Name)
      return &Row;
  return nullptr;
}

Intrinsic::ID intrinsicOfLibdevice(StringRef Name) {
  if (!Name.consume_front("__nv_"))
    return NoId;
  for (const LibdeviceRow &Row : LibdeviceRows) {
    StringRef Rest = Name;
    if (Rest.consume_front(Row.Name) && (Rest.empty() || Rest == "f"))
      return Row.Id;
  }
  return NoId;
}

const NvvmRow *findNvvmRow(StringRef Name) {
  for (const char *Modifier : UnknownModifiers)
    if (Name.contains(Modifier))
      return nullptr;
  for (const NvvmRow &Row : NvvmRows)
    if (Name.starts_with(Row.Prefix))
      return &Row;
  return nullptr;
}

} // namespace blockmaestro
