// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A convolutional network whose layers are wired at random, for one image:
// three stages, each a small-world graph of nodes. A node adds its weighted
// inputs, one launch for each, then ReLU, a convolution of each plane, one
// across planes, and a scale and shift. Nodes without a path between them are
// independent, yet the launches stand in one line.

#include "../alexnet/Network.h"
#include "../common/Block.h"

#include <set>

using namespace bench;

static constexpr int Threads = 128, Warps = Threads / 32;
static constexpr int Stages = 3, Neighbours = 4;
static constexpr double Rewired = 0.75;

__global__ void weigh(int Count, float Weight, const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = Weight * In[I];
}

__global__ void addWeighted(int Count, float Weight, const float *In,
                            float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] += Weight * In[I];
}

__global__ void rectify(int Count, float *Values) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Values[I] = fmaxf(Values[I], 0.0f);
}

/// A convolution of the three colours, or of each plane by itself.
__global__ void convolve(Convolution Of, const float *In, const float *Filters,
                         float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int OutSide = Of.outSide(), Channel = I / (OutSide * OutSide);
  if (Channel >= Of.Outputs)
    return;
  int Pixel = I % (OutSide * OutSide);
  int Top = Pixel / OutSide * Of.Stride - Of.Padding;
  int Left = Pixel % OutSide * Of.Stride - Of.Padding;
  int First = Channel / Of.groupOutputs() * Of.groupInputs();
  const float *Taps = Filters + Channel * Of.taps();
  float Sum = 0;
  for (int C = 0; C < Of.groupInputs(); ++C)
    for (int V = 0; V < Of.Kernel; ++V)
      for (int U = 0; U < Of.Kernel; ++U) {
        int Y = Top + V, X = Left + U;
        if (Y >= 0 && Y < Of.Side && X >= 0 && X < Of.Side)
          Sum += In[((First + C) * Of.Side + Y) * Of.Side + X] *
                 Taps[(C * Of.Kernel + V) * Of.Kernel + U];
      }
  Out[I] = Sum;
}

/// Each output plane from all input planes, pixel by pixel.
__global__ void mix(int Inputs, int Outputs, int Plane, const float *In,
                    const float *Weights, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Channel = I / Plane, Pixel = I % Plane;
  if (Channel >= Outputs)
    return;
  float Sum = 0;
  for (int C = 0; C < Inputs; ++C)
    Sum += Weights[Channel * Inputs + C] * In[C * Plane + Pixel];
  Out[I] = Sum;
}

__global__ void scaleAndShift(int Count, int Plane, const float *Scale,
                              const float *Shift, float *Values) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Values[I] = Values[I] * Scale[I / Plane] + Shift[I / Plane];
}

/// Of one block: the mean of one plane.
__global__ void average(int Plane, const float *In, float *Means) {
  float Sum = 0;
  for (int Pixel = threadIdx.x; Pixel < Plane; Pixel += Threads)
    Sum += In[blockIdx.x * Plane + Pixel];
  Sum = blockSum<Threads>(Sum);
  if (threadIdx.x == 0)
    Means[blockIdx.x] = Sum / float(Plane);
}

/// A warp gives one class.
__global__ void connect(int Inputs, int Outputs, const float *In,
                        const float *Weights, const float *Bias, float *Out) {
  int Row = blockIdx.x * Warps + threadIdx.x / 32;
  int Lane = threadIdx.x % 32;
  if (Row >= Outputs)
    return;
  float Sum = 0;
  for (int I = Lane; I < Inputs; I += 32)
    Sum += Weights[Row * Inputs + I] * In[I];
  for (int Distance = 16; Distance > 0; Distance /= 2)
    Sum += __shfl_down_sync(0xffffffffu, Sum, Distance);
  if (Lane == 0)
    Out[Row] = Sum + Bias[Row];
}

static dim3 gridOf(size_t Count) {
  return dim3((Count + Threads - 1) / Threads);
}

/// The inputs of each node, all of lower numbers: a ring in which each node
/// knows its nearest \p Neighbours, with one end of each tie moved to another
/// node at a chance of \p Chance, and every tie led upwards.
static std::vector<std::vector<int>> wired(uint64_t Seed, int Nodes,
                                           double Chance) {
  Random From(Seed);
  std::vector<std::set<int>> Ties(Nodes);
  auto Tie = [&](int A, int B) { Ties[A].insert(B), Ties[B].insert(A); };
  for (int Step = 1; Step <= Neighbours / 2; ++Step)
    for (int A = 0; A < Nodes; ++A)
      Tie(A, (A + Step) % Nodes);
  for (int Step = 1; Step <= Neighbours / 2; ++Step)
    for (int A = 0; A < Nodes; ++A) {
      int Old = (A + Step) % Nodes, New = int(From.below(Nodes));
      if (From.uniform(0, 1) >= Chance || New == A || Ties[A].count(New))
        continue;
      Ties[A].erase(Old), Ties[Old].erase(A);
      Tie(A, New);
    }
  std::vector<std::vector<int>> Inputs(Nodes);
  for (int A = 0; A < Nodes; ++A)
    for (int B : Ties[A])
      if (B < A)
        Inputs[A].push_back(B);
  return Inputs;
}

/// The sum of inputs with their weights, one launch for each.
static void launchSum(Program &Run, size_t Count,
                      const std::vector<const float *> &From,
                      const std::vector<float> &Weights, float *Out) {
  dim3 Grid = gridOf(Count);
  for (size_t I = 0; I < From.size(); ++I)
    if (I == 0) {
      weigh<<<Grid, Threads>>>(int(Count), Weights[I], From[I], Out);
      Run.launched("weigh", Grid, Threads);
    } else {
      addWeighted<<<Grid, Threads>>>(int(Count), Weights[I], From[I], Out);
      Run.launched("addWeighted", Grid, Threads);
    }
}

/// The same on the host.
static Bounds summed(const std::vector<const std::vector<float> *> &From,
                     const std::vector<float> &Weights) {
  Bounds Result(From[0]->size());
  parallelFor(Result.size() / 64 + 1, [&](size_t Part) {
    for (size_t I = Part * 64; I < Result.size() && I < Part * 64 + 64; ++I) {
      Sum<float> Total;
      for (size_t Each = 0; Each < From.size(); ++Each)
        Total.addProduct(Weights[Each], (*From[Each])[I]);
      Result[I] = Total.total();
    }
  });
  return Result;
}

/// One node: its weights and what it gives on the device.
struct Node {
  std::vector<int> Inputs;
  Convolution Each, Across;
  std::vector<float> Weights, Filters, Mixing, Scale, Shift;
  Array<float> DeviceFilters, DeviceMixing, DeviceScale, DeviceShift;
  Array<float> Total, Filtered, Out;

  /// A node without inputs of its graph reads the stage's, every 2nd pixel.
  Node(uint64_t Seed, std::vector<int> From, Planes In, int Channels)
      : Inputs(std::move(From)), Each{In.Channels,
                                      In.Channels,
                                      In.Channels,
                                      In.Side,
                                      3,
                                      Inputs.empty() ? 2 : 1,
                                      1},
        Across{In.Channels, Channels, 1, Each.outSide(), 1, 1, 0},
        Weights(
            seededWeights(Seed, 1, 1, std::max<size_t>(Inputs.size(), 1), 1)),
        Filters(seededWeights(Seed, 2, Each.Outputs, 9, keepingSize(9))),
        Mixing(seededWeights(Seed, 3, Channels, In.Channels,
                             keepingSize(In.Channels))),
        Scale(seededWeights(Seed, 4, 1, Channels, 0.5)),
        Shift(seededWeights(Seed, 5, 1, Channels, 0.1)), DeviceFilters(Filters),
        DeviceMixing(Mixing), DeviceScale(scales()), DeviceShift(Shift),
        Total(In.size()), Filtered(Each.out().size()),
        Out(Across.out().size()) {}

  Planes out() const { return Across.out(); }

  void launch(Program &Run, const std::vector<const float *> &From) {
    launchSum(Run, Total.size(), From, Weights, Total);
    dim3 Before = gridOf(Total.size()), Within = gridOf(Filtered.size());
    dim3 After = gridOf(Out.size());
    int Plane = out().Side * out().Side;
    rectify<<<Before, Threads>>>(int(Total.size()), Total);
    Run.launched("rectify", Before, Threads);
    convolve<<<Within, Threads>>>(Each, Total, DeviceFilters, Filtered);
    Run.launched("convolve", Within, Threads);
    mix<<<After, Threads>>>(Across.Inputs, Across.Outputs, Plane, Filtered,
                            DeviceMixing, Out);
    Run.launched("mix", After, Threads);
    scaleAndShift<<<After, Threads>>>(int(Out.size()), Plane, DeviceScale,
                                      DeviceShift, Out);
    Run.launched("scaleAndShift", After, Threads);
  }

  std::vector<float>
  check(Program &Run, const std::vector<const std::vector<float> *> &From) {
    std::vector<float> Sum = Total.download(), Middle = Filtered.download();
    Run.compare("a node's sum", Sum, rectified(summed(From, Weights)));
    Run.compare(
        "a convolution of each plane", Middle,
        convolved(Each, Sum, Filters, std::vector<float>(Each.Outputs, 0.0f)));
    Bounds Want = convolved(Across, Middle, Mixing,
                            std::vector<float>(Across.Outputs, 0.0f));
    size_t Plane = size_t(out().Side) * out().Side;
    for (size_t I = 0; I < Want.size(); ++I)
      Want[I] = Want[I] * Rounded<float>(Scale[I / Plane]) +
                Rounded<float>(Shift[I / Plane]);
    std::vector<float> Got = Out.download();
    Run.compare("a node", Got, Want);
    return Got;
  }

private:
  /// Makes the scales positive, around 1, and the weights like a sigmoid's.
  std::vector<float> &scales() {
    for (float &Each : Scale)
      Each += 1.0f;
    for (float &Each : Weights)
      Each = 1.0f / (1.0f + std::exp(-2.0f * Each));
    return Scale;
  }
};

/// A graph of nodes, and the mean of those that no other reads.
struct Stage {
  Planes In;
  std::vector<std::unique_ptr<Node>> Nodes;
  std::vector<int> Last;
  std::vector<float> Shares;
  std::unique_ptr<Array<float>> Out;

  Stage(uint64_t Seed, int Count, Planes In, int Channels) : In(In) {
    auto Graph = wired(Seed, Count, Rewired);
    std::vector<bool> Read(Count);
    Planes Within{Channels, (In.Side + 1) / 2};
    for (int I = 0; I < Count; ++I) {
      for (int Input : Graph[I])
        Read[Input] = true;
      Nodes.push_back(std::make_unique<Node>(Random(Seed + I).next(), Graph[I],
                                             Graph[I].empty() ? In : Within,
                                             Channels));
    }
    for (int I = 0; I < Count; ++I)
      if (!Read[I])
        Last.push_back(I);
    Shares.assign(Last.size(), 1.0f / float(Last.size()));
    Out = std::make_unique<Array<float>>(Within.size());
  }

  Planes out() const { return Nodes[0]->out(); }

  void launch(Program &Run, const float *From) {
    for (auto &Each : Nodes) {
      std::vector<const float *> Inputs;
      for (int Input : Each->Inputs)
        Inputs.push_back(Nodes[Input]->Out);
      Each->launch(Run, Inputs.empty() ? std::vector{From} : Inputs);
    }
    std::vector<const float *> Ends;
    for (int Each : Last)
      Ends.push_back(Nodes[Each]->Out);
    launchSum(Run, Out->size(), Ends, Shares, *Out);
  }

  std::vector<float> check(Program &Run, const std::vector<float> &From) {
    std::vector<std::vector<float>> Got;
    for (auto &Each : Nodes) {
      std::vector<const std::vector<float> *> Inputs;
      for (int Input : Each->Inputs)
        Inputs.push_back(&Got[Input]);
      Got.push_back(
          Each->check(Run, Inputs.empty() ? std::vector{&From} : Inputs));
    }
    std::vector<const std::vector<float> *> Ends;
    for (int Each : Last)
      Ends.push_back(&Got[Each]);
    std::vector<float> Mean = Out->download();
    Run.compare("a stage", Mean, summed(Ends, Shares));
    return Mean;
  }
};

/// The kinds of convolution by their definition, sums and means of known
/// values, and of the wiring: a ring where nothing moves, as many ties as that
/// where much does.
static void checkReference(Program &Run) {
  checkConvolution(Run, {5, 5, 5, 9, 3, 2, 1});
  checkConvolution(Run, {6, 4, 1, 5, 1, 1, 0});
  std::vector<float> Ones(18, 1.0f), Twos(18, 2.0f);
  Run.compare("a sum", summed({&Ones, &Twos}, {0.5f, 0.25f}), exactly(Ones));
  Run.compare("means", averaged({2, 3}, Twos, Threads),
              exactly(std::vector<float>(2, 2.0f)));

  int Nodes = 12, Moved = 0;
  auto Ring = wired(Run.seed(), Nodes, 0),
       Graph = wired(Run.seed(), Nodes, 0.75);
  size_t Ties = 0;
  for (int I = 0; I < Nodes; ++I) {
    std::vector<int> Want;
    for (int Other = 0; Other < I; ++Other)
      if (I - Other <= 2 || I - Other >= Nodes - 2)
        Want.push_back(Other);
    Run.expect(Ring[I] == Want, "a ring knows its neighbours");
    Moved += Graph[I] != Want;
    Ties += Graph[I].size();
  }
  Run.expect(Moved > 0 && Ties == size_t(Nodes) * Neighbours / 2,
             "ties are moved, not lost");
}

int main(int Argc, char **Argv) {
  Program Run("random-cnn", "classes of an image, by a network wired at random",
              {{"side", 32, "pixels on a side of the image", 8},
               {"channels", 78, "planes of the first stage; doubled twice"},
               {"nodes", 32, "nodes of each stage", 6},
               {"classes", 10, "classes"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Side = int(Run["side"]), Channels = int(Run["channels"]);
  int Classes = int(Run["classes"]), Nodes = int(Run["nodes"]);
  Run.require(Side <= 1024 && Channels <= 256,
              "--side is at most 1024, --channels at most 256");
  uint64_t Seed = Random(Run.seed()).next();
  Convolution Stem{3, Channels, 1, Side, 3, 1, 1};
  auto Image = seededWeights(Seed, 1, 3, size_t(Side) * Side, 1);
  auto Filters = seededWeights(Seed, 2, Channels, 27, keepingSize(27));
  std::vector<std::unique_ptr<Stage>> Network;
  for (int I = 0; I < Stages; ++I)
    Network.push_back(std::make_unique<Stage>(
        Seed + 1000 * (I + 1), Nodes, I ? Network[I - 1]->out() : Stem.out(),
        Channels << I));
  Planes End = Network.back()->out();
  auto Weights = seededWeights(Seed, 3, Classes, End.Channels, 1);
  auto Bias = seededWeights(Seed, 4, 1, Classes, 1);

  Array<float> DeviceImage(Image), DeviceFilters(Filters),
      Start(Stem.out().size());
  Array<float> DeviceWeights(Weights), DeviceBias(Bias);
  Array<float> Means(End.Channels), Scores(Classes);
  Run.measure(
      [] {},
      [&] {
        dim3 Grid = gridOf(Start.size());
        convolve<<<Grid, Threads>>>(Stem, DeviceImage, DeviceFilters, Start);
        Run.launched("convolve", Grid, Threads);
        const float *Now = Start;
        for (auto &Each : Network) {
          Each->launch(Run, Now);
          Now = *Each->Out;
        }
        average<<<End.Channels, Threads>>>(End.Side * End.Side, Now, Means);
        Run.launched("average", End.Channels, Threads);
        dim3 Rows((Classes + Warps - 1) / Warps);
        connect<<<Rows, Threads>>>(End.Channels, Classes, Means, DeviceWeights,
                                   DeviceBias, Scores);
        Run.launched("connect", Rows, Threads);
      });

  std::vector<float> Now = Start.download();
  Run.compare(
      "the first planes", Now,
      convolved(Stem, Image, Filters, std::vector<float>(Channels, 0.0f)));
  for (auto &Each : Network)
    Now = Each->check(Run, Now);
  std::vector<float> Mean = Means.download();
  Run.compare("the means", Mean, averaged(End, Now, Threads));
  Run.compare("the scores", Scores.download(),
              multiplied(Weights, Bias, Mean, warpDepth(Mean.size())));
  return Run.report();
}
