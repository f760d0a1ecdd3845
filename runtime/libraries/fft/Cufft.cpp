// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cuFFT's calls. A handle is a number; its plan is a Transform once it has been
// made.

#include "LibraryCall.h"
#include "StandIn.h"
#include "Transform.h"

#include <cufftXt.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace blockmaestro::fft {
namespace {

/// What a handle stands for.
struct Plan {
  std::shared_ptr<Transform> What; ///< Null until it has been made.
  cudaStream_t Stream = nullptr;
};

struct PlanTable {
  std::mutex Lock;
  std::map<cufftHandle, Plan> Known;
  cufftHandle Last = 0;
};

PlanTable &plans() {
  static PlanTable *Only = new PlanTable;
  return *Only;
}

template <typename Body> cufftResult withPlan(cufftHandle Handle, Body Do) {
  PlanTable &All = plans();
  std::lock_guard<std::mutex> Held(All.Lock);
  auto Found = All.Known.find(Handle);
  return Found == All.Known.end() ? CUFFT_INVALID_PLAN : Do(Found->second);
}

bool isType(cufftType Type) {
  switch (Type) {
  case CUFFT_C2C:
  case CUFFT_R2C:
  case CUFFT_C2R:
  case CUFFT_Z2Z:
  case CUFFT_D2Z:
  case CUFFT_Z2D:
    return true;
  }
  return false;
}

/// What is wrong with the shape.
cufftResult check(const TransformShape &Shape) {
  if (!isType(Shape.Type))
    return CUFFT_INVALID_TYPE;
  if (Shape.Batch < 1)
    return CUFFT_INVALID_SIZE;
  for (int I = 0; I < Shape.Rank; ++I)
    if (Shape.Sizes[size_t(I)] < 1)
      return CUFFT_INVALID_SIZE;
  return CUFFT_SUCCESS;
}

/// What cuFFT's own plans need for their work; here nothing does, but programs
/// allocate it.
size_t workBytes(const TransformShape &Shape) {
  return touchedOut(Shape, nullptr, false).span();
}

bool available(const TransformShape &Shape) {
  return Shape.isDouble() ? fftw<double>() != nullptr
                          : fftw<float>() != nullptr;
}

cufftResult create(cufftHandle *Out) {
  if (!Out)
    return CUFFT_INVALID_VALUE;
  PlanTable &All = plans();
  std::lock_guard<std::mutex> Held(All.Lock);
  *Out = ++All.Last;
  All.Known[*Out] = Plan();
  return CUFFT_SUCCESS;
}

cufftResult destroy(cufftHandle Handle) {
  std::shared_ptr<Transform> Gone;
  return withPlan(Handle, [&](Plan &Its) {
    Gone = std::move(Its.What);
    plans().Known.erase(Handle);
    return CUFFT_SUCCESS;
  });
}

cufftResult size(const TransformShape &Shape, size_t *Out) {
  const cufftResult Wrong = check(Shape);
  if (Wrong == CUFFT_SUCCESS && !Out)
    return CUFFT_INVALID_VALUE;
  if (Wrong == CUFFT_SUCCESS)
    *Out = workBytes(Shape);
  return Wrong;
}

cufftResult make(cufftHandle Handle, const TransformShape &Shape,
                 size_t *Work) {
  return withPlan(Handle, [&](Plan &Its) {
    if (Its.What)
      return CUFFT_INVALID_PLAN;
    const cufftResult Wrong = size(Shape, Work);
    if (Wrong != CUFFT_SUCCESS)
      return Wrong;
    if (!available(Shape))
      return CUFFT_SETUP_FAILED;
    Its.What = std::make_shared<Transform>(Shape);
    return CUFFT_SUCCESS;
  });
}

/// Creates a handle and makes its plan.
cufftResult plan(cufftHandle *Out, const TransformShape &Shape) {
  if (!Out)
    return CUFFT_INVALID_VALUE;
  cufftHandle Made = 0;
  size_t Ignored = 0;
  cufftResult Result = create(&Made);
  if (Result == CUFFT_SUCCESS)
    Result = make(Made, Shape, &Ignored);
  if (Result != CUFFT_SUCCESS) {
    destroy(Made);
    return Result;
  }
  *Out = Made;
  return CUFFT_SUCCESS;
}

TransformShape line(int X, cufftType Type, int Batch) {
  TransformShape Out;
  Out.Type = Type;
  Out.Sizes[0] = X;
  Out.Batch = Batch;
  return Out;
}
TransformShape plane(int X, int Y, cufftType Type) {
  TransformShape Out;
  Out.Type = Type;
  Out.Rank = 2;
  Out.Sizes = {X, Y, 1};
  return Out;
}
TransformShape space(int X, int Y, int Z, cufftType Type) {
  TransformShape Out;
  Out.Type = Type;
  Out.Rank = 3;
  Out.Sizes = {X, Y, Z};
  return Out;
}

/// What the calls with an advanced layout are given; I is int or long long.
template <typename I> struct ManyArguments {
  int Rank;
  const I *Sizes;
  const I *EmbedIn;
  I StepIn, DistanceIn;
  const I *EmbedOut;
  I StepOut, DistanceOut;
  cufftType Type;
  I Batch;
};

/// Without sizes that rows lie in, the rest of a layout does not count.
template <typename I>
cufftResult shapeOf(const ManyArguments<I> &Given, TransformShape &Out) {
  if (Given.Rank < 1 || Given.Rank > 3 || !Given.Sizes)
    return CUFFT_INVALID_VALUE;
  Out.Type = Given.Type;
  Out.Rank = Given.Rank;
  Out.Batch = Given.Batch;
  Out.Advanced = Given.EmbedIn && Given.EmbedOut;
  for (int D = 0; D < Given.Rank; ++D) {
    Out.Sizes[size_t(D)] = Given.Sizes[D];
    if (Out.Advanced) {
      Out.In.Embed[size_t(D)] = Given.EmbedIn[D];
      Out.Out.Embed[size_t(D)] = Given.EmbedOut[D];
    }
  }
  Out.In.Step = Given.StepIn;
  Out.In.Distance = Given.DistanceIn;
  Out.Out.Step = Given.StepOut;
  Out.Out.Distance = Given.DistanceOut;
  const bool Steps = Given.StepIn > 0 && Given.StepOut > 0 &&
                     Given.DistanceIn >= 0 && Given.DistanceOut >= 0;
  return Out.Advanced && !Steps ? CUFFT_INVALID_VALUE : CUFFT_SUCCESS;
}

cufftResult plan1d(cufftHandle *Out, int X, cufftType Type, int Batch) {
  return plan(Out, line(X, Type, Batch));
}
cufftResult plan2d(cufftHandle *Out, int X, int Y, cufftType Type) {
  return plan(Out, plane(X, Y, Type));
}
cufftResult plan3d(cufftHandle *Out, int X, int Y, int Z, cufftType Type) {
  return plan(Out, space(X, Y, Z, Type));
}
cufftResult planMany(cufftHandle *Out, int Rank, int *Sizes, int *EmbedIn,
                     int StepIn, int DistanceIn, int *EmbedOut, int StepOut,
                     int DistanceOut, cufftType Type, int Batch) {
  TransformShape Shape;
  const cufftResult Wrong =
      shapeOf<int>({Rank, Sizes, EmbedIn, StepIn, DistanceIn, EmbedOut, StepOut,
                    DistanceOut, Type, Batch},
                   Shape);
  return Wrong != CUFFT_SUCCESS ? Wrong : plan(Out, Shape);
}

cufftResult make1d(cufftHandle H, int X, cufftType Type, int Batch,
                   size_t *Work) {
  return make(H, line(X, Type, Batch), Work);
}
cufftResult make2d(cufftHandle H, int X, int Y, cufftType Type, size_t *Work) {
  return make(H, plane(X, Y, Type), Work);
}
cufftResult make3d(cufftHandle H, int X, int Y, int Z, cufftType Type,
                   size_t *Work) {
  return make(H, space(X, Y, Z, Type), Work);
}
template <typename I>
cufftResult makeMany(cufftHandle H, int Rank, I *Sizes, I *EmbedIn, I StepIn,
                     I DistanceIn, I *EmbedOut, I StepOut, I DistanceOut,
                     cufftType Type, I Batch, size_t *Work) {
  TransformShape Shape;
  const cufftResult Wrong =
      shapeOf<I>({Rank, Sizes, EmbedIn, StepIn, DistanceIn, EmbedOut, StepOut,
                  DistanceOut, Type, Batch},
                 Shape);
  return Wrong != CUFFT_SUCCESS ? Wrong : make(H, Shape, Work);
}

cufftResult estimate1d(int X, cufftType Type, int Batch, size_t *Out) {
  return size(line(X, Type, Batch), Out);
}
cufftResult estimate2d(int X, int Y, cufftType Type, size_t *Out) {
  return size(plane(X, Y, Type), Out);
}
cufftResult estimate3d(int X, int Y, int Z, cufftType Type, size_t *Out) {
  return size(space(X, Y, Z, Type), Out);
}
cufftResult estimateMany(int Rank, int *Sizes, int *EmbedIn, int StepIn,
                         int DistanceIn, int *EmbedOut, int StepOut,
                         int DistanceOut, cufftType Type, int Batch,
                         size_t *Out) {
  TransformShape Shape;
  const cufftResult Wrong =
      shapeOf<int>({Rank, Sizes, EmbedIn, StepIn, DistanceIn, EmbedOut, StepOut,
                    DistanceOut, Type, Batch},
                   Shape);
  return Wrong != CUFFT_SUCCESS ? Wrong : size(Shape, Out);
}

cufftResult known(cufftHandle H) {
  return withPlan(H, [](Plan &) { return CUFFT_SUCCESS; });
}
cufftResult size1d(cufftHandle H, int X, cufftType Type, int Batch,
                   size_t *Out) {
  const cufftResult Wrong = known(H);
  return Wrong != CUFFT_SUCCESS ? Wrong : estimate1d(X, Type, Batch, Out);
}
cufftResult size2d(cufftHandle H, int X, int Y, cufftType Type, size_t *Out) {
  const cufftResult Wrong = known(H);
  return Wrong != CUFFT_SUCCESS ? Wrong : estimate2d(X, Y, Type, Out);
}
cufftResult size3d(cufftHandle H, int X, int Y, int Z, cufftType Type,
                   size_t *Out) {
  const cufftResult Wrong = known(H);
  return Wrong != CUFFT_SUCCESS ? Wrong : estimate3d(X, Y, Z, Type, Out);
}
template <typename I>
cufftResult sizeMany(cufftHandle H, int Rank, I *Sizes, I *EmbedIn, I StepIn,
                     I DistanceIn, I *EmbedOut, I StepOut, I DistanceOut,
                     cufftType Type, I Batch, size_t *Out) {
  TransformShape Shape;
  cufftResult Wrong = known(H);
  if (Wrong == CUFFT_SUCCESS)
    Wrong = shapeOf<I>({Rank, Sizes, EmbedIn, StepIn, DistanceIn, EmbedOut,
                        StepOut, DistanceOut, Type, Batch},
                       Shape);
  return Wrong != CUFFT_SUCCESS ? Wrong : size(Shape, Out);
}
cufftResult sizeOfPlan(cufftHandle H, size_t *Out) {
  return withPlan(H, [&](Plan &Its) {
    if (!Out)
      return CUFFT_INVALID_VALUE;
    *Out = Its.What ? workBytes(Its.What->shape()) : 0;
    return CUFFT_SUCCESS;
  });
}

cufftResult setStream(cufftHandle H, cudaStream_t Stream) {
  return withPlan(H, [&](Plan &Its) {
    Its.Stream = Stream;
    return CUFFT_SUCCESS;
  });
}
cufftResult setWorkArea(cufftHandle H, void *) { return known(H); }
cufftResult setAutoAllocation(cufftHandle H, int) { return known(H); }

cufftResult resultOf(cudaError_t Error) {
  if (Error == cudaSuccess)
    return CUFFT_SUCCESS;
  return Error == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED
                                            : CUFFT_EXEC_FAILED;
}

cufftResult issue(const char *Name, const Plan &Its, const void *In, void *Out,
                  int Direction) {
  if (!In || !Out)
    return CUFFT_INVALID_VALUE;
  const TransformShape &Shape = Its.What->shape();
  LibraryCall Call(Name, Its.Stream);
  Call.reads(touchedIn(Shape, In, In == Out));
  Call.writes(touchedOut(Shape, Out, In == Out));
  return resultOf(
      Call.issue([What = Its.What, Name, In, Out, Direction](const MayTouch &) {
        return What->run(In, Out, Direction)
                   ? Status()
                   : Status(StatusCode::Device,
                            std::string(Name) + ": FFTW has no such plan");
      }));
}

/// The plan as it is now, if it is of this type.
cufftResult planOf(cufftHandle H, Plan &Out) {
  return withPlan(H, [&](Plan &Its) {
    Out = Its;
    return Out.What ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
  });
}

cufftResult run(const char *Name, cufftHandle H, cufftType Type, const void *In,
                void *Out, int Direction) {
  Plan Its;
  const cufftResult Wrong = planOf(H, Its);
  if (Wrong != CUFFT_SUCCESS)
    return Wrong;
  if (Its.What->shape().Type != Type)
    return CUFFT_INVALID_PLAN;
  if (Direction != CUFFT_FORWARD && Direction != CUFFT_INVERSE)
    return CUFFT_INVALID_VALUE;
  return issue(Name, Its, In, Out, Direction);
}

cufftResult execC2C(cufftHandle H, cufftComplex *In, cufftComplex *Out,
                    int Direction) {
  return run("cufftExecC2C", H, CUFFT_C2C, In, Out, Direction);
}
cufftResult execZ2Z(cufftHandle H, cufftDoubleComplex *In,
                    cufftDoubleComplex *Out, int Direction) {
  return run("cufftExecZ2Z", H, CUFFT_Z2Z, In, Out, Direction);
}
cufftResult execR2C(cufftHandle H, cufftReal *In, cufftComplex *Out) {
  return run("cufftExecR2C", H, CUFFT_R2C, In, Out, CUFFT_FORWARD);
}
cufftResult execD2Z(cufftHandle H, cufftDoubleReal *In,
                    cufftDoubleComplex *Out) {
  return run("cufftExecD2Z", H, CUFFT_D2Z, In, Out, CUFFT_FORWARD);
}
cufftResult execC2R(cufftHandle H, cufftComplex *In, cufftReal *Out) {
  return run("cufftExecC2R", H, CUFFT_C2R, In, Out, CUFFT_INVERSE);
}
cufftResult execZ2D(cufftHandle H, cufftDoubleComplex *In,
                    cufftDoubleReal *Out) {
  return run("cufftExecZ2D", H, CUFFT_Z2D, In, Out, CUFFT_INVERSE);
}
/// The direction counts for complex transforms only.
cufftResult exec(cufftHandle H, void *In, void *Out, int Direction) {
  Plan Its;
  const cufftResult Wrong = planOf(H, Its);
  if (Wrong != CUFFT_SUCCESS)
    return Wrong;
  const TransformShape &Shape = Its.What->shape();
  if (Shape.fromReal())
    Direction = CUFFT_FORWARD;
  if (Shape.toReal())
    Direction = CUFFT_INVERSE;
  return run("cufftXtExec", H, Shape.Type, In, Out, Direction);
}

cufftResult version(int *Out) {
  if (!Out)
    return CUFFT_INVALID_VALUE;
  *Out = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult property(libraryPropertyType Which, int *Out) {
  constexpr int Values[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!Out || Which < MAJOR_VERSION || Which > PATCH_LEVEL)
    return CUFFT_INVALID_VALUE;
  *Out = Values[Which];
  return CUFFT_SUCCESS;
}

} // namespace
} // namespace blockmaestro::fft

namespace blockmaestro {

std::span<const LibraryFunction> cufftFunctions() {
  using namespace fft;
  static const LibraryFunction All[] = {
      BM_STAND_IN(cufftCreate, create),
      BM_STAND_IN(cufftDestroy, destroy),
      BM_STAND_IN(cufftPlan1d, plan1d),
      BM_STAND_IN(cufftPlan2d, plan2d),
      BM_STAND_IN(cufftPlan3d, plan3d),
      BM_STAND_IN(cufftPlanMany, planMany),
      BM_STAND_IN(cufftMakePlan1d, make1d),
      BM_STAND_IN(cufftMakePlan2d, make2d),
      BM_STAND_IN(cufftMakePlan3d, make3d),
      BM_STAND_IN(cufftMakePlanMany, makeMany<int>),
      BM_STAND_IN(cufftMakePlanMany64, makeMany<long long>),
      BM_STAND_IN(cufftEstimate1d, estimate1d),
      BM_STAND_IN(cufftEstimate2d, estimate2d),
      BM_STAND_IN(cufftEstimate3d, estimate3d),
      BM_STAND_IN(cufftEstimateMany, estimateMany),
      BM_STAND_IN(cufftGetSize1d, size1d),
      BM_STAND_IN(cufftGetSize2d, size2d),
      BM_STAND_IN(cufftGetSize3d, size3d),
      BM_STAND_IN(cufftGetSizeMany, sizeMany<int>),
      BM_STAND_IN(cufftGetSizeMany64, sizeMany<long long>),
      BM_STAND_IN(cufftGetSize, sizeOfPlan),
      BM_STAND_IN(cufftSetStream, setStream),
      BM_STAND_IN(cufftSetWorkArea, setWorkArea),
      BM_STAND_IN(cufftSetAutoAllocation, setAutoAllocation),
      BM_STAND_IN(cufftExecC2C, execC2C),
      BM_STAND_IN(cufftExecZ2Z, execZ2Z),
      BM_STAND_IN(cufftExecR2C, execR2C),
      BM_STAND_IN(cufftExecD2Z, execD2Z),
      BM_STAND_IN(cufftExecC2R, execC2R),
      BM_STAND_IN(cufftExecZ2D, execZ2D),
      BM_STAND_IN(cufftXtExec, exec),
      BM_STAND_IN(cufftGetVersion, version),
      BM_STAND_IN(cufftGetProperty, property)};
  return All;
}

} // namespace blockmaestro
