// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the fields of the box on the host, and how far a device's may
// stray from them.
// Threads: values, no shared state; a step uses all cores.
//
// Note [Bounds]: Carrying bounds through every operation would let them grow
// by a factor of 4.6 a step, although the wave does not grow. The steps are
// linear, so an error that one rounding leaves behind travels on its own, as
// the wave from an impulse does. In a plane without walls that wave is the same
// wherever it starts. Walls only reflect it: the fields in the box are those of
// a plane in which the box and its mirror images repeat, and so do the errors,
// in the same sizes. Hence the error of a field at any place is at most the
// sum, over the steps and the kinds of field, of the largest error of one
// rounding there, times the sum of the sizes of an impulse's wave that many
// steps later. Walls and the source have no errors, they are not computed.

#ifndef BLOCKMAESTRO_BENCHMARKS_FDTD2D_BOUNDS_H
#define BLOCKMAESTRO_BENCHMARKS_FDTD2D_BOUNDS_H

#include "../common/Host.h"
#include "../common/Rounded.h"

#include <array>

namespace bench {

/// A number for each kind of field: Ey, Ex, Hz.
using ByField = std::array<double, 3>;

/// The exact fields. What advances them gives the largest error that one
/// update in float may add to a field.
struct Fields {
  int Rows, Columns;
  std::vector<double> Ey, Ex, Hz;

  Fields(int Rows, int Columns)
      : Rows(Rows), Columns(Columns), Ey(size_t(Rows + 1) * Columns),
        Ex(size_t(Rows) * (Columns + 1)), Hz(size_t(Rows) * Columns) {}

  /// Ey and Ex from Hz.
  ByField electric(float Source) {
    auto Half = Rounded<float>(0.5f);
    double InEy = overRows([&](size_t I, double &Worst) {
      for (int J = 0; J < Columns; ++J) {
        size_t Cell = I * Columns + J;
        if (I == 0)
          Ey[Cell] = Source;
        else
          take(Ey[Cell],
               exact(Ey[Cell]) -
                   Half * (exact(Hz[Cell]) - exact(Hz[Cell - Columns])),
               Worst);
      }
    });
    double InEx = overRows([&](size_t I, double &Worst) {
      for (int J = 1; J < Columns; ++J) {
        size_t Cell = I * Columns + J;
        double &Own = Ex[I * (Columns + 1) + J];
        take(Own, exact(Own) - Half * (exact(Hz[Cell]) - exact(Hz[Cell - 1])),
             Worst);
      }
    });
    return {InEy, InEx, 0};
  }

  /// Hz from Ey and Ex.
  ByField magnetic() {
    auto Factor = Rounded<float>(0.7f);
    return {0, 0, overRows([&](size_t I, double &Worst) {
              for (int J = 0; J < Columns; ++J) {
                size_t Cell = I * Columns + J, Side = I * (Columns + 1) + J;
                Rounded<float> Turning = exact(Ex[Side + 1]) - exact(Ex[Side]) +
                                         exact(Ey[Cell + Columns]) -
                                         exact(Ey[Cell]);
                take(Hz[Cell], exact(Hz[Cell]) - Factor * Turning, Worst);
              }
            })};
  }

  /// One whole step.
  ByField advance(float Source) {
    ByField Both = electric(Source);
    Both[2] = magnetic()[2];
    return Both;
  }

private:
  static Rounded<float> exact(double Value) {
    return Rounded<float>::within(Value, 0);
  }
  static void take(double &To, const Rounded<float> &From, double &Worst) {
    To = From.value();
    Worst = std::max(Worst, From.error());
  }
  template <typename F> double overRows(F Row) {
    std::vector<double> Worst(Rows);
    parallelFor(Rows, [&](size_t I) {
      double Own = 0;
      Row(I, Own);
      Worst[I] = Own;
    });
    return *std::max_element(Worst.begin(), Worst.end());
  }
};

/// What becomes of an impulse in a plane without walls.
class Response {
public:
  /// For ages from 0 to \p Steps.
  explicit Response(int Steps) : Sizes(Steps + 1) {
    int Side = 2 * Steps + 7, Middle = Side / 2;
    for (int From = 0; From < 3; ++From) {
      Fields Plane(Side, Side);
      auto &Field = From == 0 ? Plane.Ey : From == 1 ? Plane.Ex : Plane.Hz;
      Field[size_t(Middle) * (From == 1 ? Side + 1 : Side) + Middle] = 1;
      if (From != 2)
        Plane.magnetic();
      for (int Age = 0; Age <= Steps; ++Age) {
        if (Age > 0)
          Plane.advance(0);
        Sizes[Age][From] = {size(Plane.Ey), size(Plane.Ex), size(Plane.Hz)};
      }
    }
  }

  /// The sum of the sizes of all of field \p To, \p Age whole steps after the
  /// step that ended with an impulse of size 1 in \p From. An impulse in Ey or
  /// Ex is there before the magnetic half of that step.
  double sum(int From, int To, int Age) const { return Sizes[Age][From][To]; }

private:
  static double size(const std::vector<double> &Field) {
    double Sum = 0;
    for (double Each : Field)
      Sum += std::fabs(Each);
    return Sum;
  }

  std::vector<std::array<ByField, 3>> Sizes;
};

/// How far a device's fields may be from the exact ones.
class Bounds {
public:
  explicit Bounds(int Steps) : Waves(Steps) {}

  /// After each step what one update of it may have added.
  void add(const ByField &Step) { Added.push_back(Step); }

  /// The bound of a field now. The sixty-fourth more covers that the roundings
  /// are those of the device's numbers, which are about the exact ones.
  double of(int Field) const {
    double Sum = 0;
    for (size_t Step = 0; Step < Added.size(); ++Step)
      for (int From = 0; From < 3; ++From)
        Sum += Added[Step][From] *
               Waves.sum(From, Field, int(Added.size() - 1 - Step));
    return Sum * (1 + 0x1p-6);
  }

private:
  Response Waves;
  std::vector<ByField> Added;
};

} // namespace bench

#endif
