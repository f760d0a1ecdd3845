// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the kernels of a step.

#ifndef BLOCKMAESTRO_BENCHMARKS_PHYSICS_KERNELS_H
#define BLOCKMAESTRO_BENCHMARKS_PHYSICS_KERNELS_H

#include "Scene.h"

namespace bench {

static constexpr int Threads = 128;

static __device__ float dot(float2 A, float2 B) {
  return A.x * B.x + A.y * B.y;
}
static __device__ float cross(float2 A, float2 B) {
  return A.x * B.y - A.y * B.x;
}
static __device__ float2 operator+(float2 A, float2 B) {
  return make_float2(A.x + B.x, A.y + B.y);
}
static __device__ float2 operator-(float2 A, float2 B) {
  return make_float2(A.x - B.x, A.y - B.y);
}
static __device__ float2 operator*(float S, float2 A) {
  return make_float2(S * A.x, S * A.y);
}

__global__ void applyForces(Scene In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < In.Total)
    In.Velocities[I].y -= Gravity * Step;
}

/// The ends of each body's segment.
__global__ void placeSegments(Scene In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= In.Total)
    return;
  float3 Pose = In.Poses[I];
  float Half = In.Sizes[I].y, Sin, Cos;
  sincosf(Pose.z, &Sin, &Cos);
  In.Segments[I] = make_float4(Pose.x - Half * Cos, Pose.y - Half * Sin,
                               Pose.x + Half * Cos, Pose.y + Half * Sin);
}

static __device__ float2 endOf(float4 Segment, int End) {
  return End == 0 ? make_float2(Segment.x, Segment.y)
                  : make_float2(Segment.z, Segment.w);
}

static __device__ float2 normalOf(int Plane) {
  return make_float2(Plane == 0 ? PlaneX : -PlaneX, PlaneY);
}

/// Appends each candidate that is close to the list of its kind.
__global__ void findPairs(Scene In, int *Lists, int *Counts) {
  int Candidate = blockIdx.x * blockDim.x + threadIdx.x;
  if (Candidate >= In.candidates())
    return;
  int A = Candidate / In.others(), Other = Candidate % In.others();
  bool Disc = In.Sizes[A].y == 0;
  int Found;
  if (Other < In.Bodies) {
    if (Other <= A % In.Bodies)
      return;
    int B = A / In.Bodies * In.Bodies + Other;
    float X = In.Poses[A].x - In.Poses[B].x, Y = In.Poses[A].y - In.Poses[B].y;
    float Reach =
        In.Sizes[A].x + In.Sizes[A].y + In.Sizes[B].x + In.Sizes[B].y + Margin;
    if (X * X + Y * Y >= Reach * Reach)
      return;
    bool OtherDisc = In.Sizes[B].y == 0;
    Found = Disc && OtherDisc   ? DiscDisc
            : Disc || OtherDisc ? DiscCapsule
                                : CapsuleCapsule;
  } else {
    int Plane = (Other - In.Bodies) / Ends, End = (Other - In.Bodies) % Ends;
    float2 At = endOf(In.Segments[A], End);
    if ((Disc && End > 0) || dot(At, normalOf(Plane)) >= In.Sizes[A].x + Margin)
      return;
    Found = Disc ? DiscPlane : CapsulePlane;
  }
  Lists[Found * In.candidates() + atomicAdd(&Counts[Found], 1)] = Candidate;
}

/// A contact between the points \p OnA and \p OnB of the segments.
static __device__ Contact contactOf(const Scene &In, int Candidate, int A,
                                    int B, int Feature, float2 OnA, float2 OnB,
                                    float2 Normal, float Separation) {
  Contact Made = {};
  Made.A = A, Made.B = B, Made.Feature = Feature, Made.Colour = -1;
  Made.Priority = priorityOf(Candidate);
  Made.Normal = Normal;
  float2 Tangent = make_float2(-Normal.y, Normal.x), Mass = In.InverseMasses[A];
  Made.ArmA =
      OnA - In.Sizes[A].x * Normal - make_float2(In.Poses[A].x, In.Poses[A].y);
  float Along = cross(Made.ArmA, Normal), Across = cross(Made.ArmA, Tangent);
  float InNormal = Mass.x + Mass.y * Along * Along;
  float InTangent = Mass.x + Mass.y * Across * Across;
  if (B >= 0) {
    Mass = In.InverseMasses[B];
    Made.ArmB = OnB + In.Sizes[B].x * Normal -
                make_float2(In.Poses[B].x, In.Poses[B].y);
    Along = cross(Made.ArmB, Normal), Across = cross(Made.ArmB, Tangent);
    InNormal += Mass.x + Mass.y * Along * Along;
    InTangent += Mass.x + Mass.y * Across * Across;
  }
  Made.Push = fmaxf(Separation, Recovery * Separation) / Step;
  Made.NormalMass = 1.0f / InNormal;
  Made.TangentMass = 1.0f / InTangent;
  return Made;
}

/// A contact of two bodies with these points nearest to each other.
static __device__ Contact between(const Scene &In, int Candidate, int A, int B,
                                  int Feature, float2 OnA, float2 OnB) {
  float2 Apart = OnA - OnB;
  float Distance = sqrtf(dot(Apart, Apart));
  return contactOf(In, Candidate, A, B, Feature, OnA, OnB,
                   1.0f / Distance * Apart,
                   Distance - In.Sizes[A].x - In.Sizes[B].x);
}

static __device__ float2 nearest(float2 To, float4 Segment) {
  float2 First = endOf(Segment, 0), Along = endOf(Segment, 1) - First;
  float Share = dot(To - First, Along) / dot(Along, Along);
  return First + fminf(fmaxf(Share, 0.0f), 1.0f) * Along;
}

/// The bodies of a candidate.
static __device__ int2 pairOf(const Scene &In, int Candidate) {
  int A = Candidate / In.others();
  return make_int2(A, A / In.Bodies * In.Bodies + Candidate % In.others());
}

__global__ void discPlane(Scene In, int Count, const int *List, Contact *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int A = List[I] / In.others();
  int Plane = (List[I] % In.others() - In.Bodies) / Ends;
  float2 Normal = normalOf(Plane),
         At = make_float2(In.Poses[A].x, In.Poses[A].y);
  Out[I] = contactOf(In, List[I], A, -1, 0, At, At, Normal,
                     dot(At, Normal) - In.Sizes[A].x);
}

__global__ void capsulePlane(Scene In, int Count, const int *List,
                             Contact *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int A = List[I] / In.others(), Other = List[I] % In.others() - In.Bodies;
  float2 Normal = normalOf(Other / Ends);
  float2 At = endOf(In.Segments[A], Other % Ends);
  Out[I] = contactOf(In, List[I], A, -1, Other % Ends, At, At, Normal,
                     dot(At, Normal) - In.Sizes[A].x);
}

__global__ void discDisc(Scene In, int Count, const int *List, Contact *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int2 Pair = pairOf(In, List[I]);
  Out[I] =
      between(In, List[I], Pair.x, Pair.y, 0, endOf(In.Segments[Pair.x], 0),
              endOf(In.Segments[Pair.y], 0));
}

__global__ void discCapsule(Scene In, int Count, const int *List,
                            Contact *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int2 Pair = pairOf(In, List[I]);
  bool Swapped = In.Sizes[Pair.x].y != 0;
  int Disc = Swapped ? Pair.y : Pair.x, Capsule = Swapped ? Pair.x : Pair.y;
  float2 Middle = endOf(In.Segments[Disc], 0);
  Out[I] = between(In, List[I], Disc, Capsule, 0, Middle,
                   nearest(Middle, In.Segments[Capsule]));
}

/// The nearest of four: each end of one to the segment of the other.
__global__ void capsuleCapsule(Scene In, int Count, const int *List,
                               Contact *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int2 Pair = pairOf(In, List[I]);
  float4 SegmentA = In.Segments[Pair.x], SegmentB = In.Segments[Pair.y];
  float Least = INFINITY;
  float2 OnA = {}, OnB = {};
  int Best = 0;
  for (int Feature = 0; Feature < 2 * Ends; ++Feature) {
    bool EndOfA = Feature < Ends;
    float2 End = endOf(EndOfA ? SegmentA : SegmentB, Feature % Ends);
    float2 Side = nearest(End, EndOfA ? SegmentB : SegmentA);
    float Distance = dot(End - Side, End - Side);
    if (Distance < Least) {
      Least = Distance;
      Best = Feature;
      OnA = EndOfA ? End : Side;
      OnB = EndOfA ? Side : End;
    }
  }
  Out[I] = between(In, List[I], Pair.x, Pair.y, Best, OnA, OnB);
}

__global__ void clearBids(int Total, unsigned *Bids, int *Won) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Total)
    Bids[I] = 0xffffffffu;
  if (I == 0)
    *Won = 0;
}

/// Each contact without a colour bids for its bodies; the least number wins.
__global__ void bid(int Count, const Contact *Contacts, unsigned *Bids) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count || Contacts[I].Colour >= 0)
    return;
  atomicMin(&Bids[Contacts[I].A], Contacts[I].Priority);
  if (Contacts[I].B >= 0)
    atomicMin(&Bids[Contacts[I].B], Contacts[I].Priority);
}

/// Contacts that have won all their bodies get the colour.
__global__ void claim(int Count, int Colour, const unsigned *Bids,
                      Contact *Contacts, int *Order, int *Won) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count || Contacts[I].Colour >= 0)
    return;
  Contact &Own = Contacts[I];
  if (Bids[Own.A] != Own.Priority ||
      (Own.B >= 0 && Bids[Own.B] != Own.Priority))
    return;
  Own.Colour = Colour;
  Order[atomicAdd(Won, 1)] = I;
}

/// How fast A moves away from B at the contact.
static __device__ float2 parting(const Contact &At, float3 A, float3 B) {
  return make_float2(A.x - A.z * At.ArmA.y - (B.x - B.z * At.ArmB.y),
                     A.y + A.z * At.ArmA.x - (B.y + B.z * At.ArmB.x));
}

static __device__ float3 pushed(float3 Velocity, float2 Mass, float2 Arm,
                                float2 Impulse) {
  return make_float3(Velocity.x + Mass.x * Impulse.x,
                     Velocity.y + Mass.x * Impulse.y,
                     Velocity.z + Mass.y * cross(Arm, Impulse));
}

/// Contacts of one colour: no two change the same body.
__global__ void solve(Scene In, int Count, const int *Order,
                      const Contact *Contacts, float2 *Impulses) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  Contact At = Contacts[Order[I]];
  float2 Old = Impulses[Order[I]], New, Free = make_float2(0, 0);
  float3 A = In.Velocities[At.A], B = make_float3(0, 0, 0);
  float2 MassA = In.InverseMasses[At.A], MassB = Free;
  if (At.B >= 0)
    B = In.Velocities[At.B], MassB = In.InverseMasses[At.B];

  float Away = dot(parting(At, A, B), At.Normal) + At.Push;
  New.x = fmaxf(Old.x - Away * At.NormalMass, 0.0f);
  float2 Impulse = (New.x - Old.x) * At.Normal;
  A = pushed(A, MassA, At.ArmA, Impulse);
  B = pushed(B, MassB, At.ArmB, Free - Impulse);

  float2 Tangent = make_float2(-At.Normal.y, At.Normal.x);
  float Slip = dot(parting(At, A, B), Tangent), Most = Friction * New.x;
  New.y = fminf(fmaxf(Old.y - Slip * At.TangentMass, -Most), Most);
  Impulse = (New.y - Old.y) * Tangent;
  In.Velocities[At.A] = pushed(A, MassA, At.ArmA, Impulse);
  if (At.B >= 0)
    In.Velocities[At.B] = pushed(B, MassB, At.ArmB, Free - Impulse);
  Impulses[Order[I]] = New;
}

__global__ void integrate(Scene In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= In.Total)
    return;
  In.Poses[I].x += Step * In.Velocities[I].x;
  In.Poses[I].y += Step * In.Velocities[I].y;
  In.Poses[I].z += Step * In.Velocities[I].z;
}

} // namespace bench

#endif
