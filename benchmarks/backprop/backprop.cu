// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Back-propagation: trains a network of many inputs, 16 hidden units and one
// output, one sample after the other. Four launches for a sample: tiles of
// 16 inputs add up what they send to each hidden unit; one block sums the tiles
// and another finds output and errors; then every tile adjusts its weights,
// which the same tile of the next sample reads.

#include "../common/Program.h"

using namespace bench;

static constexpr int Hidden = 16, Tile = 16, Rows = 32;
static constexpr float Momentum = 0.3f;

/// Adds up, for each hidden unit, inputs times weights of a tile.
__global__ void layerForward(int N, const float *Input, const float *Weight,
                             float *Partial) {
  __shared__ float Sum[Tile][Hidden];
  int Unit = threadIdx.x, Y = threadIdx.y, I = blockIdx.x * Tile + Y;
  Sum[Y][Unit] = I < N ? Input[I] * Weight[I * Hidden + Unit] : 0.0f;
  __syncthreads();
  for (int Half = Tile / 2; Half > 0; Half /= 2) {
    if (Y < Half)
      Sum[Y][Unit] += Sum[Y + Half][Unit];
    __syncthreads();
  }
  if (Y == 0)
    Partial[blockIdx.x * Hidden + Unit] = Sum[0][Unit];
}

/// Sums all tiles; a single block.
__global__ void hiddenLayer(int Tiles, const float *Partial, float *Value) {
  __shared__ float Sum[Rows][Hidden];
  int Unit = threadIdx.x, Y = threadIdx.y;
  float Own = 0;
  for (int T = Y; T < Tiles; T += Rows)
    Own += Partial[T * Hidden + Unit];
  Sum[Y][Unit] = Own;
  __syncthreads();
  for (int Half = Rows / 2; Half > 0; Half /= 2) {
    if (Y < Half)
      Sum[Y][Unit] += Sum[Y + Half][Unit];
    __syncthreads();
  }
  if (Y == 0)
    Value[Unit] = 1.0f / (1.0f + expf(-Sum[0][Unit]));
}

/// The output, what each hidden unit has to change, and the output's own
/// weights; a thread for each hidden unit.
__global__ void outputLayer(float Target, float Rate, const float *Value,
                            float *Weight, float *Change, float *Delta,
                            float *Output) {
  __shared__ float Product[Hidden];
  int Unit = threadIdx.x;
  float Own = Value[Unit], Before = Weight[Unit];
  Product[Unit] = Own * Before;
  __syncthreads();
  float Sum = 0;
  for (int Other = 0; Other < Hidden; ++Other)
    Sum += Product[Other];
  float Out = 1.0f / (1.0f + expf(-Sum));
  float Wrong = Out * (1.0f - Out) * (Target - Out);
  Delta[Unit] = Own * (1.0f - Own) * (Wrong * Before);
  float New = Rate * Wrong * Own + Momentum * Change[Unit];
  Weight[Unit] = Before + New;
  Change[Unit] = New;
  if (Unit == 0)
    *Output = Out;
}

/// Moves the weights of a tile along the error and their last change.
__global__ void adjustWeights(int N, float Rate, const float *Input,
                              const float *Delta, float *Weight,
                              float *Change) {
  int I = blockIdx.x * Tile + threadIdx.y;
  if (I >= N)
    return;
  int At = I * Hidden + threadIdx.x;
  float New = Rate * Delta[threadIdx.x] * Input[I] + Momentum * Change[At];
  Weight[At] += New;
  Change[At] = New;
}

using Number = Rounded<float>;

/// The network on the host. Input 0 is always 1.
struct Network {
  int N;
  float Rate;
  std::vector<Number> Weight, Change;       // N inputs times Hidden
  std::vector<Number> OutWeight, OutChange; // Hidden
  Number Output;

  Network(const std::vector<float> &First, const std::vector<float> &Second)
      : N(int(First.size() / Hidden)), Rate(3.0f / float(N)),
        Weight(First.begin(), First.end()), Change(First.size()),
        OutWeight(Second.begin(), Second.end()), OutChange(Hidden) {}

  void train(const float *Input, float Target);

private:
  std::vector<Number> hidden(const float *Input) const;
};

/// Adds the upper half of numbers onto the lower until one is left.
static Number halved(std::vector<Number> Each) {
  for (size_t Half = Each.size() / 2; Half > 0; Half /= 2)
    for (size_t I = 0; I < Half; ++I)
      Each[I] += Each[I + Half];
  return Each[0];
}

static Number sigmoid(const Number &X) {
  return Number(1) / (Number(1) + exp(-X));
}

/// The hidden units' values, added in the kernels' order.
std::vector<Number> Network::hidden(const float *Input) const {
  int Tiles = (N + Tile - 1) / Tile;
  std::vector<Number> Partial(size_t(Tiles) * Hidden), Value;
  parallelFor(Tiles, [&](size_t T) {
    for (int Unit = 0; Unit < Hidden; ++Unit) {
      std::vector<Number> Each(Tile);
      for (size_t I = T * Tile; I < std::min<size_t>(N, (T + 1) * Tile); ++I)
        Each[I % Tile] = Number(Input[I]) * Weight[I * Hidden + Unit];
      Partial[T * Hidden + Unit] = halved(Each);
    }
  });
  for (int Unit = 0; Unit < Hidden; ++Unit) {
    std::vector<Number> Each(Rows);
    for (int T = 0; T < Tiles; ++T)
      Each[T % Rows] += Partial[size_t(T) * Hidden + Unit];
    Value.push_back(sigmoid(halved(Each)));
  }
  return Value;
}

/// Learns a sample.
void Network::train(const float *Input, float Target) {
  std::vector<Number> Value = hidden(Input), Delta;
  Number Sum;
  for (int Unit = 0; Unit < Hidden; ++Unit)
    Sum += Value[Unit] * OutWeight[Unit];
  Output = sigmoid(Sum);
  Number Wrong = Output * (Number(1) - Output) * (Number(Target) - Output);
  for (int Unit = 0; Unit < Hidden; ++Unit) {
    Delta.push_back(Value[Unit] * (Number(1) - Value[Unit]) *
                    (Wrong * OutWeight[Unit]));
    OutChange[Unit] =
        Number(Rate) * Wrong * Value[Unit] + Number(Momentum) * OutChange[Unit];
    OutWeight[Unit] += OutChange[Unit];
  }
  parallelFor((N + Tile - 1) / Tile, [&](size_t T) {
    size_t End = std::min<size_t>(N, (T + 1) * Tile) * Hidden;
    for (size_t At = T * Tile * Hidden; At < End; ++At) {
      Change[At] = Number(Rate) * Delta[At % Hidden] * Input[At / Hidden] +
                   Number(Momentum) * Change[At];
      Weight[At] += Change[At];
    }
  });
}

/// Half the squared error of a sample, straight from the definition.
static double loss(const std::vector<double> &First,
                   const std::vector<double> &Second,
                   const std::vector<float> &Input, double Target) {
  double Sum = 0;
  for (int Unit = 0; Unit < Hidden; ++Unit) {
    double In = 0;
    for (size_t I = 0; I < Input.size(); ++I)
      In += Input[I] * First[I * Hidden + Unit];
    Sum += Second[Unit] / (1 + std::exp(-In));
  }
  double Error = Target - 1 / (1 + std::exp(-Sum));
  return Error * Error / 2;
}

/// The first sample moves every weight down the slope of the loss, which
/// differences of losses give too.
static void checkReference(Program &Run) {
  int N = 40;
  Random From(Run.seed());
  std::vector<float> First = randomVector<float>(From, N * Hidden, -0.3, 0.3);
  std::vector<float> Second = randomVector<float>(From, Hidden, -1, 1);
  std::vector<float> Input = randomVector<float>(From, N, 0, 1);
  Network Net(First, Second);
  Net.train(Input.data(), 0.9f);
  std::vector<double> W(First.begin(), First.end());
  std::vector<double> V(Second.begin(), Second.end());
  std::vector<Number> Want, Got = Net.Weight;
  Got.insert(Got.end(), Net.OutWeight.begin(), Net.OutWeight.end());
  for (std::vector<double> *Weights : {&W, &V})
    for (double &Each : *Weights) {
      double Before = Each, Step = 1e-5;
      Each = Before + Step;
      double Up = loss(W, V, Input, 0.9f);
      Each = Before - Step;
      double Down = loss(W, V, Input, 0.9f);
      Each = Before;
      double Slope = (Up - Down) / (2 * Step);
      Want.push_back(Number::within(Before - Net.Rate * Slope, 1e-10));
    }
  for (Number &Each : Got)
    Each = Number::within(Each.value(), 0);
  Run.compare("weights and slopes", Got, Want);
}

/// The samples' inputs, one after the other.
static std::vector<float> samples(Random &From, int N, int Samples) {
  std::vector<float> Input =
      randomVector<float>(From, size_t(N) * Samples, 0, 1);
  for (int Sample = 0; Sample < Samples; ++Sample)
    Input[size_t(Sample) * N] = 1;
  return Input;
}

int main(int Argc, char **Argv) {
  Program Run("backprop", "trains a network with a layer of 16 units",
              {{"n", 65536, "inputs, besides the constant one"},
               {"samples", 4, "samples learnt"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Samples = int(Run["samples"]);
  Run.require(Run["n"] < 1 << 26, "--n is below 2^26");
  int N = int(Run["n"]) + 1, Tiles = (N + Tile - 1) / Tile;
  Random From(Run.seed());
  double Scale = 1 / std::sqrt(double(N));
  std::vector<float> Input = samples(From, N, Samples);
  std::vector<float> Target = randomVector<float>(From, Samples, 0.1, 0.9);
  std::vector<float> First =
      randomVector<float>(From, size_t(N) * Hidden, -Scale, Scale);
  std::vector<float> Second = randomVector<float>(From, Hidden, -1, 1);
  Network Net(First, Second);

  Array<float> Inputs(Input), Weight(First.size()), Change(First.size());
  Array<float> OutWeight(Hidden), OutChange(Hidden), Value(Hidden);
  Array<float> Delta(Hidden), Output(Samples), Partial(size_t(Tiles) * Hidden);
  dim3 Block(Hidden, Tile), Grid(Tiles), One(1), SumBlock(Hidden, Rows);
  Run.measure(
      [&] {
        Weight.upload(First);
        OutWeight.upload(Second);
        Change.clear();
        OutChange.clear();
      },
      [&] {
        for (int Sample = 0; Sample < Samples; ++Sample) {
          const float *X = Inputs + size_t(Sample) * N;
          layerForward<<<Grid, Block>>>(N, X, Weight, Partial);
          Run.launched("layerForward", Grid, Block);
          hiddenLayer<<<One, SumBlock>>>(Tiles, Partial, Value);
          Run.launched("hiddenLayer", One, SumBlock);
          outputLayer<<<One, Hidden>>>(Target[Sample], Net.Rate, Value,
                                       OutWeight, OutChange, Delta,
                                       Output + Sample);
          Run.launched("outputLayer", One, Hidden);
          adjustWeights<<<Grid, Block>>>(N, Net.Rate, X, Delta, Weight, Change);
          Run.launched("adjustWeights", Grid, Block);
        }
      });

  std::vector<Number> Outputs;
  for (int Sample = 0; Sample < Samples; ++Sample) {
    Net.train(Input.data() + size_t(Sample) * N, Target[Sample]);
    Outputs.push_back(Net.Output);
  }
  Run.compare("output", Output.download(), Outputs);
  Run.compare("output's weights", OutWeight.download(), Net.OutWeight);
  Run.compare("weights", Weight.download(), Net.Weight);
  Run.compare("changes", Change.download(), Net.Change);
  return Run.report();
}
