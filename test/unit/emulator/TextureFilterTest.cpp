// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values computed by hand from the formulas of the CUDA programming guide.

#include "TextureFilter.h"
#include "CubeFaces.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace blockmaestro;

namespace {

constexpr TexelFormat SingleFloat = {ComponentKind::Float, 32, 1};

/// A texture of floats in up to three dimensions.
struct Picture {
  Picture(std::vector<float> Given, uint32_t Width, uint32_t Height = 1,
          uint32_t Slices = 1)
      : Texels(std::move(Given)) {
    View.Kind = ImageKind::Texture;
    View.Format = SingleFloat;
    View.Levels[0] = {reinterpret_cast<uint8_t *>(Texels.data()),
                      Width,
                      Height,
                      Slices,
                      Width * sizeof(float),
                      Width * Height * sizeof(float)};
  }

  Picture(Picture &&) = default;
  void mode(AddressMode Mode, bool Linear, bool Normalized) {
    for (AddressMode &Each : View.Address)
      Each = Mode;
    View.FiltersLinearly = Linear;
    View.NormalizedCoords = Normalized;
  }
  float at(ImageShape Shape, Coordinates Where) const {
    return std::bit_cast<float>(
        uint32_t(sampleTexture({View, {uint32_t(Shape)}}, Where, 0)[0]));
  }
  float at(float X) const { return at(ImageShape::OneD, {X, 0, 0}); }

  std::vector<float> Texels;
  ImageView View;
};

Picture row() { return Picture({10, 20, 40, 80}, 4); }

TEST(TextureFilter, WeightsHaveEightBitsOfFraction) {
  Picture P = row();
  P.mode(AddressMode::Clamp, true, false);
  EXPECT_EQ(P.at(1.5F), 20);
  EXPECT_EQ(P.at(2.0F), 30);
  EXPECT_EQ(P.at(1.75F), 25);
  EXPECT_EQ(P.at(1.501F), 20) << "0.256/256 is no weight";
  EXPECT_EQ(P.at(1.503F), 20.078125F) << "0.768/256 is 1/256";
  EXPECT_EQ(P.at(2.49805F), 40) << "255.5/256 is 1";
}

TEST(TextureFilter, GathersStepOverWhatRoundsToTheNextTexel) {
  Picture P({0, 1, 2, 3, 4, 5, 6, 7}, 4, 2);
  P.mode(AddressMode::Clamp, false, false);
  const ImageAccess Red{uint32_t(ImageShape::TwoD) |
                        1u << ImageAccess::GathersAt};
  const auto Of = [&](float X) {
    const Texel T = sampleTexture({P.View, Red}, {X, 1, 0}, 0);
    return std::vector<float>{std::bit_cast<float>(uint32_t(T[0])),
                              std::bit_cast<float>(uint32_t(T[1])),
                              std::bit_cast<float>(uint32_t(T[2])),
                              std::bit_cast<float>(uint32_t(T[3]))};
  };
  EXPECT_EQ(Of(2.4F), (std::vector<float>{5, 6, 2, 1}));
  EXPECT_EQ(Of(2.49805F), (std::vector<float>{6, 7, 3, 2}));
}

TEST(TextureFilter, OutsideIsWhatTheModeSays) {
  Picture P = row();
  P.View.Border[0] = -2;
  P.mode(AddressMode::Clamp, true, false);
  EXPECT_EQ(P.at(0.25F), 10);
  EXPECT_EQ(P.at(4), 80);
  P.mode(AddressMode::Border, true, false);
  EXPECT_EQ(P.at(0.25F), 7) << "a quarter of the border";
  EXPECT_EQ(P.at(9), -2);
  P.mode(AddressMode::Wrap, true, true);
  EXPECT_EQ(P.at(0), 45) << "between the last and the first";
  EXPECT_EQ(P.at(-0.625F), P.at(0.375F));
  EXPECT_EQ(P.at(0.375F), 20);
  P.mode(AddressMode::Mirror, true, true);
  EXPECT_EQ(P.at(0), 10);
  EXPECT_EQ(P.at(-0.25F), P.at(0.25F));
  EXPECT_EQ(P.at(1.25F), P.at(0.75F));
}

TEST(TextureFilter, PointsAreFloorOfTheCoordinate) {
  Picture P = row();
  P.mode(AddressMode::Wrap, false, true);
  EXPECT_EQ(P.at(1.1F), 10);
  EXPECT_EQ(P.at(-0.1F), 80);
  P.mode(AddressMode::Mirror, false, true);
  EXPECT_EQ(P.at(-0.3F), 20);
  EXPECT_EQ(P.at(1.3F), 40);
  P.mode(AddressMode::Clamp, false, true);
  EXPECT_EQ(P.at(1), 80);
  EXPECT_EQ(P.at(-5), 10);
}

TEST(TextureFilter, NoCoordinateLeadsOutside) {
  const float Infinite = std::numeric_limits<float>::infinity();
  for (bool Linear : {false, true})
    for (bool Normalized : {false, true})
      for (AddressMode Mode :
           {AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror}) {
        Picture P = row();
        P.mode(Mode, Linear, Normalized);
        for (float X : {Infinite, -Infinite, std::nanf(""), 3e38F, -1e10F}) {
          const float Read = P.at(X);
          EXPECT_TRUE(Read >= 10 && Read <= 80) << Read;
        }
      }
}

TEST(TextureFilter, TwoAndThreeDimensions) {
  Picture P({0, 16, 32, 64}, 2, 2);
  P.mode(AddressMode::Clamp, true, false);
  EXPECT_EQ(P.at(ImageShape::TwoD, {1, 1, 0}), 28);
  EXPECT_EQ(P.at(ImageShape::TwoD, {1.25F, 0.5F, 0}), 12);
  Picture Box({0, 1, 2, 3, 4, 5, 6, 15}, 2, 2, 2);
  Box.mode(AddressMode::Clamp, true, false);
  EXPECT_EQ(Box.at(ImageShape::ThreeD, {1, 1, 1}), 4.5F);
  EXPECT_EQ(Box.at(ImageShape::ThreeD, {0.5F, 0.5F, 1.25F}), 3);
}

using Words = std::array<uint32_t, 4>;

Words wordsOf(Texel T) { return std::bit_cast<Words>(T); }

/// The first texel of \p Bytes as floats.
std::vector<float> decoded(ImageView View, const std::vector<uint8_t> &Bytes) {
  const Texel T = texelAt(View, Bytes.data());
  std::vector<float> Out;
  for (unsigned N = 0; N < 4; ++N)
    Out.push_back(std::bit_cast<float>(uint32_t(T[N])));
  return Out;
}

TEST(Texels, IntegersBecomeNormalizedFloats) {
  ImageView View;
  View.NormalizedValue = true;
  View.Format = {ComponentKind::Signed, 8, 4};
  EXPECT_EQ(decoded(View, {0x80, 0x81, 0x00, 0x7f}),
            (std::vector<float>{-1, -1, 0, 1}));
  View.Format = {ComponentKind::Unsigned, 16, 2};
  EXPECT_EQ(decoded(View, {0xff, 0xff, 0x33, 0x33}),
            (std::vector<float>{1, 0.2F, 0, 1}));
}

TEST(Texels, HalvesBecomeFloats) {
  ImageView View;
  View.Format = {ComponentKind::Float, 16, 4};
  EXPECT_EQ(decoded(View, {0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c}),
            (std::vector<float>{1, -2, std::ldexp(1.0F, -24),
                                std::numeric_limits<float>::infinity()}));
}

TEST(Texels, SrgbIsMadeLinearButForAlpha) {
  ImageView View;
  View.NormalizedValue = View.Srgb = true;
  View.Format = {ComponentKind::Unsigned, 8, 4};
  const std::vector<float> Read = decoded(View, {128, 255, 5, 128});
  EXPECT_NEAR(Read[0], 0.2158605F, 1e-6);
  EXPECT_EQ(Read[1], 1);
  EXPECT_NEAR(Read[2], 0.0015176F, 1e-6);
  EXPECT_NEAR(Read[3], 0.5019608F, 1e-6);
}

TEST(Texels, IntegersKeepTheirSign) {
  ImageView View;
  View.Format = {ComponentKind::Signed, 16, 2};
  const uint8_t Bytes[] = {0xfe, 0xff, 0x05, 0x00};
  EXPECT_EQ(wordsOf(texelAt(View, Bytes)), (Words{~1u, 5, 0, 1}));
  View.Format = {ComponentKind::Unsigned, 16, 1};
  EXPECT_EQ(wordsOf(texelAt(View, Bytes)), (Words{0xfffe, 0, 0, 1}));
}

TEST(CubeFaces, AreThoseOfTheGuide) {
  const FaceDirection Right = seenBy(faceOf({2, 0.5, -1}), {2, 0.5, -1});
  EXPECT_EQ(Right.Face, 0u);
  EXPECT_EQ(Right.u(), 0.75);
  EXPECT_EQ(Right.v(), 0.375);
  const FaceDirection Below = seenBy(faceOf({1, -2, 1}), {1, -2, 1});
  EXPECT_EQ(Below.Face, 3u);
  EXPECT_EQ(Below.u(), 0.75);
  EXPECT_EQ(Below.v(), 0.25);
  EXPECT_EQ(faceOf({0, 0, -1}), 5u);
  EXPECT_EQ(faceOf({1, 1, 1}), 4u);
  for (uint32_t Face = 0; Face < FacesOfCube; ++Face) {
    const FaceDirection Back = seenBy(Face, directionTo(Face, 0.25, -0.5));
    EXPECT_EQ(faceOf(directionTo(Face, 0.25, -0.5)), Face);
    EXPECT_EQ(Back.u(), 0.625);
    EXPECT_EQ(Back.v(), 0.25);
  }
}

TEST(TextureFilter, CubesFilterAcrossEdgesWhereAsked) {
  Picture P({0, 1, 2, 3, 4, 5}, 1, 1, 6);
  P.mode(AddressMode::Clamp, true, true);
  EXPECT_EQ(P.at(ImageShape::Cube, {1, 0, -0.5F}), 0);
  P.View.Seamless = true;
  EXPECT_EQ(P.at(ImageShape::Cube, {1, 0, -0.5F}), 1.25F);
  EXPECT_NEAR(P.at(ImageShape::Cube, {1, -0.5F, -0.5F}), 1.6666667F, 1e-6)
      << "at a corner a sixteenth is the mean of the three faces";
}

TEST(TextureFilter, SlopesAskForALevel) {
  Picture P(std::vector<float>(16 * 16 * 6), 16, 16, 6);
  P.mode(AddressMode::Wrap, true, true);
  const TextureRead Plane = {P.View, {uint32_t(ImageShape::TwoD)}};
  EXPECT_EQ(levelOfSlopes(Plane, {}, {0.25F, 0, 0}, {0, 0.125F, 0}), 2);
  EXPECT_LT(levelOfSlopes(Plane, {}, {}, {}), -1e30F);
  const TextureRead Cube = {P.View, {uint32_t(ImageShape::Cube)}};
  EXPECT_EQ(levelOfSlopes(Cube, {1, 0, 0}, {0, 0, 0.25F}, {}), 1);
}

TEST(TextureFilter, TellsWhatItTouches) {
  Picture P = row();
  P.mode(AddressMode::Clamp, true, false);
  TouchedTexels Touched;
  sampleTexture({P.View, {uint32_t(ImageShape::OneD)}, 0, &Touched}, {2, 0, 0},
                0);
  ASSERT_EQ(Touched.Count, 2u);
  EXPECT_EQ(Touched.Address[0], P.View.Levels[0].Texels + 4);
  EXPECT_EQ(Touched.Address[1], P.View.Levels[0].Texels + 8);
}

} // namespace
