// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A convolutional network whose layers depend on the image. Before each layer a
// gate looks at the means of the planes and chooses: leave the layer out, a
// plain convolution, a bottleneck of three, or a convolution of each plane and
// one across. The host reads the choice back, then launches that branch.

#include "../alexnet/Network.h"
#include "../common/Block.h"

using namespace bench;

static constexpr int Threads = 128, Warps = Threads / 32;
static constexpr int Stages = 3, Choices = 4;

__global__ void convolve(Convolution Of, const float *In, const float *Filters,
                         const float *Bias, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int OutSide = Of.outSide(), Channel = I / (OutSide * OutSide);
  if (Channel >= Of.Outputs)
    return;
  int Pixel = I % (OutSide * OutSide);
  int Top = Pixel / OutSide * Of.Stride - Of.Padding;
  int Left = Pixel % OutSide * Of.Stride - Of.Padding;
  int First = Channel / Of.groupOutputs() * Of.groupInputs();
  const float *Taps = Filters + Channel * Of.taps();
  float Sum = Bias[Channel];
  for (int C = 0; C < Of.groupInputs(); ++C) {
    float Part = 0;
    for (int V = 0; V < Of.Kernel; ++V)
      for (int U = 0; U < Of.Kernel; ++U) {
        int Y = Top + V, X = Left + U;
        if (Y >= 0 && Y < Of.Side && X >= 0 && X < Of.Side)
          Part += In[((First + C) * Of.Side + Y) * Of.Side + X] *
                  Taps[(C * Of.Kernel + V) * Of.Kernel + U];
      }
    Sum += Part;
  }
  Out[I] = Sum;
}

__global__ void rectify(int Count, float *Values) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Values[I] = fmaxf(Values[I], 0.0f);
}

__global__ void addRectified(int Count, const float *Around,
                             const float *Through, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = fmaxf(Around[I] + Through[I], 0.0f);
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

/// A warp gives the sum of one row of \p Weights times \p In in its lane 0.
static __device__ float timesRow(int Inputs, const float *In,
                                 const float *Weights) {
  float Sum = 0;
  for (int I = threadIdx.x % 32; I < Inputs; I += 32)
    Sum += Weights[I] * In[I];
  for (int Distance = 16; Distance > 0; Distance /= 2)
    Sum += __shfl_down_sync(0xffffffffu, Sum, Distance);
  return Sum;
}

/// One block, a warp for each choice: the scores, and which is the largest.
__global__ void choose(int Inputs, const float *Means, const float *Weights,
                       const float *Bias, float *Scores, int *Choice) {
  __shared__ float Shared[Choices];
  int Row = threadIdx.x / 32;
  float Sum = timesRow(Inputs, Means, Weights + Row * Inputs);
  if (threadIdx.x % 32 == 0)
    Scores[Row] = Shared[Row] = Sum + Bias[Row];
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  int Best = 0;
  for (int Other = 1; Other < Choices; ++Other)
    if (Shared[Other] > Shared[Best])
      Best = Other;
  *Choice = Best;
}

/// A warp gives one class.
__global__ void connect(int Inputs, int Outputs, const float *In,
                        const float *Weights, const float *Bias, float *Out) {
  int Row = blockIdx.x * Warps + threadIdx.x / 32;
  if (Row >= Outputs)
    return;
  float Sum = timesRow(Inputs, In, Weights + Row * Inputs);
  if (threadIdx.x % 32 == 0)
    Out[Row] = Sum + Bias[Row];
}

static dim3 gridOf(size_t Count) {
  return dim3((Count + Threads - 1) / Threads);
}

/// A convolution with its weights and what it gives on the device.
struct Filtering {
  Convolution Of;
  bool Rectifies;
  std::vector<float> Filters, Bias;
  Array<float> DeviceFilters, DeviceBias, Out;

  Filtering(uint64_t Seed, Convolution Of, bool Rectifies)
      : Of(Of), Rectifies(Rectifies),
        Filters(seededWeights(Seed, 1, Of.Outputs, Of.taps(),
                              keepingSize(Of.taps()) * (Rectifies ? 1 : 0.5))),
        Bias(seededWeights(Seed, 2, 1, Of.Outputs, 0.1)),
        DeviceFilters(Filters), DeviceBias(Bias), Out(Of.out().size()) {}

  void launch(Program &Run, const float *In) {
    dim3 Grid = gridOf(Out.size());
    convolve<<<Grid, Threads>>>(Of, In, DeviceFilters, DeviceBias, Out);
    Run.launched("convolve", Grid, Threads);
    if (!Rectifies)
      return;
    rectify<<<Grid, Threads>>>(int(Out.size()), Out);
    Run.launched("rectify", Grid, Threads);
  }

  std::vector<float> check(Program &Run, const std::vector<float> &In) {
    std::vector<float> Got = Out.download();
    Bounds Want = convolved(Of, In, Filters, Bias);
    Run.compare("a convolution", Got, Rectifies ? rectified(Want) : Want);
    return Got;
  }
};

using Filterings = std::vector<std::unique_ptr<Filtering>>;

/// Chooses by the means of the planes.
struct Gate {
  Planes In;
  std::vector<float> Weights, Bias;
  Array<float> DeviceWeights, DeviceBias, Means, Scores;
  Array<int> Choice;

  Gate(uint64_t Seed, Planes In)
      : In(In), Weights(seededWeights(Seed, 3, Choices, In.Channels, 1)),
        Bias(seededWeights(Seed, 4, 1, Choices, 0.5)), DeviceWeights(Weights),
        DeviceBias(Bias), Means(In.Channels), Scores(Choices), Choice(1) {}

  /// The choice, on the host.
  int launch(Program &Run, const float *From) {
    average<<<In.Channels, Threads>>>(In.Side * In.Side, From, Means);
    Run.launched("average", In.Channels, Threads);
    choose<<<1, Threads>>>(In.Channels, Means, DeviceWeights, DeviceBias,
                           Scores, Choice);
    Run.launched("choose", 1, Threads);
    return Choice.download()[0];
  }

  /// Whether \p Chosen is the first largest of scores that are right.
  void check(Program &Run, const std::vector<float> &From, int Chosen) {
    std::vector<float> Mean = Means.download(), Score = Scores.download();
    Run.compare("the means", Mean, averaged(In, From, Threads));
    Run.compare("the scores", Score,
                multiplied(Weights, Bias, Mean, warpDepth(Mean.size())));
    auto Best = std::max_element(Score.begin(), Score.end());
    Run.expect(Chosen == Best - Score.begin(), "the choice is the largest");
  }
};

/// A gate and its branches, of which the first is to do nothing.
struct Layer {
  Gate Chooses;
  Filterings Branches[Choices];
  Array<float> Out;
  int Chosen = 0;

  Layer(uint64_t Seed, Planes In) : Chooses(Seed, In), Out(In.size()) {
    int All = In.Channels, Few = std::max(1, All / 4), Side = In.Side;
    add(Seed, 1, {All, All, 1, Side, 3, 1, 1}, false);
    add(Seed, 2, {All, Few, 1, Side, 1, 1, 0}, true);
    add(Seed, 2, {Few, Few, 1, Side, 3, 1, 1}, true);
    add(Seed, 2, {Few, All, 1, Side, 1, 1, 0}, false);
    add(Seed, 3, {All, All, All, Side, 5, 1, 2}, true);
    add(Seed, 3, {All, All, 1, Side, 1, 1, 0}, false);
  }

  /// What the next layer reads.
  const float *launch(Program &Run, const float *In) {
    Chosen = Chooses.launch(Run, In);
    if (Chosen == 0)
      return In;
    const float *Now = In;
    for (auto &Each : Branches[Chosen]) {
      Each->launch(Run, Now);
      Now = Each->Out;
    }
    dim3 Grid = gridOf(Out.size());
    addRectified<<<Grid, Threads>>>(int(Out.size()), In, Now, Out);
    Run.launched("addRectified", Grid, Threads);
    return Out;
  }

  std::vector<float> check(Program &Run, const std::vector<float> &In) {
    Chooses.check(Run, In, Chosen);
    if (Chosen == 0)
      return In;
    std::vector<float> Through = In;
    for (auto &Each : Branches[Chosen])
      Through = Each->check(Run, Through);
    Bounds Want;
    for (size_t I = 0; I < In.size(); ++I)
      Want.push_back(Rounded<float>(In[I]) + Rounded<float>(Through[I]));
    std::vector<float> Got = Out.download();
    Run.compare("a layer", Got, rectified(Want));
    return Got;
  }

private:
  void add(uint64_t Seed, int Branch, Convolution Of, bool Rectifies) {
    size_t Before = Branches[Branch].size() + 10 * Branch;
    Branches[Branch].push_back(std::make_unique<Filtering>(
        Random(Seed + Before).next(), Of, Rectifies));
  }
};

/// Coarser pixels and more planes, then layers of that size.
struct Stage {
  Filtering Enters;
  std::vector<std::unique_ptr<Layer>> Layers;

  Stage(uint64_t Seed, int Count, Convolution Of) : Enters(Seed, Of, true) {
    for (int I = 1; I <= Count; ++I)
      Layers.push_back(std::make_unique<Layer>(Seed + 100 * I, Of.out()));
  }

  const float *launch(Program &Run, const float *In) {
    Enters.launch(Run, In);
    const float *Now = Enters.Out;
    for (auto &Each : Layers)
      Now = Each->launch(Run, Now);
    return Now;
  }

  std::vector<float> check(Program &Run, const std::vector<float> &In) {
    std::vector<float> Now = Enters.check(Run, In);
    for (auto &Each : Layers)
      Now = Each->check(Run, Now);
    return Now;
  }
};

/// Three planes, each with its own brightness, slope and noise.
static std::vector<float> image(uint64_t Seed, int Side) {
  Random From(Seed);
  std::vector<float> Pixels;
  for (int Colour = 0; Colour < 3; ++Colour) {
    double Base = From.uniform(-1, 1), Right = From.uniform(-2, 2);
    double Down = From.uniform(-2, 2), Noise = From.uniform(0, 1);
    for (int Y = 0; Y < Side; ++Y)
      for (int X = 0; X < Side; ++X)
        Pixels.push_back(float(Base + Right * (X - Side / 2.0) / Side +
                               Down * (Y - Side / 2.0) / Side +
                               Noise * From.uniform(-1, 1)));
  }
  return Pixels;
}

/// Every kind of convolution by its definition, and means of known values.
static void checkReference(Program &Run) {
  checkConvolution(Run, {3, 4, 1, 9, 3, 1, 1});
  checkConvolution(Run, {4, 6, 1, 9, 3, 2, 1});
  checkConvolution(Run, {5, 5, 5, 8, 5, 1, 2});
  checkConvolution(Run, {6, 4, 1, 5, 1, 1, 0});
  std::vector<float> Rising(2 * 15 * 15);
  for (size_t I = 0; I < Rising.size(); ++I)
    Rising[I] = float(I);
  Run.compare("means", averaged({2, 15}, Rising, Threads),
              exactly({112.0f, 337.0f}));
}

int main(int Argc, char **Argv) {
  Program Run("dynamic-cnn", "classes of an image, by layers that it chooses",
              {{"side", 32, "pixels on a side of the image", 8},
               {"channels", 64, "planes of the first stage; doubled twice"},
               {"layers", 6, "layers of each stage"},
               {"classes", 10, "classes"},
               {"image", 1, "which image; the weights stay"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Side = int(Run["side"]), Channels = int(Run["channels"]);
  int Classes = int(Run["classes"]), Layers = int(Run["layers"]);
  Run.require(Side <= 1024 && Channels <= 256,
              "--side is at most 1024, --channels at most 256");
  uint64_t Seed = Random(Run.seed()).next();
  std::vector<float> Image = image(Seed + Run["image"], Side);
  std::vector<std::unique_ptr<Stage>> Network;
  Planes Now{3, Side};
  for (int I = 0; I < Stages; ++I) {
    Convolution Of{Now.Channels, Channels << I, 1, Now.Side, 3, I ? 2 : 1, 1};
    Network.push_back(std::make_unique<Stage>(Seed + 10000 * I, Layers, Of));
    Now = Of.out();
  }
  auto Weights = seededWeights(Seed, 5, Classes, Now.Channels, 1);
  auto Bias = seededWeights(Seed, 6, 1, Classes, 1);

  Array<float> DeviceImage(Image), DeviceWeights(Weights), DeviceBias(Bias);
  Array<float> Means(Now.Channels), Scores(Classes);
  Run.measure([] {},
              [&] {
                const float *From = DeviceImage;
                for (auto &Each : Network)
                  From = Each->launch(Run, From);
                average<<<Now.Channels, Threads>>>(Now.Side * Now.Side, From,
                                                   Means);
                Run.launched("average", Now.Channels, Threads);
                dim3 Rows((Classes + Warps - 1) / Warps);
                connect<<<Rows, Threads>>>(Now.Channels, Classes, Means,
                                           DeviceWeights, DeviceBias, Scores);
                Run.launched("connect", Rows, Threads);
              });

  std::vector<float> Values = Image;
  for (auto &Each : Network)
    Values = Each->check(Run, Values);
  std::vector<float> Mean = Means.download();
  Run.compare("the means", Mean, averaged(Now, Values, Threads));
  Run.compare("the classes", Scores.download(),
              multiplied(Weights, Bias, Mean, warpDepth(Mean.size())));
  return Run.report();
}
