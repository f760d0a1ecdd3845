// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the networks of this folder's programs share on the host:
// seeded weights, and each kind of layer once more in double, with how far a
// device may stray from it.
//
// Errors are those of one layer: a check feeds each layer what the device gave
// it, and compares what the device made of it. Through a whole network the
// bounds would grow by the square root of every layer's width, and say nothing.

#ifndef BLOCKMAESTRO_BENCHMARKS_ALEXNET_NETWORK_H
#define BLOCKMAESTRO_BENCHMARKS_ALEXNET_NETWORK_H

#include "../common/Program.h"

#include <memory>

namespace bench {

/// Values of a layer: one square plane for each channel.
struct Planes {
  int Channels, Side;
  size_t size() const { return size_t(Channels) * Side * Side; }
};

/// A convolution of square planes; each group of outputs sees its own inputs.
struct Convolution {
  int Inputs, Outputs, Groups, Side, Kernel, Stride, Padding;

  __host__ __device__ int outSide() const {
    return (Side + 2 * Padding - Kernel) / Stride + 1;
  }
  __host__ __device__ int groupInputs() const { return Inputs / Groups; }
  __host__ __device__ int groupOutputs() const { return Outputs / Groups; }
  __host__ __device__ int taps() const {
    return Inputs / Groups * Kernel * Kernel;
  }
  Planes out() const { return {Outputs, outSide()}; }
};

using Bounds = std::vector<Rounded<float>>;

/// Rows x Columns weights between -Limit and Limit; Which tells layers apart.
inline std::vector<float> seededWeights(uint64_t Seed, uint64_t Which,
                                        size_t Rows, size_t Columns,
                                        double Limit) {
  std::vector<float> Weights(Rows * Columns);
  parallelFor(Rows, [&](size_t Row) {
    Random From(Random(Seed ^ (Which << 40) ^ (Row << 8)).next());
    for (size_t I = 0; I < Columns; ++I)
      Weights[Row * Columns + I] = float(From.uniform(-Limit, Limit));
  });
  return Weights;
}

/// The limit that keeps the size of values through a layer with ReLU.
inline double keepingSize(size_t Terms) { return std::sqrt(6.0 / Terms); }

/// A sum of \p Terms products with sizes \p Size, where each product passes at
/// most \p Depth roundings: its own and those of the additions it goes through.
inline Rounded<float> roundedSum(double Value, double Size, double Terms,
                                 double Depth) {
  return Rounded<float>::within(Value, gamma<float>(Depth) * Size +
                                           Terms * Rounding<float>::Least);
}

/// The part of the outputs of one row for which tap \p Tap falls inside:
/// columns [first, second).
inline std::pair<int, int> insideOf(const Convolution &Of, int Tap) {
  int First = Of.Padding - Tap, Last = Of.Side - 1 + Of.Padding - Tap;
  int Begin = First > 0 ? (First + Of.Stride - 1) / Of.Stride : 0;
  int End = Last < 0 ? 0 : std::min(Of.outSide(), Last / Of.Stride + 1);
  return {Begin, End};
}

/// Adds one filter plane applied to one input plane.
inline void addPlane(const Convolution &Of, const float *In,
                     const float *Filter, std::vector<double> &Value,
                     std::vector<double> &Size) {
  int Out = Of.outSide();
  for (int V = 0; V < Of.Kernel; ++V)
    for (int U = 0; U < Of.Kernel; ++U) {
      auto [Begin, End] = insideOf(Of, U);
      auto [Top, Bottom] = insideOf(Of, V);
      double Weight = Filter[V * Of.Kernel + U];
      for (int Y = Top; Y < Bottom; ++Y) {
        const float *Row = In +
                           size_t(Y * Of.Stride + V - Of.Padding) * Of.Side +
                           U - Of.Padding;
        for (int X = Begin; X < End; ++X) {
          double Product = Weight * Row[X * Of.Stride];
          Value[Y * Out + X] += Product;
          Size[Y * Out + X] += std::fabs(Product);
        }
      }
    }
}

/// The convolution of \p In. The device adds the taps of one input channel,
/// then the channels and the bias, one after the other.
inline Bounds convolved(const Convolution &Of, const std::vector<float> &In,
                        const std::vector<float> &Filters,
                        const std::vector<float> &Bias) {
  size_t Out = size_t(Of.outSide()) * Of.outSide();
  size_t Plane = size_t(Of.Side) * Of.Side;
  int Window = Of.Kernel * Of.Kernel;
  Bounds Result(Of.out().size());
  parallelFor(Of.Outputs, [&](size_t Channel) {
    std::vector<double> Value(Out, Bias[Channel]);
    std::vector<double> Size(Out, std::fabs(Bias[Channel]));
    size_t First = Channel / Of.groupOutputs() * Of.groupInputs();
    for (int C = 0; C < Of.groupInputs(); ++C)
      addPlane(Of, &In[(First + C) * Plane],
               &Filters[Channel * Of.taps() + size_t(C) * Window], Value, Size);
    for (size_t I = 0; I < Out; ++I)
      Result[Channel * Out + I] = roundedSum(Value[I], Size[I], Of.taps(),
                                             Window + Of.groupInputs() + 2);
  });
  return Result;
}

/// Rows of \p Weights times \p In plus \p Bias, where each product passes at
/// most \p Depth roundings.
inline Bounds multiplied(const std::vector<float> &Weights,
                         const std::vector<float> &Bias,
                         const std::vector<float> &In, double Depth) {
  size_t Columns = In.size();
  Bounds Result(Bias.size());
  parallelFor(Result.size(), [&](size_t Row) {
    double Value = Bias[Row], Size = std::fabs(Bias[Row]);
    for (size_t I = 0; I < Columns; ++I) {
      double Product = double(Weights[Row * Columns + I]) * In[I];
      Value += Product;
      Size += std::fabs(Product);
    }
    Result[Row] = roundedSum(Value, Size, double(Columns), Depth);
  });
  return Result;
}

/// The roundings of a product that a warp adds: its own, its lane's additions
/// of every 32nd, those of the lanes in a tree, and the bias.
inline double warpDepth(size_t Columns) { return double(Columns / 32 + 1) + 7; }

/// The mean of each plane: each of \p Threads threads, a power of 2, adds its
/// share of the pixels, then the block adds in a tree.
inline Bounds averaged(Planes Of, const std::vector<float> &In, int Threads) {
  Bounds Result;
  size_t Plane = size_t(Of.Side) * Of.Side;
  for (size_t Channel = 0; Channel < size_t(Of.Channels); ++Channel) {
    double Value = 0, Size = 0;
    for (size_t I = Channel * Plane; I < (Channel + 1) * Plane; ++I) {
      Value += In[I];
      Size += std::fabs(In[I]);
    }
    Rounded<float> Total =
        roundedSum(Value, Size, double(Plane),
                   double(Plane / Threads + 1) + std::log2(Threads));
    Result.push_back(Total / Rounded<float>(float(Plane)));
  }
  return Result;
}

/// Negative values become 0.
inline Bounds rectified(Bounds Values) {
  for (Rounded<float> &Each : Values)
    Each = max(Each, Rounded<float>(0.0f));
  return Values;
}

/// Values that a device gives exactly.
inline Bounds exactly(const std::vector<float> &Values) {
  return Bounds(Values.begin(), Values.end());
}

/// The convolution once more, output by output from its definition.
inline Bounds convolvedByDefinition(const Convolution &Of,
                                    const std::vector<float> &In,
                                    const std::vector<float> &Filters,
                                    const std::vector<float> &Bias) {
  int Out = Of.outSide();
  Bounds Result;
  for (int Channel = 0; Channel < Of.Outputs; ++Channel)
    for (int Pixel = 0; Pixel < Out * Out; ++Pixel) {
      Sum<float> Total;
      Total.add(Bias[Channel]);
      for (int Tap = 0; Tap < Of.taps(); ++Tap) {
        int Source = Channel / Of.groupOutputs() * Of.groupInputs() +
                     Tap / (Of.Kernel * Of.Kernel);
        int Y = Pixel / Out * Of.Stride + Tap / Of.Kernel % Of.Kernel;
        int X = Pixel % Out * Of.Stride + Tap % Of.Kernel;
        Y -= Of.Padding;
        X -= Of.Padding;
        if (Y >= 0 && Y < Of.Side && X >= 0 && X < Of.Side)
          Total.addProduct(Filters[size_t(Channel) * Of.taps() + Tap],
                           In[(size_t(Source) * Of.Side + Y) * Of.Side + X]);
      }
      Result.push_back(Total.total());
    }
  return Result;
}

/// Compares both ways of a convolution on random values.
inline void checkConvolution(Program &Run, const Convolution &Of) {
  Random From(Run.seed());
  auto In = randomVector<float>(From, Planes{Of.Inputs, Of.Side}.size(), -1, 1);
  auto Filters =
      randomVector<float>(From, size_t(Of.Outputs) * Of.taps(), -1, 1);
  auto Bias = randomVector<float>(From, Of.Outputs, -1, 1);
  Run.compare("a convolution", convolved(Of, In, Filters, Bias),
              convolvedByDefinition(Of, In, Filters, Bias));
}

} // namespace bench

#endif
