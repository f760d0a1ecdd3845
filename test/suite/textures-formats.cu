// Feature: textures: Texels of 8, 16 and 32 bits, signed, unsigned and floating,
// of one, two and four components, are read as they are, as normalized floats
// and from sRGB, from plain memory and from arrays.

#include <cuda_fp16.h>

#include "Inputs/textures.h"

template <typename T> struct Lanes;
#define LANES(Type, Component, Count)                                          \
  template <> struct Lanes<Type> {                                             \
    using Of = Component;                                                      \
    static constexpr int Number = Count;                                       \
  }
LANES(unsigned char, unsigned char, 1);
LANES(char2, signed char, 2);
LANES(uchar4, unsigned char, 4);
LANES(ushort2, unsigned short, 2);
LANES(short4, short, 4);
LANES(int4, int, 4);
LANES(float, float, 1);
LANES(float2, float, 2);
LANES(float4, float, 4);

/// Component by component, whatever the type.
template <typename T> __device__ void put(float *Out, const T &Value) {
  const auto *Part = reinterpret_cast<const typename Lanes<T>::Of *>(&Value);
  for (int N = 0; N < Lanes<T>::Number; ++N)
    Out[N] = float(Part[N]);
}

template <typename T>
__global__ void fetch(float *Out, int Count, cudaTextureObject_t Row,
                      cudaTextureObject_t Plane) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  put(Out + 2 * I * Lanes<T>::Number, tex1Dfetch<T>(Row, I));
  put(Out + (2 * I + 1) * Lanes<T>::Number,
      tex2D<T>(Plane, float(I % 8) + 0.5F, float(I / 8) + 0.5F));
}

constexpr int Width = 8, Height = 5, Count = Width * Height;

static cudaResourceDesc rowOf(void *Data, const cudaChannelFormatDesc &Desc,
                              size_t Bytes) {
  cudaResourceDesc Out = {};
  Out.resType = cudaResourceTypeLinear;
  Out.res.linear.devPtr = Data;
  Out.res.linear.desc = Desc;
  Out.res.linear.sizeInBytes = Bytes;
  return Out;
}

static cudaTextureDesc plainly() {
  return suite::reading(cudaAddressModeClamp, cudaFilterModePoint, false);
}

/// What the components are read as, one for each of Host.
template <typename Read, typename Stored>
static std::vector<float> readAs(const std::vector<Stored> &Host,
                                 const cudaTextureDesc &How) {
  suite::Array<Stored> Memory(Host);
  suite::Cells<Stored> Array({Width, Height, 0}, Host);
  suite::Texture Row(rowOf(Memory.get(), cudaCreateChannelDesc<Stored>(),
                           Host.size() * sizeof(Stored)),
                     How);
  suite::Texture Plane(suite::resourceOf(Array), How);
  suite::Array<float> Out(2 * Count * Lanes<Read>::Number);
  fetch<Read><<<2, 32>>>(Out, Count, Row, Plane);
  return Out.host();
}

/// Each texel twice, as read from the row and from the plane.
template <typename Stored, typename Function>
static std::vector<float> twice(const std::vector<Stored> &Host, Function As) {
  using Of = typename Lanes<Stored>::Of;
  std::vector<float> Out;
  for (const Stored &Texel : Host)
    for (int Time = 0; Time < 2; ++Time)
      for (int N = 0; N < Lanes<Stored>::Number; ++N)
        Out.push_back(As(reinterpret_cast<const Of *>(&Texel)[N], N));
  return Out;
}

template <typename T> static std::vector<T> numbers() {
  std::vector<T> Out(Count);
  auto *Bytes = reinterpret_cast<typename Lanes<T>::Of *>(Out.data());
  for (int I = 0; I < Count * Lanes<T>::Number; ++I)
    Bytes[I] = static_cast<typename Lanes<T>::Of>(I * 7 - 100);
  return Out;
}

template <typename T> static void readsPlainly() {
  const std::vector<T> Host = numbers<T>();
  same(readAs<T>(Host, plainly()),
       twice(Host, [](auto Value, int) { return float(Value); }));
}

template <typename T, typename Float>
static void readsNormalized(float Most) {
  const std::vector<T> Host = numbers<T>();
  cudaTextureDesc How = plainly();
  How.readMode = cudaReadModeNormalizedFloat;
  suite::nearAt(readAs<Float>(Host, How), twice(Host, [&](auto Value, int) {
                  return fmaxf(float(Value) / Most, -1);
                }),
                "normalized", __LINE__, 1e-6F);
}

static void readsSrgb() {
  const std::vector<uchar4> Host = numbers<uchar4>();
  cudaTextureDesc How = plainly();
  How.readMode = cudaReadModeNormalizedFloat;
  How.sRGB = 1;
  suite::nearAt(readAs<float4>(Host, How), twice(Host, [](auto Value, int N) {
                  const float C = float(Value) / 255;
                  if (N == 3)
                    return C;
                  return C <= 0.04045F ? C / 12.92F
                                       : powf((C + 0.055F) / 1.055F, 2.4F);
                }),
                "sRGB", __LINE__, 4e-3F);
}

/// Halves are read as floats; beyond the row there are zeros.
__global__ void fetchHalves(float *Out, cudaTextureObject_t Row) {
  Out[threadIdx.x] = tex1Dfetch<float>(Row, int(threadIdx.x) - 2);
}

static void readsHalves() {
  std::vector<__half> Host;
  std::vector<float> Expected = {0, 0};
  for (float Value : {1.0F, -2.5F, 65504.0F, 6.1e-5F, 5.9604645e-8F, 0.0F}) {
    Host.push_back(__float2half(Value));
    Expected.push_back(__half2float(Host.back()));
  }
  Expected.resize(12);
  suite::Array<__half> Memory(Host);
  suite::Texture Row(rowOf(Memory.get(), cudaCreateChannelDescHalf(),
                           Host.size() * sizeof(__half)),
                     plainly());
  suite::Array<float> Out(Expected.size());
  fetchHalves<<<1, 12>>>(Out, Row);
  same(Out.host(), Expected);
}

/// Rows of plain memory at a pitch, filtered.
__global__ void fetchPlane(float *Out, cudaTextureObject_t Plane) {
  const int I = threadIdx.x;
  Out[I] = tex2D<float>(Plane, float(I % 6) + 0.75F, float(I / 6) + 0.25F);
}

static void readsPitchedRows() {
  suite::Picture P = {{6, 4, 1}, {}, plainly()};
  P.How.filterMode = cudaFilterModeLinear;
  for (int I = 0; I < 24; ++I)
    P.Texels.push_back(float(I * I % 50));
  float *Rows = nullptr;
  size_t Pitch = 0;
  check(cudaMallocPitch(&Rows, &Pitch, 6 * sizeof(float), 4));
  check(cudaMemcpy2D(Rows, Pitch, P.Texels.data(), 6 * sizeof(float),
                     6 * sizeof(float), 4, cudaMemcpyHostToDevice));
  cudaResourceDesc From = {};
  From.resType = cudaResourceTypePitch2D;
  From.res.pitch2D = {Rows, cudaCreateChannelDesc<float>(), 6, 4, Pitch};
  suite::Texture Plane(From, P.How);
  suite::Array<float> Out(24);
  fetchPlane<<<1, 24>>>(Out, Plane);
  std::vector<float> Expected;
  for (int I = 0; I < 24; ++I)
    Expected.push_back(suite::fetched(
        P, 2, {float(I % 6) + 0.75F, float(I / 6) + 0.25F, 0}));
  near(Out.host(), Expected);
  check(cudaFree(Rows));
}

int main() {
  readsPlainly<unsigned char>();
  readsPlainly<char2>();
  readsPlainly<uchar4>();
  readsPlainly<ushort2>();
  readsPlainly<short4>();
  readsPlainly<int4>();
  readsPlainly<float>();
  readsPlainly<float2>();
  readsPlainly<float4>();
  readsNormalized<unsigned char, float>(255);
  readsNormalized<char2, float2>(127);
  readsNormalized<ushort2, float2>(65535);
  readsNormalized<short4, float4>(32767);
  readsSrgb();
  readsHalves();
  readsPitchedRows();
  return suite::finish();
}
