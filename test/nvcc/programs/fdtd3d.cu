// Finite differences in three dimensions: a plane at a time in shared memory,
// depth in registers, volumes in pitched memory.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <cuda_runtime.h>
#include <helper_check.h>

#define RADIUS 4
#define k_blockDimX 32
#define k_blockDimMaxY 8

__constant__ float stencil[RADIUS + 1];

template <int R>
__global__ void __launch_bounds__(k_blockDimX *k_blockDimMaxY)
    FiniteDifferences3DKernel(cudaPitchedPtr output, const cudaPitchedPtr input, const int dimx, const int dimy, const int dimz) {
  const int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * blockDim.y + threadIdx.y;
  const int ltidx = threadIdx.x, ltidy = threadIdx.y, tx = ltidx + R, ty = ltidy + R;
  __shared__ float tile[k_blockDimMaxY + 2 * R][k_blockDimX + 2 * R];
  const size_t stride_y = input.pitch / sizeof(float), stride_z = stride_y * input.ysize;
  const float *in = (const float *)input.ptr;
  float *out = (float *)output.ptr;
  size_t inputIndex = (gtidy + R) * stride_y + gtidx + R;
  size_t outputIndex = inputIndex + R * stride_z;
  float infront[R], behind[R], current;
  bool validw = gtidx < dimx && gtidy < dimy;
  bool validr = gtidx < dimx + R && gtidy < dimy + R;
  for (int i = R - 2; i >= 0; i--, inputIndex += stride_z)
    if (validr)
      behind[i] = in[inputIndex];
  if (validr)
    current = in[inputIndex];
  inputIndex += stride_z;
  for (int i = 0; i < R; i++, inputIndex += stride_z)
    if (validr)
      infront[i] = in[inputIndex];
#pragma unroll 2
  for (int iz = 0; iz < dimz; iz++) {
#pragma unroll
    for (int i = R - 1; i > 0; i--)
      behind[i] = behind[i - 1];
    behind[0] = current;
    current = infront[0];
#pragma unroll
    for (int i = 0; i < R - 1; i++)
      infront[i] = infront[i + 1];
    if (validr)
      infront[R - 1] = in[inputIndex];
    inputIndex += stride_z;
    __syncthreads();
    if (ltidy < R) {
      tile[ltidy][tx] = in[outputIndex - R * stride_y];
      tile[ltidy + k_blockDimMaxY + R][tx] = in[outputIndex + k_blockDimMaxY * stride_y];
    }
    if (ltidx < R) {
      tile[ty][ltidx] = in[outputIndex - R];
      tile[ty][ltidx + k_blockDimX + R] = in[outputIndex + k_blockDimX];
    }
    tile[ty][tx] = current;
    __syncthreads();
    float value = stencil[0] * current;
#pragma unroll
    for (int i = 1; i <= R; i++)
      value += stencil[i] * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
    if (validw)
      out[outputIndex] = value;
    outputIndex += stride_z;
  }
}

int main(int argc, char **argv) {
  const int dimx = 64, dimy = 24, dimz = 10, steps = 2, R = RADIUS;
  const int ox = dimx + 2 * R, oy = dimy + 2 * R, oz = dimz + 2 * R, volume = ox * oy * oz;
  auto host = std::make_unique<float[]>(volume), ref = std::make_unique<float[]>(volume), got = std::make_unique<float[]>(volume);
  for (int i = 0; i < volume; i++)
    host[i] = (i * 37 % 101) / 50.0f;
  float coeff[R + 1];
  for (int i = 0; i <= R; i++)
    coeff[i] = 0.1f / (1 + i);
  cudaExtent extent = make_cudaExtent(ox * sizeof(float), oy, oz);
  cudaPitchedPtr a, b;
  checkCudaErrors(cudaMalloc3D(&a, extent));
  checkCudaErrors(cudaMalloc3D(&b, extent));
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(host.get(), ox * sizeof(float), ox, oy);
  copy.dstPtr = a;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  checkCudaErrors(cudaMemcpy3D(&copy));
  copy.dstPtr = b;
  checkCudaErrors(cudaMemcpy3D(&copy));
  checkCudaErrors(cudaMemcpyToSymbol(stencil, (void *)coeff, sizeof coeff));
  cudaFuncAttributes attributes;
  checkCudaErrors(cudaFuncGetAttributes(&attributes, FiniteDifferences3DKernel<RADIUS>));
  dim3 dimBlock(k_blockDimX, k_blockDimMaxY), dimGrid((dimx + 31) / 32, (dimy + 7) / 8);
  assert((int)(dimBlock.x * dimBlock.y) <= attributes.maxThreadsPerBlock);
  for (int s = 0; s < steps; s++) {
    FiniteDifferences3DKernel<RADIUS><<<dimGrid, dimBlock>>>(b, a, dimx, dimy, dimz);
    std::swap(a, b);
    std::copy_n(host.get(), volume, ref.get());
    for (int z = R; z < oz - R; z++)
      for (int y = R; y < oy - R; y++)
        for (int x = R; x < ox - R; x++) {
          auto at = [&](int i, int j, int k) { return host[(k * oy + j) * ox + i]; };
          float value = coeff[0] * at(x, y, z);
          for (int i = 1; i <= R; i++)
            value += coeff[i] * (at(x, y, z + i) + at(x, y, z - i) + at(x, y - i, z) + at(x, y + i, z) + at(x - i, y, z) + at(x + i, y, z));
          ref[(z * oy + y) * ox + x] = value;
        }
    std::swap(host, ref);
  }
  getLastCudaError("FiniteDifferences3DKernel");
  copy = cudaMemcpy3DParms();
  copy.srcPtr = a;
  copy.dstPtr = make_cudaPitchedPtr(got.get(), ox * sizeof(float), ox, oy);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  checkCudaErrors(cudaMemcpy3D(&copy));
  double worst = 0;
  for (int i = 0; i < volume; i++)
    worst = std::max(worst, (double)std::fabs(got[i] - host[i]));
  std::cout << "worst " << worst << "\n" << (worst < 1e-4 ? "Test passed" : "Test FAILED") << std::endl;
  checkCudaErrors(cudaFree(a.ptr));
  checkCudaErrors(cudaFree(b.ptr));
  return !(worst < 1e-4);
}
