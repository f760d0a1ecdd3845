// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Symbols.h"

#include "Calls.h"
#include "Copies.h"
#include "Emulator.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

/// The bytes of a device variable, if the copy stays inside it.
static cudaError_t findVariable(const void *Symbol, size_t Bytes, size_t Offset,
                                uint8_t *&Out) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedVariable *Known = variableOf(State, Symbol);
  if (!Known || !State.Processor)
    return cudaErrorInvalidSymbol;
  Result<Allocation> Place =
      State.Processor->findGlobal(Known->What.Symbol, Known->Of);
  if (!Place.ok())
    return cudaErrorInvalidSymbol;
  if (Offset > Place->Bytes || Bytes > Place->Bytes - Offset)
    return cudaErrorInvalidValue;
  Out = reinterpret_cast<uint8_t *>(Place->Base) + Offset;
  return cudaSuccess;
}

bool inVariable(const void *Address, size_t Bytes) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  uint64_t Where = reinterpret_cast<uint64_t>(Address);
  for (const auto &[Host, All] : State.Variables)
    for (const EmulatedVariable &Each : All) {
      Result<Allocation> Place =
          State.Processor->findGlobal(Each.What.Symbol, Each.Of);
      if (Place.ok() && Where >= Place->Base &&
          Where - Place->Base < Place->Bytes &&
          Bytes <= Place->Bytes - (Where - Place->Base))
        return true;
    }
  return false;
}

cudaError_t symbolAddress(const void *Symbol, size_t Bytes, size_t Offset,
                          void *&Out) {
  uint8_t *Found = nullptr;
  cudaError_t Wrong = findVariable(Symbol, Bytes, Offset, Found);
  if (Wrong == cudaSuccess)
    Out = Found;
  return Wrong;
}

/// The copy of a call that writes a variable.
static cudaError_t copyTo(const void *Symbol, const void *From, size_t Count,
                          size_t Offset, cudaMemcpyKind Kind,
                          cudaMemcpy3DParms &Out) {
  if (Kind != cudaMemcpyHostToDevice && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void *To = nullptr;
  cudaError_t Wrong = symbolAddress(Symbol, Count, Offset, To);
  Out = linearCopy(To, From, Count, Kind);
  return Wrong;
}

/// The copy of a call that reads one.
static cudaError_t copyFrom(void *To, const void *Symbol, size_t Count,
                            size_t Offset, cudaMemcpyKind Kind,
                            cudaMemcpy3DParms &Out) {
  if (Kind != cudaMemcpyDeviceToHost && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void *From = nullptr;
  cudaError_t Wrong = symbolAddress(Symbol, Count, Offset, From);
  Out = linearCopy(To, From, Count, Kind);
  return Wrong;
}

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Count, size_t Offset,
                               cudaMemcpyKind Kind) {
  cudaMemcpy3DParms What;
  cudaError_t Wrong = copyTo(Symbol, From, Count, Offset, Kind, What);
  return Wrong != cudaSuccess ? Wrong : copyNow(What);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From,
                                    size_t Count, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t Stream) {
  cudaMemcpy3DParms What;
  cudaError_t Wrong = copyTo(Symbol, From, Count, Offset, Kind, What);
  return Wrong != cudaSuccess ? Wrong : copyAsync(What, Stream);
}

cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Count,
                                 size_t Offset, cudaMemcpyKind Kind) {
  cudaMemcpy3DParms What;
  cudaError_t Wrong = copyFrom(To, Symbol, Count, Offset, Kind, What);
  return Wrong != cudaSuccess ? Wrong : copyNow(What);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol,
                                      size_t Count, size_t Offset,
                                      cudaMemcpyKind Kind,
                                      cudaStream_t Stream) {
  cudaMemcpy3DParms What;
  cudaError_t Wrong = copyFrom(To, Symbol, Count, Offset, Kind, What);
  return Wrong != cudaSuccess ? Wrong : copyAsync(What, Stream);
}

cudaError_t cudaGetSymbolAddress(void **Address, const void *Symbol) {
  if (!Address)
    return cudaErrorInvalidValue;
  uint8_t *Found = nullptr;
  cudaError_t Wrong = findVariable(Symbol, 0, 0, Found);
  if (Wrong == cudaSuccess)
    *Address = Found;
  return Wrong;
}

cudaError_t cudaGetSymbolSize(size_t *Bytes, const void *Symbol) {
  if (!Bytes)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedVariable *Known = variableOf(State, Symbol);
  if (!Known)
    return cudaErrorInvalidSymbol;
  *Bytes = Known->What.Bytes;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
