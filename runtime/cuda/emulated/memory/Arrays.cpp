// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arrays.h"

#include "Machine.h"
#include "MemoryState.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace blockmaestro::emulated {
namespace {

constexpr size_t FacesOfCube = 6;

bool fits(size_t Value, int Most) { return Value <= static_cast<size_t>(Most); }

/// The greatest sizes of an array of some shape; 0 for a size it lacks.
struct Limits {
  int Width, Height, Depth;
};

Limits limitsOf(const ArrayShape &Shape) {
  const cudaDeviceProp &P = emulatedProperties();
  if (Shape.isCube() && Shape.isLayered())
    return {P.maxTextureCubemapLayered[0], P.maxTextureCubemapLayered[0],
            P.maxTextureCubemapLayered[1]};
  if (Shape.isCube())
    return {P.maxTextureCubemap, P.maxTextureCubemap, int(FacesOfCube)};
  if (Shape.isLayered() && Shape.Extent.height == 0)
    return {P.maxTexture1DLayered[0], 0, P.maxTexture1DLayered[1]};
  if (Shape.isLayered())
    return {P.maxTexture2DLayered[0], P.maxTexture2DLayered[1],
            P.maxTexture2DLayered[2]};
  if (Shape.Extent.depth != 0)
    return {P.maxTexture3D[0], P.maxTexture3D[1], P.maxTexture3D[2]};
  if (Shape.Extent.height != 0)
    return {P.maxTexture2D[0], P.maxTexture2D[1], 0};
  return {P.maxTexture1D, 0, 0};
}

/// Sizes and flags that go together.
bool isPossible(const ArrayShape &Shape) {
  const cudaExtent &Size = Shape.Extent;
  constexpr unsigned Known = cudaArrayLayered | cudaArraySurfaceLoadStore |
                             cudaArrayCubemap | cudaArrayTextureGather;
  const Limits Most = limitsOf(Shape);
  if (Size.width == 0 || (Shape.Flags & ~Known) ||
      !fits(Size.width, Most.Width) || !fits(Size.height, Most.Height) ||
      !fits(Size.depth, Most.Depth))
    return false;
  if (Shape.isCube())
    return Size.width == Size.height && Size.depth != 0 &&
           Size.depth % FacesOfCube == 0 &&
           (Shape.isLayered() || Size.depth == FacesOfCube);
  if (Shape.isLayered())
    return Size.depth != 0;
  return Size.depth == 0 || Size.height != 0;
}

size_t halved(size_t Size, unsigned Times) {
  return Size == 0 ? 0 : std::max<size_t>(Size >> Times, 1);
}

/// The sizes of a level; layers stay as many as they are.
cudaExtent extentOf(const ArrayShape &Shape, unsigned Level) {
  const bool Stays = Shape.isLayered() || Shape.isCube();
  return {halved(Shape.Extent.width, Level), halved(Shape.Extent.height, Level),
          Stays ? Shape.Extent.depth : halved(Shape.Extent.depth, Level)};
}

unsigned mostLevels(const ArrayShape &Shape) {
  const bool Stays = Shape.isLayered() || Shape.isCube();
  const size_t Longest = std::max({Shape.Extent.width, Shape.Extent.height,
                                   Stays ? size_t(0) : Shape.Extent.depth});
  return std::min<unsigned>(std::bit_width(Longest), MostImageLevels);
}

/// One side of a copy that may be an array.
struct Side {
  cudaArray_const_t Array;
  cudaPos Start;
  cudaPitchedPtr Plain;
};

bool holds(size_t Size, size_t First, size_t Count) {
  return First <= Size && Count <= Size - First;
}

/// Where a row of bytes is that goes on in the array's next row.
cudaError_t runOf(Side &What, const ArrayObject &Object, size_t Bytes) {
  const ImageLevel &Texels = Object.Texels;
  if (What.Start.x >= Texels.RowBytes || What.Start.y >= Texels.Height ||
      What.Start.z != 0)
    return cudaErrorInvalidValue;
  const size_t First = What.Start.y * Texels.RowBytes + What.Start.x;
  if (!holds(Texels.SliceBytes, First, Bytes))
    return cudaErrorInvalidValue;
  What.Plain = {Texels.Texels + First, Bytes, Bytes, 1};
  What.Start = {};
  return cudaSuccess;
}

/// Where a side is, in bytes of plain memory.
cudaError_t placeOf(Side &What, const ArrayObject &Object, cudaExtent Bytes,
                    CopyUnit Unit) {
  const ImageLevel &Texels = Object.Texels;
  if (Unit == CopyUnit::BytesAcrossRows)
    return runOf(What, Object, Bytes.width);
  if (What.Start.x > Texels.RowBytes)
    return cudaErrorInvalidValue;
  if (Unit == CopyUnit::Elements)
    What.Start.x *= Object.Format.bytes();
  if (!holds(Texels.RowBytes, What.Start.x, Bytes.width) ||
      !holds(Texels.Height, What.Start.y, Bytes.height) ||
      !holds(Texels.Slices, What.Start.z, Bytes.depth))
    return cudaErrorInvalidValue;
  What.Plain = {Texels.Texels, Texels.RowBytes, Texels.RowBytes, Texels.Height};
  return cudaSuccess;
}

/// The arrays of a copy, and the bytes of an element of theirs: 1 without any.
struct Involved {
  std::optional<ArrayObject> To, From;
  size_t ElementBytes = 1;
};

cudaError_t arraysOf(const cudaMemcpy3DParms &What, Involved &Out) {
  const Arrays &All = memoryState().Arrays;
  for (auto [Handle, Object] : {std::pair(What.dstArray, &Out.To),
                                std::pair(What.srcArray, &Out.From)}) {
    if (!Handle)
      continue;
    *Object = All.find(Handle);
    if (!*Object)
      return cudaErrorInvalidValue;
    const size_t Bytes = (*Object)->Format.bytes();
    if (Out.ElementBytes != 1 && Out.ElementBytes != Bytes)
      return cudaErrorInvalidValue;
    Out.ElementBytes = Bytes;
  }
  return cudaSuccess;
}

/// Arrays are the device's, whatever the direction says of them.
bool isPossible(const cudaMemcpy3DParms &What) {
  const bool ToHost =
      What.kind == cudaMemcpyDeviceToHost || What.kind == cudaMemcpyHostToHost;
  const bool FromHost =
      What.kind == cudaMemcpyHostToDevice || What.kind == cudaMemcpyHostToHost;
  return !(What.dstArray && ToHost) && !(What.srcArray && FromHost);
}

} // namespace

cudaError_t formatOf(const cudaChannelFormatDesc &Channels, TexelFormat &Out) {
  const int Bits[] = {Channels.x, Channels.y, Channels.z, Channels.w};
  unsigned Count = 0;
  while (Count < 4 && Bits[Count] != 0)
    ++Count;
  bool Alike = Count == 1 || Count == 2 || Count == 4;
  for (unsigned N = 0; N < 4; ++N)
    Alike &= Bits[N] == (N < Count ? Bits[0] : 0);
  const bool Sized = Bits[0] == 8 || Bits[0] == 16 || Bits[0] == 32;
  const bool Float = Channels.f == cudaChannelFormatKindFloat;
  if (!Alike || !Sized || (Float && Bits[0] == 8) ||
      (!Float && Channels.f != cudaChannelFormatKindSigned &&
       Channels.f != cudaChannelFormatKindUnsigned))
    return cudaErrorInvalidChannelDescriptor;
  Out.Kind = Float ? ComponentKind::Float
             : Channels.f == cudaChannelFormatKindSigned
                 ? ComponentKind::Signed
                 : ComponentKind::Unsigned;
  Out.Bits = static_cast<uint8_t>(Bits[0]);
  Out.Count = static_cast<uint8_t>(Count);
  return cudaSuccess;
}

cudaChannelFormatDesc channelsOf(const TexelFormat &Format) {
  const auto Bits = [&](unsigned N) {
    return N < Format.Count ? int(Format.Bits) : 0;
  };
  const cudaChannelFormatKind Kind =
      Format.Kind == ComponentKind::Float    ? cudaChannelFormatKindFloat
      : Format.Kind == ComponentKind::Signed ? cudaChannelFormatKindSigned
                                             : cudaChannelFormatKindUnsigned;
  return {Bits(0), Bits(1), Bits(2), Bits(3), Kind};
}

cudaError_t layOut(const ArrayShape &Shape, unsigned Count,
                   std::vector<ArrayObject> &Out) {
  TexelFormat Format;
  const cudaError_t Error = formatOf(Shape.Channels, Format);
  if (Error != cudaSuccess)
    return Error;
  if (!isPossible(Shape))
    return cudaErrorInvalidValue;
  Count = std::clamp(Count, 1u, mostLevels(Shape));
  constexpr size_t Unit = 512; // What levels begin at.
  size_t Next = 0;
  for (unsigned N = 0; N < Count; ++N) {
    ArrayObject Level;
    Level.Shape = Shape;
    Level.Shape.Extent = extentOf(Shape, N);
    Level.Format = Format;
    const cudaExtent &Size = Level.Shape.Extent;
    ImageLevel &Texels = Level.Texels;
    Texels.Width = static_cast<uint32_t>(Size.width);
    Texels.Height = static_cast<uint32_t>(std::max<size_t>(Size.height, 1));
    Texels.Slices = static_cast<uint32_t>(std::max<size_t>(Size.depth, 1));
    Texels.RowBytes = Size.width * Format.bytes();
    Texels.SliceBytes = Texels.RowBytes * Texels.Height;
    Texels.Texels = reinterpret_cast<uint8_t *>(Next);
    Out.push_back(Level);
    Next = (Next + Level.bytes() + Unit - 1) / Unit * Unit;
  }
  return cudaSuccess;
}

cudaArray_t Arrays::insert(const ArrayObject &What, bool IsLevel) {
  auto New = std::make_unique<Entry>(Entry{What, IsLevel});
  auto *Handle = reinterpret_cast<cudaArray_t>(New.get());
  Plain.emplace(Handle, std::move(New));
  return Handle;
}

cudaArray_t Arrays::add(const ArrayObject &What) {
  std::lock_guard<std::mutex> Held(Lock);
  return insert(What, false);
}

cudaMipmappedArray_t Arrays::add(const ArrayShape &Shape,
                                 const std::vector<ArrayObject> &Levels) {
  std::lock_guard<std::mutex> Held(Lock);
  auto New = std::make_unique<MipmappedObject>();
  New->Shape = Shape;
  New->Base = Levels[0].Texels.Texels;
  for (const ArrayObject &Each : Levels)
    New->Levels.push_back(insert(Each, true));
  auto *Handle = reinterpret_cast<cudaMipmappedArray_t>(New.get());
  Mipmapped.emplace(Handle, std::move(New));
  return Handle;
}

std::optional<ArrayObject> Arrays::find(cudaArray_const_t Handle) const {
  std::lock_guard<std::mutex> Held(Lock);
  auto Found = Plain.find(Handle);
  if (Found == Plain.end())
    return std::nullopt;
  return Found->second->What;
}

std::optional<MipmappedObject>
Arrays::find(cudaMipmappedArray_const_t Handle) const {
  std::lock_guard<std::mutex> Held(Lock);
  auto Found = Mipmapped.find(Handle);
  if (Found == Mipmapped.end())
    return std::nullopt;
  return *Found->second;
}

uint8_t *Arrays::memoryOf(cudaArray_t Handle) const {
  std::lock_guard<std::mutex> Held(Lock);
  auto Found = Plain.find(Handle);
  return Found == Plain.end() || Found->second->IsLevel
             ? nullptr
             : Found->second->What.Texels.Texels;
}

uint8_t *Arrays::memoryOf(cudaMipmappedArray_t Handle) const {
  std::lock_guard<std::mutex> Held(Lock);
  auto Found = Mipmapped.find(Handle);
  return Found == Mipmapped.end() ? nullptr : Found->second->Base;
}

void Arrays::forget(cudaArray_t Handle) {
  std::lock_guard<std::mutex> Held(Lock);
  Plain.erase(Handle);
}

void Arrays::forget(cudaMipmappedArray_t Handle) {
  std::lock_guard<std::mutex> Held(Lock);
  auto Found = Mipmapped.find(Handle);
  if (Found == Mipmapped.end())
    return;
  for (cudaArray_t Each : Found->second->Levels)
    Plain.erase(Each);
  Mipmapped.erase(Found);
}

void Arrays::clear() {
  std::lock_guard<std::mutex> Held(Lock);
  Plain.clear();
  Mipmapped.clear();
}

cudaError_t withoutArrays(const CopyCommand &Copy, CopyCommand &Out) {
  Out = Copy;
  cudaMemcpy3DParms &What = Out.What;
  if (!What.srcArray && !What.dstArray)
    return cudaSuccess;
  Involved Named;
  cudaError_t Error = arraysOf(What, Named);
  if (Error != cudaSuccess)
    return Error;
  if (!isPossible(What))
    return cudaErrorInvalidMemcpyDirection;
  if (Copy.Unit == CopyUnit::Elements &&
      __builtin_mul_overflow(What.extent.width, Named.ElementBytes,
                             &What.extent.width))
    return cudaErrorInvalidValue;
  Out.Unit = CopyUnit::Elements;
  if (What.extent.width == 0 || What.extent.height == 0 ||
      What.extent.depth == 0) {
    What.srcArray = What.dstArray = nullptr;
    return cudaSuccess;
  }
  Side To = {What.dstArray, What.dstPos, What.dstPtr};
  Side From = {What.srcArray, What.srcPos, What.srcPtr};
  for (auto [Which, Object] :
       {std::pair(&To, &Named.To), std::pair(&From, &Named.From)})
    if (*Object && Error == cudaSuccess)
      Error = placeOf(*Which, **Object, What.extent, Copy.Unit);
  What.srcArray = What.dstArray = nullptr;
  What.dstPos = To.Start;
  What.dstPtr = To.Plain;
  What.srcPos = From.Start;
  What.srcPtr = From.Plain;
  return Error;
}

cudaError_t inElements(const CopyCommand &Copy, CopyCommand &Out) {
  if (Copy.Unit == CopyUnit::Elements) {
    Out = Copy;
    return cudaSuccess;
  }
  if (Copy.Unit == CopyUnit::BytesAcrossRows)
    return withoutArrays(Copy, Out);
  Out = Copy;
  Involved Named;
  const cudaError_t Error = arraysOf(Copy.What, Named);
  if (Error != cudaSuccess)
    return Error;
  Out.Unit = CopyUnit::Elements;
  for (auto [IsArray, Number] :
       {std::pair(true, &Out.What.extent.width),
        std::pair(Named.To.has_value(), &Out.What.dstPos.x),
        std::pair(Named.From.has_value(), &Out.What.srcPos.x)}) {
    if (!IsArray)
      continue;
    if (*Number % Named.ElementBytes != 0)
      return cudaErrorInvalidValue;
    *Number /= Named.ElementBytes;
  }
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
