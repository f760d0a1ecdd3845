// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"

#include "Capture.h"
#include "Collector.h"
#include "Machine.h"
#include "State.h"
#include "Streams.h"
#include "Symbols.h"

#include <cstdint>
#include <cstring>

namespace blockmaestro::emulated {
namespace {

/// Slices of rows of bytes.
struct Box {
  char *Base = nullptr;
  size_t Pitch = 0;
  size_t SlicePitch = 0;
};

struct BoxCopy {
  Box To;
  Box From;
  cudaExtent Size = {};
};

bool isEmpty(cudaExtent Size) {
  return Size.width == 0 || Size.height == 0 || Size.depth == 0;
}

/// How far it is from the first byte to behind the last; 0 when that does not
/// fit a size.
size_t spanOf(const Box &Of, cudaExtent Size) {
  size_t Rows = 0, Slices = 0, Out = 0;
  bool Fits = !__builtin_mul_overflow(Of.Pitch, Size.height - 1, &Rows) &&
              !__builtin_mul_overflow(Of.SlicePitch, Size.depth - 1, &Slices) &&
              !__builtin_add_overflow(Rows, Slices, &Out) &&
              !__builtin_add_overflow(Out, Size.width, &Out);
  return Fits ? Out : 0;
}

/// Where one side of a copy lies.
cudaError_t boxOf(const cudaPitchedPtr &Where, const cudaPos &Start,
                  cudaExtent Size, Box &Out) {
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
  Out.Pitch = Where.pitch;
  Out.SlicePitch = HasSlices ? Where.pitch * Where.ysize : 0;
  Out.Base = static_cast<char *>(Where.ptr) + Start.z * Out.SlicePitch +
             Start.y * Where.pitch + Start.x;
  return cudaSuccess;
}

/// On the device the bytes must be inside one allocation or variable; on the
/// host they must not run out of an allocation they begin in.
bool mayTouch(const Box &What, cudaExtent Size, bool OnDevice) {
  size_t Bytes = spanOf(What, Size);
  if (Bytes == 0)
    return false;
  return OnDevice ? isDeviceRange(What.Base, Bytes)
                  : !emulatedState().Heap.overruns(What.Base, Bytes);
}

bool toDevice(cudaMemcpyKind Kind) {
  return Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
}

bool fromDevice(cudaMemcpyKind Kind) {
  return Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
}

cudaError_t checkedCopy(const cudaMemcpy3DParms &What, BoxCopy &Out) {
  if (What.kind < cudaMemcpyHostToHost || What.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (isEmpty(What.extent))
    return cudaSuccess;
  if (What.srcArray || What.dstArray)
    return cudaErrorNotSupported;
  cudaError_t Wrong = boxOf(What.dstPtr, What.dstPos, What.extent, Out.To);
  if (Wrong == cudaSuccess)
    Wrong = boxOf(What.srcPtr, What.srcPos, What.extent, Out.From);
  if (Wrong != cudaSuccess)
    return Wrong;
  Out.Size = What.extent;
  return mayTouch(Out.To, Out.Size, toDevice(What.kind)) &&
                 mayTouch(Out.From, Out.Size, fromDevice(What.kind))
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

void run(const BoxCopy &What) {
  if (What.Size.height == 1 && What.Size.depth == 1) {
    std::memmove(What.To.Base, What.From.Base, What.Size.width);
    return;
  }
  for (size_t Z = 0; Z < What.Size.depth; ++Z)
    for (size_t Y = 0; Y < What.Size.height; ++Y)
      std::memmove(What.To.Base + Z * What.To.SlicePitch + Y * What.To.Pitch,
                   What.From.Base + Z * What.From.SlicePitch +
                       Y * What.From.Pitch,
                   What.Size.width);
}

TouchedBox touchedBox(const Box &Of, cudaExtent Size, bool Writes) {
  TouchedBox Out;
  Out.Address = reinterpret_cast<uint64_t>(Of.Base);
  Out.Width = Size.width;
  Out.Rows = Size.height;
  Out.Pitch = Of.Pitch;
  Out.Slices = Size.depth;
  Out.SlicePitch = Of.SlicePitch;
  Out.Writes = Writes;
  Out.HostSees = hostSees(Of.Base);
  return Out;
}

/// The copy with its bytes taken now.
std::function<Status()> staged(BoxCopy What) {
  auto Bytes =
      std::make_shared<std::vector<char>>(spanOf(What.From, What.Size));
  BoxCopy Aside = What;
  Aside.To = What.From;
  Aside.To.Base = Bytes->data();
  run(Aside);
  What.From.Base = Bytes->data();
  return [What, Bytes] {
    run(What);
    return Status();
  };
}

/// Longer copies keep the host waiting rather than take so much memory.
constexpr size_t MostStaged = size_t(16) << 20;

/// Only what the program alone can write may be taken aside.
bool canStage(const Box &What, cudaExtent Size) {
  return spanOf(What, Size) <= MostStaged &&
         !emulatedState().Heap.meets(What.Base, spanOf(What, Size)) &&
         !inVariable(What.Base, 1);
}

std::shared_ptr<WorkShape> shapeOf(const BoxCopy &What) {
  auto Out = std::make_shared<WorkShape>();
  Out->Touches = {touchedBox(What.To, What.Size, true),
                  touchedBox(What.From, What.Size, false)};
  Out->Staged = 1;
  if (canStage(What.From, What.Size))
    Out->Stage = [What] { return staged(What); };
  return Out;
}

thread_local cudaStream_t CurrentDefault = nullptr;

/// Whether a side is memory of the host that the device does not know.
bool isPageable(const void *Address) { return !isDeviceRange(Address, 1); }

bool touchesPageable(const cudaMemcpy3DParms &What) {
  return isPageable(What.srcPtr.ptr) || isPageable(What.dstPtr.ptr);
}

/// Whether a copy without a stream returns before it is done: where no memory
/// of the host takes part.
bool staysOnDevice(const cudaMemcpy3DParms &What) {
  const DeviceHeap &Heap = emulatedState().Heap;
  auto OfDevice = [&](const void *Address) {
    return Heap.isDeviceOnly(Address) || inVariable(Address, 1);
  };
  return OfDevice(What.srcPtr.ptr) && OfDevice(What.dstPtr.ptr);
}

} // namespace

cudaStream_t defaultStream() { return CurrentDefault; }
PerThreadDefault::PerThreadDefault() { CurrentDefault = cudaStreamPerThread; }
PerThreadDefault::~PerThreadDefault() { CurrentDefault = nullptr; }

bool hostSees(const void *Address) {
  return !emulatedState().Heap.isDeviceOnly(Address) && !inVariable(Address, 1);
}

bool isDeviceRange(const void *Address, size_t Bytes) {
  return emulatedState().Heap.holds(Address, Bytes) ||
         inVariable(Address, Bytes);
}

cudaMemcpy3DParms planeCopy(void *To, size_t ToPitch, const void *From,
                            size_t FromPitch, size_t Width, size_t Height,
                            cudaMemcpyKind Kind) {
  cudaMemcpy3DParms Out = {};
  Out.dstPtr = {To, ToPitch, Width, Height};
  Out.srcPtr = {const_cast<void *>(From), FromPitch, Width, Height};
  Out.extent = {Width, Height, 1};
  Out.kind = Kind;
  return Out;
}

cudaMemcpy3DParms linearCopy(void *To, const void *From, size_t Bytes,
                             cudaMemcpyKind Kind) {
  return planeCopy(To, Bytes, From, Bytes, Bytes, 1, Kind);
}

cudaError_t copyWork(const cudaMemcpy3DParms &What, Work &Out) {
  BoxCopy Checked;
  cudaError_t Wrong = checkedCopy(What, Checked);
  if (Wrong != cudaSuccess || isEmpty(What.extent))
    return Wrong;
  Out.Short = [Checked] {
    run(Checked);
    return Status();
  };
  if (Collector::current())
    Out.Shape = shapeOf(Checked);
  return cudaSuccess;
}

cudaError_t copyAsync(const cudaMemcpy3DParms &What, cudaStream_t Stream) {
  if (Collector::declines(Stream))
    return cudaSuccess;
  Work Next;
  cudaError_t Wrong = copyWork(What, Next);
  if (Wrong != cudaSuccess)
    return Wrong;
  cudaError_t Captured = cudaSuccess;
  if (capturesInstead(Stream, CopyWork{What}, Captured))
    return Captured;
  bool Waits = !isEmpty(What.extent) && touchesPageable(What);
  return Waits ? enqueueAndWait(Stream, std::move(Next))
               : enqueue(Stream, std::move(Next));
}

cudaError_t copyNow(const cudaMemcpy3DParms &What) {
  if (Collector::declines(defaultStream()))
    return cudaSuccess;
  Work Next;
  cudaError_t Wrong = copyWork(What, Next);
  if (Wrong == cudaSuccess && !defaultStream())
    Wrong = mayUseLegacyStream();
  if (Wrong != cudaSuccess)
    return Wrong;
  if (isEmpty(What.extent) || staysOnDevice(What))
    return enqueue(defaultStream(), std::move(Next));
  return enqueueAndWait(defaultStream(), std::move(Next));
}

} // namespace blockmaestro::emulated
