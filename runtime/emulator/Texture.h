// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what lies behind the handle of a texture or surface object: where
// the texels are, how one is stored, and how a read turns coordinates into a
// value.
// On the data's way: made by the calls that create such objects; a handle is
// the address of its ImageView. Read by the host calls (TextureCalls) and, by
// the offsets of its first members, by compiled code (TextureLowering).
// Invariants: a view of kind None has been destroyed; its memory stays mapped,
// so that a handle can be asked. Every level has at least one texel.
// Ownership: the texels belong to an array or allocation.
// Threads: views are constant while kernels run.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTURE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TEXTURE_H

#include <cstddef>
#include <cstdint>

namespace blockmaestro {

enum class ComponentKind : uint8_t { Signed, Unsigned, Float };

/// How one texel is stored: 1, 2 or 4 components of 8, 16 or 32 bits.
struct TexelFormat {
  ComponentKind Kind = ComponentKind::Unsigned;
  uint8_t Bits = 32;
  uint8_t Count = 1;

  uint32_t bytes() const { return uint32_t(Bits) / 8 * Count; }
  bool operator==(const TexelFormat &) const = default;
};

/// What becomes of coordinates outside the texture.
enum class AddressMode : uint8_t { Wrap, Clamp, Mirror, Border };

enum class ImageKind : uint8_t {
  None,
  Linear, ///< A texture of a row of texels in plain memory, read by number.
  Texture,
  Surface
};

/// The texels of one level. Slices are the planes of a 3-D texture, or layers,
/// or faces.
struct ImageLevel {
  uint8_t *Texels = nullptr;
  uint32_t Width = 1;
  uint32_t Height = 1;
  uint32_t Slices = 1;
  uint64_t RowBytes = 0;   ///< From row to row.
  uint64_t SliceBytes = 0; ///< From slice to slice.
};

inline constexpr unsigned MostImageLevels = 16;

struct ImageView {
  /// The bytes of a texel of a Linear texture that is read as it is stored and
  /// has one component of 32 bits; else 0.
  uint32_t PlainBytes = 0;
  uint32_t PlainCount = 0; ///< How many texels such a texture has.
  const uint8_t *PlainTexels = nullptr;

  ImageKind Kind = ImageKind::None;
  TexelFormat Format;
  AddressMode Address[3] = {AddressMode::Clamp, AddressMode::Clamp,
                            AddressMode::Clamp};
  bool FiltersLinearly = false;
  bool BlendsLevels = false;     ///< Else the nearest level counts.
  bool NormalizedCoords = false; ///< Coordinates go from 0 to 1.
  bool NormalizedValue = false;  ///< Integers are read as floats of -1 or 0..1.
  bool Srgb = false;
  bool Seamless = false; ///< Filters across the edges of a cube's faces.
  float Border[4] = {};  ///< Of integer textures, their bits.
  float LevelBias = 0;
  float LeastLevel = 0;
  float GreatestLevel = 0;
  uint32_t LevelCount = 1;
  ImageLevel Levels[MostImageLevels];
};

/// Which coordinates a read or write has. Of a cube the three are a direction.
enum class ImageShape : uint8_t { OneD, TwoD, ThreeD, Cube };

/// What generated code says of an access in one word.
struct ImageAccess {
  static constexpr uint32_t Layered = 4;
  static constexpr uint32_t HasLevel = 8;
  static constexpr uint32_t GathersAt = 4; ///< Component + 1, or 0.
  static constexpr uint32_t BoundaryAt = 4;
  static constexpr uint32_t BytesAt = 8;

  ImageShape shape() const { return ImageShape(Packed & 3); }
  bool layered() const { return Packed & Layered; }
  /// Otherwise the read is of the finest level, whatever the bias.
  bool hasLevel() const { return Packed & HasLevel; }
  /// The component that a gather reads, or -1.
  int gathered() const { return int(Packed >> GathersAt & 7) - 1; }

  uint32_t Packed = 0;
};

/// What a surface access outside the surface does.
enum class SurfaceBoundary : uint8_t { Trap, Clamp, Zero };

struct SurfaceAccess {
  ImageShape shape() const { return ImageShape(Packed & 3); }
  SurfaceBoundary boundary() const {
    return SurfaceBoundary(Packed >> ImageAccess::BoundaryAt & 3);
  }
  uint32_t bytes() const { return Packed >> ImageAccess::BytesAt; }

  uint32_t Packed = 0;
};

} // namespace blockmaestro

#endif
