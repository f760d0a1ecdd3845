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
    UNARY(ceil),
    UNARY(cos),
    UNARY(erf),
    UNARY(erfc),
    UNARY(exp),
    UNARY(exp2),
    UNARY(expm1),
    UNARY(fabs),
    UNARY(floor),
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
    UNARY(trunc),
    BINARY(atan2),
    BINARY(copysign),
    BINARY(fdim),
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
    {"ceil", Intrinsic::ceil},   {"copysign", Intrinsic::copysign},
    {"cos", Intrinsic::cos},     {"exp", Intrinsic::exp},
    {"exp2", Intrinsic::exp2},   {"fabs", Intrinsic::fabs},
    {"floor", Intrinsic::floor}, {"fma", Intrinsic::fma},
    {"log", Intrinsic::log},     {"log10", Intrinsic::log10},
    {"log2", Intrinsic::log2},   {"pow", Intrinsic::pow},
    {"rint", Intrinsic::rint},   {"round", Intrinsic::round},
    {"sin", Intrinsic::sin},     {"sqrt", Intrinsic::sqrt},
    {"trunc", Intrinsic::trunc}, {"nearbyint", Intrinsic::nearbyint},
};

constexpr Intrinsic::ID NoId = Intrinsic::not_intrinsic;

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

} // namespace blockmaestro
