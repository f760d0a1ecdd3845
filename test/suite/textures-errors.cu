// Feature: textures: Arrays, textures and surfaces that cannot be are refused with
// CUDA's errors, and objects tell what they were made of.

#include "Inputs/textures.h"

static bool refuses(cudaError_t Error, cudaError_t Expected) {
  cudaGetLastError();
  return Error == Expected;
}

static void refusesArrays() {
  cudaArray_t Array = nullptr;
  cudaChannelFormatDesc Three = cudaCreateChannelDesc(
      8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  const cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float>();
  expect(refuses(cudaMallocArray(&Array, &Three, 4, 4),
                 cudaErrorInvalidChannelDescriptor));
  expect(refuses(cudaMallocArray(&Array, &Desc, 0, 4), cudaErrorInvalidValue));
  expect(refuses(cudaMalloc3DArray(&Array, &Desc, {4, 8, 6}, cudaArrayCubemap),
                 cudaErrorInvalidValue));
  expect(refuses(cudaMalloc3DArray(&Array, &Desc, {8, 8, 5}, cudaArrayCubemap),
                 cudaErrorInvalidValue));
  expect(refuses(cudaMallocArray(&Array, nullptr, 4, 4),
                 cudaErrorInvalidValue));
}

static void refusesCopies() {
  suite::Cells<int> A({4, 4, 0}), Narrow({4, 2, 0});
  std::vector<int> Host(64);
  expect(refuses(cudaMemcpy2DToArray(A, 0, 0, Host.data(), 20, 20, 1,
                                     cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue));
  expect(refuses(cudaMemcpy2DToArray(A, 0, 2, Host.data(), 16, 16, 3,
                                     cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue));
  expect(refuses(cudaMemcpy2DToArray(A, 0, 0, Host.data(), 8, 16, 2,
                                     cudaMemcpyHostToDevice),
                 cudaErrorInvalidPitchValue));
  cudaMemcpy3DParms Copy = {};
  Copy.srcArray = A;
  Copy.dstArray = Narrow;
  Copy.extent = {4, 3, 1};
  Copy.kind = cudaMemcpyDeviceToDevice;
  expect(refuses(cudaMemcpy3D(&Copy), cudaErrorInvalidValue));
}

static void refusesTextures() {
  cudaTextureObject_t Image = 0;
  suite::Cells<uchar4> Array({8, 8, 0});
  const cudaResourceDesc From = suite::resourceOf(Array);
  const cudaTextureDesc Linear =
      suite::reading(cudaAddressModeClamp, cudaFilterModeLinear, false);
  const cudaTextureDesc Point =
      suite::reading(cudaAddressModeClamp, cudaFilterModePoint, false);
  // Integers are not filtered.
  expect(refuses(cudaCreateTextureObject(&Image, &From, &Linear, nullptr),
                 cudaErrorInvalidFilterSetting));
  expect(refuses(cudaCreateTextureObject(nullptr, &From, &Point, nullptr),
                 cudaErrorInvalidValue));
  expect(refuses(cudaCreateTextureObject(&Image, nullptr, &Point, nullptr),
                 cudaErrorInvalidValue));

  suite::Array<float> Memory(256);
  cudaResourceDesc Row = {};
  Row.resType = cudaResourceTypeLinear;
  Row.res.linear = {Memory.get() + 1, cudaCreateChannelDesc<float>(), 256};
  expect(refuses(cudaCreateTextureObject(&Image, &Row, &Point, nullptr),
                 cudaErrorInvalidValue));
  cudaResourceDesc Rows = {};
  Rows.resType = cudaResourceTypePitch2D;
  Rows.res.pitch2D = {Memory.get(), cudaCreateChannelDesc<float>(), 4, 4, 20};
  expect(refuses(cudaCreateTextureObject(&Image, &Rows, &Point, nullptr),
                 cudaErrorInvalidValue));
}

static void refusesSurfaces() {
  cudaSurfaceObject_t Image = 0;
  suite::Array<float> Memory(64);
  cudaResourceDesc Row = {};
  Row.resType = cudaResourceTypeLinear;
  Row.res.linear = {Memory.get(), cudaCreateChannelDesc<float>(), 256};
  expect(refuses(cudaCreateSurfaceObject(&Image, &Row), cudaErrorInvalidValue));
  expect(
      refuses(cudaCreateSurfaceObject(&Image, nullptr), cudaErrorInvalidValue));
}

static void objectsTell() {
  suite::Cells<uchar4> Array({8, 4, 0}, cudaArraySurfaceLoadStore);
  cudaTextureDesc How =
      suite::reading(cudaAddressModeMirror, cudaFilterModeLinear, true);
  How.readMode = cudaReadModeNormalizedFloat;
  cudaResourceViewDesc View = {};
  View.format = cudaResViewFormatSignedChar4;
  View.width = 8;
  View.height = 4;
  suite::Texture Image(suite::resourceOf(Array), How, &View);
  suite::Surface Written(Array);
  cudaResourceDesc From = {};
  cudaTextureDesc Read = {};
  cudaResourceViewDesc Seen = {};
  check(cudaGetTextureObjectResourceDesc(&From, Image));
  expect(From.resType == cudaResourceTypeArray &&
         From.res.array.array == Array);
  check(cudaGetTextureObjectTextureDesc(&Read, Image));
  expect(Read.addressMode[1] == cudaAddressModeMirror &&
         Read.readMode == cudaReadModeNormalizedFloat);
  check(cudaGetTextureObjectResourceViewDesc(&Seen, Image));
  expect(Seen.format == cudaResViewFormatSignedChar4 && Seen.width == 8);
  From = {};
  check(cudaGetSurfaceObjectResourceDesc(&From, Written));
  expect(From.res.array.array == Array);
}

static void deviceTells() {
  cudaDeviceProp P;
  int Value = 0;
  size_t Most = 0;
  const cudaChannelFormatDesc Desc = cudaCreateChannelDesc<float4>();
  check(cudaGetDeviceProperties(&P, 0));
  check(cudaDeviceGetAttribute(&Value, cudaDevAttrMaxTexture2DWidth, 0));
  expect(P.maxTexture2D[0] >= 65536 && P.maxTexture2D[0] == Value);
  expect(P.maxTexture3D[2] >= 2048 && P.textureAlignment > 0);
  check(cudaDeviceGetTexture1DLinearMaxWidth(&Most, &Desc, 0));
  expect(Most >= size_t(1) << 27);
}

int main() {
  refusesArrays();
  refusesCopies();
  refusesTextures();
  refusesSurfaces();
  objectsTell();
  deviceTells();
  return suite::finish();
}
