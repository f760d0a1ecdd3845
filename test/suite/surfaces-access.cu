// Feature: textures: Surfaces of one, two and three dimensions, layers and cubes
// are written and read at bytes, in every size of element, and outside their
// boundaries as the access says; textures then read what was written.

#include "Inputs/textures.h"

template <typename T> __device__ T made(int X, int Y, int Z);
template <> __device__ uchar2 made(int X, int Y, int Z) {
  return make_uchar2(X - 16 * Y, ~Z);
}
template <> __device__ float made(int X, int Y, int Z) {
  return X + 16 * Y + 256 * Z;
}
template <> __device__ ulonglong2 made(int X, int Y, int Z) {
  return make_ulonglong2(X | 1ull << 40, Y | (unsigned long long)Z << 32);
}

template <typename T> __device__ bool alike(const T &A, const T &B) {
  const auto *Left = reinterpret_cast<const unsigned char *>(&A);
  const auto *Right = reinterpret_cast<const unsigned char *>(&B);
  for (unsigned N = 0; N < sizeof(T); ++N)
    if (Left[N] != Right[N])
      return false;
  return true;
}

/// Which functions; all surfaces are 8 wide, 4 high and of 6 slices at most.
enum Shape { OneD, TwoD, ThreeD, Layered1D, Layered2D, Cube, CubeLayered };

template <typename T>
__global__ void fill(cudaSurfaceObject_t To, Shape What) {
  const int X = threadIdx.x, Y = threadIdx.y, Z = blockIdx.x;
  const int Byte = X * int(sizeof(T));
  const T Value = made<T>(X, Y, Z);
  switch (What) {
  case OneD:
    return surf1Dwrite(Value, To, Byte);
  case TwoD:
    return surf2Dwrite(Value, To, Byte, Y);
  case ThreeD:
    return surf3Dwrite(Value, To, Byte, Y, Z);
  case Layered1D:
    return surf1DLayeredwrite(Value, To, Byte, Z);
  case Layered2D:
    return surf2DLayeredwrite(Value, To, Byte, Y, Z);
  case Cube:
    return surfCubemapwrite(Value, To, Byte, Y, Z);
  case CubeLayered:
    return surfCubemapLayeredwrite(Value, To, Byte, Y, Z);
  }
}

template <typename T> __device__ T readAt(cudaSurfaceObject_t From, Shape What,
                                          int Byte, int Y, int Z) {
  switch (What) {
  case OneD:
    return surf1Dread<T>(From, Byte);
  case TwoD:
    return surf2Dread<T>(From, Byte, Y);
  case ThreeD:
    return surf3Dread<T>(From, Byte, Y, Z);
  case Layered1D:
    return surf1DLayeredread<T>(From, Byte, Z);
  case Layered2D:
    return surf2DLayeredread<T>(From, Byte, Y, Z);
  case Cube:
    return surfCubemapread<T>(From, Byte, Y, Z);
  default:
    return surfCubemapLayeredread<T>(From, Byte, Y, Z);
  }
}

/// Counts the elements that are as fill() has made them.
template <typename T>
__global__ void compare(int *Right, cudaSurfaceObject_t From, Shape What) {
  const int X = threadIdx.x, Y = threadIdx.y, Z = blockIdx.x;
  if (alike(readAt<T>(From, What, X * int(sizeof(T)), Y, Z),
            made<T>(X, Y, Z)))
    atomicAdd(Right, 1);
}

template <typename T>
static void roundTrip(const cudaChannelFormatDesc &Desc) {
  const struct {
    Shape What;
    cudaExtent Extent;
    unsigned Flags;
  } Rows[] = {
      {OneD, {8, 0, 0}, 0},
      {TwoD, {8, 4, 0}, 0},
      {ThreeD, {8, 4, 3}, 0},
      {Layered1D, {8, 0, 5}, cudaArrayLayered},
      {Layered2D, {8, 4, 5}, cudaArrayLayered},
      {Cube, {8, 8, 6}, cudaArrayCubemap},
      {CubeLayered, {8, 8, 12}, cudaArrayCubemap | cudaArrayLayered},
  };
  for (const auto &Row : Rows) {
    cudaArray_t Array = nullptr;
    check(cudaMalloc3DArray(&Array, &Desc, Row.Extent,
                            Row.Flags | cudaArraySurfaceLoadStore));
    {
      suite::Surface Image(Array);
      suite::Array<int> Right(1);
      const unsigned Height = Row.Extent.height ? Row.Extent.height : 1;
      const unsigned Depth = Row.Extent.depth ? Row.Extent.depth : 1;
      fill<T><<<Depth, dim3(8, Height)>>>(Image, Row.What);
      compare<T><<<Depth, dim3(8, Height)>>>(Right, Image, Row.What);
      expect(Right.host()[0] == int(8 * Height * Depth));
    }
    check(cudaFreeArray(Array));
  }
}

/// Writes beyond the right edge and reads around the surface.
__global__ void around(float *Out, cudaSurfaceObject_t Image) {
  const int X = int(threadIdx.x) - 2;
  if (X == 4)
    surf2Dwrite(-1.0F, Image, X * 4, 0, cudaBoundaryModeZero);
  if (X == 5)
    surf2Dwrite(50.0F, Image, X * 4, 9, cudaBoundaryModeClamp);
  __syncthreads();
  Out[threadIdx.x] = surf2Dread<float>(Image, X * 4, 0, cudaBoundaryModeZero);
  Out[threadIdx.x + 8] =
      surf2Dread<float>(Image, X * 4, -3, cudaBoundaryModeClamp);
}

__global__ void sample(float *Out, cudaTextureObject_t Image) {
  Out[threadIdx.x] = tex2D<float>(Image, float(threadIdx.x % 4) + 0.5F,
                                  float(threadIdx.x / 4) + 0.5F);
}

int main() {
  roundTrip<uchar2>(cudaCreateChannelDesc<uchar2>());
  roundTrip<float>(cudaCreateChannelDesc<float>());
  roundTrip<ulonglong2>(cudaCreateChannelDesc<uint4>());

  suite::Cells<float> Array({4, 2, 0}, {1, 2, 3, 4, 5, 6, 7, 8},
                            cudaArraySurfaceLoadStore);
  suite::Array<float> Out(16), Seen(8);
  suite::Surface Image(Array);
  suite::Texture Picture(
      suite::resourceOf(Array),
      suite::reading(cudaAddressModeClamp, cudaFilterModePoint, false));
  around<<<1, 8>>>(Out, Image);
  sample<<<1, 8>>>(Seen, Picture);
  const std::vector<float> Around = {0, 0, 1, 2, 3, 4, 0, 0,
                                     1, 1, 1, 2, 3, 4, 4, 4};
  const std::vector<float> After = {1, 2, 3, 4, 5, 6, 7, 50};
  same(Out.host(), Around);
  same(Seen.host(), After);
  same(Array.host(), After);
  return suite::finish();
}
