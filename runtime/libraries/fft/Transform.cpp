// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transform.h"

#include "LibraryCall.h"

#include <cstring>
#include <mutex>

namespace blockmaestro::fft {
namespace {

std::mutex PlannerLock;

/// How far apart the numbers of each dimension are, and of the batch.
struct Strides {
  std::array<long long, 3> Of = {};
  long long Distance = 0;

  Strides(const std::array<long long, 3> &Embed, int Rank, long long Step) {
    long long Next = Step;
    for (int I = Rank - 1; I >= 0; --I) {
      Of[size_t(I)] = Next;
      Next *= Embed[size_t(I)];
    }
    Distance = Next;
  }
};

/// The sizes that one side of the default layout lies in.
std::array<long long, 3> defaultEmbed(const TransformShape &Shape, bool IsReal,
                                      bool InPlace) {
  std::array<long long, 3> Out = Shape.Sizes;
  const size_t Last = size_t(Shape.Rank - 1);
  const long long Half = Shape.Sizes[Last] / 2 + 1;
  const bool Mixed = Shape.fromReal() || Shape.toReal();
  if (Mixed && !IsReal)
    Out[Last] = Half;
  else if (IsReal && InPlace)
    Out[Last] = 2 * Half;
  return Out;
}

Strides stridesOf(const TransformShape &Shape, const Layout &Given, bool IsReal,
                  bool InPlace) {
  if (!Shape.Advanced)
    return Strides(defaultEmbed(Shape, IsReal, InPlace), Shape.Rank, 1);
  Strides Out(Given.Embed, Shape.Rank, Given.Step);
  Out.Distance = Given.Distance;
  return Out;
}

/// How many numbers a side has in each dimension.
std::array<long long, 3> countsOf(const TransformShape &Shape, bool IsReal) {
  std::array<long long, 3> Out = Shape.Sizes;
  if ((Shape.fromReal() || Shape.toReal()) && !IsReal)
    Out[size_t(Shape.Rank - 1)] = Out[size_t(Shape.Rank - 1)] / 2 + 1;
  return Out;
}

long long extentOf(const std::array<long long, 3> &Counts, const Strides &Apart,
                   int Rank) {
  long long Last = 0;
  for (int I = 0; I < Rank; ++I)
    Last += (Counts[size_t(I)] - 1) * Apart.Of[size_t(I)];
  return Last + 1;
}

/// A batch as rows where its transforms do not lie in one another.
TouchedBox boxOf(const void *First, size_t Bytes, long long Extent,
                 long long Distance, long long Batch) {
  if (Batch > 1 && Distance < Extent)
    return rowsOf(First, size_t(Extent + (Batch - 1) * Distance) * Bytes, 1, 0);
  return rowsOf(First, size_t(Extent) * Bytes, size_t(Batch),
                size_t(Distance) * Bytes);
}

} // namespace

size_t TransformShape::bytesIn() const {
  return (isDouble() ? 8 : 4) * (fromReal() ? 1 : 2);
}

size_t TransformShape::bytesOut() const {
  return (isDouble() ? 8 : 4) * (toReal() ? 1 : 2);
}

TransformLoops::TransformLoops(const TransformShape &Shape, bool InPlace) {
  const Strides In = stridesOf(Shape, Shape.In, Shape.fromReal(), InPlace);
  const Strides Out = stridesOf(Shape, Shape.Out, Shape.toReal(), InPlace);
  for (size_t I = 0; I < size_t(Shape.Rank); ++I)
    Inner.push_back({Shape.Sizes[I], In.Of[I], Out.Of[I]});
  Batch = {Shape.Batch, In.Distance, Out.Distance};
  ElementsIn = extentOf(countsOf(Shape, Shape.fromReal()), In, Shape.Rank);
  ElementsOut = extentOf(countsOf(Shape, Shape.toReal()), Out, Shape.Rank);
}

TouchedBox touchedIn(const TransformShape &Shape, const void *In,
                     bool InPlace) {
  const TransformLoops Loops(Shape, InPlace);
  return boxOf(In, Shape.bytesIn(), Loops.ElementsIn, Loops.Batch.StepIn,
               Shape.Batch);
}

TouchedBox touchedOut(const TransformShape &Shape, const void *Out,
                      bool InPlace) {
  const TransformLoops Loops(Shape, InPlace);
  return boxOf(Out, Shape.bytesOut(), Loops.ElementsOut, Loops.Batch.StepOut,
               Shape.Batch);
}

Transform::~Transform() {
  std::lock_guard<std::mutex> Held(PlannerLock);
  for (auto &[Key, Plan] : Plans)
    if (Shape.isDouble())
      fftw<double>()->Destroy(Plan);
    else
      fftw<float>()->Destroy(Plan);
}

template <typename R>
FftwPlan *Transform::plan(void *In, void *Out, int Direction) {
  std::lock_guard<std::mutex> Held(PlannerLock);
  FftwPlan *&Known = Plans[{Direction, In == Out}];
  if (Known)
    return Known;
  const TransformLoops Loops(Shape, In == Out);
  const Fftw<R> &F = *fftw<R>();
  using C = std::complex<R>;
  const int Rank = Shape.Rank;
  if (Shape.fromReal())
    Known =
        F.ForwardPlan(Rank, Loops.Inner.data(), 1, &Loops.Batch,
                      static_cast<R *>(In), static_cast<C *>(Out), PlanFlags);
  else if (Shape.toReal())
    Known =
        F.BackwardPlan(Rank, Loops.Inner.data(), 1, &Loops.Batch,
                       static_cast<C *>(In), static_cast<R *>(Out), PlanFlags);
  else
    Known = F.ComplexPlan(Rank, Loops.Inner.data(), 1, &Loops.Batch,
                          static_cast<C *>(In), static_cast<C *>(Out),
                          Direction, PlanFlags);
  return Known;
}

/// FFTW may overwrite what a transform to real numbers reads.
template <typename R>
bool Transform::runAs(const void *From, void *Out, int Direction) {
  using C = std::complex<R>;
  void *In = const_cast<void *>(From);
  std::vector<char> Aside;
  if (Shape.toReal() && In != Out) {
    const TouchedBox All = touchedIn(Shape, In, false);
    Aside.resize(All.span());
    std::memcpy(Aside.data(), In, Aside.size());
    In = Aside.data();
  }
  const FftwPlan *Plan = plan<R>(In, Out, Direction);
  if (!Plan)
    return false;
  const Fftw<R> &F = *fftw<R>();
  if (Shape.fromReal())
    F.RunForward(Plan, static_cast<R *>(In), static_cast<C *>(Out));
  else if (Shape.toReal())
    F.RunBackward(Plan, static_cast<C *>(In), static_cast<R *>(Out));
  else
    F.RunComplex(Plan, static_cast<C *>(In), static_cast<C *>(Out));
  return true;
}

bool Transform::run(const void *In, void *Out, int Direction) {
  return Shape.isDouble() ? runAs<double>(In, Out, Direction)
                          : runAs<float>(In, Out, Direction);
}

} // namespace blockmaestro::fft
