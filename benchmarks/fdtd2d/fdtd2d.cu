// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// FDTD-2D: an electromagnetic wave in a box, in finite differences of time and
// place. The electric field lives on the sides of the cells, the magnetic one
// in their middles. A step has three launches: the upright electric field and
// the sideways one from the magnetic field, independent of each other, then
// the magnetic field from both. A source drives one wall.

#include "../common/Program.h"
#include "Bounds.h"

using namespace bench;

static constexpr int Width = 32, Height = 8;

/// Ey between the rows of cells: row 0 is the source's, row Rows a wall.
__device__ void stepEy(uint3 Block, uint3 Thread, int Rows, int Columns,
                       float Source, const float *Hz, float *Ey) {
  int J = Block.x * Width + Thread.x;
  int I = Block.y * Height + Thread.y;
  if (I >= Rows || J >= Columns)
    return;
  int Cell = I * Columns + J;
  if (I == 0)
    Ey[Cell] = Source;
  else
    Ey[Cell] -= 0.5f * (Hz[Cell] - Hz[Cell - Columns]);
}

__global__ void updateEy(int Rows, int Columns, float Source, const float *Hz,
                         float *Ey) {
  stepEy(blockIdx, threadIdx, Rows, Columns, Source, Hz, Ey);
}

/// Ex between the columns of cells: columns 0 and Columns are walls.
__device__ void stepEx(uint3 Block, uint3 Thread, int Rows, int Columns,
                       const float *Hz, float *Ex) {
  int J = Block.x * Width + Thread.x;
  int I = Block.y * Height + Thread.y;
  if (I >= Rows || J >= Columns || J == 0)
    return;
  int Cell = I * Columns + J;
  Ex[I * (Columns + 1) + J] -= 0.5f * (Hz[Cell] - Hz[Cell - 1]);
}

__global__ void updateEx(int Rows, int Columns, const float *Hz, float *Ex) {
  stepEx(blockIdx, threadIdx, Rows, Columns, Hz, Ex);
}

__device__ void stepHz(uint3 Block, uint3 Thread, int Rows, int Columns,
                       const float *Ey, const float *Ex, float *Hz) {
  int J = Block.x * Width + Thread.x;
  int I = Block.y * Height + Thread.y;
  if (I >= Rows || J >= Columns)
    return;
  int Cell = I * Columns + J, Side = I * (Columns + 1) + J;
  float Turning = Ex[Side + 1] - Ex[Side] + Ey[Cell + Columns] - Ey[Cell];
  Hz[Cell] -= 0.7f * Turning;
}

__global__ void updateHz(int Rows, int Columns, const float *Ey,
                         const float *Ex, float *Hz) {
  stepHz(blockIdx, threadIdx, Rows, Columns, Ey, Ex, Hz);
}

/// All steps, for one cooperative grid.
struct FieldSteps {
  dim3 Grid;
  int Steps, Rows, Columns;
  const float *Source;
  float *Ey, *Ex, *Hz;

  __device__ void operator()() const {
    for (int Step = 0; Step < Steps; ++Step) {
      forBlocks(Grid, [&](uint3 Block) {
        stepEy(Block, threadIdx, Rows, Columns, Source[Step], Hz, Ey);
        stepEx(Block, threadIdx, Rows, Columns, Hz, Ex);
      });
      syncGrid();
      forBlocks(Grid, [&](uint3 Block) {
        stepHz(Block, threadIdx, Rows, Columns, Ey, Ex, Hz);
      });
      syncGrid();
    }
  }
};

/// Fields as a device may have them: their values, and one bound for all of
/// them (Note [Bounds] in Bounds.h).
static std::vector<Rounded<float>> bounded(const std::vector<double> &Values,
                                           double Bound) {
  std::vector<Rounded<float>> Result;
  Result.reserve(Values.size());
  for (double Each : Values)
    Result.push_back(Rounded<float>::within(Each, Bound));
  return Result;
}

/// The field of one mode of the box keeps its form; only its strength swings,
/// with a frequency that the differences give exactly.
static void checkMode(Program &Run) {
  int Rows = 20, Columns = 33, Steps = 50;
  double Pi = std::acos(-1), P = 3 * Pi / Rows, Q = 2 * Pi / Columns;
  Fields Box(Rows, Columns);
  std::vector<double> Mode(Box.Hz.size());
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Mode[size_t(I) * Columns + J] =
          std::cos(P * (I + 0.5)) * std::cos(Q * (J + 0.5));
  Box.Hz = Mode;
  for (int Step = 0; Step < Steps; ++Step)
    Box.advance(0);
  double Stiffness =
      4 * std::pow(std::sin(P / 2), 2) + 4 * std::pow(std::sin(Q / 2), 2);
  double Turn = std::acos(1 - 0.5 * 0.5 * double(0.7f) * Stiffness);
  double Strength = std::cos((Steps + 0.5) * Turn) / std::cos(0.5 * Turn);
  for (double &Each : Mode)
    Each *= Strength;
  Run.compare("a mode of the box", bounded(Box.Hz, 1e-12),
              bounded(Mode, 1e-12));
}

/// Errors of size 1 everywhere, of whatever sign, stay within the bound.
static void checkBounds(Program &Run) {
  int Rows = 9, Columns = 14, Steps = 30;
  Random From(Run.seed());
  Fields Errors(Rows, Columns);
  auto sign = [&] { return From.below(2) ? 1.0 : -1.0; };
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J) {
      Errors.Hz[size_t(I) * Columns + J] = sign();
      Errors.Ey[size_t(I) * Columns + J] = I > 0 ? sign() : 0;
      Errors.Ex[size_t(I) * (Columns + 1) + J] = J > 0 ? sign() : 0;
    }
  // Hz has its errors after the magnetic half that the others go through.
  std::vector<double> Own = Errors.Hz;
  Errors.Hz.assign(Own.size(), 0);
  Errors.magnetic();
  for (size_t I = 0; I < Own.size(); ++I)
    Errors.Hz[I] += Own[I];
  Response Waves(Steps);
  for (int Step = 0; Step <= Steps; ++Step) {
    if (Step > 0)
      Errors.advance(0);
    const std::vector<double> *Each[] = {&Errors.Ey, &Errors.Ex, &Errors.Hz};
    for (int To = 0; To < 3; ++To) {
      double Bound = 1e-12, Worst = 0;
      for (int Of = 0; Of < 3; ++Of)
        Bound += Waves.sum(Of, To, Step);
      for (double Value : *Each[To])
        Worst = std::max(Worst, std::fabs(Value));
      Run.expect(Worst <= Bound, "errors stay within the bound");
    }
  }
}

int main(int Argc, char **Argv) {
  Program Run("fdtd2d", "an electromagnetic wave in a box",
              {{"rows", 2048, "rows of cells"},
               {"columns", 2048, "columns of cells"},
               {"steps", 8, "time steps"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkMode(Run);
    checkBounds(Run);
    return Run.report();
  }

  int Rows = int(Run["rows"]), Columns = int(Run["columns"]);
  int Steps = int(Run["steps"]);
  Run.require(Rows <= 46339 && Columns <= 46339,
              "--rows and --columns are at most 46339");
  Random From(Run.seed());
  size_t Cells = size_t(Rows) * Columns;
  auto Ey = randomVector<float>(From, Cells + Columns, -1, 1);
  auto Ex = randomVector<float>(From, Cells + Rows, -1, 1);
  auto Hz = randomVector<float>(From, Cells, -1, 1);
  auto Source = randomVector<float>(From, Steps, -1, 1);

  Array<float> DeviceEy(Ey), DeviceEx(Ex), DeviceHz(Hz), DeviceSource(Source);
  dim3 Block(Width, Height);
  dim3 Grid((Columns + Width - 1) / Width, (Rows + Height - 1) / Height);
  Run.measure(
      [&] {
        DeviceEy.upload(Ey);
        DeviceEx.upload(Ex);
        DeviceHz.upload(Hz);
      },
      [&] {
        if (Run.cooperates()) {
          FieldSteps All{Grid,         Steps,    Rows,     Columns,
                         DeviceSource, DeviceEy, DeviceEx, DeviceHz};
          return Run.launchWhole(All, Grid, Block);
        }
        for (int Step = 0; Step < Steps; ++Step) {
          if (Run.waits())
            Waiting<stepEy>::launch(Grid, Block, Rows, Columns, Source[Step],
                                    DeviceHz, DeviceEy);
          else
            updateEy<<<Grid, Block>>>(Rows, Columns, Source[Step], DeviceHz,
                                      DeviceEy);
          Run.launched("updateEy", Grid, Block);
          if (Run.waits())
            Waiting<stepEx>::launch(Grid, Block, Rows, Columns, DeviceHz,
                                    DeviceEx);
          else
            updateEx<<<Grid, Block>>>(Rows, Columns, DeviceHz, DeviceEx);
          Run.launched("updateEx", Grid, Block);
          if (Run.waits())
            Waiting<stepHz>::launch(Grid, Block, Rows, Columns, DeviceEy,
                                    DeviceEx, DeviceHz);
          else
            updateHz<<<Grid, Block>>>(Rows, Columns, DeviceEy, DeviceEx,
                                      DeviceHz);
          Run.launched("updateHz", Grid, Block);
        }
      });

  Fields Want(Rows, Columns);
  Want.Ey.assign(Ey.begin(), Ey.end());
  Want.Ex.assign(Ex.begin(), Ex.end());
  Want.Hz.assign(Hz.begin(), Hz.end());
  Bounds Bound(Steps);
  for (int Step = 0; Step < Steps; ++Step)
    Bound.add(Want.advance(Source[Step]));
  Run.compare("Ey", DeviceEy.download(), bounded(Want.Ey, Bound.of(0)));
  Run.compare("Ex", DeviceEx.download(), bounded(Want.Ex, Bound.of(1)));
  Run.compare("Hz", DeviceHz.download(), bounded(Want.Hz, Bound.of(2)));
  return Run.report();
}
