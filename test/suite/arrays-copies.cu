// Feature: textures: Bytes are copied to arrays, from arrays and between arrays, by
// every call, through captured graphs and nodes, and arrays tell what they are.

#include "Inputs/textures.h"

constexpr size_t Width = 6, Height = 4, Row = Width * sizeof(int);

static std::vector<int> numbers(size_t Count, int First = 0) {
  std::vector<int> Out;
  for (size_t I = 0; I < Count; ++I)
    Out.push_back(First + int(I));
  return Out;
}

/// A rectangle in and out, one element down and two to the right.
static void copiesRectangles() {
  suite::Cells<int> A({Width, Height, 0}, numbers(24)), B({Width, Height, 0});
  const std::vector<int> Given = numbers(6, 100);
  check(cudaMemcpy2DToArray(A, 2 * sizeof(int), 1, Given.data(),
                            3 * sizeof(int), 3 * sizeof(int), 2,
                            cudaMemcpyHostToDevice));
  std::vector<int> Expected = numbers(24);
  for (int I = 0; I < 6; ++I)
    Expected[size_t(8 + I / 3 * 6 + I % 3)] = 100 + I;
  same(A.host(), Expected);

  check(cudaMemcpy2DArrayToArray(B, 0, 0, A, 0, 0, Row, Height,
                                 cudaMemcpyDeviceToDevice));
  same(B.host(), Expected);

  std::vector<int> Got(6);
  check(cudaMemcpy2DFromArray(Got.data(), 3 * sizeof(int), B, 2 * sizeof(int),
                              1, 3 * sizeof(int), 2, cudaMemcpyDeviceToHost));
  same(Got, Given);
}

/// The old names: bytes that go on in the next row.
static void copiesAcrossRows() {
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  suite::Cells<int> A({Width, Height, 0}, numbers(24)), B({Width, Height, 0});
  const std::vector<int> Given = numbers(8, 50);
  check(cudaMemcpyToArray(A, 4 * sizeof(int), 1, Given.data(),
                          8 * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<int> Expected = numbers(24);
  for (int I = 0; I < 8; ++I)
    Expected[size_t(10 + I)] = 50 + I;
  same(A.host(), Expected);
  check(cudaMemcpyArrayToArray(B, 0, 0, A, 0, 0, 24 * sizeof(int),
                               cudaMemcpyDeviceToDevice));
  std::vector<int> Got(8);
  check(cudaMemcpyFromArray(Got.data(), B, 4 * sizeof(int), 1,
                            8 * sizeof(int), cudaMemcpyDeviceToHost));
  same(Got, Given);
}

/// A box between two arrays, in elements.
static void copiesBoxes() {
  const std::vector<int> Zeros(24);
  suite::Cells<int> A({4, 3, 2}, numbers(24)), B({4, 3, 2}, Zeros);
  cudaMemcpy3DParms Copy = {};
  Copy.srcArray = A;
  Copy.srcPos = {1, 1, 0};
  Copy.dstArray = B;
  Copy.dstPos = {0, 0, 1};
  Copy.extent = {3, 2, 1};
  Copy.kind = cudaMemcpyDeviceToDevice;
  check(cudaMemcpy3D(&Copy));
  const std::vector<int> Expected = {0, 0, 0, 0, 0, 0,  0,  0, 0, 0, 0, 0,
                                     5, 6, 7, 0, 9, 10, 11, 0, 0, 0, 0, 0};
  same(B.host(), Expected);
}

/// From memory with rows of 5 elements to the middle of an array, in a batch.
static void copiesInBatches() {
  std::vector<int> Expected(24);
  suite::Cells<int> A({Width, Height, 0}, Expected);
  suite::Array<int> From(numbers(10, 1));
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  cudaMemcpy3DBatchOp Copy = {};
  Copy.src.type = cudaMemcpyOperandTypePointer;
  Copy.src.op.ptr.ptr = From;
  Copy.src.op.ptr.rowLength = 5;
  Copy.dst.type = cudaMemcpyOperandTypeArray;
  Copy.dst.op.array.array = A;
  Copy.dst.op.array.offset = {2, 1, 0};
  Copy.extent = {3, 2, 1};
  Copy.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  check(cudaMemcpy3DBatchAsync(1, &Copy, 0, Stream));
  check(cudaStreamSynchronize(Stream));
  check(cudaStreamDestroy(Stream));
  for (int I = 0; I < 6; ++I)
    Expected[size_t(8 + I / 3 * 6 + I % 3)] = 1 + I / 3 * 5 + I % 3;
  same(A.host(), Expected);
}

__global__ void twice(int *Data) { Data[threadIdx.x] *= 2; }

/// Captured: into an array, out of it, a kernel, and back again.
static void copiesInGraphs() {
  suite::Cells<int> A({Width, Height, 0});
  suite::Array<int> From(numbers(24)), To(24);
  cudaStream_t Stream;
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  check(cudaStreamCreate(&Stream));
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  check(cudaMemcpy2DToArrayAsync(A, 0, 0, From, Row, Row, Height,
                                 cudaMemcpyDeviceToDevice, Stream));
  check(cudaMemcpy2DFromArrayAsync(To, Row, A, 0, 0, Row, Height,
                                   cudaMemcpyDeviceToDevice, Stream));
  twice<<<1, 24, 0, Stream>>>(To);
  check(cudaMemcpy2DToArrayAsync(A, 0, 0, To, Row, Row, Height,
                                 cudaMemcpyDeviceToDevice, Stream));
  check(cudaStreamEndCapture(Stream, &Graph));
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaStreamSynchronize(Stream));
  std::vector<int> Expected;
  for (int I = 0; I < 24; ++I)
    Expected.push_back(2 * I);
  same(A.host(), Expected);
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(Stream));
}

/// A node of two elements, told as it was made.
static void addsNodes() {
  std::vector<int> Expected(24);
  suite::Cells<int> A({Width, Height, 0}, numbers(24)),
      B({Width, Height, 0}, Expected);
  cudaGraph_t Graph;
  cudaGraphNode_t Node;
  cudaGraphExec_t Exec;
  cudaMemcpy3DParms Copy = {}, Told = {};
  Copy.srcArray = A;
  Copy.srcPos = {3, 2, 0};
  Copy.dstArray = B;
  Copy.extent = {2, 1, 1};
  Copy.kind = cudaMemcpyDeviceToDevice;
  check(cudaGraphCreate(&Graph, 0));
  check(cudaGraphAddMemcpyNode(&Node, Graph, nullptr, 0, &Copy));
  check(cudaGraphMemcpyNodeGetParams(Node, &Told));
  expect(Told.srcArray == A && Told.dstArray == B && Told.extent.width == 2 &&
         Told.srcPos.x == 3);
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, nullptr));
  Expected[0] = 15;
  Expected[1] = 16;
  same(B.host(), Expected);
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
}

static void tells() {
  suite::Cells<short4> A({8, 0, 3}, cudaArrayLayered |
                                        cudaArraySurfaceLoadStore);
  cudaChannelFormatDesc Desc = {};
  cudaExtent Extent = {};
  unsigned Flags = 0;
  check(cudaArrayGetInfo(&Desc, &Extent, &Flags, A));
  expect(Desc.x == 16 && Desc.w == 16 && Desc.f == cudaChannelFormatKindSigned);
  expect(Extent.width == 8 && Extent.height == 0 && Extent.depth == 3);
  expect(Flags == (cudaArrayLayered | cudaArraySurfaceLoadStore));
  Desc = {};
  check(cudaGetChannelDesc(&Desc, A));
  expect(Desc.x == 16 && Desc.y == 16);

  cudaMipmappedArray_t Levels = nullptr;
  cudaArray_t Last = nullptr;
  Desc = cudaCreateChannelDesc<uchar2>();
  check(cudaMallocMipmappedArray(&Levels, &Desc, {16, 4, 2}, 99));
  check(cudaGetMipmappedArrayLevel(&Last, Levels, 4));
  expect(cudaGetMipmappedArrayLevel(&Last, Levels, 5) != cudaSuccess);
  check(cudaGetMipmappedArrayLevel(&Last, Levels, 2));
  check(cudaArrayGetInfo(nullptr, &Extent, nullptr, Last));
  expect(Extent.width == 4 && Extent.height == 1 && Extent.depth == 1);
  check(cudaFreeMipmappedArray(Levels));
  cudaGetLastError();
}

int main() {
  copiesRectangles();
  copiesAcrossRows();
  copiesBoxes();
  copiesInBatches();
  copiesInGraphs();
  addsNodes();
  tells();
  return suite::finish();
}
