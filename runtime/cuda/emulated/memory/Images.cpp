// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Images.h"

#include "Arrays.h"
#include "Copies.h"
#include "Machine.h"
#include "MemoryState.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro::emulated {
namespace {

/// Where the texels are, of whatever resource.
struct Resource {
  ImageKind Kind = ImageKind::Texture;
  ArrayShape Shape; ///< Of arrays.
  TexelFormat Format;
  std::vector<ImageLevel> Levels;
};

void addArray(const ArrayObject &From, Resource &Out) {
  if (Out.Levels.empty()) {
    Out.Shape = From.Shape;
    Out.Format = From.Format;
  }
  Out.Levels.push_back(From.Texels);
}

cudaError_t readArray(cudaArray_t Handle, Resource &Out) {
  const std::optional<ArrayObject> Found = memoryState().Arrays.find(Handle);
  if (!Found)
    return cudaErrorInvalidValue;
  addArray(*Found, Out);
  return cudaSuccess;
}

cudaError_t readMipmapped(cudaMipmappedArray_t Handle, Resource &Out) {
  const std::optional<MipmappedObject> Found =
      memoryState().Arrays.find(Handle);
  if (!Found)
    return cudaErrorInvalidValue;
  for (cudaArray_t Each : Found->Levels)
    if (const cudaError_t Error = readArray(Each, Out); Error != cudaSuccess)
      return Error;
  return cudaSuccess;
}

bool isAligned(const void *Address, size_t Unit) {
  return Unit != 0 && reinterpret_cast<uintptr_t>(Address) % Unit == 0;
}

/// A row of texels that is so many bytes long.
cudaError_t readLinear(const cudaResourceDesc &From, Resource &Out) {
  const auto &Row = From.res.linear;
  const cudaError_t Error = formatOf(Row.desc, Out.Format);
  if (Error != cudaSuccess)
    return Error;
  const size_t Texels = Row.sizeInBytes / Out.Format.bytes();
  if (Texels == 0 || Texels > MostLinearTexels ||
      !isAligned(Row.devPtr, emulatedProperties().textureAlignment) ||
      !isDeviceRange(Row.devPtr, Row.sizeInBytes))
    return cudaErrorInvalidValue;
  ImageLevel Level;
  Level.Texels = static_cast<uint8_t *>(Row.devPtr);
  Level.Width = static_cast<uint32_t>(Texels);
  Level.RowBytes = Level.SliceBytes = Row.sizeInBytes;
  Out.Levels = {Level};
  Out.Kind = ImageKind::Linear;
  return cudaSuccess;
}

/// Rows of texels at a pitch.
cudaError_t readPitched(const cudaResourceDesc &From, Resource &Out) {
  const auto &Rows = From.res.pitch2D;
  const cudaDeviceProp &P = emulatedProperties();
  const cudaError_t Error = formatOf(Rows.desc, Out.Format);
  if (Error != cudaSuccess)
    return Error;
  const size_t Bytes = Rows.width * Out.Format.bytes();
  if (Rows.width == 0 || Rows.height == 0 ||
      Rows.width > static_cast<size_t>(P.maxTexture2DLinear[0]) ||
      Rows.height > static_cast<size_t>(P.maxTexture2DLinear[1]) ||
      Rows.pitchInBytes > static_cast<size_t>(P.maxTexture2DLinear[2]) ||
      Rows.pitchInBytes % P.texturePitchAlignment != 0 ||
      Bytes > Rows.pitchInBytes ||
      !isAligned(Rows.devPtr, P.textureAlignment) ||
      !isDeviceRange(Rows.devPtr,
                     (Rows.height - 1) * Rows.pitchInBytes + Bytes))
    return cudaErrorInvalidValue;
  ImageLevel Level;
  Level.Texels = static_cast<uint8_t *>(Rows.devPtr);
  Level.Width = static_cast<uint32_t>(Rows.width);
  Level.Height = static_cast<uint32_t>(Rows.height);
  Level.RowBytes = Rows.pitchInBytes;
  Level.SliceBytes = Rows.pitchInBytes * Rows.height;
  Out.Levels = {Level};
  return cudaSuccess;
}

cudaError_t readResource(const cudaResourceDesc &From, Resource &Out) {
  switch (From.resType) {
  case cudaResourceTypeArray:
    return readArray(From.res.array.array, Out);
  case cudaResourceTypeMipmappedArray:
    return readMipmapped(From.res.mipmap.mipmap, Out);
  case cudaResourceTypeLinear:
    return readLinear(From, Out);
  case cudaResourceTypePitch2D:
    return readPitched(From, Out);
  }
  return cudaErrorInvalidValue;
}

/// The formats of resource views, three for each: of 1, 2 and 4 components.
struct ViewFormatRow {
  cudaResourceViewFormat First;
  ComponentKind Kind;
  uint8_t Bits;
};
constexpr ViewFormatRow ViewFormats[] = {
    {cudaResViewFormatUnsignedChar1, ComponentKind::Unsigned, 8},
    {cudaResViewFormatSignedChar1, ComponentKind::Signed, 8},
    {cudaResViewFormatUnsignedShort1, ComponentKind::Unsigned, 16},
    {cudaResViewFormatSignedShort1, ComponentKind::Signed, 16},
    {cudaResViewFormatUnsignedInt1, ComponentKind::Unsigned, 32},
    {cudaResViewFormatSignedInt1, ComponentKind::Signed, 32},
    {cudaResViewFormatHalf1, ComponentKind::Float, 16},
    {cudaResViewFormatFloat1, ComponentKind::Float, 32},
};

/// Whether \p Asked reads texels as another format of the same size; what it
/// does goes into \p Out.
bool viewFormat(cudaResourceViewFormat Asked, TexelFormat &Out) {
  constexpr int FormatsOfRow = 3;
  for (const ViewFormatRow &Row : ViewFormats) {
    const int Number = int(Asked) - int(Row.First);
    if (Number < 0 || Number >= FormatsOfRow)
      continue;
    const TexelFormat New = {Row.Kind, Row.Bits,
                             static_cast<uint8_t>(1 << Number)};
    const bool Fits = New.bytes() == Out.bytes();
    Out = New;
    return Fits;
  }
  return false;
}

/// Restricts \p Out to the levels and layers of \p View.
cudaError_t restrict(const cudaResourceViewDesc &View, Resource &Out) {
  const ImageLevel Whole = Out.Levels[0];
  const auto Differs = [](size_t Asked, size_t Has) {
    return Asked != Has && !(Asked == 0 && Has == 1);
  };
  const bool Sliced = Out.Shape.isLayered() || Out.Shape.isCube();
  if (Differs(View.width, Whole.Width) || Differs(View.height, Whole.Height) ||
      Differs(View.depth, Whole.Slices) ||
      View.firstMipmapLevel > View.lastMipmapLevel ||
      View.lastMipmapLevel >= Out.Levels.size() ||
      View.firstLayer > View.lastLayer ||
      View.lastLayer >= (Sliced ? Whole.Slices : 1))
    return cudaErrorInvalidValue;
  Out.Levels = {Out.Levels.begin() + View.firstMipmapLevel,
                Out.Levels.begin() + View.lastMipmapLevel + 1};
  for (ImageLevel &Each : Out.Levels) {
    Each.Texels += View.firstLayer * Each.SliceBytes;
    if (Sliced)
      Each.Slices = View.lastLayer - View.firstLayer + 1;
  }
  return cudaSuccess;
}

cudaError_t apply(const cudaResourceViewDesc &View, cudaResourceType Type,
                  Resource &Out) {
  if (Type != cudaResourceTypeArray && Type != cudaResourceTypeMipmappedArray)
    return cudaErrorInvalidValue;
  if (View.format >= cudaResViewFormatUnsignedBlockCompressed1)
    return cudaErrorNotSupported;
  if (View.format == cudaResViewFormatNone)
    return cudaSuccess;
  if (!viewFormat(View.format, Out.Format))
    return cudaErrorInvalidValue;
  return restrict(View, Out);
}

bool isKnown(cudaTextureAddressMode Mode) {
  return Mode >= cudaAddressModeWrap && Mode <= cudaAddressModeBorder;
}

/// Wrap and mirror need normalized coordinates; without, they clamp.
AddressMode modeOf(cudaTextureAddressMode Mode, bool Normalized) {
  switch (Mode) {
  case cudaAddressModeWrap:
    return Normalized ? AddressMode::Wrap : AddressMode::Clamp;
  case cudaAddressModeMirror:
    return Normalized ? AddressMode::Mirror : AddressMode::Clamp;
  case cudaAddressModeBorder:
    return AddressMode::Border;
  case cudaAddressModeClamp:
    break;
  }
  return AddressMode::Clamp;
}

void setTexels(const Resource &From, ImageView &Out) {
  Out.Kind = From.Kind;
  Out.Format = From.Format;
  Out.LevelCount = static_cast<uint32_t>(From.Levels.size());
  std::copy(From.Levels.begin(), From.Levels.end(), Out.Levels);
  const bool Plain = From.Kind == ImageKind::Linear && From.Format.Bits == 32 &&
                     From.Format.Count == 1;
  if (!Plain)
    return;
  Out.PlainBytes = From.Format.bytes();
  Out.PlainCount = From.Levels[0].Width;
  Out.PlainTexels = From.Levels[0].Texels;
}

void setReading(const cudaTextureDesc &From, ImageView &Out) {
  Out.NormalizedCoords = From.normalizedCoords != 0;
  for (unsigned N = 0; N < std::size(Out.Address); ++N)
    Out.Address[N] = modeOf(From.addressMode[N], Out.NormalizedCoords);
  Out.FiltersLinearly = From.filterMode == cudaFilterModeLinear;
  Out.BlendsLevels = From.mipmapFilterMode == cudaFilterModeLinear;
  Out.NormalizedValue = From.readMode == cudaReadModeNormalizedFloat;
  Out.Srgb = From.sRGB != 0 && Out.Format.Bits == 8 &&
             Out.Format.Kind == ComponentKind::Unsigned;
  Out.Seamless = From.seamlessCubemap != 0;
  std::copy(std::begin(From.borderColor), std::end(From.borderColor),
            Out.Border);
  Out.LevelBias = From.mipmapLevelBias;
  Out.LeastLevel = From.minMipmapLevelClamp;
  Out.GreatestLevel = From.maxMipmapLevelClamp;
}

bool isKnown(const cudaTextureDesc &What) {
  return std::all_of(std::begin(What.addressMode), std::end(What.addressMode),
                     [](cudaTextureAddressMode M) { return isKnown(M); }) &&
         (What.filterMode == cudaFilterModePoint ||
          What.filterMode == cudaFilterModeLinear) &&
         (What.mipmapFilterMode == cudaFilterModePoint ||
          What.mipmapFilterMode == cudaFilterModeLinear) &&
         (What.readMode == cudaReadModeElementType ||
          What.readMode == cudaReadModeNormalizedFloat);
}

} // namespace

cudaError_t textureView(const ImageSource &From, ImageView &Out) {
  Resource Of;
  cudaError_t Error = readResource(From.Resource, Of);
  if (Error == cudaSuccess && From.View)
    Error = apply(*From.View, From.Resource.resType, Of);
  if (Error != cudaSuccess)
    return Error;
  const cudaTextureDesc &How = From.Texture;
  if (!isKnown(How) || (How.seamlessCubemap && !Of.Shape.isCube()))
    return cudaErrorInvalidValue;
  Out = {};
  setTexels(Of, Out);
  setReading(How, Out);
  const bool GivesFloats = Out.Format.Kind == ComponentKind::Float ||
                           (Out.NormalizedValue && Out.Format.Bits < 32);
  if (Out.FiltersLinearly && !GivesFloats && Out.Kind != ImageKind::Linear)
    return cudaErrorInvalidFilterSetting;
  return cudaSuccess;
}

cudaError_t surfaceView(const cudaResourceDesc &From, ImageView &Out) {
  Resource Of;
  if (From.resType != cudaResourceTypeArray ||
      readResource(From, Of) != cudaSuccess ||
      !(Of.Shape.Flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  Out = {};
  setTexels(Of, Out);
  Out.Kind = ImageKind::Surface;
  return cudaSuccess;
}

unsigned long long Images::add(const ImageSource &From, const ImageView &View) {
  std::lock_guard<std::mutex> Held(Lock);
  constexpr size_t LeastResting = 64;
  Object *New = nullptr;
  if (Free.size() > LeastResting) {
    New = Free.front();
    Free.pop_front();
  } else {
    New = &All.emplace_back();
  }
  New->View = View;
  New->From = From;
  const unsigned long long Handle = reinterpret_cast<uintptr_t>(&New->View);
  Alive[Handle] = New;
  return Handle;
}

Images::Object *Images::at(unsigned long long Handle, bool IsSurface) const {
  auto Found = Alive.find(Handle);
  const bool Is = Found != Alive.end() &&
                  (Found->second->View.Kind == ImageKind::Surface) == IsSurface;
  return Is ? Found->second : nullptr;
}

std::optional<ImageSource> Images::find(unsigned long long Handle,
                                        bool IsSurface) const {
  std::lock_guard<std::mutex> Held(Lock);
  const Object *Found = at(Handle, IsSurface);
  if (!Found)
    return std::nullopt;
  return Found->From;
}

bool Images::remove(unsigned long long Handle, bool IsSurface) {
  std::lock_guard<std::mutex> Held(Lock);
  Object *Found = at(Handle, IsSurface);
  if (!Found)
    return false;
  Alive.erase(Handle);
  Found->View = {};
  Free.push_back(Found);
  return true;
}

void Images::clear() {
  std::lock_guard<std::mutex> Held(Lock);
  for (auto &[Handle, Each] : Alive) {
    Each->View = {};
    Free.push_back(Each);
  }
  Alive.clear();
}

} // namespace blockmaestro::emulated
