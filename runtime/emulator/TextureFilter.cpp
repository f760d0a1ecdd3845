// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextureFilter.h"

#include "CubeFaces.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace blockmaestro {

namespace {

constexpr unsigned FractionBits = 8;
constexpr int64_t One = 1 << FractionBits;

/// Which texels along one axis count, and how much the second does, in 1/256.
struct AxisPlan {
  int64_t Texel[2] = {0, 0};
  int64_t Weight = 0;
};

/// A number that any level is far from the ends of; 0 for what is none.
double bounded(double X) {
  constexpr double Far = 1 << 30;
  return std::isnan(X) ? 0 : std::clamp(X, -Far, Far);
}

/// The greatest whole number that is not above a bounded() one.
int64_t floorOf(double X) {
  const auto Whole = int64_t(X);
  return Whole - (double(Whole) > X ? 1 : 0);
}

double fractionOf(double X) { return X - double(floorOf(X)); }

/// A normalized coordinate brought into 0..1 as wrap and mirror do it.
double folded(double X, AddressMode Mode) {
  if (Mode == AddressMode::Wrap)
    return fractionOf(X);
  if (Mode == AddressMode::Mirror)
    return floorOf(X) % 2 == 0 ? fractionOf(X) : 1 - fractionOf(X);
  return X;
}

/// A coordinate in texels.
double scaled(const ImageView &View, double X, AddressMode Mode,
              uint32_t Texels) {
  X = bounded(X);
  return bounded(View.NormalizedCoords ? folded(X, Mode) * Texels : X);
}

AxisPlan nearest(double X) {
  const int64_t Number = floorOf(X);
  return {{Number, Number}, 0};
}

AxisPlan between(double X) {
  const int64_t Fixed = floorOf((X - 0.5) * One + 0.5);
  const int64_t Number = Fixed >> FractionBits;
  return {{Number, Number + 1}, Fixed & (One - 1)};
}

/// The number of a texel that is there, or -1 for the border.
int64_t addressed(int64_t Number, AddressMode Mode, uint32_t Texels) {
  const int64_t Last = int64_t(Texels) - 1;
  if (Number >= 0 && Number <= Last)
    return Number;
  switch (Mode) {
  case AddressMode::Border:
    return -1;
  case AddressMode::Wrap:
    return ((Number % Texels) + Texels) % Texels;
  case AddressMode::Clamp:
  case AddressMode::Mirror:
    return std::clamp<int64_t>(Number, 0, Last);
  }
  return 0;
}

/// One level of a texture, read by the numbers of texels.
class Level {
public:
  Level(const TextureRead &Read, const ImageLevel &From)
      : Read(Read), From(From) {}

  /// The texel at numbers that are there, or the border for -1.
  Texel at(int64_t X, int64_t Y, int64_t Slice) const {
    if (X < 0 || Y < 0 || Slice < 0)
      return borderOf(Read.View);
    const uint32_t Bytes = Read.View.Format.bytes();
    const uint8_t *Address = From.Texels + uint64_t(Slice) * From.SliceBytes +
                             uint64_t(Y) * From.RowBytes + uint64_t(X) * Bytes;
    if (Read.Touched && Read.Touched->Count < TouchedTexels::Most)
      Read.Touched->Address[Read.Touched->Count++] = Address;
    return texelAt(Read.View, Address);
  }
  uint32_t layer() const { return std::min(Read.Layer, From.Slices - 1); }

  const TextureRead &Read;
  const ImageLevel &From;
};

/// Adds texels of floats by weights, which are 1 together.
class Blend {
public:
  void add(Texel T, double Weight) {
    Sum += Weight * __builtin_convertvector(std::bit_cast<Floats>(T), Doubles);
  }
  Texel result() const {
    return std::bit_cast<Texel>(__builtin_convertvector(Sum, Floats));
  }

private:
  using Floats = float __attribute__((vector_size(16)));
  using Doubles = double __attribute__((vector_size(32)));
  Doubles Sum = {};
};

double share(const AxisPlan &Of, unsigned Which) {
  return double(Which ? Of.Weight : One - Of.Weight) / double(One);
}

/// How many texels count along an axis.
unsigned countOf(const AxisPlan &Of) {
  return Of.Texel[0] == Of.Texel[1] ? 1 : 2;
}

/// The texels of up to three axes, by their weights. \p At gives the one at
/// numbers that may lie outside.
template <typename Function>
Texel blended(const std::array<AxisPlan, 3> &Plan, Function At) {
  Blend Out;
  for (unsigned Z = 0; Z < countOf(Plan[2]); ++Z)
    for (unsigned Y = 0; Y < countOf(Plan[1]); ++Y)
      for (unsigned X = 0; X < countOf(Plan[0]); ++X)
        Out.add(At(Plan[0].Texel[X], Plan[1].Texel[Y], Plan[2].Texel[Z]),
                share(Plan[0], X) * share(Plan[1], Y) * share(Plan[2], Z));
  return Out.result();
}

bool filters(const TextureRead &Read) {
  return Read.View.FiltersLinearly && givesFloats(Read.View);
}

AxisPlan planOf(const TextureRead &Read, double X) {
  return filters(Read) || Read.How.gathered() >= 0 ? between(X) : nearest(X);
}

/// The four texels that linear filtering would read, of one component,
/// counterclockwise from the lower left.
template <typename Function>
Texel gathered(const std::array<AxisPlan, 3> &Plan, unsigned Component,
               Function At) {
  constexpr unsigned Order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Texel Out;
  for (unsigned N = 0; N < std::size(Order); ++N)
    Out[N] = At(Plan[0].Texel[Order[N][0]], Plan[1].Texel[Order[N][1]],
                Plan[2].Texel[0])[Component];
  return Out;
}

template <typename Function>
Texel finished(const TextureRead &Read, const std::array<AxisPlan, 3> &Plan,
               Function At) {
  if (int Component = Read.How.gathered(); Component >= 0)
    return gathered(Plan, unsigned(Component), At);
  if (filters(Read))
    return blended(Plan, At);
  return At(Plan[0].Texel[0], Plan[1].Texel[0], Plan[2].Texel[0]);
}

/// How many axes filter and are addressed.
unsigned axesOf(ImageShape Shape) {
  return Shape == ImageShape::OneD ? 1 : Shape == ImageShape::ThreeD ? 3 : 2;
}

Texel sampleBox(const Level &Of, const Coordinates &Where) {
  const ImageView &View = Of.Read.View;
  const unsigned Axes = axesOf(Of.Read.How.shape());
  const uint32_t Sizes[3] = {Of.From.Width, Of.From.Height, Of.From.Slices};
  std::array<AxisPlan, 3> Plan;
  for (unsigned N = 0; N < Axes; ++N)
    Plan[N] = planOf(Of.Read,
                     scaled(View, double(Where[N]), View.Address[N], Sizes[N]));
  return finished(Of.Read, Plan, [&](int64_t X, int64_t Y, int64_t Z) {
    const int64_t Numbers[3] = {X, Y, Z};
    int64_t There[3] = {0, 0, Of.layer()};
    for (unsigned N = 0; N < Axes; ++N)
      There[N] = addressed(Numbers[N], View.Address[N], Sizes[N]);
    return Of.at(There[0], There[1], There[2]);
  });
}

/// The slice that a face of the read's cube is.
int64_t sliceOf(const Level &Of, uint32_t Face) {
  const uint32_t Cubes = std::max(Of.From.Slices / FacesOfCube, 1u);
  const uint32_t Cube =
      Of.Read.How.layered() ? std::min(Of.Read.Layer, Cubes - 1) : 0;
  return std::min(Cube * FacesOfCube + Face, Of.From.Slices - 1);
}

/// The texel beside the face \p Face, at numbers of which one is outside it.
Texel besideFace(const Level &Of, uint32_t Face, int64_t X, int64_t Y) {
  const double Size = Of.From.Width;
  const auto Where = directionTo(Face, (2 * double(X) + 1) / Size - 1,
                                 (2 * double(Y) + 1) / Size - 1);
  const FaceDirection Seen = seenBy(faceOf(Where), Where);
  const auto Number = [&](double U) {
    return std::clamp<int64_t>(floorOf(U * Size), 0, Of.From.Width - 1);
  };
  return Of.at(Number(Seen.u()), Number(Seen.v()), sliceOf(Of, Seen.Face));
}

/// Across a corner of the cube there is no texel: the mean of the three around
/// it stands for it.
Texel besideCorner(const Level &Of, uint32_t Face, int64_t X, int64_t Y) {
  const int64_t Last = int64_t(Of.From.Width) - 1;
  const int64_t InX = std::clamp<int64_t>(X, 0, Last);
  const int64_t InY = std::clamp<int64_t>(Y, 0, Last);
  Blend Mean;
  Mean.add(Of.at(InX, InY, sliceOf(Of, Face)), 1.0 / 3);
  Mean.add(besideFace(Of, Face, X, InY), 1.0 / 3);
  Mean.add(besideFace(Of, Face, InX, Y), 1.0 / 3);
  return Mean.result();
}

Texel seamless(const Level &Of, uint32_t Face, int64_t X, int64_t Y) {
  const int64_t Last = int64_t(Of.From.Width) - 1;
  const bool OutsideX = X < 0 || X > Last;
  const bool OutsideY = Y < 0 || Y > Last;
  if (OutsideX && OutsideY)
    return besideCorner(Of, Face, X, Y);
  return OutsideX || OutsideY ? besideFace(Of, Face, X, Y)
                              : Of.at(X, Y, sliceOf(Of, Face));
}

Texel sampleCube(const Level &Of, const Coordinates &Where) {
  const ImageView &View = Of.Read.View;
  const std::array<double, 3> Direction = {bounded(double(Where[0])),
                                           bounded(double(Where[1])),
                                           bounded(double(Where[2]))};
  const FaceDirection Seen = seenBy(faceOf(Direction), Direction);
  const std::array<AxisPlan, 3> Plan = {
      planOf(Of.Read, Seen.u() * Of.From.Width),
      planOf(Of.Read, Seen.v() * Of.From.Height), AxisPlan()};
  const bool Across = View.Seamless && filters(Of.Read);
  const auto Mode = [&](unsigned N) {
    return View.Seamless ? AddressMode::Clamp : View.Address[N];
  };
  return finished(Of.Read, Plan, [&](int64_t X, int64_t Y, int64_t) {
    return Across ? seamless(Of, Seen.Face, X, Y)
                  : Of.at(addressed(X, Mode(0), Of.From.Width),
                          addressed(Y, Mode(1), Of.From.Height),
                          sliceOf(Of, Seen.Face));
  });
}

Texel sampleLevel(const TextureRead &Read, unsigned Number,
                  const Coordinates &Where) {
  const Level Of(Read, Read.View.Levels[Number]);
  return Read.How.shape() == ImageShape::Cube ? sampleCube(Of, Where)
                                              : sampleBox(Of, Where);
}

/// The level to read at, between 0 and the last one.
float clampedLevel(const TextureRead &Read, float Asked) {
  const ImageView &View = Read.View;
  float Out = Read.How.hasLevel() ? Asked + View.LevelBias : 0;
  if (std::isnan(Out))
    Out = 0;
  Out = std::min(std::max(Out, View.LeastLevel), View.GreatestLevel);
  return std::min(std::max(Out, 0.0F), float(View.LevelCount - 1));
}

/// A row of texels in plain memory: no filter, and 0 outside.
Texel plainTexel(const TextureRead &Read, int64_t Number) {
  const ImageLevel &Row = Read.View.Levels[0];
  if (Number < 0 || Number >= Row.Width)
    return {};
  return Level(Read, Row).at(Number, 0, 0);
}

} // namespace

Texel sampleTexture(const TextureRead &Read, const Coordinates &Where,
                    float Asked) {
  const ImageView &View = Read.View;
  if (View.Kind == ImageKind::Linear)
    return plainTexel(Read, floorOf(bounded(double(Where[0]))));
  const float Exact = clampedLevel(Read, Asked);
  if (!View.BlendsLevels || !givesFloats(View))
    return sampleLevel(Read, unsigned(Exact + 0.5F), Where);
  const int64_t Fixed = floorOf(double(Exact) * One + 0.5);
  const auto Finer = unsigned(Fixed >> FractionBits);
  const double Weight = double(Fixed & (One - 1)) / double(One);
  if (Weight == 0)
    return sampleLevel(Read, Finer, Where);
  Blend Out;
  Out.add(sampleLevel(Read, Finer, Where), 1 - Weight);
  Out.add(sampleLevel(Read, Finer + 1, Where), Weight);
  return Out.result();
}

float levelOfSlopes(const TextureRead &Read, const Coordinates &Where,
                    const Coordinates &AlongX, const Coordinates &AlongY) {
  const ImageLevel &Finest = Read.View.Levels[0];
  const double Sizes[3] = {double(Finest.Width), double(Finest.Height),
                           double(Finest.Slices)};
  const auto Steps = [&](const Coordinates &Slope) {
    double Sum = 0;
    for (unsigned N = 0; N < axesOf(Read.How.shape()); ++N) {
      const double Step =
          double(Slope[N]) * (Read.View.NormalizedCoords ? Sizes[N] : 1);
      Sum += Step * Step;
    }
    return Sum;
  };
  const auto StepsOnFace = [&](const Coordinates &Slope) {
    const auto Wide = [](const Coordinates &C) {
      return std::array<double, 3>{double(C[0]), double(C[1]), double(C[2])};
    };
    const FaceDirection At = seenBy(faceOf(Wide(Where)), Wide(Where));
    const FaceDirection By = seenBy(At.Face, Wide(Slope));
    const double PerTexel = Sizes[0] / (2 * At.M * At.M);
    const double U = (By.S * At.M - At.S * By.M) * PerTexel;
    const double V = (By.T * At.M - At.T * By.M) * PerTexel;
    return U * U + V * V;
  };
  const bool Cube = Read.How.shape() == ImageShape::Cube;
  const double Greater =
      Cube ? std::max(StepsOnFace(AlongX), StepsOnFace(AlongY))
           : std::max(Steps(AlongX), Steps(AlongY));
  return float(std::log2(Greater) / 2);
}

Texel texelOf(const TextureRead &Read, const std::array<int32_t, 3> &Where) {
  const ImageView &View = Read.View;
  if (View.Kind == ImageKind::Linear)
    return plainTexel(Read, Where[0]);
  const Level Of(Read, View.Levels[0]);
  const uint32_t Sizes[3] = {Of.From.Width, Of.From.Height, Of.From.Slices};
  int64_t There[3] = {0, 0, Of.layer()};
  for (unsigned N = 0; N < axesOf(Read.How.shape()); ++N)
    There[N] = addressed(Where[N], View.Address[N], Sizes[N]);
  return Of.at(There[0], There[1], There[2]);
}

} // namespace blockmaestro
