// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns points around without tiles: a thread walks through the features of one
// point, so that a warp's accesses are as far apart as points are. Beside the
// inversion of kmeans, which goes by tiles, it says what that choice does to
// kernels that share a cache. Prints one JSON line and exits with 0 where the
// result is right.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int Width = 256;

__global__ void invert(int N, int Features, const float *Points,
                       float *Inverted) {
  int Point = blockIdx.x * Width + threadIdx.x;
  if (Point >= N)
    return;
  for (int Feature = 0; Feature < Features; ++Feature)
    Inverted[Feature * N + Point] = Points[Point * Features + Feature];
}

namespace {

int option(int Count, char **Words, const char *Name, int Usual) {
  for (int I = 1; I + 1 < Count; ++I)
    if (!strcmp(Words[I], Name))
      return atoi(Words[I + 1]);
  return Usual;
}

bool isInverted(int N, int Features, const std::vector<float> &Inverted) {
  for (int Point = 0; Point < N; ++Point)
    for (int Feature = 0; Feature < Features; ++Feature)
      if (Inverted[Feature * N + Point] != Point % 1021 + Feature)
        return false;
  return true;
}

} // namespace

int main(int Count, char **Words) {
  int N = option(Count, Words, "--n", 3000);
  int Features = option(Count, Words, "--features", 34);
  std::vector<float> Points(size_t(N) * Features), Inverted(Points.size());
  for (size_t I = 0; I < Points.size(); ++I)
    Points[I] = I / Features % 1021 + I % Features;
  size_t Bytes = Points.size() * sizeof(float);
  float *From = nullptr, *To = nullptr;
  cudaMalloc(&From, Bytes);
  cudaMalloc(&To, Bytes);
  cudaMemcpy(From, Points.data(), Bytes, cudaMemcpyHostToDevice);
  invert<<<(N + Width - 1) / Width, Width>>>(N, Features, From, To);
  cudaMemcpy(Inverted.data(), To, Bytes, cudaMemcpyDeviceToHost);
  bool Right = isInverted(N, Features, Inverted);
  printf("{\"program\": \"striding-inversion\", \"check\": \"%s\"}\n",
         Right ? "pass" : "fail");
  return Right ? 0 : 1;
}
