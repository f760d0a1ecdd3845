// Feature: textures: What copies and kernels write is what the textures and
// surfaces of later kernels see, in the order of streams, also where a texture
// shows memory that kernels reach by pointers too.

#include "Inputs/textures.h"

constexpr int Count = 256, Rounds = 12;

/// Reads through one texture and writes through a surface of another array.
__global__ void step(cudaTextureObject_t From, cudaSurfaceObject_t To) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Next = (I + 1) % Count;
  surf1Dwrite(tex1D<int>(From, float(I) + 0.5F) +
                  tex1D<int>(From, float(Next) + 0.5F) % 3,
              To, I * int(sizeof(int)));
}

static void host(std::vector<int> &Row) {
  std::vector<int> Next(Row.size());
  for (int I = 0; I < Count; ++I)
    Next[size_t(I)] = Row[size_t(I)] + Row[size_t((I + 1) % Count)] % 3;
  Row = Next;
}

/// Two arrays in ping-pong, with copies in, between and out.
static void alternates() {
  std::vector<int> Row;
  for (int I = 0; I < Count; ++I)
    Row.push_back(I * I % 41);
  suite::Cells<int> A({Count, 0, 0}, cudaArraySurfaceLoadStore);
  suite::Cells<int> B({Count, 0, 0}, cudaArraySurfaceLoadStore);
  const cudaTextureDesc Plainly =
      suite::reading(cudaAddressModeClamp, cudaFilterModePoint, false);
  suite::Texture ReadA(suite::resourceOf(A), Plainly);
  suite::Texture ReadB(suite::resourceOf(B), Plainly);
  suite::Surface WriteA(A), WriteB(B);
  suite::Array<int> Device(Row), Kept(Count);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  const size_t Bytes = Count * sizeof(int);
  check(cudaMemcpy2DToArrayAsync(A, 0, 0, Device, Bytes, Bytes, 1,
                                 cudaMemcpyDeviceToDevice, Stream));
  for (int Round = 0; Round < Rounds; ++Round) {
    step<<<8, 32, 0, Stream>>>(ReadA, WriteB);
    step<<<8, 32, 0, Stream>>>(ReadB, WriteA);
    host(Row);
    host(Row);
  }
  check(cudaMemcpy2DFromArrayAsync(Kept, Bytes, A, 0, 0, Bytes, 1,
                                   cudaMemcpyDeviceToDevice, Stream));
  step<<<8, 32, 0, Stream>>>(ReadB, WriteA);
  check(cudaStreamSynchronize(Stream));
  check(cudaStreamDestroy(Stream));
  same(Kept.host(), Row);
}

__global__ void addOne(int *Data) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Data[I] += 1 + I % 5;
}

__global__ void reverse(int *Out, cudaTextureObject_t From) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = tex1Dfetch<int>(From, Count - 1 - I);
}

/// Kernels that know the memory by pointers among those that read a texture.
static void sharesMemory() {
  std::vector<int> Row(Count, 3);
  suite::Array<int> A(Row), B(Row);
  const auto Over = [](int *Data) {
    cudaResourceDesc Out = {};
    Out.resType = cudaResourceTypeLinear;
    Out.res.linear.devPtr = Data;
    Out.res.linear.desc = cudaCreateChannelDesc<int>();
    Out.res.linear.sizeInBytes = Count * sizeof(int);
    return Out;
  };
  const cudaTextureDesc Plainly =
      suite::reading(cudaAddressModeClamp, cudaFilterModePoint, false);
  suite::Texture OverA(Over(A), Plainly), OverB(Over(B), Plainly);
  for (int Round = 0; Round < Rounds; ++Round) {
    addOne<<<8, 32>>>(A);
    reverse<<<8, 32>>>(B, OverA);
    addOne<<<8, 32>>>(B);
    reverse<<<8, 32>>>(A, OverB);
    for (int Half = 0; Half < 2; ++Half) {
      for (int I = 0; I < Count; ++I)
        Row[size_t(I)] += 1 + I % 5;
      Row = {Row.rbegin(), Row.rend()};
    }
  }
  same(A.host(), Row);
}

int main() {
  alternates();
  sharesMemory();
  return suite::finish();
}
