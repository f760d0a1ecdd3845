// Feature: textures: Reads by level, by slopes and of what may be resident give what
// plain reads give where there is one level, in every shape.

#include "Inputs/textures.h"

enum Shape { OneD, TwoD, ThreeD, Layered1D, Layered2D, Cube, CubeLayered };

/// The same place by all functions of a shape, one after another.
__global__ void fetch(float *Out, Shape What, cudaTextureObject_t From) {
  const float X = float(threadIdx.x) / 16 - 0.375F, Y = 0.3125F, Z = -0.4375F;
  const int Layer = threadIdx.x % 2;
  const float2 Two = make_float2(0, 0);
  const float4 Four = make_float4(0, 0, 0, 0);
  bool Here = false, There = false;
  float Plain = 0, Level = 0, Slope = 0, Resident = 0;
  switch (What) {
  case OneD:
    Plain = Resident = tex1D<float>(From, X);
    Level = tex1DLod<float>(From, X, 0);
    Slope = tex1DGrad<float>(From, X, 0, 0);
    Here = There = true;
    break;
  case TwoD:
    Plain = tex2D<float>(From, X, Y);
    Level = tex2DLod<float>(From, X, Y, 0);
    Slope = tex2DGrad<float>(From, X, Y, Two, Two);
    Resident = tex2D<float>(From, X, Y, &Here);
    Resident += tex2DLod<float>(From, X, Y, 0, &There) - Plain;
    break;
  case ThreeD:
    Plain = tex3D<float>(From, X, Y, Z);
    Level = tex3DLod<float>(From, X, Y, Z, 0);
    Slope = tex3DGrad<float>(From, X, Y, Z, Four, Four);
    Resident = tex3D<float>(From, X, Y, Z, &Here);
    Resident += tex3DGrad<float>(From, X, Y, Z, Four, Four, &There) - Plain;
    break;
  case Layered1D:
    Plain = Resident = tex1DLayered<float>(From, X, Layer);
    Level = tex1DLayeredLod<float>(From, X, Layer, 0);
    Slope = tex1DLayeredGrad<float>(From, X, Layer, 0, 0);
    Here = There = true;
    break;
  case Layered2D:
    Plain = tex2DLayered<float>(From, X, Y, Layer);
    Level = tex2DLayeredLod<float>(From, X, Y, Layer, 0);
    Slope = tex2DLayeredGrad<float>(From, X, Y, Layer, Two, Two);
    Resident = tex2DLayered<float>(From, X, Y, Layer, &Here);
    There = true;
    break;
  case Cube:
    Plain = Resident = texCubemap<float>(From, X, Y, Z);
    Level = texCubemapLod<float>(From, X, Y, Z, 0);
    Slope = texCubemapGrad<float>(From, X, Y, Z, Four, Four);
    Here = There = true;
    break;
  case CubeLayered:
    Plain = Resident = texCubemapLayered<float>(From, X, Y, Z, Layer);
    Level = texCubemapLayeredLod<float>(From, X, Y, Z, Layer, 0);
    Slope = texCubemapLayeredGrad<float>(From, X, Y, Z, Layer, Four, Four);
    Here = There = true;
    break;
  }
  Out[4 * threadIdx.x] = Plain;
  Out[4 * threadIdx.x + 1] = Here ? Level : -1;
  Out[4 * threadIdx.x + 2] = There ? Slope : -1;
  Out[4 * threadIdx.x + 3] = Resident;
}

int main() {
  const struct {
    Shape What;
    cudaExtent Extent;
    unsigned Flags;
  } Rows[] = {
      {OneD, {8, 0, 0}, 0},
      {TwoD, {8, 4, 0}, 0},
      {ThreeD, {8, 4, 4}, 0},
      {Layered1D, {8, 0, 2}, cudaArrayLayered},
      {Layered2D, {8, 4, 2}, cudaArrayLayered},
      {Cube, {8, 8, 6}, cudaArrayCubemap},
      {CubeLayered, {8, 8, 12}, cudaArrayCubemap | cudaArrayLayered},
  };
  for (const auto &Row : Rows) {
    std::vector<float> Texels;
    for (int I = 0; I < 8 * 8 * 12; ++I)
      Texels.push_back(float(I * 29 % 61));
    suite::Cells<float> Array(Row.Extent, Texels, Row.Flags);
    suite::Texture Image(
        suite::resourceOf(Array),
        suite::reading(cudaAddressModeWrap, cudaFilterModeLinear, true));
    suite::Array<float> Out(64);
    fetch<<<1, 16>>>(Out, Row.What, Image);
    std::vector<float> Got = Out.host(), Expected;
    bool Varies = false;
    for (size_t I = 0; I < 64; ++I) {
      Expected.push_back(Got[I / 4 * 4]);
      Varies |= Got[I] != Got[0];
    }
    same(Got, Expected);
    expect(Varies);
  }
  return suite::finish();
}
