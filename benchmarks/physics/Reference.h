// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every launch of a step once more on the host, in double, with how
// far a device may stray. Each starts from what the device had before it: the
// paths of bodies that touch grow apart from the smallest error, and a bound of
// whole paths would say nothing. Where a device may decide either way, since
// two distances are equal within their bounds, both are right.

#ifndef BLOCKMAESTRO_BENCHMARKS_PHYSICS_REFERENCE_H
#define BLOCKMAESTRO_BENCHMARKS_PHYSICS_REFERENCE_H

#include "Scene.h"

#include <array>
#include <atomic>

namespace bench {

using Real = Rounded<float>;
using Bounds = std::vector<Real>;

/// A point or a direction.
struct Vector {
  Real X, Y;

  friend Vector operator+(Vector A, Vector B) { return {A.X + B.X, A.Y + B.Y}; }
  friend Vector operator-(Vector A, Vector B) { return {A.X - B.X, A.Y - B.Y}; }
  friend Vector operator*(Real S, Vector A) { return {S * A.X, S * A.Y}; }
};

inline Vector vectorOf(float2 Of) { return {Of.x, Of.y}; }
inline Real dot(Vector A, Vector B) { return A.X * B.X + A.Y * B.Y; }
inline Real cross(Vector A, Vector B) { return A.X * B.Y - A.Y * B.X; }
inline Vector turned(Vector A) { return {-A.Y, A.X}; }

/// The velocity of a body, or the change of it.
struct Motion {
  Vector Move;
  Real Turn;
};

/// What a device had at one moment.
struct Checked {
  std::vector<float3> Poses, Velocities;
  std::vector<float2> Sizes, InverseMasses;
  std::vector<float4> Segments;

  std::vector<float> poses() const { return flat(Poses); }
  std::vector<float> velocities() const { return flat(Velocities); }
  std::vector<float> segments() const {
    std::vector<float> Result;
    for (const float4 &Each : Segments)
      Result.insert(Result.end(), {Each.x, Each.y, Each.z, Each.w});
    return Result;
  }

  Vector middle(int Body) const { return {Poses[Body].x, Poses[Body].y}; }
  Vector end(int Body, int End) const {
    const float4 &Of = Segments[Body];
    return End == 0 ? Vector{Of.x, Of.y} : Vector{Of.z, Of.w};
  }
  Motion motion(int Body) const {
    const float3 &Of = Velocities[Body];
    return {{Of.x, Of.y}, Of.z};
  }
  Real radius(int Body) const { return Sizes[Body].x; }
  bool disc(int Body) const { return Sizes[Body].y == 0; }

  /// Velocities after the forces of a step.
  Bounds forced() const {
    Bounds Result;
    for (const float3 &Each : Velocities) {
      Real Fall = Real(Gravity) * Real(Step);
      Result.insert(Result.end(), {Each.x, Real(Each.y) - Fall, Each.z});
    }
    return Result;
  }
  /// Poses after the velocities of a step.
  Bounds moved() const {
    Bounds Result;
    std::vector<float> At = poses(), Speed = velocities();
    for (size_t I = 0; I < At.size(); ++I)
      Result.push_back(Real(At[I]) + Real(Step) * Real(Speed[I]));
    return Result;
  }
  /// Both ends of each segment.
  Bounds placed() const {
    Bounds Result;
    for (size_t I = 0; I < Poses.size(); ++I) {
      Real Angle(Poses[I].z), Half(Sizes[I].y);
      auto Cos = apply(Angle, [](double V) { return std::cos(V); }, 1, 2);
      auto Sin = apply(Angle, [](double V) { return std::sin(V); }, 1, 2);
      Vector Middle = middle(int(I)), Along = Half * Vector{Cos, Sin};
      Vector First = Middle - Along, Second = Middle + Along;
      Result.insert(Result.end(), {First.X, First.Y, Second.X, Second.Y});
    }
    return Result;
  }

private:
  static std::vector<float> flat(const std::vector<float3> &Of) {
    std::vector<float> Result;
    for (const float3 &Each : Of)
      Result.insert(Result.end(), {Each.x, Each.y, Each.z});
    return Result;
  }
};

/// The bodies of a candidate and what they are; B is -1 - the plane's number,
/// and Kind is -1 where there is nothing to touch.
struct Candidate {
  int A, B, End, Kind;

  Candidate(const Scene &On, const Checked &At, int Number)
      : A(Number / On.others()), B(Number % On.others()), End(0), Kind(-1) {
    if (B >= On.Bodies) {
      End = (B - On.Bodies) % Ends;
      B = -1 - (B - On.Bodies) / Ends;
      if (!At.disc(A) || End == 0)
        Kind = At.disc(A) ? DiscPlane : CapsulePlane;
      return;
    }
    bool First = B > A % On.Bodies;
    B += A / On.Bodies * On.Bodies;
    if (First)
      Kind = DiscDisc + !At.disc(A) + !At.disc(B);
  }

  /// The normal of its plane.
  Vector normal() const { return {B == -1 ? PlaneX : -PlaneX, PlaneY}; }

  /// Less than 0 where the broad phase takes it.
  Real gap(const Checked &At) const {
    if (B < 0)
      return dot(At.end(A, End), normal()) - (At.radius(A) + Real(Margin));
    Vector Apart = At.middle(A) - At.middle(B);
    Real Reach = At.radius(A) + Real(At.Sizes[A].y) + At.radius(B) +
                 Real(At.Sizes[B].y) + Real(Margin);
    return dot(Apart, Apart) - Reach * Reach;
  }
};

/// Whether each candidate that is close is once in the list of its kind, and
/// no other is.
inline void checkPairs(Program &Run, const Scene &On, const Checked &At,
                       const std::vector<int> &Found,
                       const std::vector<int> &Lists) {
  std::vector<int> Got(On.candidates(), -1);
  std::atomic<int> Wrong = 0;
  for (int Kind = 0; Kind < Kinds; ++Kind)
    for (int I = 0; I < Found[Kind] && I < On.candidates(); ++I) {
      int Number = Lists[size_t(Kind) * On.candidates() + I];
      bool Right = Number >= 0 && Number < On.candidates() && Got[Number] < 0;
      Wrong += !Right;
      if (Right)
        Got[Number] = Kind;
    }
  parallelFor(On.Total, [&](size_t Body) {
    for (int I = 0; I < On.others(); ++I) {
      int Number = int(Body) * On.others() + I;
      Candidate Each(On, At, Number);
      if (Each.Kind < 0) {
        Wrong += Got[Number] >= 0;
        continue;
      }
      Real Gap = Each.gap(At);
      bool Near = Gap.value() < Gap.error(), Far = Gap.value() >= -Gap.error();
      Wrong += !(Near && Got[Number] == Each.Kind) && !(Far && Got[Number] < 0);
    }
  });
  Run.expect(Wrong == 0, std::to_string(Wrong) + " candidates");
}

/// The point of a body's segment nearest to \p To.
inline Vector nearest(Vector To, const Checked &At, int Body) {
  Vector First = At.end(Body, 0), Along = At.end(Body, 1) - First;
  Real Share = dot(To - First, Along) / dot(Along, Along);
  return First + min(max(Share, Real(0.0f)), Real(1.0f)) * Along;
}

/// A contact as the host makes it.
struct Touch {
  Vector Normal, ArmA, ArmB;
  Real Push, NormalMass, TangentMass;

  /// Of bodies A and perhaps B at these points.
  Touch(const Checked &At, int A, int B, Vector OnA, Vector OnB, Vector Normal,
        Real Separation)
      : Normal(Normal), ArmA(OnA - At.radius(A) * Normal - At.middle(A)) {
    if (B >= 0)
      ArmB = OnB + At.radius(B) * Normal - At.middle(B);
    Push = max(Separation, Real(Recovery) * Separation) / Real(Step);
    NormalMass = Real(1.0f) / resistance(At, A, B, Normal);
    TangentMass = Real(1.0f) / resistance(At, A, B, turned(Normal));
  }

  Bounds numbers() const {
    return {Normal.X, Normal.Y, ArmA.X,     ArmA.Y,     ArmB.X,
            ArmB.Y,   Push,     NormalMass, TangentMass};
  }

private:
  /// The change of speed for an impulse of 1.
  Real resistance(const Checked &At, int A, int B, Vector Along) const {
    Real Lever = cross(ArmA, Along);
    Real Sum = Real(At.InverseMasses[A].x) +
               Real(At.InverseMasses[A].y) * Lever * Lever;
    if (B < 0)
      return Sum;
    Lever = cross(ArmB, Along);
    return Sum + (Real(At.InverseMasses[B].x) +
                  Real(At.InverseMasses[B].y) * Lever * Lever);
  }
};

inline Touch between(const Checked &At, int A, int B, Vector OnA, Vector OnB) {
  Vector Apart = OnA - OnB;
  Real Distance = sqrt(dot(Apart, Apart));
  return Touch(At, A, B, OnA, OnB, (Real(1.0f) / Distance) * Apart,
               Distance - At.radius(A) - At.radius(B));
}

/// The points where two capsules are nearest by one of the four features.
inline std::pair<Vector, Vector> pointsOf(const Checked &At, const Contact &Of,
                                          int Feature) {
  bool EndOfA = Feature < Ends;
  Vector End = At.end(EndOfA ? Of.A : Of.B, Feature % Ends);
  Vector Side = nearest(End, At, EndOfA ? Of.B : Of.A);
  return EndOfA ? std::pair{End, Side} : std::pair{Side, End};
}

/// Whether no other feature is surely nearer.
inline bool nearestFeature(const Checked &At, const Contact &Of) {
  std::array<Real, 2 * Ends> Squares;
  for (int I = 0; I < 2 * Ends; ++I) {
    auto [OnA, OnB] = pointsOf(At, Of, I);
    Squares[I] = dot(OnA - OnB, OnA - OnB);
  }
  if (Of.Feature < 0 || Of.Feature >= 2 * Ends)
    return false;
  Real Own = Squares[Of.Feature];
  for (const Real &Other : Squares)
    if (Own.value() - Own.error() > Other.value() + Other.error())
      return false;
  return true;
}

/// What the contact \p Of, made of a candidate, should be.
inline Touch touchOf(const Checked &At, const Candidate &From,
                     const Contact &Of) {
  if (From.B < 0) {
    Vector On = At.end(From.A, From.End);
    return Touch(At, From.A, -1, On, On, From.normal(),
                 dot(On, From.normal()) - At.radius(From.A));
  }
  if (From.Kind == DiscCapsule) {
    Vector Middle = At.middle(Of.A);
    return between(At, Of.A, Of.B, Middle, nearest(Middle, At, Of.B));
  }
  if (From.Kind == DiscDisc)
    return between(At, Of.A, Of.B, At.middle(Of.A), At.middle(Of.B));
  auto [OnA, OnB] = pointsOf(At, Of, Of.Feature);
  return between(At, Of.A, Of.B, OnA, OnB);
}

/// Whether the numbers that are no measures are right: who touches whom.
inline bool rightBodies(const Checked &At, const Candidate &From, int Number,
                        const Contact &Of) {
  if (Of.Priority != priorityOf(Number) || Of.Colour != -1)
    return false;
  if (From.B < 0)
    return Of.A == From.A && Of.B == -1 && Of.Feature == From.End;
  bool Swaps = From.Kind == DiscCapsule && !At.disc(From.A);
  if (Of.A != (Swaps ? From.B : From.A) || Of.B != (Swaps ? From.A : From.B))
    return false;
  return From.Kind == CapsuleCapsule ? nearestFeature(At, Of) : Of.Feature == 0;
}

inline void checkContacts(Program &Run, const Scene &On, const Checked &At,
                          Kind Which, const std::vector<int> &List,
                          const std::vector<Contact> &Got) {
  static constexpr size_t Numbers = 9;
  std::vector<float> Have(Got.size() * Numbers);
  Bounds Want(Have.size());
  std::atomic<int> Wrong = 0;
  parallelFor(Got.size(), [&](size_t I) {
    const Contact &Of = Got[I];
    Candidate From(On, At, List[I]);
    if (From.Kind != Which || !rightBodies(At, From, List[I], Of)) {
      ++Wrong;
      return;
    }
    Bounds Each = touchOf(At, From, Of).numbers();
    float Own[Numbers] = {Of.Normal.x, Of.Normal.y,   Of.ArmA.x,
                          Of.ArmA.y,   Of.ArmB.x,     Of.ArmB.y,
                          Of.Push,     Of.NormalMass, Of.TangentMass};
    std::copy(Own, Own + Numbers, &Have[I * Numbers]);
    std::copy(Each.begin(), Each.end(), &Want[I * Numbers]);
  });
  Run.expect(Wrong == 0, std::to_string(Wrong) + " contacts' bodies");
  Run.compare("a contact", Have, Want);
}

/// The contacts without a colour that have the least number at all their
/// bodies.
inline std::vector<int> winners(int Bodies, const std::vector<Contact> &Of) {
  std::vector<unsigned> Least(Bodies, 0xffffffffu);
  auto Each = [&](auto Body) {
    for (size_t I = 0; I < Of.size(); ++I)
      if (Of[I].Colour < 0)
        Body(int(I), Of[I]);
  };
  Each([&](int, const Contact &At) {
    for (int Body : {At.A, At.B})
      if (Body >= 0)
        Least[Body] = std::min(Least[Body], At.Priority);
  });
  std::vector<int> Won;
  Each([&](int I, const Contact &At) {
    if (Least[At.A] == At.Priority && (At.B < 0 || Least[At.B] == At.Priority))
      Won.push_back(I);
  });
  return Won;
}

/// Whether exactly the winners have got the colour and are in the order.
inline void checkRound(Program &Run, const Scene &On, int Colour,
                       const std::vector<Contact> &Before,
                       const std::vector<Contact> &After,
                       std::vector<int> Order) {
  std::vector<int> Won = winners(On.Total, Before), Want, Got;
  for (const Contact &Each : Before)
    Want.push_back(Each.Colour);
  for (int Each : Won)
    Want[Each] = Colour;
  for (const Contact &Each : After)
    Got.push_back(Each.Colour);
  std::sort(Order.begin(), Order.end());
  Run.expect(Got == Want, "contacts got colour " + std::to_string(Colour));
  Run.expect(Order == Won, "the order of that colour");
}

/// A contact as numbers of the device, to solve once.
struct Solving {
  Vector Normal, ArmA, ArmB, MassA, MassB, Impulse;
  Real Push, NormalMass, TangentMass;
  Motion A, B;

  Solving(const Checked &At, const Contact &Of, float2 Old)
      : Normal(vectorOf(Of.Normal)), ArmA(vectorOf(Of.ArmA)),
        ArmB(vectorOf(Of.ArmB)), MassA(vectorOf(At.InverseMasses[Of.A])),
        Impulse(vectorOf(Old)), Push(Of.Push), NormalMass(Of.NormalMass),
        TangentMass(Of.TangentMass), A(At.motion(Of.A)) {
    if (Of.B >= 0) {
      MassB = vectorOf(At.InverseMasses[Of.B]);
      B = At.motion(Of.B);
    }
  }

  /// No pull, then friction of at most its share of the push.
  void solve() {
    Real New = max(Impulse.X - (speed(Normal) + Push) * NormalMass, Real(0.0f));
    push((New - Impulse.X) * Normal);
    Impulse.X = New;
    Real Most = Real(Friction) * New;
    New = Impulse.Y - speed(turned(Normal)) * TangentMass;
    New = min(max(New, -Most), Most);
    push((New - Impulse.Y) * turned(Normal));
    Impulse.Y = New;
  }

private:
  Real speed(Vector Along) const {
    Vector AtA = A.Move + A.Turn * turned(ArmA);
    Vector AtB = B.Move + B.Turn * turned(ArmB);
    return dot(AtA - AtB, Along);
  }
  void push(Vector By) {
    A.Move = A.Move + MassA.X * By;
    A.Turn += MassA.Y * cross(ArmA, By);
    B.Move = B.Move - MassB.X * By;
    B.Turn -= MassB.Y * cross(ArmB, By);
  }
};

/// Whether the contacts of a colour were solved, and nothing else changed.
inline void checkSolved(Program &Run, const Checked &Before,
                        const std::vector<float> &Velocities,
                        const std::vector<Contact> &Contacts,
                        const std::vector<int> &Order,
                        const std::vector<float2> &Old,
                        const std::vector<float2> &New) {
  std::vector<float> Start = Before.velocities(), Got;
  Bounds Want(Start.begin(), Start.end()), WantImpulses;
  for (size_t I = 0; I < New.size(); ++I) {
    Got.insert(Got.end(), {New[I].x, New[I].y});
    WantImpulses.insert(WantImpulses.end(), {Old[I].x, Old[I].y});
  }
  parallelFor(Order.size(), [&](size_t I) {
    const Contact &Of = Contacts[Order[I]];
    Solving Each(Before, Of, Old[Order[I]]);
    Each.solve();
    auto Put = [&](int Body, const Motion &To) {
      Want[size_t(Body) * 3] = To.Move.X;
      Want[size_t(Body) * 3 + 1] = To.Move.Y;
      Want[size_t(Body) * 3 + 2] = To.Turn;
    };
    Put(Of.A, Each.A);
    if (Of.B >= 0)
      Put(Of.B, Each.B);
    WantImpulses[size_t(Order[I]) * 2] = Each.Impulse.X;
    WantImpulses[size_t(Order[I]) * 2 + 1] = Each.Impulse.Y;
  });
  Run.compare("a velocity", Velocities, Want);
  Run.compare("an impulse", Got, WantImpulses);
}

} // namespace bench

#endif
