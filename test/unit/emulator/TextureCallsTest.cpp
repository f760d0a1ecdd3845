// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextureCalls.h"

#include "HostBlock.h"
#include "Texture.h"

#include <functional>
#include <vector>

using namespace blockmaestro;

namespace {

constexpr uint32_t UnknownSite = ~0u;

/// A surface of 4 x 2 floats.
struct Canvas {
  Canvas() {
    View.Kind = ImageKind::Surface;
    View.Format = {ComponentKind::Float, 32, 1};
    View.Levels[0] = {
        reinterpret_cast<uint8_t *>(Texels.data()), 4, 2, 1, 16, 32};
  }
  uint64_t handle() const { return reinterpret_cast<uint64_t>(&View); }

  std::vector<uint32_t> Texels = {1, 2, 3, 4, 5, 6, 7, 8};
  ImageView View;
};

uint32_t access(SurfaceBoundary Boundary, uint32_t Bytes) {
  return uint32_t(ImageShape::TwoD) |
         uint32_t(Boundary) << ImageAccess::BoundaryAt |
         Bytes << ImageAccess::BytesAt;
}

/// What a block of one thread that does \p What dies of; empty when it ends.
std::string diesOf(const std::function<void(BlockContext *)> &What) {
  claimFaults();
  HostBlock B(1, [&](BlockContext *C, uint32_t) { What(C); });
  const bool Failed = B.run() == ThreadScheduler::Outcome::Failed;
  return Failed ? B.sentence() : "";
}

TEST(Surfaces, ReadAndWriteAnySizeThatIsAligned) {
  Canvas Image;
  SurfaceBytes Pair = {}, Byte = {};
  EXPECT_EQ(diesOf([&](BlockContext *C) {
              const uint32_t Eight = access(SurfaceBoundary::Trap, 8);
              const uint32_t One = access(SurfaceBoundary::Trap, 1);
              Pair = bm_surface_read(C, 0, UnknownSite, Image.handle(), Eight,
                                     0, 8, 1, 0);
              bm_surface_write(C, 0, UnknownSite, Image.handle(), One, 0, 1, 0,
                               0, 0x7f, 0);
              Byte = bm_surface_read(C, 0, UnknownSite, Image.handle(), One, 0,
                                     1, 0, 0);
            }),
            "");
  EXPECT_EQ(Pair.Low, 7 | 8ull << 32);
  EXPECT_EQ(Byte.Low, 0x7fu);
  EXPECT_EQ(Image.Texels[0], 0x7f01u);
}

TEST(Surfaces, OutsideIsWhatTheAccessSays) {
  Canvas Image;
  SurfaceBytes Clamped = {}, Zero = {7, 7};
  EXPECT_EQ(
      diesOf([&](BlockContext *C) {
        Clamped =
            bm_surface_read(C, 0, UnknownSite, Image.handle(),
                            access(SurfaceBoundary::Clamp, 4), 0, 400, -1, 0);
        Zero = bm_surface_read(C, 0, UnknownSite, Image.handle(),
                               access(SurfaceBoundary::Zero, 4), 0, 0, 2, 0);
        bm_surface_write(C, 0, UnknownSite, Image.handle(),
                         access(SurfaceBoundary::Zero, 4), 0, -4, 0, 0, 99, 0);
      }),
      "");
  EXPECT_EQ(Clamped.Low, 4u);
  EXPECT_EQ(Zero.Low, 0u);
  EXPECT_EQ(Image.Texels, Canvas().Texels);
  EXPECT_EQ(diesOf([&](BlockContext *C) {
              bm_surface_write(C, 0, UnknownSite, Image.handle(),
                               access(SurfaceBoundary::Trap, 4), 0, 16, 0, 0,
                               99, 0);
            }),
            "kernel 'k' accessed a surface outside its boundaries: block "
            "(0,0,0), thread (0,0,0)");
}

TEST(Surfaces, HaveNoPlaceForMoreBytesThanARow) {
  Canvas Image;
  Image.View.Levels[0].Width = 1;
  EXPECT_EQ(diesOf([&](BlockContext *C) {
              bm_surface_write(C, 0, UnknownSite, Image.handle(),
                               access(SurfaceBoundary::Clamp, 16), 0, 0, 0, 0,
                               99, 99);
            }),
            "");
  EXPECT_EQ(Image.Texels, Canvas().Texels);
}

TEST(Surfaces, EndTheBlockWhereBytesAreNotAligned) {
  Canvas Image;
  EXPECT_EQ(diesOf([&](BlockContext *C) {
              bm_surface_read(C, 0, UnknownSite, Image.handle(),
                              access(SurfaceBoundary::Zero, 4), 0, 2, 0, 0);
            }),
            "kernel 'k' accessed a surface at a byte that its type is not "
            "aligned to: block (0,0,0), thread (0,0,0)");
}

TEST(Objects, OfAnotherKindOrDestroyedEndTheBlock) {
  Canvas Image;
  const auto Reads = [&](uint64_t Handle) {
    return diesOf([&](BlockContext *C) {
      bm_texture(C, 0, UnknownSite, Handle, 0, 0, 0, 0, 0, 0);
    });
  };
  const std::string Sentence = "kernel 'k' read through what is no texture "
                               "object: block (0,0,0), thread (0,0,0)";
  EXPECT_EQ(Reads(Image.handle()), Sentence);
  EXPECT_EQ(Reads(0), Sentence);
  Image.View = {};
  EXPECT_EQ(Reads(Image.handle()), Sentence);
  Image.View.Kind = ImageKind::Texture;
  EXPECT_NE(diesOf([&](BlockContext *C) {
              bm_surface_read(C, 0, UnknownSite, Image.handle(),
                              access(SurfaceBoundary::Zero, 4), 0, 0, 0, 0);
            }),
            "");
}

} // namespace
