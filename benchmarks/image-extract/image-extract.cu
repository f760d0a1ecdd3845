// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Image extract: takes the speckle out of an ultrasonic image by diffusion that
// stops at edges (SRAD). The image is stretched first and compressed last. Each
// iteration sums all pixels and their squares, by launches that each leave one
// number of 512; from these and its neighbours a pixel finds how far it may
// spread; then all pixels spread, in place.

#include "../common/Program.h"

using namespace bench;

static constexpr int Width = 256, TileX = 32, TileY = 8;
static constexpr float Lambda = 0.05f;

__global__ void extract(int N, float *Image) {
  int I = blockIdx.x * Width + threadIdx.x;
  if (I < N)
    Image[I] = expf(Image[I] / 255.0f);
}

__global__ void prepare(int N, const float *Image, float *Sum, float *Square) {
  int I = blockIdx.x * Width + threadIdx.x;
  if (I >= N)
    return;
  Sum[I] = Image[I];
  Square[I] = Image[I] * Image[I];
}

/// Adds up 2 * Width numbers of each kind in a block.
__global__ void reduce(int N, const float *Sum, const float *Square,
                       float *ToSum, float *ToSquare) {
  __shared__ float Sums[Width], Squares[Width];
  int T = threadIdx.x, I = blockIdx.x * (2 * Width) + T, J = I + Width;
  Sums[T] = (I < N ? Sum[I] : 0.0f) + (J < N ? Sum[J] : 0.0f);
  Squares[T] = (I < N ? Square[I] : 0.0f) + (J < N ? Square[J] : 0.0f);
  __syncthreads();
  for (int Half = Width / 2; Half > 0; Half /= 2) {
    if (T < Half) {
      Sums[T] += Sums[T + Half];
      Squares[T] += Squares[T + Half];
    }
    __syncthreads();
  }
  if (T == 0) {
    ToSum[blockIdx.x] = Sums[0];
    ToSquare[blockIdx.x] = Squares[0];
  }
}

/// The differences of each pixel to its neighbours, and how far it may spread,
/// from 0 at edges to 1.
__global__ void srad(int Columns, int Rows, const float *Image,
                     const float *Sum, const float *Square, float *North,
                     float *South, float *West, float *East, float *Spread) {
  int X = blockIdx.x * TileX + threadIdx.x;
  int Y = blockIdx.y * TileY + threadIdx.y;
  if (X >= Columns || Y >= Rows)
    return;
  float Pixels = float(Columns * Rows), Mean = *Sum / Pixels;
  float Variance = *Square / Pixels - Mean * Mean;
  float Speckle = Variance / (Mean * Mean);
  int At = Y * Columns + X;
  float Own = Image[At];
  float N = Image[max(Y - 1, 0) * Columns + X] - Own;
  float S = Image[min(Y + 1, Rows - 1) * Columns + X] - Own;
  float W = Image[Y * Columns + max(X - 1, 0)] - Own;
  float E = Image[Y * Columns + min(X + 1, Columns - 1)] - Own;
  float Slope = (N * N + S * S + W * W + E * E) / (Own * Own);
  float Bend = (N + S + W + E) / Own;
  float Scale = 1.0f + 0.25f * Bend;
  float Local = (0.5f * Slope - 0.0625f * Bend * Bend) / (Scale * Scale);
  float Edge = (Local - Speckle) / (Speckle * (1.0f + Speckle));
  Spread[At] = fminf(fmaxf(1.0f / (1.0f + Edge), 0.0f), 1.0f);
  North[At] = N;
  South[At] = S;
  West[At] = W;
  East[At] = E;
}

/// Lets pixels spread: to the north and west as far as they may, to the south
/// and east as far as the pixel there.
__global__ void srad2(int Columns, int Rows, const float *North,
                      const float *South, const float *West, const float *East,
                      const float *Spread, float *Image) {
  int X = blockIdx.x * TileX + threadIdx.x;
  int Y = blockIdx.y * TileY + threadIdx.y;
  if (X >= Columns || Y >= Rows)
    return;
  int At = Y * Columns + X;
  float Own = Spread[At];
  float Below = Spread[min(Y + 1, Rows - 1) * Columns + X];
  float Right = Spread[Y * Columns + min(X + 1, Columns - 1)];
  float Flow =
      Own * North[At] + Below * South[At] + Own * West[At] + Right * East[At];
  Image[At] += 0.25f * Lambda * Flow;
}

__global__ void compress(int N, const float *Image, float *Result) {
  int I = blockIdx.x * Width + threadIdx.x;
  if (I < N)
    Result[I] = logf(Image[I]) * 255.0f;
}

/// The image on the device and what the launches need.
class Filter {
public:
  Filter(Program &Run, int Columns, int Rows)
      : Run(Run), Columns(Columns), Rows(Rows), N(Columns * Rows), Image(N),
        Result(N), Sum(N), Square(N), North(N), South(N), West(N), East(N),
        Spread(N), PartSum(2 * parts(N) + 2), PartSquare(2 * parts(N) + 2),
        Grid((N + Width - 1) / Width),
        Tiles((Columns + TileX - 1) / TileX, (Rows + TileY - 1) / TileY) {}

  void stretch();
  void iterate();
  void finish();

  Program &Run;
  int Columns, Rows, N;
  bool Counts = true; // whether launches are part of what is measured
  Array<float> Image, Result;

private:
  static int parts(int Count) { return (Count + 2 * Width - 1) / (2 * Width); }
  void launched(const char *Kernel, dim3 Blocks, dim3 Threads) {
    if (Counts)
      Run.launched(Kernel, Blocks, Threads);
    else
      checkCall(cudaGetLastError(), Kernel);
  }

  Array<float> Sum, Square, North, South, West, East, Spread;
  Array<float> PartSum, PartSquare; // of all levels, one after the other
  dim3 Grid, Tiles;
};

void Filter::stretch() {
  extract<<<Grid, Width>>>(N, Image);
  launched("extract", Grid, Width);
}

void Filter::iterate() {
  prepare<<<Grid, Width>>>(N, Image, Sum, Square);
  launched("prepare", Grid, Width);
  const float *Sums = Sum, *Squares = Square;
  float *ToSum = PartSum, *ToSquare = PartSquare;
  for (int Left = N; Left > 1; Left = parts(Left)) {
    dim3 Blocks(parts(Left));
    reduce<<<Blocks, Width>>>(Left, Sums, Squares, ToSum, ToSquare);
    launched("reduce", Blocks, Width);
    Sums = ToSum, Squares = ToSquare;
    ToSum += Blocks.x, ToSquare += Blocks.x;
  }
  dim3 Tile(TileX, TileY);
  srad<<<Tiles, Tile>>>(Columns, Rows, Image, Sums, Squares, North, South, West,
                        East, Spread);
  launched("srad", Tiles, Tile);
  srad2<<<Tiles, Tile>>>(Columns, Rows, North, South, West, East, Spread,
                         Image);
  launched("srad2", Tiles, Tile);
}

void Filter::finish() {
  compress<<<Grid, Width>>>(N, Image, Result);
  launched("compress", Grid, Width);
}

using Number = Rounded<float>;

/// \p X cut to what is between 0 and 1, and its bound too.
static Number clamped(const Number &X) {
  double Value = std::clamp(X.value(), 0.0, 1.0);
  double Low = std::clamp(X.value() - X.error(), 0.0, 1.0);
  double High = std::clamp(X.value() + X.error(), 0.0, 1.0);
  return Number::within(Value, std::max(High - Value, Value - Low));
}

/// The relative variance of all pixels. In a level of sums a number goes
/// through 9 additions.
static Number speckle(const std::vector<float> &Image) {
  size_t Parts = 64, N = Image.size();
  std::vector<double> Sums(Parts), Squares(Parts);
  parallelFor(Parts, [&](size_t Part) {
    double Own = 0, OwnSquare = 0;
    for (size_t I = N * Part / Parts; I < N * (Part + 1) / Parts; ++I) {
      Own += Image[I];
      OwnSquare += double(Image[I]) * Image[I];
    }
    Sums[Part] = Own, Squares[Part] = OwnSquare;
  });
  double Sum = 0, Square = 0, Levels = std::ceil(std::log2(double(N)) / 9);
  for (size_t Part = 0; Part < Parts; ++Part)
    Sum += Sums[Part], Square += Squares[Part];
  double Strays = gamma<float>(9 * Levels + 2);
  Number Pixels = Number::nearest(double(N), 0);
  Number Mean = Number::within(Sum, Strays * Sum) / Pixels;
  Number Variance =
      Number::within(Square, Strays * Square) / Pixels - Mean * Mean;
  return Variance / (Mean * Mean);
}

/// A pixel's differences to its neighbours: north, south, west and east.
static void differences(int Columns, int Rows, const std::vector<float> &Image,
                        int X, int Y, Number *To) {
  auto At = [&](int Column, int Line) {
    Column = std::clamp(Column, 0, Columns - 1);
    Line = std::clamp(Line, 0, Rows - 1);
    return Number(Image[size_t(Line) * Columns + Column]);
  };
  Number Own = At(X, Y);
  To[0] = At(X, Y - 1) - Own, To[1] = At(X, Y + 1) - Own;
  To[2] = At(X - 1, Y) - Own, To[3] = At(X + 1, Y) - Own;
}

/// How far a pixel may spread, on the host.
static Number spread(const Number &Own, const Number *D,
                     const Number &Speckle) {
  Number Slope =
      (D[0] * D[0] + D[1] * D[1] + D[2] * D[2] + D[3] * D[3]) / (Own * Own);
  Number Bend = (D[0] + D[1] + D[2] + D[3]) / Own;
  Number Scale = Number(1.0f) + Number(0.25f) * Bend;
  Number Local =
      (Number(0.5f) * Slope - Number(0.0625f) * Bend * Bend) / (Scale * Scale);
  Number Edge = (Local - Speckle) / (Speckle * (Number(1.0f) + Speckle));
  return clamped(Number(1.0f) / (Number(1.0f) + Edge));
}

/// An iteration on the host, from an image of the device.
static std::vector<Number> stepped(int Columns, int Rows,
                                   const std::vector<float> &Image) {
  Number Speckle = speckle(Image);
  std::vector<Number> Spread(Image.size()), To(Image.size());
  parallelFor(Rows, [&](size_t Y) {
    for (int X = 0; X < Columns; ++X) {
      Number D[4];
      differences(Columns, Rows, Image, X, int(Y), D);
      Spread[Y * Columns + X] = spread(Image[Y * Columns + X], D, Speckle);
    }
  });
  parallelFor(Rows, [&](size_t Y) {
    for (int X = 0; X < Columns; ++X) {
      Number D[4];
      differences(Columns, Rows, Image, X, int(Y), D);
      size_t At = Y * Columns + X, Right = X + 1 < Columns ? At + 1 : At;
      size_t Below = Y + 1 < size_t(Rows) ? At + Columns : At;
      Number Flow = Spread[At] * D[0] + Spread[Below] * D[1] +
                    Spread[At] * D[2] + Spread[Right] * D[3];
      To[At] = Number(Image[At]) + Number(0.25f * Lambda) * Flow;
    }
  });
  return To;
}

/// Bright discs on a dark ground, and speckle that grows with the brightness.
static std::vector<float> scan(uint64_t Seed, int Columns, int Rows) {
  Random From(Seed);
  std::vector<float> Image;
  for (int Y = 0; Y < Rows; ++Y)
    for (int X = 0; X < Columns; ++X) {
      int A = X % 100 - 50, B = Y % 100 - 50;
      double Bright = A * A + B * B < 900 ? 180 : 50;
      Image.push_back(float(Bright * From.uniform(0.7, 1.3)));
    }
  return Image;
}

/// What spreads is nowhere lost; and from the mean M and the mean square S of
/// its neighbours a pixel J has the local variance (2S - 2MJ + J^2 - M^2) /
/// M^2.
static void checkReference(Program &Run) {
  int Columns = 40, Rows = 30;
  std::vector<float> Image = scan(Run.seed(), Columns, Rows);
  for (float &Each : Image)
    Each = std::exp(Each / 255);
  double Q = speckle(Image).value(), Before = 0, After = 0;
  std::vector<Number> One, Other;
  for (int Y = 0; Y < Rows; ++Y)
    for (int X = 0; X < Columns; ++X) {
      Number D[4];
      differences(Columns, Rows, Image, X, Y, D);
      double J = Image[Y * Columns + X], M = 0, S = 0;
      for (const Number &Each : D) {
        M += (J + Each.value()) / 4;
        S += (J + Each.value()) * (J + Each.value()) / 4;
      }
      double Local = (2 * S - 2 * M * J + J * J - M * M) / (M * M);
      double Want = std::min(1.0, (Q + Q * Q) / (Local + Q * Q));
      Number Got = spread(Image[Y * Columns + X], D, Number::within(Q, 0));
      One.push_back(Number::within(Got.value(), 0));
      Other.push_back(Number::within(Want, 1e-10));
      Before += J;
    }
  Run.compare("spread", One, Other);
  for (const Number &Each : stepped(Columns, Rows, Image))
    After += Each.value();
  Run.expect(std::fabs(After - Before) < 1e-9 * Before, "nothing is lost");
}

/// Applies \p Function to every number.
template <typename F>
static std::vector<Number> each(const std::vector<float> &Of, F Function) {
  std::vector<Number> To(Of.size());
  parallelFor(64, [&](size_t Part) {
    for (size_t I = Of.size() * Part / 64; I < Of.size() * (Part + 1) / 64; ++I)
      To[I] = Function(Number(Of[I]));
  });
  return To;
}

/// Bounds of all iterations in a row would grow without use. So the same
/// launches run again, each iteration is checked from the device's image before
/// it, and the end must be the measured one to the last bit.
static void check(Program &Run, Filter &Image, const std::vector<float> &Start,
                  int Iterations) {
  std::vector<float> Measured = Image.Result.download();
  Image.Counts = false;
  Image.Image.upload(Start);
  Image.stretch();
  std::vector<float> Now = Image.Image.download();
  Run.compare("stretched", Now, each(Start, [](const Number &X) {
                return exp(X / Number(255.0f));
              }));
  for (int I = 0; I < Iterations; ++I) {
    std::vector<Number> Want = stepped(Image.Columns, Image.Rows, Now);
    Image.iterate();
    Now = Image.Image.download();
    Run.compare("an iteration", Now, Want);
  }
  Image.finish();
  std::vector<float> Again = Image.Result.download();
  Run.compare("compressed", Again, each(Now, [](const Number &X) {
                auto Log = [](double V) { return std::log(V); };
                return apply<float>(X, Log, 1 / X.value(), 1) * Number(255.0f);
              }));
  Run.compare("measured and checked", Measured, Again);
}

int main(int Argc, char **Argv) {
  Program Run("image-extract", "takes the speckle out of an image",
              {{"columns", 458, "pixels across", 2},
               {"rows", 502, "pixels down", 2},
               {"iterations", 100, "times pixels spread"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Columns = int(Run["columns"]), Rows = int(Run["rows"]);
  int Iterations = int(Run["iterations"]);
  Run.require(1ll * Columns * Rows <= 1 << 28, "an image is at most 2^28");
  std::vector<float> Start = scan(Run.seed(), Columns, Rows);
  Filter Image(Run, Columns, Rows);
  Run.measure([&] { Image.Image.upload(Start); },
              [&] {
                Image.stretch();
                for (int I = 0; I < Iterations; ++I)
                  Image.iterate();
                Image.finish();
              });
  check(Run, Image, Start, Iterations);
  return Run.report();
}
