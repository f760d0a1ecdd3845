// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the programs about textures need: objects made in one line, and what the
// appendix "Texture Fetching" of the CUDA programming guide says that a fetch
// returns, computed on the host. Include it instead of suite.h.

#ifndef SUITE_TEXTURES_H
#define SUITE_TEXTURES_H

#include <cmath>
#include <cstring>

#include "suite.h"

namespace suite {

/// A CUDA array of T that lives as long as this object.
template <typename T> class Cells {
public:
  explicit Cells(cudaExtent Extent, unsigned Flags = 0) : Extent(Extent) {
    const cudaChannelFormatDesc Desc = cudaCreateChannelDesc<T>();
    checkAt(cudaMalloc3DArray(&Handle, &Desc, Extent, Flags),
            "cudaMalloc3DArray", __LINE__);
  }
  Cells(cudaExtent Extent, const std::vector<T> &Host, unsigned Flags = 0)
      : Cells(Extent, Flags) {
    write(Host);
  }
  Cells(const Cells &) = delete;
  Cells &operator=(const Cells &) = delete;
  ~Cells() { cudaFreeArray(Handle); }
  operator cudaArray_t() const { return Handle; }

  void write(const std::vector<T> &Host) {
    cudaMemcpy3DParms Copy = {};
    Copy.srcPtr = plain(const_cast<T *>(Host.data()));
    Copy.dstArray = Handle;
    Copy.extent = whole();
    Copy.kind = cudaMemcpyHostToDevice;
    checkAt(cudaMemcpy3D(&Copy), "cudaMemcpy3D", __LINE__);
  }
  std::vector<T> host() const {
    checkAt(cudaGetLastError(), "launch", __LINE__);
    checkAt(cudaDeviceSynchronize(), "kernel", __LINE__);
    const cudaExtent All = whole();
    std::vector<T> Host(All.width * All.height * All.depth);
    cudaMemcpy3DParms Copy = {};
    Copy.srcArray = Handle;
    Copy.dstPtr = plain(Host.data());
    Copy.extent = All;
    Copy.kind = cudaMemcpyDeviceToHost;
    checkAt(cudaMemcpy3D(&Copy), "cudaMemcpy3D", __LINE__);
    return Host;
  }

private:
  cudaExtent whole() const {
    return {Extent.width, Extent.height ? Extent.height : 1,
            Extent.depth ? Extent.depth : 1};
  }
  cudaPitchedPtr plain(T *Data) const {
    const cudaExtent All = whole();
    return {Data, All.width * sizeof(T), All.width, All.height};
  }

  cudaArray_t Handle = nullptr;
  cudaExtent Extent;
};

inline cudaResourceDesc resourceOf(cudaArray_t Array) {
  cudaResourceDesc Out = {};
  Out.resType = cudaResourceTypeArray;
  Out.res.array.array = Array;
  return Out;
}

/// The same mode along all axes.
inline cudaTextureDesc reading(cudaTextureAddressMode Mode,
                               cudaTextureFilterMode Filter, bool Normalized) {
  cudaTextureDesc Out = {};
  for (cudaTextureAddressMode &Each : Out.addressMode)
    Each = Mode;
  Out.filterMode = Filter;
  Out.normalizedCoords = Normalized;
  return Out;
}

class Texture {
public:
  Texture(const cudaResourceDesc &From, const cudaTextureDesc &How,
          const cudaResourceViewDesc *View = nullptr) {
    checkAt(cudaCreateTextureObject(&Handle, &From, &How, View),
            "cudaCreateTextureObject", __LINE__);
  }
  Texture(const Texture &) = delete;
  Texture &operator=(const Texture &) = delete;
  ~Texture() { cudaDestroyTextureObject(Handle); }
  operator cudaTextureObject_t() const { return Handle; }

private:
  cudaTextureObject_t Handle = 0;
};

class Surface {
public:
  explicit Surface(cudaArray_t Array) {
    const cudaResourceDesc From = resourceOf(Array);
    checkAt(cudaCreateSurfaceObject(&Handle, &From), "cudaCreateSurfaceObject",
            __LINE__);
  }
  Surface(const Surface &) = delete;
  Surface &operator=(const Surface &) = delete;
  ~Surface() { cudaDestroySurfaceObject(Handle); }
  operator cudaSurfaceObject_t() const { return Handle; }

private:
  cudaSurfaceObject_t Handle = 0;
};

// What the guide says.

/// Texels in one to three dimensions, and how they are read.
struct Picture {
  int Size[3];
  std::vector<float> Texels;
  cudaTextureDesc How;
};

/// x brought into the texture: the clamped, wrapped or mirrored number of a
/// texel, or -1 for the border.
inline int texelNumber(int I, int N, cudaTextureAddressMode Mode) {
  if (I >= 0 && I < N)
    return I;
  if (Mode == cudaAddressModeBorder)
    return -1;
  if (Mode == cudaAddressModeWrap)
    return ((I % N) + N) % N;
  if (Mode == cudaAddressModeMirror) {
    const int Twice = ((I % (2 * N)) + 2 * N) % (2 * N);
    return Twice < N ? Twice : 2 * N - 1 - Twice;
  }
  return I < 0 ? 0 : N - 1;
}

inline float texelOf(const Picture &P, const int (&At)[3]) {
  int Inside[3];
  for (int N = 0; N < 3; ++N) {
    Inside[N] = texelNumber(At[N], P.Size[N], P.How.addressMode[N]);
    if (Inside[N] < 0)
      return P.How.borderColor[0];
  }
  return P.Texels[(size_t(Inside[2]) * P.Size[1] + Inside[1]) * P.Size[0] +
                  Inside[0]];
}

/// tex1D(), tex2D() or tex3D() at coordinates of which the first Axes count.
inline float fetched(const Picture &P, int Axes, const float (&X)[3]) {
  const bool Linear = P.How.filterMode == cudaFilterModeLinear;
  int First[3] = {0, 0, 0};
  double Weight[3] = {0, 0, 0};
  for (int N = 0; N < Axes; ++N) {
    const double Scaled =
        P.How.normalizedCoords ? double(X[N]) * P.Size[N] : double(X[N]);
    const double Lower = Linear ? Scaled - 0.5 : Scaled;
    First[N] = int(std::floor(Lower));
    if (Linear)
      Weight[N] = std::round((Lower - std::floor(Lower)) * 256) / 256;
  }
  double Sum = 0;
  for (int Corner = 0; Corner < 8; ++Corner) {
    double Share = 1;
    int At[3];
    for (int N = 0; N < 3; ++N) {
      const int Upper = Corner >> N & 1;
      At[N] = First[N] + Upper;
      Share *= Upper ? Weight[N] : 1 - Weight[N];
    }
    if (Share != 0)
      Sum += Share * texelOf(P, At);
  }
  return float(Sum);
}

/// Within what a GPU's arithmetic of filtering may differ by.
inline void nearAt(const std::vector<float> &Got,
                   const std::vector<float> &Expected, const char *Text,
                   int Line, float Bound = 0.02F) {
  expectAt(Got.size() == Expected.size(), Text, Line);
  for (size_t I = 0; I < Got.size() && I < Expected.size(); ++I)
    if (!(std::fabs(Got[I] - Expected[I]) <= Bound) && ++Failures <= 20)
      std::printf("line %d: %s[%zu] is %g, expected %g\n", Line, Text, I,
                  double(Got[I]), double(Expected[I]));
}

} // namespace suite

#define near(Got, Expected) suite::nearAt(Got, Expected, #Got, __LINE__)

#endif
