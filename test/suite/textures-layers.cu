// Feature: textures: Layers, cubes, layers of cubes, gathers of four texels and
// the levels of mipmapped arrays, by their number and by slopes, are read.

#include "Inputs/textures.h"

enum Read { Layered1D, Layered2D, Cube, CubeLayered };

__global__ void fetch(float *Out, const float3 *At, int Count, Read What,
                      cudaTextureObject_t Image) {
  const int I = threadIdx.x;
  if (I >= Count)
    return;
  const float3 X = At[I];
  const int Layer = I % 3;
  switch (What) {
  case Layered1D:
    Out[I] = tex1DLayered<float>(Image, X.x, Layer);
    break;
  case Layered2D:
    Out[I] = tex2DLayered<float>(Image, X.x, X.y, Layer);
    break;
  case Cube:
    Out[I] = texCubemap<float>(Image, X.x, X.y, X.z);
    break;
  case CubeLayered:
    Out[I] = texCubemapLayered<float>(Image, X.x, X.y, X.z, Layer);
    break;
  }
}

static std::vector<float> numbers(size_t Count) {
  std::vector<float> Out;
  for (size_t I = 0; I < Count; ++I)
    Out.push_back(float((I * 37) % 89));
  return Out;
}

static std::vector<float> run(Read What, const std::vector<float3> &At,
                              cudaTextureObject_t Image) {
  suite::Array<float3> Where(At);
  suite::Array<float> Out(At.size());
  fetch<<<1, 128>>>(Out, Where, int(At.size()), What, Image);
  return Out.host();
}

/// Each layer is a picture of its own.
static void readsLayers(bool Plane) {
  const int Width = 6, Height = Plane ? 4 : 1, Layers = 3;
  const std::vector<float> Texels = numbers(size_t(Width) * Height * Layers);
  suite::Cells<float> Array({6, size_t(Plane ? 4 : 0), 3}, Texels,
                            cudaArrayLayered);
  const cudaTextureDesc How =
      suite::reading(cudaAddressModeClamp, cudaFilterModeLinear, false);
  suite::Texture Image(suite::resourceOf(Array), How);
  std::vector<float3> At;
  std::vector<float> Expected;
  for (int I = 0; I < 48; ++I) {
    const float3 X = {float(I % 8) - 0.75F, float(I / 8) - 0.25F, 0};
    const auto First = Texels.begin() + size_t(I % Layers) * Width * Height;
    const suite::Picture P = {
        {Width, Height, 1}, {First, First + size_t(Width) * Height}, How};
    At.push_back(X);
    Expected.push_back(suite::fetched(P, Plane ? 2 : 1, {X.x, X.y, 0}));
  }
  near(run(Plane ? Layered2D : Layered1D, At, Image), Expected);
}

/// The guide's table: face, and where on it.
static int faceOf(const float3 &D, float &U, float &V) {
  const float X = fabsf(D.x), Y = fabsf(D.y), Z = fabsf(D.z);
  float M, S, T;
  int Face;
  if (X > Y && X > Z) {
    Face = D.x > 0 ? 0 : 1;
    M = X;
    S = D.x > 0 ? -D.z : D.z;
    T = -D.y;
  } else if (Y > Z) {
    Face = D.y > 0 ? 2 : 3;
    M = Y;
    S = D.x;
    T = D.y > 0 ? D.z : -D.z;
  } else {
    Face = D.z > 0 ? 4 : 5;
    M = Z;
    S = D.z > 0 ? D.x : -D.x;
    T = -D.y;
  }
  U = (S / M + 1) / 2;
  V = (T / M + 1) / 2;
  return Face;
}

static void readsCubes(bool Layered) {
  const int Edge = 4, Face = Edge * Edge, Cubes = Layered ? 3 : 1;
  const std::vector<float> Texels = numbers(size_t(Face) * 6 * Cubes);
  suite::Cells<float> Array(
      {4, 4, size_t(6 * Cubes)}, Texels,
      cudaArrayCubemap | (Layered ? cudaArrayLayered : 0));
  const cudaTextureDesc How =
      suite::reading(cudaAddressModeClamp, cudaFilterModeLinear, true);
  suite::Texture Image(suite::resourceOf(Array), How);
  std::vector<float3> At;
  std::vector<float> Expected;
  for (int I = 0; I < 96; ++I) {
    // On the face of axis I / 2 % 3, at whole eighths of it.
    float D[3];
    const int Axis = I / 2 % 3;
    D[Axis] = I % 2 ? -2.0F : 2.0F;
    D[(Axis + 1) % 3] = float(I * 5 % 13 - 6) / 4;
    D[(Axis + 2) % 3] = float(I * 7 % 11 - 5) / 4;
    const float3 X = {D[0], D[1], D[2]};
    float U, V;
    const int Slice = faceOf(X, U, V) + (Layered ? I % 3 * 6 : 0);
    const auto First = Texels.begin() + size_t(Slice) * Face;
    const suite::Picture P = {{Edge, Edge, 1}, {First, First + Face}, How};
    At.push_back(X);
    Expected.push_back(suite::fetched(P, 2, {U, V, 0}));
  }
  near(run(Layered ? CubeLayered : Cube, At, Image), Expected);
}

__global__ void gather(float4 *Out, cudaTextureObject_t Image) {
  const int I = threadIdx.x;
  const float X = float(I % 6) + 0.75F, Y = float(I / 6) + 0.75F;
  Out[2 * I] = tex2Dgather<float4>(Image, X, Y, 0);
  Out[2 * I + 1] = tex2Dgather<float4>(Image, X, Y, 1);
}

static void gathers() {
  std::vector<float2> Texels;
  for (int I = 0; I < 24; ++I)
    Texels.push_back({float(I), float(100 + I)});
  suite::Cells<float2> Array({6, 4, 0}, Texels, cudaArrayTextureGather);
  suite::Texture Image(
      suite::resourceOf(Array),
      suite::reading(cudaAddressModeClamp, cudaFilterModePoint, false));
  suite::Array<float4> Out(48);
  gather<<<1, 24>>>(Out, Image);
  std::vector<float> Got, Expected;
  for (const float4 &Each : Out.host())
    for (float Part : {Each.x, Each.y, Each.z, Each.w})
      Got.push_back(Part);
  for (int I = 0; I < 24; ++I)
    for (int Component = 0; Component < 2; ++Component)
      for (auto [X, Y] : {std::pair(0, 1), {1, 1}, {1, 0}, {0, 0}})
        Expected.push_back(
            float(100 * Component + std::min(I / 6 + Y, 3) * 6 +
                  std::min(I % 6 + X, 5)));
  same(Got, Expected);
}

__global__ void levels(float *Out, cudaTextureObject_t Image) {
  const int I = threadIdx.x;
  Out[I] = tex2DLod<float>(Image, 0.5F, 0.5F, float(I) / 4 - 1);
  const float Slope = exp2f(float(I) / 4 - 1) / 16;
  Out[I + 32] = tex2DGrad<float>(Image, 0.5F, 0.5F, make_float2(Slope, 0),
                                 make_float2(0, Slope / 2));
}

/// Level N is N * 10 everywhere, so that what is read tells the level.
static void readsLevels(bool Blended, float Least, float Bias) {
  cudaMipmappedArray_t Levels = nullptr;
  const cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  check(cudaMallocMipmappedArray(&Levels, &Desc, {16, 16, 0}, 5));
  for (unsigned N = 0; N < 5; ++N) {
    cudaArray_t Level = nullptr;
    check(cudaGetMipmappedArrayLevel(&Level, Levels, N));
    const size_t Edge = 16 >> N;
    const std::vector<float> Same(Edge * Edge, float(N) * 10);
    check(cudaMemcpy2DToArray(Level, 0, 0, Same.data(), Edge * sizeof(float),
                              Edge * sizeof(float), Edge,
                              cudaMemcpyHostToDevice));
  }
  cudaResourceDesc From = {};
  From.resType = cudaResourceTypeMipmappedArray;
  From.res.mipmap.mipmap = Levels;
  cudaTextureDesc How =
      suite::reading(cudaAddressModeWrap, cudaFilterModeLinear, true);
  How.mipmapFilterMode = Blended ? cudaFilterModeLinear : cudaFilterModePoint;
  How.minMipmapLevelClamp = Least;
  How.maxMipmapLevelClamp = 3.5F;
  How.mipmapLevelBias = Bias;
  {
    suite::Texture Image(From, How);
    suite::Array<float> Out(64);
    levels<<<1, 32>>>(Out, Image);
    std::vector<float> Expected;
    for (int I = 0; I < 64; ++I) {
      const float Asked = float(I % 32) / 4 - 1 + Bias;
      const float Level = fminf(fmaxf(Asked, Least), 3.5F);
      Expected.push_back(10 * (Blended ? Level : floorf(Level + 0.5F)));
    }
    suite::nearAt(Out.host(), Expected, "levels", __LINE__, 0.1F);
  }
  check(cudaFreeMipmappedArray(Levels));
}

int main() {
  readsLayers(false);
  readsLayers(true);
  readsCubes(false);
  readsCubes(true);
  gathers();
  readsLevels(true, 0, 0);
  readsLevels(true, 1.25F, 0.5F);
  readsLevels(false, 0, 0.125F);
  return suite::finish();
}
