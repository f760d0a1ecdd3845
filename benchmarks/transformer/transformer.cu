// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The decoder blocks of a language model at batch 1: for every token and layer
// the 14 kernels of a plain inference loop, in half with sums in float. Nearly
// every launch reads what the one before it wrote; many are of few blocks.
//
// A first run is timed. A second one checks every step from what the device
// gave it before, and must end with the first one's results, bit by bit.

#include "Fetched.h"
#include "Kernels.h"

#include <memory>

using namespace bench;

static constexpr int Words = 64, Groups = 4;

__global__ void embed(int Count, int Word, const __half *Table, __half *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = Table[Word * Count + I];
}

/// Turns the query (threads of row 0) and the key (row 1) of one head.
__global__ void rotate(int Hidden, int Dim, int Position, __half *Projected) {
  int I = threadIdx.x;
  __half *Head = Projected + threadIdx.y * Hidden + blockIdx.x * Dim;
  float Angle = Position * powf(Base, -2.0f * I / Dim);
  float Sin, Cos;
  sincosf(Angle, &Sin, &Cos);
  float A = __half2float(Head[I]), B = __half2float(Head[I + Dim / 2]);
  Head[I] = __float2half(A * Cos - B * Sin);
  Head[I + Dim / 2] = __float2half(A * Sin + B * Cos);
}

__global__ void append(int Hidden, int Position, const __half *Projected,
                       __half *Keys, __half *Values) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Hidden)
    return;
  Keys[Position * Hidden + I] = Projected[Hidden + I];
  Values[Position * Hidden + I] = Projected[2 * Hidden + I];
}

/// A warp gives the score of one position for one head.
__global__ void score(int Hidden, int Dim, int Length, float Scale,
                      const __half *Query, const __half *Keys, float *Scores) {
  int At = blockIdx.x * Warps + threadIdx.x / 32, Head = blockIdx.y;
  if (At >= Length)
    return;
  float Sum = warpDot(
      Dim / 2, reinterpret_cast<const __half2 *>(Query + Head * Dim),
      reinterpret_cast<const __half2 *>(Keys + At * Hidden + Head * Dim));
  if (threadIdx.x % 32 == 0)
    Scores[Head * Length + At] = Sum * Scale;
}

/// In place; a block has the scores of one head.
__global__ void softmax(int Length, float *Scores) {
  shareOut(Length, Scores + blockIdx.x * Length);
}

/// A block gives one head: a column of threads each dimension, whose rows
/// share the positions.
__global__ void attend(int Hidden, int Length, const float *Shares,
                       const __half *Values, __half *Out) {
  extern __shared__ float Parts[];
  int I = threadIdx.x, Dim = blockDim.x, Head = blockIdx.x;
  float Sum = 0;
  for (int At = threadIdx.y; At < Length; At += Groups)
    Sum += Shares[Head * Length + At] *
           __half2float(Values[At * Hidden + Head * Dim + I]);
  Parts[threadIdx.y * Dim + I] = Sum;
  __syncthreads();
  if (threadIdx.y > 0)
    return;
  for (int Group = 1; Group < Groups; ++Group)
    Sum += Parts[Group * Dim + I];
  Out[Head * Dim + I] = __float2half(Sum);
}

/// Rows of seeded halves, on both sides.
struct Matrix {
  int Rows, Columns;
  std::vector<__half> Halved;
  Values Host;
  Array<__half> Device;

  Matrix(uint64_t Seed, int Rows, int Columns, double Low, double High)
      : Rows(Rows), Columns(Columns), Halved(size_t(Rows) * Columns),
        Host(fill(Seed, Low, High)), Device(Halved) {}

private:
  Values fill(uint64_t Seed, double Low, double High) {
    parallelFor(Rows, [&](size_t Row) {
      Random From(Random(Seed ^ (Row << 20)).next());
      for (int I = 0; I < Columns; ++I)
        Halved[Row * Columns + I] = __half(float(From.uniform(Low, High)));
    });
    return numbers(Halved);
  }
};

/// The sizes of a model.
struct Shape {
  int Hidden, Heads, Inner, Layers, Context, Tokens;

  int dim() const { return Hidden / Heads; }
  int positions() const { return Context + Tokens; }
};

/// The weights of a layer, and the keys and values of all positions; those of
/// the context are seeded.
struct Layer {
  Matrix Before, Projection, Output, After, GateAndUp, Down, Keys, Values;

  Layer(uint64_t Seed, const Shape &Of)
      : Before(Seed + 1, 1, Of.Hidden, 0.5, 1.5),
        Projection(keepsSize(Seed + 2, 3 * Of.Hidden, Of.Hidden)),
        Output(keepsSize(Seed + 3, Of.Hidden, Of.Hidden)),
        After(Seed + 4, 1, Of.Hidden, 0.5, 1.5),
        GateAndUp(keepsSize(Seed + 5, 2 * Of.Inner, Of.Hidden)),
        Down(keepsSize(Seed + 6, Of.Hidden, Of.Inner)),
        Keys(Seed + 7, Of.positions(), Of.Hidden, -1, 1),
        Values(Seed + 8, Of.positions(), Of.Hidden, -1, 1) {}

  static Matrix keepsSize(uint64_t Seed, int Rows, int Columns) {
    double Limit = std::sqrt(3.0 / Columns);
    return Matrix(Seed, Rows, Columns, -Limit, Limit);
  }
};

/// A model, on both sides, and the buffers that every token uses again.
class Decoder {
public:
  Decoder(Program &Run, const Shape &Of, uint64_t Seed)
      : Run(Run), Of(Of), Table(Seed, Words, Of.Hidden, -1, 1),
        Last(Seed + 1, 1, Of.Hidden, 0.5, 1.5), State(Of.Hidden),
        Normal(Of.Hidden), Projected(3 * Of.Hidden), Mixed(Of.Hidden),
        Change(Of.Hidden), Open(2 * Of.Inner), Gated(Of.Inner),
        Scores(size_t(Of.Heads) * Of.positions()),
        Results(size_t(Of.Tokens) * Of.Hidden) {
    for (int I = 0; I < Of.Layers; ++I)
      Layers.push_back(std::make_unique<Layer>(Seed + 100 * (I + 1), Of));
    Random From(Seed);
    for (int I = 0; I < Of.Tokens; ++I)
      Tokens.push_back(int(From.below(Words)));
  }

  /// Empties the results and the part of the caches behind the context.
  void restore() {
    Results.clear();
    for (auto &Each : Layers) {
      Each->Keys.Device.upload(Each->Keys.Halved);
      Each->Values.Device.upload(Each->Values.Halved);
    }
  }

  /// All tokens; with checks after every launch where \p Check.
  void decode(bool Check) {
    Checking = Check;
    for (int Token = 0; Token < Of.Tokens; ++Token) {
      dim3 Grid = gridOf(Of.Hidden);
      embed<<<Grid, Threads>>>(Of.Hidden, Tokens[Token], Table.Device, State);
      if (launched("embed", Grid, Threads))
        compare("a word", State, wordOf(Tokens[Token]));
      for (auto &Each : Layers) {
        attention(*Each, Of.Context + Token);
        perceptron(*Each);
      }
      norm(State, Last, Results + size_t(Token) * Of.Hidden);
    }
  }

  /// What decoding leaves: the results, and the caches of all layers.
  std::vector<std::vector<__half>> outcome() const {
    std::vector<std::vector<__half>> All{Results.download()};
    for (auto &Each : Layers) {
      All.push_back(Each->Keys.Device.download());
      All.push_back(Each->Values.Device.download());
    }
    return All;
  }

private:
  void attention(Layer &In, int Position) {
    norm(State, In.Before, Normal);
    multiply(In.Projection, Normal, Projected);
    turn(Position);
    keep(In, Position);
    weigh(In, Position + 1);
    mix(In, Position + 1);
    multiply(In.Output, Mixed, Change);
    addChange();
  }

  void perceptron(Layer &In) {
    norm(State, In.After, Normal);
    multiply(In.GateAndUp, Normal, Open);
    dim3 Grid = gridOf(Of.Inner);
    gate<<<Grid, Threads>>>(Of.Inner, Open, Gated);
    if (launched("gate", Grid, Threads))
      compare("a gate", Gated, gated(read(Open, Open.size())));
    multiply(In.Down, Gated, Change);
    addChange();
  }

  void norm(const __half *In, const Matrix &Weight, __half *Out) {
    rmsNorm<<<1, Threads>>>(Of.Hidden, In, Weight.Device, Out);
    if (launched("rmsNorm", 1, Threads))
      compare("a norm", Out, normalized(read(In, Of.Hidden), Weight.Host));
  }

  void multiply(const Matrix &By, const __half *In, __half *Out) {
    dim3 Grid((By.Rows + Warps - 1) / Warps);
    gemv<<<Grid, Threads>>>(By.Rows, By.Columns, By.Device, In, Out);
    if (launched("gemv", Grid, Threads))
      compare("a product", Out, times(By.Host, read(In, By.Columns)));
  }

  void turn(int Position) {
    Values Before = beforeCheck(Projected, 2 * Of.Hidden);
    dim3 Block(Of.dim() / 2, 2);
    rotate<<<Of.Heads, Block>>>(Of.Hidden, Of.dim(), Position, Projected);
    if (launched("rotate", Of.Heads, Block))
      compare("a turn", Projected, rotated(Of.dim(), Position, Before));
  }

  void keep(Layer &In, int Position) {
    dim3 Grid = gridOf(Of.Hidden);
    append<<<Grid, Threads>>>(Of.Hidden, Position, Projected, In.Keys.Device,
                              In.Values.Device);
    if (!launched("append", Grid, Threads))
      return;
    size_t At = size_t(Position) * Of.Hidden;
    Run.compare("a key", fetched(In.Keys.Device + At, Of.Hidden),
                fetched(Projected + Of.Hidden, Of.Hidden));
    Run.compare("a value", fetched(In.Values.Device + At, Of.Hidden),
                fetched(Projected + 2 * Of.Hidden, Of.Hidden));
  }

  /// The shares of \p Length positions, for each head.
  void weigh(Layer &In, int Length) {
    float Scale = 1.0f / std::sqrt(float(Of.dim()));
    dim3 Grid((Length + Warps - 1) / Warps, Of.Heads);
    score<<<Grid, Threads>>>(Of.Hidden, Of.dim(), Length, Scale, Projected,
                             In.Keys.Device, Scores);
    if (launched("score", Grid, Threads))
      Run.compare("scores", scores(Length),
                  scored(Of.dim(), read(Projected, Of.Hidden),
                         read(In.Keys.Device, size_t(Length) * Of.Hidden),
                         Scale));
    Values Before = Checking ? scores(Length) : Values();
    softmax<<<Of.Heads, Threads>>>(Length, Scores);
    if (launched("softmax", Of.Heads, Threads))
      Run.compare("shares", scores(Length), shared(Length, Before));
  }

  void mix(Layer &In, int Length) {
    dim3 Block(Of.dim(), Groups);
    attend<<<Of.Heads, Block, Of.dim() * Groups * sizeof(float)>>>(
        Of.Hidden, Length, Scores, In.Values.Device, Mixed);
    if (launched("attend", Of.Heads, Block))
      compare("a head", Mixed,
              attended(Of.dim(), scores(Length),
                       read(In.Values.Device, size_t(Length) * Of.Hidden),
                       Of.Hidden));
  }

  void addChange() {
    Values Before = beforeCheck(State, Of.Hidden);
    dim3 Grid = gridOf(Of.Hidden);
    addResidual<<<Grid, Threads>>>(Of.Hidden, Change, State);
    if (launched("addResidual", Grid, Threads))
      compare("a state", State, added(Before, read(Change, Of.Hidden)));
  }

  /// Whether to check now. Only what is timed counts as the program's work.
  bool launched(const char *Kernel, dim3 Grid, dim3 Block) {
    if (Checking)
      checkCall(cudaGetLastError(), Kernel);
    else
      Run.launched(Kernel, Grid, Block);
    return Checking;
  }

  Values beforeCheck(const __half *What, size_t Count) const {
    return Checking ? read(What, Count) : Values();
  }

  Values scores(int Length) const {
    Values All = Scores.download();
    All.resize(size_t(Of.Heads) * Length);
    return All;
  }

  Halves wordOf(int Token) const {
    auto First = Table.Halved.begin() + size_t(Token) * Of.Hidden;
    return Halves(First, First + Of.Hidden);
  }

  void compare(const char *What, const __half *Got, const Halves &Want) {
    Run.compare(What, fetched(Got, Want.size()), Want);
  }

  static dim3 gridOf(int Count) {
    return dim3((Count + Threads - 1) / Threads);
  }

  Program &Run;
  Shape Of;
  bool Checking = false;
  std::vector<int> Tokens;
  Matrix Table, Last;
  std::vector<std::unique_ptr<Layer>> Layers;
  Array<__half> State, Normal, Projected, Mixed, Change, Open, Gated;
  Array<float> Scores;
  Array<__half> Results;
};

int main(int Argc, char **Argv) {
  Program Run("transformer", "a language model's decoder blocks, by the token",
              {{"hidden", 1024, "numbers of a token's state", 8},
               {"heads", 16, "heads of attention"},
               {"inner", 2816, "units of a perceptron", 2},
               {"layers", 2, "decoder blocks"},
               {"context", 100, "positions before the first token", 0},
               {"tokens", 4, "tokens, one after the other"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkSteps(Run);
    return Run.report();
  }

  Shape Of{int(Run["hidden"]), int(Run["heads"]),   int(Run["inner"]),
           int(Run["layers"]), int(Run["context"]), int(Run["tokens"])};
  Run.require(Of.Hidden % Of.Heads == 0 && Of.dim() % 2 == 0 &&
                  Of.dim() <= 1024 / Groups,
              "--hidden is --heads times an even number up to 256");
  Run.require(Of.Inner % 2 == 0, "--inner is even");
  Run.require(1ll * Of.positions() * Of.Hidden < 0x7fffffff,
              "--hidden times all positions is below 2^31");
  Decoder Model(Run, Of, Random(Run.seed()).next());
  Run.measure([&] { Model.restore(); }, [&] { Model.decode(false); });

  auto Timed = Model.outcome();
  Model.restore();
  Model.decode(true);
  auto Checked = Model.outcome();
  for (size_t I = 0; I < Timed.size(); ++I)
    Run.compare("the timed run", Timed[I], Checked[I]);
  return Run.report();
}
