// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Symbols.h"

#include "Calls.h"
#include "Emulator.h"
#include "EngineState.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

/// The bytes of a device variable, if the copy stays inside it.
static cudaError_t findVariable(const void *Symbol, size_t Bytes, size_t Offset,
                                uint8_t *&Out) {
  EngineState &State = engineState();
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
  EngineState &State = engineState();
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
  cudaError_t Error = findVariable(Symbol, Bytes, Offset, Found);
  if (Error == cudaSuccess)
    Out = Found;
  return Error;
}

cudaError_t cudaGetSymbolAddress(void **Address, const void *Symbol) {
  if (!Address)
    return cudaErrorInvalidValue;
  uint8_t *Found = nullptr;
  cudaError_t Error = findVariable(Symbol, 0, 0, Found);
  if (Error == cudaSuccess)
    *Address = Found;
  return Error;
}

cudaError_t cudaGetSymbolSize(size_t *Bytes, const void *Symbol) {
  if (!Bytes)
    return cudaErrorInvalidValue;
  EngineState &State = engineState();
  Guard Held(State.Lock);
  const EmulatedVariable *Known = variableOf(State, Symbol);
  if (!Known)
    return cudaErrorInvalidSymbol;
  *Bytes = Known->What.Bytes;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
