// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AlexNet: which of many classes one image shows. Five convolutions, three
// layers that connect all with all, ReLU after each, two normalizations across
// channels, three poolings, and a softmax of two launches: 22 in all, each of
// which reads what the one before it wrote.

#include "../common/Block.h"
#include "Network.h"

using namespace bench;

static constexpr int Threads = 256;
static constexpr int PoolSize = 3, PoolStride = 2;
static constexpr int Reach = 2;
static constexpr float Offset = 2.0f, Scale = 2e-5f, Power = -0.75f;

/// A block gives up to 256 pixels of one channel; it keeps the filter.
__global__ void convolve(Convolution Of, const float *In, const float *Filters,
                         const float *Bias, float *Out) {
  extern __shared__ float Filter[];
  int Channel = blockIdx.y;
  for (int I = threadIdx.x; I < Of.taps(); I += blockDim.x)
    Filter[I] = Filters[Channel * Of.taps() + I];
  __syncthreads();

  int OutSide = Of.outSide();
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Pixel >= OutSide * OutSide)
    return;
  int Top = Pixel / OutSide * Of.Stride - Of.Padding;
  int Left = Pixel % OutSide * Of.Stride - Of.Padding;
  int First = Channel / Of.groupOutputs() * Of.groupInputs();
  float Sum = Bias[Channel];
  for (int C = 0; C < Of.groupInputs(); ++C) {
    const float *Plane = In + (First + C) * Of.Side * Of.Side;
    const float *Taps = Filter + C * Of.Kernel * Of.Kernel;
    float Part = 0;
    for (int V = 0; V < Of.Kernel; ++V)
      for (int U = 0; U < Of.Kernel; ++U) {
        int Y = Top + V, X = Left + U;
        if (Y >= 0 && Y < Of.Side && X >= 0 && X < Of.Side)
          Part += Plane[Y * Of.Side + X] * Taps[V * Of.Kernel + U];
      }
    Sum += Part;
  }
  Out[Channel * OutSide * OutSide + Pixel] = Sum;
}

__global__ void rectify(int Plane, float *Values) {
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Pixel < Plane)
    Values[blockIdx.y * Plane + Pixel] =
        fmaxf(Values[blockIdx.y * Plane + Pixel], 0.0f);
}

/// Divides by a power of the squares of the two channels on each side.
__global__ void normalize(int Channels, int Plane, const float *In,
                          float *Out) {
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int Channel = blockIdx.y;
  if (Pixel >= Plane)
    return;
  float Squares = 0;
  for (int C = max(Channel - Reach, 0); C <= min(Channel + Reach, Channels - 1);
       ++C)
    Squares += In[C * Plane + Pixel] * In[C * Plane + Pixel];
  Out[Channel * Plane + Pixel] =
      In[Channel * Plane + Pixel] * powf(Offset + Scale * Squares, Power);
}

__global__ void poolLargest(int Side, int OutSide, const float *In,
                            float *Out) {
  int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (Pixel >= OutSide * OutSide)
    return;
  int Top = Pixel / OutSide * PoolStride, Left = Pixel % OutSide * PoolStride;
  const float *Plane = In + blockIdx.y * Side * Side;
  float Largest = Plane[Top * Side + Left];
  for (int V = 0; V < PoolSize; ++V)
    for (int U = 0; U < PoolSize; ++U)
      Largest = fmaxf(Largest, Plane[(Top + V) * Side + Left + U]);
  Out[blockIdx.y * OutSide * OutSide + Pixel] = Largest;
}

/// A block gives one output; Inputs is a multiple of 4.
__global__ void connect(int Inputs, const float4 *In, const float4 *Weights,
                        const float *Bias, float *Out) {
  const float4 *Row = Weights + size_t(blockIdx.x) * (Inputs / 4);
  float Sum = 0;
  for (int I = threadIdx.x; I < Inputs / 4; I += Threads) {
    float4 A = Row[I], B = In[I];
    Sum += A.x * B.x + A.y * B.y + A.z * B.z + A.w * B.w;
  }
  Sum = blockSum<Threads>(Sum);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Sum + Bias[blockIdx.x];
}

/// Of one block: the largest value and the sum of the exponentials.
__global__ void softmaxSum(int Count, const float *In, float *LargestAndSum) {
  __shared__ float Shared[Threads];
  int I = threadIdx.x;
  float Largest = -INFINITY;
  for (int Each = I; Each < Count; Each += Threads)
    Largest = fmaxf(Largest, In[Each]);
  Shared[I] = Largest;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (I < Half)
      Shared[I] = fmaxf(Shared[I], Shared[I + Half]);
    __syncthreads();
  }
  Largest = Shared[0];

  float Sum = 0;
  for (int Each = I; Each < Count; Each += Threads)
    Sum += expf(In[Each] - Largest);
  Sum = blockSum<Threads>(Sum);
  if (I == 0) {
    LargestAndSum[0] = Largest;
    LargestAndSum[1] = Sum;
  }
}

__global__ void softmaxScale(int Count, const float *In,
                             const float *LargestAndSum, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = expf(In[I] - LargestAndSum[0]) / LargestAndSum[1];
}

static Bounds normalized(int Channels, const std::vector<float> &In) {
  size_t Plane = In.size() / Channels;
  Bounds Result(In.size());
  parallelFor(Channels, [&](size_t Channel) {
    for (size_t Pixel = 0; Pixel < Plane; ++Pixel) {
      Sum<float> Squares;
      for (int C = int(Channel) - Reach; C <= int(Channel) + Reach; ++C)
        if (C >= 0 && C < Channels)
          Squares.addProduct(In[C * Plane + Pixel], In[C * Plane + Pixel]);
      Rounded<float> Base =
          Rounded<float>(Offset) + Rounded<float>(Scale) * Squares.total();
      // The base is at least 2, where the power falls by less than 1 in 1.
      Rounded<float> Factor = apply(
          Base, [](double V) { return std::pow(V, double(Power)); }, 1.0, 4);
      Result[Channel * Plane + Pixel] =
          Rounded<float>(In[Channel * Plane + Pixel]) * Factor;
    }
  });
  return Result;
}

static std::vector<float> pooled(int Side, int OutSide,
                                 const std::vector<float> &In) {
  size_t Channels = In.size() / (size_t(Side) * Side);
  std::vector<float> Result;
  for (size_t Channel = 0; Channel < Channels; ++Channel)
    for (int Y = 0; Y < OutSide; ++Y)
      for (int X = 0; X < OutSide; ++X) {
        float Largest = -INFINITY;
        for (int I = 0; I < PoolSize * PoolSize; ++I)
          Largest = std::max(
              Largest,
              In[(Channel * Side + Y * PoolStride + I / PoolSize) * Side +
                 X * PoolStride + I % PoolSize]);
        Result.push_back(Largest);
      }
  return Result;
}

static Bounds softmax(const std::vector<float> &In) {
  Rounded<float> Largest(*std::max_element(In.begin(), In.end()));
  Bounds Result;
  Sum<float> Total;
  for (float Each : In) {
    Result.push_back(exp(Rounded<float>(Each) - Largest));
    Total.add(Result.back());
  }
  for (Rounded<float> &Each : Result)
    Each /= Total.total();
  return Result;
}

static dim3 gridOf(Planes Of) {
  return dim3((Of.Side * Of.Side + Threads - 1) / Threads, Of.Channels);
}

/// A convolution, its ReLU in place, and perhaps more behind it.
struct ConvolutionLayer {
  Convolution Of;
  bool Normalizes, Pools;
  std::vector<float> Filters, Bias;
  Array<float> DeviceFilters, DeviceBias, Out, Normal, Pool;

  ConvolutionLayer(uint64_t Seed, uint64_t Which, Convolution Of,
                   bool Normalizes, bool Pools)
      : Of(Of), Normalizes(Normalizes), Pools(Pools),
        Filters(seededWeights(Seed, Which, Of.Outputs, Of.taps(),
                              keepingSize(Of.taps()))),
        Bias(seededWeights(Seed, Which + 20, 1, Of.Outputs, 0.1)),
        DeviceFilters(Filters), DeviceBias(Bias), Out(Of.out().size()),
        Normal(Normalizes ? Of.out().size() : 1),
        Pool(Pools ? poolOut().size() : 1) {}

  Planes poolOut() const {
    return {Of.Outputs, (Of.outSide() - PoolSize) / PoolStride + 1};
  }
  Planes last() const { return Pools ? poolOut() : Of.out(); }
  const Array<float> &lastOut() const {
    return Pools ? Pool : Normalizes ? Normal : Out;
  }

  void launch(Program &Run, const float *In) {
    int Side = Of.outSide();
    dim3 Grid = gridOf(Of.out());
    convolve<<<Grid, Threads, Of.taps() * sizeof(float)>>>(
        Of, In, DeviceFilters, DeviceBias, Out);
    Run.launched("convolve", Grid, Threads);
    rectify<<<Grid, Threads>>>(Side * Side, Out);
    Run.launched("rectify", Grid, Threads);
    if (Normalizes) {
      normalize<<<Grid, Threads>>>(Of.Outputs, Side * Side, Out, Normal);
      Run.launched("normalize", Grid, Threads);
    }
    if (Pools) {
      dim3 Fewer = gridOf(poolOut());
      poolLargest<<<Fewer, Threads>>>(Side, poolOut().Side,
                                      Normalizes ? Normal : Out, Pool);
      Run.launched("poolLargest", Fewer, Threads);
    }
  }

  /// Compares with what the host makes of \p In; what the device made of it.
  std::vector<float> check(Program &Run, const std::vector<float> &In) const {
    std::vector<float> Now = Out.download();
    Run.compare("a convolution", Now,
                rectified(convolved(Of, In, Filters, Bias)));
    if (Normalizes) {
      std::vector<float> Next = Normal.download();
      Run.compare("a normalization", Next, normalized(Of.Outputs, Now));
      Now = Next;
    }
    if (Pools) {
      std::vector<float> Next = Pool.download();
      Run.compare("a pooling", Next, pooled(Of.outSide(), poolOut().Side, Now));
      Now = Next;
    }
    return Now;
  }
};

/// A layer of all with all, and its ReLU in place.
struct ConnectedLayer {
  int Inputs, Outputs;
  bool Rectifies;
  std::vector<float> Weights, Bias;
  Array<float> DeviceWeights, DeviceBias, Out;

  ConnectedLayer(uint64_t Seed, uint64_t Which, int Inputs, int Outputs,
                 bool Rectifies)
      : Inputs(Inputs), Outputs(Outputs), Rectifies(Rectifies),
        Weights(seededWeights(Seed, Which, Outputs, Inputs,
                              keepingSize(Inputs) * (Rectifies ? 1 : 0.05))),
        Bias(seededWeights(Seed, Which + 20, 1, Outputs, 0.1)),
        DeviceWeights(Weights), DeviceBias(Bias), Out(Outputs) {}

  void launch(Program &Run, const float *In) {
    connect<<<Outputs, Threads>>>(
        Inputs, reinterpret_cast<const float4 *>(In),
        reinterpret_cast<const float4 *>(DeviceWeights.data()), DeviceBias,
        Out);
    Run.launched("connect", Outputs, Threads);
    if (!Rectifies)
      return;
    dim3 Fewer((Outputs + Threads - 1) / Threads);
    rectify<<<Fewer, Threads>>>(Outputs, Out);
    Run.launched("rectify", Fewer, Threads);
  }

  std::vector<float> check(Program &Run, const std::vector<float> &In) const {
    std::vector<float> Now = Out.download();
    // A thread adds four products to its sum, a block adds in a tree of 8.
    double Depth = double(Inputs / 4 / Threads + 1) + 4 + 8;
    Bounds Want = multiplied(Weights, Bias, In, Depth + 1);
    Run.compare("a connected layer", Now, Rectifies ? rectified(Want) : Want);
    return Now;
  }
};

/// Sizes of AlexNet are multiples of its 32 smallest steps: \p Width of them.
static std::vector<std::unique_ptr<ConvolutionLayer>>
convolutions(uint64_t Seed, int Side, int Width) {
  struct Plan {
    int Outputs, Groups, Kernel, Stride, Padding;
    bool Normalizes, Pools;
  };
  static constexpr Plan Plans[] = {{3, 1, 11, 4, 0, true, true},
                                   {8, 2, 5, 1, 2, true, true},
                                   {12, 1, 3, 1, 1, false, false},
                                   {12, 2, 3, 1, 1, false, false},
                                   {8, 2, 3, 1, 1, false, true}};
  std::vector<std::unique_ptr<ConvolutionLayer>> Layers;
  Planes Now{3, Side};
  for (const Plan &Each : Plans) {
    Convolution Of{Now.Channels, Each.Outputs * Width, Each.Groups, Now.Side,
                   Each.Kernel,  Each.Stride,          Each.Padding};
    Layers.push_back(std::make_unique<ConvolutionLayer>(
        Seed, Layers.size(), Of, Each.Normalizes, Each.Pools));
    Now = Layers.back()->last();
  }
  return Layers;
}

/// A convolution by its definition, a pooling and a normalization of numbers
/// with known results, and a softmax against the logarithm of its sum.
static void checkReference(Program &Run) {
  checkConvolution(Run, {3, 4, 1, 31, 11, 4, 0});
  checkConvolution(Run, {6, 4, 2, 9, 5, 1, 2});
  checkConvolution(Run, {4, 6, 2, 7, 3, 1, 1});

  std::vector<float> Rising(2 * 7 * 7);
  for (size_t I = 0; I < Rising.size(); ++I)
    Rising[I] = float(I);
  std::vector<float> Corners;
  for (int I = 0; I < 18; ++I)
    Corners.push_back(
        float(I / 9 * 49 + (I / 3 % 3 * 2 + 2) * 7 + I % 3 * 2 + 2));
  Run.compare("a pooling", pooled(7, 3, Rising), Corners);

  double Base = double(Offset) + double(Scale) * 3 * 90000;
  Bounds Known(3, Rounded<float>::nearest(300 * std::pow(Base, -0.75), 0));
  Run.compare("a normalization", normalized(3, std::vector<float>(3, 300.0f)),
              Known);

  Random From(Run.seed());
  std::vector<float> Values = randomVector<float>(From, 40, -5, 5);
  double Total = 0;
  for (float Each : Values)
    Total += std::exp(double(Each));
  Bounds Want;
  for (float Each : Values)
    Want.push_back(
        Rounded<float>::nearest(std::exp(Each - std::log(Total)), 0));
  Run.compare("a softmax", softmax(Values), Want);
}

int main(int Argc, char **Argv) {
  Program Run("alexnet", "AlexNet's classes for one image",
              {{"side", 227, "pixels on a side of the image", 67},
               {"width", 32, "channels and units, in 32nds of AlexNet's"},
               {"classes", 1000, "classes"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Side = int(Run["side"]), Width = int(Run["width"]);
  int Classes = int(Run["classes"]);
  Run.require(Side <= 2000, "--side is at most 2000");
  Run.require(Width <= 128 && Width % 2 == 0, "--width is even, at most 128");
  uint64_t Seed = Run.seed();
  std::vector<float> Image = seededWeights(Seed, 50, 3, Side * Side, 128);
  auto Layers = convolutions(Seed, Side, Width);
  std::vector<std::unique_ptr<ConnectedLayer>> Tail;
  int Inputs = int(Layers.back()->last().size());
  for (int Outputs : {128 * Width, 128 * Width, Classes}) {
    Tail.push_back(std::make_unique<ConnectedLayer>(
        Seed, 10 + Tail.size(), Inputs, Outputs, Tail.size() < 2));
    Inputs = Outputs;
  }

  Array<float> DeviceImage(Image), LargestAndSum(2), Chances(Classes);
  Run.measure([] {},
              [&] {
                const float *Now = DeviceImage;
                for (auto &Each : Layers) {
                  Each->launch(Run, Now);
                  Now = Each->lastOut();
                }
                for (auto &Each : Tail) {
                  Each->launch(Run, Now);
                  Now = Each->Out;
                }
                softmaxSum<<<1, Threads>>>(Classes, Now, LargestAndSum);
                Run.launched("softmaxSum", 1, Threads);
                dim3 Grid((Classes + Threads - 1) / Threads);
                softmaxScale<<<Grid, Threads>>>(Classes, Now, LargestAndSum,
                                                Chances);
                Run.launched("softmaxScale", Grid, Threads);
              });

  std::vector<float> Now = Image;
  for (auto &Each : Layers)
    Now = Each->check(Run, Now);
  for (auto &Each : Tail)
    Now = Each->check(Run, Now);
  Run.compare("the chances", Chances.download(), softmax(Now));
  return Run.report();
}
