// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PreparedWork.h"

namespace blockmaestro {
namespace {

/// The allocation that holds all of the box, or else the box's own span.
Allocation placeOf(const TouchedBox &What, const AllocationMap &Known) {
  const Allocation *Found = Known.find(What.Address);
  bool Inside = Found && What.Address - Found->Base <= Found->Bytes &&
                What.span() <= Found->Bytes - (What.Address - Found->Base);
  return Inside ? *Found : Allocation{What.Address, What.span()};
}

void addCoordinate(BlockAccess &To, size_t Stride, size_t Base, size_t Count) {
  Coordinate New;
  New.Stride = int64_t(Stride);
  New.Base = int64_t(Base);
  New.Count = int64_t(Count);
  To.Coordinates.push_back(New);
}

/// Strides of several rows and slices: one byte, a row, a slice. An address has
/// one set of coordinates when rows end before the next row begins, and the
/// rows of a slice before the next slice.
bool addRows(const TouchedBox &What, uint64_t Offset, BlockAccess &To) {
  size_t Slice = What.Slices > 1 ? Offset / What.SlicePitch : 0;
  size_t InSlice = Offset - Slice * What.SlicePitch;
  size_t Row = What.Rows > 1 ? InSlice / What.Pitch : 0;
  size_t InRow = InSlice - Row * What.Pitch;
  size_t RowsEnd = (Row + What.Rows - 1) * What.Pitch + InRow + What.Width;
  if (What.Rows > 1 && InRow + What.Width > What.Pitch)
    return false;
  if (What.Slices > 1 && RowsEnd > What.SlicePitch)
    return false;
  addCoordinate(To, 1, InRow, What.Width);
  if (What.Rows > 1)
    addCoordinate(To, What.Pitch, Row, What.Rows);
  if (What.Slices > 1)
    addCoordinate(To, What.SlicePitch, Slice, What.Slices);
  return true;
}

BlockAccess accessOf(const TouchedBox &What, const AllocationMap &Known) {
  BlockAccess Out;
  Out.Kind = What.Writes ? AccessKind::Write : AccessKind::Read;
  Out.How = Reach::Coordinates;
  Out.Exact = true;
  Out.Where = placeOf(What, Known);
  for (int64_t &High : Out.BlockHigh)
    High = 0;
  const uint64_t Offset = What.Address - Out.Where.Base;
  bool Dense = What.span() == What.bytes();
  if (Dense || !addRows(What, Offset, Out)) {
    addCoordinate(Out, 1, Offset, What.span());
    Out.Exact = Dense;
    Out.Reason = Dense ? "" : "rows of a copy that run into each other";
  }
  return Out;
}

/// One side of a copy. A pitch of a single row, and a slice's of a single
/// slice, says nothing.
TouchedBox boxOf(const cudaPitchedPtr &Where, const cudaPos &Start,
                 cudaExtent Size) {
  const bool HasSlices = Size.depth > 1 || Start.z;
  TouchedBox Out;
  Out.Pitch = Where.pitch;
  Out.SlicePitch = HasSlices ? Where.pitch * Where.ysize : 0;
  Out.Address = reinterpret_cast<uint64_t>(Where.ptr) +
                Start.z * Out.SlicePitch + Start.y * Where.pitch + Start.x;
  Out.Width = Size.width;
  Out.Rows = Size.height;
  Out.Slices = Size.depth;
  return Out;
}

} // namespace

TouchedBox writtenBy(const cudaMemcpy3DParms &Copy) {
  TouchedBox Out = boxOf(Copy.dstPtr, Copy.dstPos, Copy.extent);
  Out.Writes = true;
  return Out;
}

TouchedBox readBy(const cudaMemcpy3DParms &Copy) {
  return boxOf(Copy.srcPtr, Copy.srcPos, Copy.extent);
}

TouchedBox writtenBy(const FillCommand &Fill) {
  TouchedBox Out;
  Out.Address = reinterpret_cast<uint64_t>(Fill.To);
  Out.Width = Fill.Width * Fill.ElementBytes;
  Out.Rows = Fill.Height;
  Out.Pitch = Fill.Pitch;
  Out.Slices = Fill.Depth;
  Out.SlicePitch = Fill.SlicePitch;
  Out.Writes = true;
  return Out;
}

LaunchAccesses accessesOf(const std::vector<TouchedBox> &Touches,
                          const AllocationMap &Known) {
  LaunchAccesses Out;
  for (const TouchedBox &Each : Touches)
    Out.Accesses.push_back(accessOf(Each, Known));
  return Out;
}

} // namespace blockmaestro
