// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"

#include "Arrays.h"
#include "Machine.h"
#include "MemoryState.h"
#include "PreparedWork.h"
#include "Symbols.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace blockmaestro::emulated {
namespace {

struct BoxCopy {
  TouchedBox To;
  TouchedBox From;
};

bool isEmpty(cudaExtent Size) {
  return Size.width == 0 || Size.height == 0 || Size.depth == 0;
}

char *bytesAt(uint64_t Address) { return reinterpret_cast<char *>(Address); }

/// How far it is from the first byte to behind the last; 0 when that does not
/// fit a size.
size_t checkedSpan(const TouchedBox &Of) {
  size_t Rows = 0, Slices = 0, Out = 0;
  bool Fits = !__builtin_mul_overflow(Of.Pitch, Of.Rows - 1, &Rows) &&
              !__builtin_mul_overflow(Of.SlicePitch, Of.Slices - 1, &Slices) &&
              !__builtin_add_overflow(Rows, Slices, &Out) &&
              !__builtin_add_overflow(Out, Of.Width, &Out);
  return Fits ? Out : 0;
}

/// Whether rows and slices of one side of a copy are where they can be.
cudaError_t checkPlace(const cudaPitchedPtr &Where, const cudaPos &Start,
                       cudaExtent Size) {
  if (!Where.ptr)
    return cudaErrorInvalidValue;
  size_t MostPitch = emulatedProperties().memPitch;
  bool HasRows = Size.height > 1 || Size.depth > 1 || Start.y || Start.z;
  bool HasSlices = Size.depth > 1 || Start.z;
  if (HasRows && (Where.pitch > MostPitch || Start.x > Where.pitch ||
                  Size.width > Where.pitch - Start.x))
    return cudaErrorInvalidPitchValue;
  if (HasSlices &&
      (Start.y > Where.ysize || Size.height > Where.ysize - Start.y))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

/// On the device the bytes must be inside one allocation or variable; on the
/// host they must not run out of an allocation they begin in.
bool mayTouch(const TouchedBox &What, bool OnDevice) {
  size_t Bytes = checkedSpan(What);
  if (Bytes == 0)
    return false;
  return OnDevice ? isDeviceRange(bytesAt(What.Address), Bytes)
                  : !memoryState().Heap.overruns(bytesAt(What.Address), Bytes);
}

bool toDevice(cudaMemcpyKind Kind) {
  return Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
}

bool fromDevice(cudaMemcpyKind Kind) {
  return Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
}

cudaError_t checkCopy(const cudaMemcpy3DParms &What) {
  if (What.kind < cudaMemcpyHostToHost || What.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (isEmpty(What.extent))
    return cudaSuccess;
  cudaError_t Error = checkPlace(What.dstPtr, What.dstPos, What.extent);
  if (Error == cudaSuccess)
    Error = checkPlace(What.srcPtr, What.srcPos, What.extent);
  if (Error != cudaSuccess)
    return Error;
  return mayTouch(writtenBy(What), toDevice(What.kind)) &&
                 mayTouch(readBy(What), fromDevice(What.kind))
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

BoxCopy boxesOf(const cudaMemcpy3DParms &What) {
  return {writtenBy(What), readBy(What)};
}

void run(const BoxCopy &What) {
  char *To = bytesAt(What.To.Address);
  const char *From = bytesAt(What.From.Address);
  if (What.To.Rows == 1 && What.To.Slices == 1) {
    std::memmove(To, From, What.To.Width);
    return;
  }
  for (size_t Z = 0; Z < What.To.Slices; ++Z)
    for (size_t Y = 0; Y < What.To.Rows; ++Y)
      std::memmove(To + Z * What.To.SlicePitch + Y * What.To.Pitch,
                   From + Z * What.From.SlicePitch + Y * What.From.Pitch,
                   What.To.Width);
}

/// Longer copies keep the host waiting rather than take so much memory.
constexpr size_t MostStaged = size_t(16) << 20;

/// Only what the program alone can write may be taken aside.
bool canStage(const TouchedBox &What) {
  const void *Base = bytesAt(What.Address);
  return What.span() <= MostStaged &&
         !memoryState().Heap.meets(Base, What.span()) && !inVariable(Base, 1);
}

/// Whether a side is memory of the host that the device does not know.
bool isPageable(const void *Address) { return !isDeviceRange(Address, 1); }

bool touchesPageable(const cudaMemcpy3DParms &What) {
  return isPageable(What.srcPtr.ptr) || isPageable(What.dstPtr.ptr);
}

/// Whether a copy without a stream returns before it is done: where no memory
/// of the host takes part.
bool staysOnDevice(const cudaMemcpy3DParms &What) {
  return !hostSees(What.srcPtr.ptr) && !hostSees(What.dstPtr.ptr);
}

} // namespace

bool hostSees(const void *Address) {
  return !memoryState().Heap.isDeviceOnly(Address) && !inVariable(Address, 1);
}

bool isDeviceRange(const void *Address, size_t Bytes) {
  return memoryState().Heap.holds(Address, Bytes) || inVariable(Address, Bytes);
}

cudaError_t workOf(const CopyCommand &From, Work &Out) {
  CopyCommand Plain;
  cudaError_t Error = withoutArrays(From, Plain);
  if (Error == cudaSuccess)
    Error = checkCopy(Plain.What);
  if (Error != cudaSuccess || isEmpty(Plain.What.extent))
    return Error;
  Out.Short = [Checked = boxesOf(Plain.What)] {
    run(Checked);
    return Status();
  };
  return cudaSuccess;
}

bool hostWaits(const CopyCommand &What, Asker By) {
  if (By == Asker::Graph || isEmpty(What.What.extent))
    return false;
  return By == Asker::Call ? !staysOnDevice(What.What)
                           : touchesPageable(What.What);
}

std::function<Status()> stagedCopy(const CopyCommand &What) {
  BoxCopy Later = boxesOf(What.What);
  if (!canStage(Later.From))
    return nullptr;
  auto Bytes = std::make_shared<std::vector<char>>(Later.From.span());
  BoxCopy Aside = {Later.From, Later.From};
  Aside.To.Address = Later.From.Address =
      reinterpret_cast<uint64_t>(Bytes->data());
  run(Aside);
  return [Later, Bytes] {
    run(Later);
    return Status();
  };
}

} // namespace blockmaestro::emulated
