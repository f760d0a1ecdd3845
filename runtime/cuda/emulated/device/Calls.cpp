// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

#include "AbsentCalls.h"
#include "EmulatedDevice.h"

namespace blockmaestro {

#define BM_EMULATED_Yes(Name) Calls.Name = emulated::Name;
#define BM_EMULATED_NoEffect(Name) Calls.Name = emulated::Name;
#define BM_EMULATED_No(Name)                                                   \
  Calls.Name =                                                                 \
      absentCall<ApiCall::Name, AbsentFrom::EmulatedDevice>(Calls.Name);

RuntimeCalls emulatedCalls() {
  RuntimeCalls Calls;
#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  BM_EMULATED_##Emulated(Name)
#include "Api.def"
#undef BM_CALL
  return Calls;
}

#undef BM_EMULATED_Yes
#undef BM_EMULATED_NoEffect
#undef BM_EMULATED_No

} // namespace blockmaestro
