// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host's steps against what is known of them.

#ifndef BLOCKMAESTRO_BENCHMARKS_PHYSICS_KNOWN_H
#define BLOCKMAESTRO_BENCHMARKS_PHYSICS_KNOWN_H

#include "Reference.h"

namespace bench {

/// A state of discs (with a half length of 0) and capsules.
inline Checked stateOf(const std::vector<float3> &Poses,
                       const std::vector<float2> &Sizes) {
  Checked At{Poses,
             std::vector<float3>(Poses.size(), make_float3(0, 0, 0)),
             Sizes,
             std::vector<float2>(Poses.size(), make_float2(2, 5)),
             {}};
  Bounds Ends = At.placed();
  for (size_t I = 0; I < Ends.size(); I += 4)
    At.Segments.push_back(
        make_float4(float(Ends[I].value()), float(Ends[I + 1].value()),
                    float(Ends[I + 2].value()), float(Ends[I + 3].value())));
  return At;
}

/// A fall without contacts has a closed form.
inline void checkFall(Program &Run) {
  Checked At = stateOf({make_float3(1, 2, 3)}, {make_float2(1, 0)});
  At.Velocities[0] = make_float3(1, 4, -1);
  int Steps = 32;
  for (int I = 0; I < Steps; ++I) {
    At.Velocities[0].y = float(At.forced()[1].value());
    Bounds To = At.moved();
    At.Poses[0] = make_float3(float(To[0].value()), float(To[1].value()),
                              float(To[2].value()));
  }
  double Height = 2 + 4 * Steps * Step -
                  double(Gravity) * Step * Step * Steps * (Steps + 1) / 2;
  Run.expect(std::fabs(At.Poses[0].y - Height) < 1e-4 &&
                 std::fabs(At.Poses[0].x - 1.5) < 1e-5,
             "a fall is a parabola");
}

/// The nearest point of a segment is that of the least distance among many.
inline void checkNearest(Program &Run) {
  Random From(Run.seed());
  for (int Try = 0; Try < 20; ++Try) {
    auto Any = [&] { return float(From.uniform(-2, 2)); };
    Checked At =
        stateOf({make_float3(Any(), Any(), Any())}, {make_float2(0.1f, 0.7f)});
    Vector To{Any(), Any()};
    Vector Got = nearest(To, At, 0) - To;
    double Least = 1e9;
    for (int I = 0; I <= 4000; ++I) {
      Real Share(float(I) / 4000);
      Vector Point = At.end(0, 0) + Share * (At.end(0, 1) - At.end(0, 0)) - To;
      Least = std::min(Least, dot(Point, Point).value());
    }
    double Own = dot(Got, Got).value();
    Run.expect(Own <= Least + 1e-5 && Own > Least - 1e-3,
               "the nearest point of a segment");
  }
}

/// Two equal discs that meet head-on stop; one that slides on another is held
/// by friction in its measure, and what they have together stays.
inline void checkCollision(Program &Run) {
  Checked At = stateOf({make_float3(-1, 0, 0), make_float3(1, 0, 0)},
                       {make_float2(1, 0), make_float2(1, 0)});
  auto Solved = [&](float Speed, float Slip) {
    At.Velocities = {make_float3(Speed, Slip, 0), make_float3(-Speed, 0, 0)};
    Touch Made = between(At, 0, 1, At.middle(0), At.middle(1));
    auto Pair = [](Vector Of) {
      return make_float2(float(Of.X.value()), float(Of.Y.value()));
    };
    Contact Of{0,
               1,
               0,
               -1,
               0,
               Pair(Made.Normal),
               Pair(Made.ArmA),
               Pair(Made.ArmB),
               float(Made.Push.value()),
               float(Made.NormalMass.value()),
               float(Made.TangentMass.value())};
    Solving Each(At, Of, make_float2(0, 0));
    Each.solve();
    return Each;
  };
  Solving Stopped = Solved(3, 0), Held = Solved(2, 9);
  Run.expect(std::fabs(Stopped.A.Move.X.value()) < 1e-6 &&
                 std::fabs(Stopped.B.Move.X.value()) < 1e-6,
             "discs that meet stop");
  // An impulse of 1 changes the speed of either by 2: 4 of 4 needs 1.
  Run.expect(std::fabs(Held.Impulse.X.value() - 1) < 1e-6 &&
                 std::fabs(std::fabs(Held.Impulse.Y.value()) -
                           double(Friction)) < 1e-6,
             "friction is a share of the push");
  Run.expect(std::fabs(Held.A.Move.Y.value() + Held.B.Move.Y.value() - 9) <
                 1e-5,
             "what they have together stays");
}

/// Rounds of winners colour all contacts, and no two of a colour share a body.
inline void checkColours(Program &Run) {
  Random From(Run.seed());
  int Bodies = 20, Left = 60;
  std::vector<Contact> Contacts(Left);
  for (int I = 0; I < Left; ++I) {
    Contacts[I].A = int(From.below(Bodies));
    Contacts[I].B = int(From.below(Bodies + 2)) - 2;
    if (Contacts[I].B < 0 || Contacts[I].B == Contacts[I].A)
      Contacts[I].B = -1;
    Contacts[I].Colour = -1;
    Contacts[I].Priority = priorityOf(I);
  }
  for (int Colour = 0; Left > 0 && Colour < 60; ++Colour) {
    std::vector<int> Users(Bodies);
    for (int Each : winners(Bodies, Contacts)) {
      Contacts[Each].Colour = Colour;
      Left -= 1;
      for (int Body : {Contacts[Each].A, Contacts[Each].B})
        if (Body >= 0)
          Run.expect(++Users[Body] == 1, "a colour uses a body once");
    }
  }
  Run.expect(Left == 0, "all contacts are coloured");
}

/// A candidate's number is its own, and its gap that of the circles around.
inline void checkCandidates(Program &Run) {
  std::vector<unsigned> All;
  for (unsigned I = 0; I < 100000; ++I)
    All.push_back(priorityOf(I));
  std::sort(All.begin(), All.end());
  Run.expect(std::unique(All.begin(), All.end()) == All.end(),
             "each candidate has its own priority");

  Scene On{2, 2, nullptr, nullptr, nullptr, nullptr, nullptr};
  Checked At = stateOf({make_float3(0, 3, 0), make_float3(1.5f, 3, 0)},
                       {make_float2(0.5f, 0), make_float2(0.5f, 0.5f)});
  Candidate Pair(On, At, 1), Plane(On, At, 2);
  Run.expect(Pair.Kind == DiscCapsule && Pair.A == 0 && Pair.B == 1 &&
                 std::fabs(Pair.gap(At).value() - (2.25 - 2.56)) < 1e-5,
             "a disc and a capsule");
  Run.expect(Plane.Kind == DiscPlane && Plane.B == -1 &&
                 std::fabs(Plane.gap(At).value() - (2.4 - 0.6)) < 1e-5,
             "a disc and a plane");
  Run.expect(Candidate(On, At, On.others()).Kind == -1, "a pair is met once");
}

inline void checkReference(Program &Run) {
  checkFall(Run);
  checkNearest(Run);
  checkCollision(Run);
  checkColours(Run);
  checkCandidates(Run);
}

} // namespace bench

#endif
