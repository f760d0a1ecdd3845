// Feature: textures: Textures of one, two and three dimensions are read at
// points and filtered linearly, in every address mode, with plain and with
// normalized coordinates.

#include "Inputs/textures.h"

__global__ void fetch(float *Out, const float3 *At, int Count, int Axes,
                      cudaTextureObject_t Image) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const float3 X = At[I];
  Out[I] = Axes == 1   ? tex1D<float>(Image, X.x)
           : Axes == 2 ? tex2D<float>(Image, X.x, X.y)
                       : tex3D<float>(Image, X.x, X.y, X.z);
}

constexpr int Sizes[3] = {7, 5, 4};

/// Places in and around the picture, a whole number of 1/64 of a texel apart,
/// none of which lies between two texels.
static std::vector<float3> places(int Axes, bool Normalized) {
  std::vector<float3> Out;
  for (int I = 0; I < 120; ++I) {
    float X[3] = {};
    for (int N = 0; N < Axes; ++N) {
      const int Step = (I * (37 + 11 * N)) % (Sizes[N] * 64 * 5);
      X[N] = float(Step - Sizes[N] * 64 * 2) / 64 + 1.0F / 256;
      if (Normalized)
        X[N] /= float(Sizes[N]);
    }
    Out.push_back({X[0], X[1], X[2]});
  }
  return Out;
}

/// What a GPU's filtering may differ by: of texels up to 97, a step of the
/// weight of each axis where coordinates are scaled, and a part of one.
static float boundOf(int Axes, const cudaTextureDesc &How) {
  if (How.filterMode == cudaFilterModePoint)
    return 0;
  return How.normalizedCoords ? float(Axes) * 97 / 256 : 0.15F;
}

static void compare(int Axes, const cudaTextureDesc &How) {
  suite::Picture P = {{1, 1, 1}, {}, How};
  size_t Count = 1;
  for (int N = 0; N < Axes; ++N) {
    P.Size[N] = Sizes[N];
    Count *= size_t(Sizes[N]);
  }
  for (size_t I = 0; I < Count; ++I)
    P.Texels.push_back(float((I * 53) % 97));
  suite::Cells<float> Array({size_t(Sizes[0]), size_t(Axes > 1 ? Sizes[1] : 0),
                             size_t(Axes > 2 ? Sizes[2] : 0)},
                            P.Texels);
  suite::Texture Image(suite::resourceOf(Array), How);
  const std::vector<float3> At = places(Axes, How.normalizedCoords);
  suite::Array<float3> Where(At);
  suite::Array<float> Out(At.size());
  fetch<<<4, 32>>>(Out, Where, int(At.size()), Axes, Image);
  std::vector<float> Expected;
  for (const float3 &X : At)
    Expected.push_back(suite::fetched(P, Axes, {X.x, X.y, X.z}));
  suite::nearAt(Out.host(), Expected, "texels", __LINE__,
                boundOf(Axes, How));
}

int main() {
  const cudaTextureAddressMode Modes[] = {
      cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap,
      cudaAddressModeMirror};
  for (int Axes = 1; Axes <= 3; ++Axes)
    for (cudaTextureFilterMode Filter :
         {cudaFilterModePoint, cudaFilterModeLinear})
      for (bool Normalized : {false, true})
        for (int M = 0; M < (Normalized ? 4 : 2); ++M) {
          cudaTextureDesc How = suite::reading(Modes[M], Filter, Normalized);
          // A GPU blends the border in by an axis that there is not.
          for (int N = Axes; N < 3; ++N)
            How.addressMode[N] = cudaAddressModeClamp;
          How.borderColor[0] = -3;
          compare(Axes, How);
        }
  return suite::finish();
}
