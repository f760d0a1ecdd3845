// Feature: memory: copies of bytes, rows and boxes, between any two memories, in the order of streams.

#include "Inputs/suite.h"

#include <numeric>

__global__ void addOne(int *Of, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    ++Of[I];
}

constexpr int Count = 1000;
constexpr size_t Bytes = Count * sizeof(int);

static std::vector<int> numbers(int From) {
  std::vector<int> Out(Count);
  std::iota(Out.begin(), Out.end(), From);
  return Out;
}

static void everyDirection() {
  std::vector<int> Start = numbers(5), End(Count), Between(Count);
  suite::Array<int> A(Count), B(Count);
  check(cudaMemcpy(Between.data(), Start.data(), Bytes, cudaMemcpyHostToHost));
  check(cudaMemcpy(A, Between.data(), Bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(B, A, Bytes, cudaMemcpyDeviceToDevice));
  check(cudaMemcpy(End.data(), B, Bytes, cudaMemcpyDeviceToHost));
  same(End, Start);
  check(cudaMemcpy(A, Start.data(), Bytes, cudaMemcpyDefault));
  check(cudaMemcpyPeer(B, 0, A, 0, Bytes));
  check(cudaMemcpy(End.data(), B, Bytes, cudaMemcpyDefault));
  same(End, Start);
}

static void inOrder() {
  int *Pinned = nullptr;
  check(cudaMallocHost(&Pinned, Bytes));
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  suite::Array<int> A(Count);
  for (int I = 0; I < Count; ++I)
    Pinned[I] = I;
  for (int Round = 0; Round < 5; ++Round) {
    check(cudaMemcpyAsync(A, Pinned, Bytes, cudaMemcpyHostToDevice, Stream));
    addOne<<<8, 128, 0, Stream>>>(A, Count);
    check(cudaMemcpyAsync(Pinned, A, Bytes, cudaMemcpyDeviceToHost, Stream));
  }
  check(cudaStreamSynchronize(Stream));
  same(std::vector<int>(Pinned, Pinned + Count), numbers(5));
  check(cudaStreamDestroy(Stream));
  check(cudaFreeHost(Pinned));
}

static void pageableIsDoneAtReturn() {
  suite::Array<int> A(Count);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  std::vector<int> Source = numbers(3), Result(Count);
  check(cudaMemcpyAsync(A, Source.data(), Bytes, cudaMemcpyHostToDevice,
                        Stream));
  Source.assign(Count, -1);
  addOne<<<8, 128, 0, Stream>>>(A, Count);
  check(cudaMemcpyAsync(Result.data(), A, Bytes, cudaMemcpyDeviceToHost,
                        Stream));
  check(cudaStreamSynchronize(Stream));
  same(Result, numbers(4));
  check(cudaStreamDestroy(Stream));
}

static void rows() {
  std::vector<int> Start = numbers(0);
  suite::Array<int> A(Count);
  check(cudaMemcpy2D(A, 20 * sizeof(int), Start.data(), 40 * sizeof(int),
                     20 * sizeof(int), 25, cudaMemcpyHostToDevice));
  std::vector<int> Got(20 * 25), Expected;
  for (int Y = 0; Y < 25; ++Y)
    for (int X = 0; X < 20; ++X)
      Expected.push_back(40 * Y + X);
  check(cudaMemcpy2DAsync(Got.data(), 80, A, 80, 80, 25,
                          cudaMemcpyDeviceToHost, nullptr));
  check(cudaDeviceSynchronize());
  same(Got, Expected);
}

/// The middle of a box of 10 x 10 x 10.
static void box() {
  std::vector<int> Start = numbers(0);
  suite::Array<int> A(Start);
  std::vector<int> Got(4 * 3 * 2, -1), Expected;
  cudaMemcpy3DParms Copy = {};
  Copy.srcPtr = make_cudaPitchedPtr(A.get(), 40, 10, 10);
  Copy.srcPos = make_cudaPos(2 * sizeof(int), 3, 4);
  Copy.dstPtr = make_cudaPitchedPtr(Got.data(), 16, 4, 3);
  Copy.extent = make_cudaExtent(16, 3, 2);
  Copy.kind = cudaMemcpyDeviceToHost;
  check(cudaMemcpy3DAsync(&Copy));
  check(cudaDeviceSynchronize());
  for (int Z = 4; Z < 6; ++Z)
    for (int Y = 3; Y < 6; ++Y)
      for (int X = 2; X < 6; ++X)
        Expected.push_back(100 * Z + 10 * Y + X);
  same(Got, Expected);
}

static void errors() {
  suite::Array<int> A(Count);
  std::vector<int> Host(2 * Count);
  expect(cudaMemcpy(A, Host.data(), 2 * Bytes, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  expect(cudaMemcpy(A, Host.data(), Bytes, static_cast<cudaMemcpyKind>(77)) ==
         cudaErrorInvalidMemcpyDirection);
  expect(cudaMemcpy(nullptr, Host.data(), 4, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidValue);
  expect(cudaMemcpy2D(A, 16, Host.data(), 8, 12, 2, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidPitchValue);
  expect(cudaMemcpyPeer(A, 0, A, 4711, 4) == cudaErrorInvalidDevice);
  (void)cudaGetLastError();
  check(cudaMemcpy(A, Host.data(), 0, cudaMemcpyHostToDevice));
}

int main() {
  everyDirection();
  inOrder();
  pageableIsDoneAtReturn();
  rows();
  box();
  errors();
  return suite::finish();
}
