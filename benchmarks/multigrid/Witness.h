// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the kernels of multigrid.cu on the host, and the check of a run
// on the device, launch by launch.

#ifndef BLOCKMAESTRO_BENCHMARKS_MULTIGRID_WITNESS_H
#define BLOCKMAESTRO_BENCHMARKS_MULTIGRID_WITNESS_H

#include "../common/Program.h"
#include "Level.h"

#include <map>

namespace bench {

using Numbers = std::vector<float>;
using Bounds = std::vector<Rounded<float>>;

/// At(Y, X) of a square of \p N x \p N points, on all cores.
template <typename F> Bounds square(int N, F At) {
  Bounds Result(size_t(N) * N);
  parallelFor(N, [&](size_t Y) {
    for (int X = 0; X < N; ++X)
      Result[Y * N + X] = At(int(Y), X);
  });
  return Result;
}

/// An element of a square of \p N x \p N, zero outside.
inline Rounded<float> element(int N, const Numbers &Of, int Y, int X) {
  return X >= 0 && Y >= 0 && X < N && Y < N ? Of[size_t(Y) * N + X] : 0.0f;
}

/// The sum of a point's four neighbours.
inline Rounded<float> neighbours(int N, const Numbers &U, int Y, int X) {
  return (element(N, U, Y, X - 1) + element(N, U, Y, X + 1)) +
         (element(N, U, Y - 1, X) + element(N, U, Y + 1, X));
}

inline Bounds scaled(int N, float Part, const Numbers &Right) {
  return square(N, [&, N](int Y, int X) {
    return Rounded<float>(Part) * element(N, Right, Y, X);
  });
}

inline Bounds smoothed(int N, const Numbers &Right, const Numbers &U) {
  return square(N, [&, N](int Y, int X) {
    using R = Rounded<float>;
    R Wanted = R(0.25f) * (element(N, Right, Y, X) + neighbours(N, U, Y, X));
    return (R(1) - R(Damping)) * element(N, U, Y, X) + R(Damping) * Wanted;
  });
}

inline Bounds subtracted(int N, const Numbers &Right, const Numbers &U) {
  return square(N, [&, N](int Y, int X) {
    return element(N, Right, Y, X) - Rounded<float>(4) * element(N, U, Y, X) +
           neighbours(N, U, Y, X);
  });
}

/// From 2 N + 1 points a side to N.
inline Bounds restricted(int N, const Numbers &Residual) {
  return square(N, [&, N](int Y, int X) {
    auto At = [&](int DownBy, int RightBy) {
      return element(2 * N + 1, Residual, 2 * Y + 1 + DownBy,
                     2 * X + 1 + RightBy);
    };
    auto Sides = (At(0, -1) + At(0, 1)) + (At(-1, 0) + At(1, 0));
    auto Corners = (At(-1, -1) + At(-1, 1)) + (At(1, -1) + At(1, 1));
    return At(0, 0) + Rounded<float>(0.5f) * Sides +
           Rounded<float>(0.25f) * Corners;
  });
}

/// \p U of N points a side, with what \p Found of half as many adds. The weight
/// of a point of Found is that of its distance on both axes.
inline Bounds prolongated(int N, const Numbers &Found, const Numbers &U) {
  return square(N, [&, N](int Y, int X) {
    Sum<float> Mean;
    for (int DownBy = -1; DownBy <= 1; ++DownBy)
      for (int RightBy = -1; RightBy <= 1; ++RightBy) {
        // Point I of Found is point 2 I + 1 here.
        int At = Y + DownBy, Across = X + RightBy;
        if (At % 2 == 0 || Across % 2 == 0)
          continue;
        float Weight = (DownBy ? 0.5f : 1.0f) * (RightBy ? 0.5f : 1.0f);
        Mean.add(Rounded<float>(Weight) *
                 element(N / 2, Found, (At - 1) / 2, (Across - 1) / 2));
      }
    return element(N, U, Y, X) + Mean.total();
  });
}

/// Follows a run on the device, launch by launch.
class Witness {
public:
  Witness(Program &Run, const Level &Finest) : Run(Run) {
    Seen[&Finest.U] = Finest.U.download();
    Seen[&Finest.Right] = Finest.Right.download();
  }

  void firstSwept(const Level &L, float Part, const Array<float> &To) {
    see("firstSweep", To, scaled(L.N, Part, Seen[&L.Right]));
  }
  void smoothed(const Level &L, const Array<float> &From,
                const Array<float> &To) {
    see("smooth", To, bench::smoothed(L.N, Seen[&L.Right], Seen[&From]));
  }
  void subtracted(const Level &L) {
    see("residual", L.Spare,
        bench::subtracted(L.N, Seen[&L.Right], Seen[&L.U]));
  }
  void restricted(const Level &L, const Level &Next) {
    see("restrictDown", Next.Right, bench::restricted(Next.N, Seen[&L.Spare]));
  }
  void prolongated(const Level &Next, const Level &L) {
    see("prolongate", L.U, bench::prolongated(L.N, Seen[&Next.U], Seen[&L.U]));
  }

  /// Whether another run has ended where this one did.
  void compareEnd(const Level &Finest) {
    Run.compare("a measured run", Finest.U.download(), Seen[&Finest.U]);
  }

private:
  /// What a launch wrote, and whether it is what the host wants.
  void see(const char *Kernel, const Array<float> &Written,
           const Bounds &Want) {
    Numbers &Got = Seen[&Written];
    Got = Written.download();
    Run.compare(Kernel, Got, Want);
  }

  Program &Run;
  std::map<const Array<float> *, Numbers> Seen;
};

inline Numbers values(const Bounds &From) {
  Numbers Result;
  for (const Rounded<float> &Each : From)
    Result.push_back(float(Each.value()));
  return Result;
}

/// A cycle of the host's kernels.
inline Numbers cycled(int N, const Numbers &Right, Numbers U) {
  if (N == 1)
    return values(scaled(N, 0.25f, Right));
  for (int Sweep = 0; Sweep < 2; ++Sweep)
    U = values(smoothed(N, Right, U));
  Numbers Coarse = values(restricted(N / 2, values(subtracted(N, Right, U))));
  Numbers Found = cycled(N / 2, Coarse, Numbers(Coarse.size()));
  U = values(prolongated(N, Found, U));
  for (int Sweep = 0; Sweep < 2; ++Sweep)
    U = values(smoothed(N, Right, U));
  return U;
}

/// A cycle takes at least five sixths off the error, whatever the size, which
/// only the right stencils do; and twelve of them find a known solution.
inline void checkReference(Program &Run) {
  int N = 63;
  Random From(Run.seed());
  Numbers Solution = randomVector<float>(From, size_t(N) * N, -1, 1);
  Numbers U(Solution.size());
  Numbers Right = values(subtracted(N, Numbers(Solution.size()), Solution));
  for (float &Each : Right)
    Each = -Each;
  auto Error = [&] {
    double Squares = 0;
    for (size_t I = 0; I < U.size(); ++I)
      Squares += double(U[I] - Solution[I]) * (U[I] - Solution[I]);
    return std::sqrt(Squares / double(U.size()));
  };
  double Before = Error();
  for (int Cycle = 1; Cycle <= 12; ++Cycle) {
    U = cycled(N, Right, U);
    Run.expect(Cycle > 4 || Error() < Before * std::pow(6, -Cycle),
               "a cycle takes most of the error");
  }
  Run.expect(Error() < 1e-5, "a known solution");
}

} // namespace bench

#endif
