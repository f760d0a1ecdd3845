// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the copy or fill that a call of the runtime asks for, by its
// arguments.
// On the data's way: exported calls, and those of the emulated device -> here
// -> Command.h.
// Invariants: what CUDA refuses whatever the device is gets CUDA's error; the
// rest is for the device to check. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_COMMANDOF_H
#define BLOCKMAESTRO_RUNTIME_CUDA_COMMANDOF_H

#include "Command.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace blockmaestro {

/// Where a device variable lies, Offset bytes in, if so many bytes follow.
using FindSymbol = std::function<cudaError_t(const void *Symbol, size_t Bytes,
                                             size_t Offset, void *&Out)>;

/// Bytes in a row as the general form of a copy.
cudaMemcpy3DParms linearCopy(void *To, const void *From, size_t Bytes,
                             cudaMemcpyKind Kind);

/// Makes Out of the arguments of a call, all but its stream.
struct CommandOf {
  const FindSymbol &Find;
  Command &Out;

  cudaError_t operator()(void *To, const void *From, size_t Count,
                         cudaMemcpyKind Kind) const;
  cudaError_t operator()(void *To, size_t ToPitch, const void *From,
                         size_t FromPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) const;
  cudaError_t operator()(const cudaMemcpy3DParms *What) const;
  /// Between devices, of which only the first is known.
  cudaError_t operator()(void *To, int ToDevice, const void *From,
                         int FromDevice, size_t Count) const;
  cudaError_t operator()(const cudaMemcpy3DPeerParms *What) const;
  /// To a variable, and from one.
  cudaError_t operator()(const void *Symbol, const void *From, size_t Count,
                         size_t Offset, cudaMemcpyKind Kind) const;
  cudaError_t operator()(void *To, const void *Symbol, size_t Count,
                         size_t Offset, cudaMemcpyKind Kind) const;

  /// To an array, from one, and between two.
  cudaError_t operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                         const void *From, size_t FromPitch, size_t Width,
                         size_t Height, cudaMemcpyKind Kind) const;
  cudaError_t operator()(void *To, size_t ToPitch, cudaArray_const_t From,
                         size_t FromByte, size_t FromRow, size_t Width,
                         size_t Height, cudaMemcpyKind Kind) const;
  cudaError_t operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                         cudaArray_const_t From, size_t FromByte,
                         size_t FromRow, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) const;
  cudaError_t operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                         const void *From, size_t Count,
                         cudaMemcpyKind Kind) const;
  cudaError_t operator()(void *To, cudaArray_const_t From, size_t FromByte,
                         size_t FromRow, size_t Count,
                         cudaMemcpyKind Kind) const;
  cudaError_t operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                         cudaArray_const_t From, size_t FromByte,
                         size_t FromRow, size_t Count,
                         cudaMemcpyKind Kind) const;

  cudaError_t operator()(void *To, int Value, size_t Count) const;
  cudaError_t operator()(void *To, size_t Pitch, int Value, size_t Width,
                         size_t Height) const;
  cudaError_t operator()(cudaPitchedPtr To, int Value, cudaExtent Size) const;
};

/// The same with the stream, which is the last argument of the calls that have
/// one. The others are of the default stream of their form.
template <typename... Args>
cudaError_t requestOf(std::string_view Call, const FindSymbol &Find,
                      const std::tuple<Args...> &Given, Request &Out) {
  constexpr size_t Last = sizeof...(Args) - 1;
  using LastType = std::tuple_element_t<Last, std::tuple<Args...>>;
  const CommandOf Make{Find, Out.What};
  if constexpr (std::is_same_v<LastType, cudaStream_t>) {
    Out.By = Asker::AsyncCall;
    Out.Stream = std::get<Last>(Given);
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return Make(std::get<I>(Given)...);
    }(std::make_index_sequence<Last>());
  } else {
    Out.By = Asker::Call;
    Out.Stream = Call.ends_with("_ptds") ? cudaStreamPerThread : nullptr;
    return std::apply(Make, Given);
  }
}

} // namespace blockmaestro

#endif
