// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lattice Boltzmann (D3Q19, one relaxation time): a fluid in a box whose lid
// slides. Each cell holds how much moves in 19 directions. A step fetches what
// moves from the neighbours into a cell, lets it collide there, and writes a
// second grid; walls send back what meets them.

#include "../common/Program.h"

using namespace bench;

static constexpr int Ways = 19, TileX = 32, TileY = 8;
static constexpr float Omega = 0.8f, Lid = 0.05f;

// By Z, then Y, then X: opposite ways are as far from both ends.
static __constant__ int WayX[Ways] = {0, -1, 0, 1, 0, -1, 0, 1, -1, 0,
                                      1, -1, 0, 1, 0, -1, 0, 1, 0};
static __constant__ int WayY[Ways] = {-1, 0, 0, 0, 1,  -1, -1, -1, 0, 0,
                                      0,  1, 1, 1, -1, 0,  0,  0,  1};
static __constant__ int WayZ[Ways] = {-1, -1, -1, -1, -1, 0, 0, 0, 0, 0,
                                      0,  0,  0,  0,  1,  1, 1, 1, 1};
static __constant__ float Share[Ways] = {
    1.0f / 36, 1.0f / 36, 1.0f / 18, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 18,
    1.0f / 36, 1.0f / 18, 1.0f / 3,  1.0f / 18, 1.0f / 36, 1.0f / 18, 1.0f / 36,
    1.0f / 36, 1.0f / 36, 1.0f / 18, 1.0f / 36, 1.0f / 36};

/// A box of cells.
struct Box {
  int X, Y, Z;

  size_t cells() const { return size_t(X) * Y * Z; }
};

__device__ void moveCell(uint3 Block, uint3 Thread, Box Size, const float *From,
                         float *To) {
  int X = Block.x * TileX + Thread.x;
  int Y = Block.y * TileY + Thread.y, Z = Block.z;
  if (X >= Size.X || Y >= Size.Y)
    return;
  size_t Cells = size_t(Size.X) * Size.Y * Size.Z;
  size_t Cell = (size_t(Z) * Size.Y + Y) * Size.X + X;
  float Here[Ways];
  float Density = 0, FlowX = 0, FlowY = 0, FlowZ = 0;
#pragma unroll
  for (int W = 0; W < Ways; ++W) {
    int FromX = X - WayX[W], FromY = Y - WayY[W], FromZ = Z - WayZ[W];
    if (FromX < 0 || FromX >= Size.X || FromY < 0 || FromY >= Size.Y ||
        FromZ < 0)
      Here[W] = From[(Ways - 1 - W) * Cells + Cell];
    else if (FromZ >= Size.Z)
      Here[W] = From[(Ways - 1 - W) * Cells + Cell] +
                6.0f * Share[W] * (WayX[W] * Lid);
    else
      Here[W] =
          From[W * Cells + (size_t(FromZ) * Size.Y + FromY) * Size.X + FromX];
    Density += Here[W];
    FlowX += WayX[W] * Here[W];
    FlowY += WayY[W] * Here[W];
    FlowZ += WayZ[W] * Here[W];
  }
  FlowX /= Density;
  FlowY /= Density;
  FlowZ /= Density;
  float Slow = 1.0f - 1.5f * (FlowX * FlowX + FlowY * FlowY + FlowZ * FlowZ);
#pragma unroll
  for (int W = 0; W < Ways; ++W) {
    float Along = WayX[W] * FlowX + WayY[W] * FlowY + WayZ[W] * FlowZ;
    float Rest =
        Share[W] * Density * (Slow + 3.0f * Along + 4.5f * Along * Along);
    To[W * Cells + Cell] = (1.0f - Omega) * Here[W] + Omega * Rest;
  }
}

__global__ void streamCollide(Box Size, const float *From, float *To) {
  moveCell(blockIdx, threadIdx, Size, From, To);
}

/// All steps, for one cooperative grid.
struct FluidSteps {
  dim3 Grid;
  int Steps;
  Box Size;
  float *One, *Other;

  __device__ void operator()() const {
    float *Now = One, *Next = Other;
    for (int Step = 0; Step < Steps; ++Step) {
      forBlocks(Grid, [&](uint3 Block) {
        moveCell(Block, threadIdx, Size, Now, Next);
      });
      syncGrid();
      float *Newest = Next;
      Next = Now, Now = Newest;
    }
  }
};

/// The ways, found by counting: all but the corners of a cube.
struct Way {
  int X, Y, Z;
  float Share;
};

static std::vector<Way> ways() {
  std::vector<Way> All;
  for (int Z = -1; Z <= 1; ++Z)
    for (int Y = -1; Y <= 1; ++Y)
      for (int X = -1; X <= 1; ++X) {
        int Square = X * X + Y * Y + Z * Z;
        if (Square < 3)
          All.push_back({X, Y, Z,
                         1.0f / (Square == 0   ? 3
                                 : Square == 1 ? 18
                                               : 36)});
      }
  return All;
}

/// What is in a cell after its collision. T is Rounded<float> or double.
template <typename T>
static void collide(const std::vector<Way> &All, T *Here) {
  T Density(0), Flow[3] = {T(0), T(0), T(0)};
  auto Add = [](T &To, int Sign, const T &X) {
    if (Sign != 0)
      To += Sign > 0 ? X : -X;
  };
  for (int W = 0; W < Ways; ++W) {
    Density += Here[W];
    Add(Flow[0], All[W].X, Here[W]);
    Add(Flow[1], All[W].Y, Here[W]);
    Add(Flow[2], All[W].Z, Here[W]);
  }
  for (T &Each : Flow)
    Each /= Density;
  T Square = Flow[0] * Flow[0] + Flow[1] * Flow[1] + Flow[2] * Flow[2];
  T Slow = T(1.0f) - T(1.5f) * Square;
  for (int W = 0; W < Ways; ++W) {
    T Along(0);
    Add(Along, All[W].X, Flow[0]);
    Add(Along, All[W].Y, Flow[1]);
    Add(Along, All[W].Z, Flow[2]);
    T Rest = T(All[W].Share) * Density *
             (Slow + T(3.0f) * Along + T(4.5f) * Along * Along);
    Here[W] = T(1.0f - Omega) * Here[W] + T(Omega) * Rest;
  }
}

/// One step on the host. A wall's cell outside the box is the cell itself.
template <typename T>
static std::vector<T> stepped(Box Size, const std::vector<T> &From) {
  std::vector<Way> All = ways();
  size_t Cells = Size.cells();
  std::vector<T> To(From.size());
  parallelFor(size_t(Size.Z) * Size.Y, [&](size_t Row) {
    int Z = int(Row / Size.Y), Y = int(Row % Size.Y);
    T Here[Ways];
    for (int X = 0; X < Size.X; ++X) {
      size_t Cell = Row * Size.X + X;
      for (int W = 0; W < Ways; ++W) {
        int AtX = X - All[W].X, AtY = Y - All[W].Y, AtZ = Z - All[W].Z;
        bool Inside = AtX >= 0 && AtX < Size.X && AtY >= 0 && AtY < Size.Y;
        if (Inside && AtZ >= 0 && AtZ < Size.Z)
          Here[W] =
              From[W * Cells + (size_t(AtZ) * Size.Y + AtY) * Size.X + AtX];
        else
          Here[W] = From[(Ways - 1 - W) * Cells + Cell];
        if (Inside && AtZ == Size.Z && All[W].X != 0)
          Here[W] += T(6.0f) * T(All[W].Share) * (T(float(All[W].X)) * T(Lid));
      }
      collide(All, Here);
      for (int W = 0; W < Ways; ++W)
        To[W * Cells + Cell] = Here[W];
    }
  });
  return To;
}

/// A fluid near rest.
static std::vector<float> fluid(uint64_t Seed, Box Size) {
  Random From(Seed);
  std::vector<Way> All = ways();
  std::vector<float> Grid;
  Grid.reserve(Ways * Size.cells());
  for (const Way &Each : All)
    for (size_t Cell = 0; Cell < Size.cells(); ++Cell)
      Grid.push_back(Each.Share * float(From.uniform(0.95, 1.05)));
  return Grid;
}

/// A cell's mass, its flow and the flow of its flow.
struct Moments {
  double Mass = 0, Flow[3] = {}, Second[3][3] = {};

  explicit Moments(const double *Here) {
    std::vector<Way> All = ways();
    for (int W = 0; W < Ways; ++W) {
      int Step[3] = {All[W].X, All[W].Y, All[W].Z};
      Mass += Here[W];
      for (int I = 0; I < 3; ++I) {
        Flow[I] += Step[I] * Here[W];
        for (int J = 0; J < 3; ++J)
          Second[I][J] += Step[I] * Step[J] * Here[W];
      }
    }
  }
};

/// A collision keeps mass and flow and moves the second moments towards the
/// pressure of a third of the mass and what the flow carries of itself: so the
/// lattice gives the equations of a fluid. A whole step keeps the mass,
/// whatever the lid does.
static void checkReference(Program &Run) {
  Random From(Run.seed());
  std::vector<Rounded<double>> Got, Want;
  double Here[Ways];
  for (double &Each : Here)
    Each = From.uniform(0.01, 0.1);
  Moments Old(Here);
  collide(ways(), Here);
  Moments New(Here);
  double Part = double(Omega);
  auto Same = [&](double A, double B) {
    Got.push_back(Rounded<double>::within(A, 0));
    Want.push_back(Rounded<double>::within(B, 1e-7)); // shares are floats
  };
  Same(New.Mass, Old.Mass);
  for (int I = 0; I < 3; ++I) {
    Same(New.Flow[I], Old.Flow[I]);
    for (int J = 0; J < 3; ++J) {
      double Rest =
          (I == J ? Old.Mass / 3 : 0) + Old.Flow[I] * Old.Flow[J] / Old.Mass;
      Same(New.Second[I][J], (1 - Part) * Old.Second[I][J] + Part * Rest);
    }
  }
  Run.compare("moments", Got, Want);

  Box Size{6, 5, 7};
  std::vector<float> Start = fluid(Run.seed(), Size);
  std::vector<double> Grid(Start.begin(), Start.end());
  auto Mass = [](const std::vector<double> &Of) {
    double Sum = 0;
    for (double Each : Of)
      Sum += Each;
    return Sum;
  };
  double Before = Mass(Grid);
  for (int Step = 0; Step < 20; ++Step)
    Grid = stepped(Size, Grid);
  Run.expect(std::fabs(Mass(Grid) - Before) < 1e-4 * Before, "mass stays");
}

int main(int Argc, char **Argv) {
  Program Run("lbm", "a fluid in a box with a sliding lid",
              {{"x", 120, "cells along the lid's way"},
               {"y", 120, "cells across"},
               {"z", 150, "cells from the ground to the lid"},
               {"steps", 4, "time steps"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  Box Size{int(Run["x"]), int(Run["y"]), int(Run["z"])};
  int Steps = int(Run["steps"]);
  Run.require(Size.Z < 1 << 16, "--z is below 65536");
  std::vector<float> Start = fluid(Run.seed(), Size);
  Array<float> One(Start.size()), Other(Start.size());
  float *Now = One, *Next = Other;
  dim3 Block(TileX, TileY);
  dim3 Grid((Size.X + TileX - 1) / TileX, (Size.Y + TileY - 1) / TileY, Size.Z);
  Run.measure(
      [&] {
        Now = One, Next = Other;
        One.upload(Start);
      },
      [&] {
        if (Run.cooperates()) {
          Run.launchWhole(FluidSteps{Grid, Steps, Size, Now, Next}, Grid,
                          Block);
          if (Steps % 2)
            std::swap(Now, Next);
          return;
        }
        for (int Step = 0; Step < Steps; ++Step) {
          if (Run.waits())
            Waiting<moveCell>::launch(Grid, Block, Size, Now, Next);
          else
            streamCollide<<<Grid, Block>>>(Size, Now, Next);
          Run.launched("streamCollide", Grid, Block);
          std::swap(Now, Next);
        }
      });

  std::vector<Rounded<float>> Want(Start.begin(), Start.end());
  for (int Step = 0; Step < Steps; ++Step)
    Want = stepped(Size, Want);
  Run.compare("fluid", (Now == One ? One : Other).download(), Want);
  return Run.report();
}
