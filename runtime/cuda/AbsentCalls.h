// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the calls a device does not have: functions of every type that
// return cudaErrorNotSupported, and which of them the program called.
// On the data's way: put into the table of calls by the emulated device
// (rows of Api.def that say No) and by CudaLibrary (symbols an older CUDA
// runtime lacks); what was called is part of BLOCKMAESTRO_EXPLAIN=1.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_ABSENTCALLS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_ABSENTCALLS_H

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace blockmaestro {

/// The rows of Api.def by number.
enum class ApiCall : unsigned {
#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  Name,
#include "Api.def"
#undef BM_CALL
};

enum class AbsentFrom { EmulatedDevice, CudaRuntime };

/// Remembers that the program called it. Never fails.
void noteAbsent(ApiCall Which, AbsentFrom Where) noexcept;

/// One sentence for each call that was noted, sorted.
std::vector<std::string> absentCalls();

/// A function of this type that notes the call and returns
/// cudaErrorNotSupported. The argument only gives the type.
template <ApiCall Which, AbsentFrom Where, typename... Parameters>
auto absentCall(cudaError_t (*)(Parameters...)) {
  return +[](Parameters...) -> cudaError_t {
    noteAbsent(Which, Where);
    return cudaErrorNotSupported;
  };
}

} // namespace blockmaestro

#endif
