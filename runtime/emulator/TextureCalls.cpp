// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextureCalls.h"

#include "AccessCalls.h"
#include "Faults.h"
#include "TextureFilter.h"

#include "blockmaestro/AccessObserver.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace blockmaestro;

namespace {

/// Who reads or writes.
struct Caller {
  BlockContext *Context;
  uint32_t Thread;
  uint32_t Site;
};

[[noreturn]] BM_SWITCHES void refuse(const Caller &By, FaultKind Kind,
                                     const char *Words) {
  Fault What;
  What.Kind = Kind;
  What.Thread = By.Thread;
  What.Site = By.Site;
  What.Usual = Words;
  giveUp(std::move(What));
}

BM_SWITCHES void tell(const Caller &By, const uint8_t *Address, uint32_t Bytes,
                      uint32_t Bits) {
  bm_access(By.Context, By.Thread, Address, Bytes, packAccess(Bits, false, 1),
            By.Site);
}

BM_SWITCHES const ImageView &textureOf(const Caller &By, uint64_t Handle) {
  const auto *View = reinterpret_cast<const ImageView *>(Handle);
  if (!View ||
      (View->Kind != ImageKind::Texture && View->Kind != ImageKind::Linear))
    refuse(By, FaultKind::IllegalAddress,
           "read through what is no texture object");
  return *View;
}

/// Reads by \p Sample and tells what has been touched, where somebody asks.
template <typename Function>
BM_SWITCHES Texel read(const Caller &By, uint64_t Handle, ImageAccess How,
                       uint32_t Layer, Function Sample) {
  const ImageView &View = textureOf(By, Handle);
  if (!By.Context->Observer)
    return Sample(TextureRead{View, How, Layer});
  TouchedTexels Touched;
  const Texel Out = Sample(TextureRead{View, How, Layer, &Touched});
  for (unsigned N = 0; N < Touched.Count; ++N)
    tell(By, Touched.Address[N], View.Format.bytes(), AccessReads);
  return Out;
}

/// A place on a surface: where an access goes, or that it goes nowhere.
struct SurfacePlace {
  uint8_t *Address = nullptr;
};

/// Moves a number of 0..Count-1 inside, or says that it is outside.
bool settle(int64_t &Number, int64_t Count, SurfaceBoundary Mode) {
  if (Number >= 0 && Number < Count)
    return true;
  Number = std::clamp<int64_t>(Number, 0, Count - 1);
  return Mode == SurfaceBoundary::Clamp;
}

BM_SWITCHES SurfacePlace placeOf(const Caller &By, uint64_t Handle,
                                 SurfaceAccess How, uint32_t Layer, int64_t X,
                                 int64_t Y, int64_t Z) {
  const auto *View = reinterpret_cast<const ImageView *>(Handle);
  if (!View || View->Kind != ImageKind::Surface)
    refuse(By, FaultKind::IllegalAddress,
           "used what is no surface object as one");
  const ImageLevel &Level = View->Levels[0];
  const int64_t Bytes = How.bytes();
  if (X % Bytes != 0)
    refuse(By, FaultKind::Misaligned,
           "accessed a surface at a byte that its type is not aligned to");
  int64_t Column = X / Bytes;
  int64_t Slice = How.shape() == ImageShape::ThreeD ? Z : int32_t(Layer);
  const int64_t Columns = int64_t(Level.Width) * View->Format.bytes() / Bytes;
  bool There = Columns != 0 && settle(Column, Columns, How.boundary());
  There = settle(Y, Level.Height, How.boundary()) && There;
  There = settle(Slice, Level.Slices, How.boundary()) && There;
  if (!There && How.boundary() == SurfaceBoundary::Trap)
    refuse(By, FaultKind::Trap, "accessed a surface outside its boundaries");
  if (!There)
    return {};
  return {Level.Texels + uint64_t(Slice) * Level.SliceBytes +
          uint64_t(Y) * Level.RowBytes + uint64_t(Column) * uint64_t(Bytes)};
}

} // namespace

BM_SWITCHES Texel bm_texture(BlockContext *Context, uint32_t Thread,
                             uint32_t Site, uint64_t Handle, uint32_t Packed,
                             uint32_t Layer, float X, float Y, float Z,
                             float Level) {
  return read({Context, Thread, Site}, Handle, ImageAccess{Packed}, Layer,
              [&](const TextureRead &Read) {
                return sampleTexture(Read, {X, Y, Z}, Level);
              });
}

BM_SWITCHES Texel bm_texture_grad(BlockContext *Context, uint32_t Thread,
                                  uint32_t Site, uint64_t Handle,
                                  uint32_t Packed, uint32_t Layer, float X,
                                  float Y, float Z, float XAlongX,
                                  float YAlongX, float ZAlongX, float XAlongY,
                                  float YAlongY, float ZAlongY) {
  return read({Context, Thread, Site}, Handle, ImageAccess{Packed}, Layer,
              [&](const TextureRead &Read) {
                const float Level =
                    levelOfSlopes(Read, {X, Y, Z}, {XAlongX, YAlongX, ZAlongX},
                                  {XAlongY, YAlongY, ZAlongY});
                return sampleTexture(Read, {X, Y, Z}, Level);
              });
}

BM_SWITCHES Texel bm_texel(BlockContext *Context, uint32_t Thread,
                           uint32_t Site, uint64_t Handle, uint32_t Packed,
                           uint32_t Layer, int32_t X, int32_t Y, int32_t Z) {
  return read(
      {Context, Thread, Site}, Handle, ImageAccess{Packed}, Layer,
      [&](const TextureRead &Read) { return texelOf(Read, {X, Y, Z}); });
}

BM_SWITCHES SurfaceBytes bm_surface_read(BlockContext *Context, uint32_t Thread,
                                         uint32_t Site, uint64_t Handle,
                                         uint32_t Packed, uint32_t Layer,
                                         int32_t X, int32_t Y, int32_t Z) {
  const Caller By = {Context, Thread, Site};
  const SurfaceAccess How{Packed};
  const SurfacePlace From = placeOf(By, Handle, How, Layer, X, Y, Z);
  SurfaceBytes Out = {};
  if (!From.Address)
    return Out;
  if (Context->Observer)
    tell(By, From.Address, How.bytes(), AccessReads);
  std::memcpy(&Out, From.Address, How.bytes());
  return Out;
}

BM_SWITCHES void bm_surface_write(BlockContext *Context, uint32_t Thread,
                                  uint32_t Site, uint64_t Handle,
                                  uint32_t Packed, uint32_t Layer, int32_t X,
                                  int32_t Y, int32_t Z, uint64_t Low,
                                  uint64_t High) {
  const Caller By = {Context, Thread, Site};
  const SurfaceAccess How{Packed};
  const SurfacePlace To = placeOf(By, Handle, How, Layer, X, Y, Z);
  if (!To.Address)
    return;
  if (Context->Observer)
    tell(By, To.Address, How.bytes(), AccessWrites);
  const SurfaceBytes Bytes = {Low, High};
  std::memcpy(To.Address, &Bytes, How.bytes());
}
