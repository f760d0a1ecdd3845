// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what device and host of this program share: bodies in the plane,
// the contacts between them, and the constants of a step.

#ifndef BLOCKMAESTRO_BENCHMARKS_PHYSICS_SCENE_H
#define BLOCKMAESTRO_BENCHMARKS_PHYSICS_SCENE_H

#include "../common/Program.h"

namespace bench {

static constexpr float Step = 1.0f / 64, Gravity = 10.0f, Margin = 0.1f;
static constexpr float Recovery = 0.25f, Friction = 0.5f;
/// Two planes through the origin make a valley; these are their normals.
static constexpr int Planes = 2, Ends = 2;
static constexpr float PlaneX = 0.6f, PlaneY = 0.8f;

/// What touches what. The first body is the one named first.
enum Kind { DiscPlane, CapsulePlane, DiscDisc, DiscCapsule, CapsuleCapsule };
static constexpr int Kinds = 5;

/// Bodies of all worlds, Bodies to each. A body is a segment with a radius; a
/// disc's segment is a point.
struct Scene {
  int Bodies, Total;
  float3 *Poses, *Velocities;
  const float2 *Sizes, *InverseMasses;
  float4 *Segments;

  /// What one body may touch: the others of its world, and each end each plane.
  __host__ __device__ int others() const { return Bodies + Planes * Ends; }
  __host__ __device__ int candidates() const { return Total * others(); }
};

/// A point where body A touches body B, or a plane where B is -1. The normal
/// points to A, the arms from the middles of the bodies to the point.
struct Contact {
  int A, B, Feature, Colour;
  unsigned Priority;
  float2 Normal, ArmA, ArmB;
  float Push, NormalMass, TangentMass;
};

/// A number of its own for each candidate, without order.
__host__ __device__ inline unsigned priorityOf(unsigned Candidate) {
  Candidate = (Candidate ^ (Candidate >> 16)) * 0x7feb352du;
  Candidate = (Candidate ^ (Candidate >> 15)) * 0x846ca68bu;
  return Candidate ^ (Candidate >> 16);
}

/// The bodies as a seed decides them.
struct Start {
  std::vector<float3> Poses, Velocities;
  std::vector<float2> Sizes, InverseMasses;

  Start(uint64_t Seed, int Worlds, int Bodies) {
    for (int World = 0; World < Worlds; ++World) {
      Random From(Random(Seed + World).next());
      double Discs = From.uniform(0.2, 0.8);
      for (int I = 0; I < Bodies; ++I)
        add(From, I, From.uniform(0, 1) < Discs);
    }
  }

private:
  /// The body \p I of a world, in rows of four above the valley.
  void add(Random &From, int I, bool Disc) {
    double X = (I % 4 - 1.5) * 1.3 + From.uniform(-0.1, 0.1);
    double Y = 0.75 * std::fabs(X) + 0.7 + I / 4 * 1.3;
    double Radius = From.uniform(0.3, 0.4);
    double Half = Disc ? 0 : From.uniform(0.2, 0.25);
    double Area = 3.14159 * Radius * Radius + 4 * Half * Radius;
    double Inertia = Area * (Radius * Radius / 2 + Half * Half);
    Poses.push_back(
        make_float3(float(X), float(Y), float(From.uniform(-3, 3))));
    Velocities.push_back(make_float3(float(From.uniform(-2, 2) - 2 * X),
                                     float(From.uniform(-6, -3)),
                                     float(From.uniform(-2, 2))));
    Sizes.push_back(make_float2(float(Radius), float(Half)));
    InverseMasses.push_back(make_float2(float(1 / Area), float(1 / Inertia)));
  }
};

} // namespace bench

#endif
