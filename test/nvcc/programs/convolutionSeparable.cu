// Separable convolution, constant weights, aprons, pitched memory.
#include <assert.h>
#include <helper_check.h>
#include <stdio.h>

#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4
#define ROWS_RESULT_STEPS 8
#define ROWS_HALO_STEPS 1
#define COLUMNS_BLOCKDIM_X 16
#define COLUMNS_BLOCKDIM_Y 8
#define COLUMNS_RESULT_STEPS 8
#define COLUMNS_HALO_STEPS 1

__constant__ float c_Kernel[KERNEL_LENGTH];
extern "C" void setConvolutionKernel(float *h_Kernel) {
  cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float));
}

__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) {
  __shared__ float s_Data[ROWS_BLOCKDIM_Y][(ROWS_RESULT_STEPS + 2 * ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X];
  const int baseX = (blockIdx.x * ROWS_RESULT_STEPS - ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X + threadIdx.x;
  const int baseY = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;
  d_Src += baseY * pitch + baseX;
  d_Dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++)
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] = d_Src[i * ROWS_BLOCKDIM_X];
#pragma unroll
  for (int i = 0; i < ROWS_HALO_STEPS; i++)
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] =
        (baseX >= -i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
#pragma unroll
  for (int i = ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS + ROWS_HALO_STEPS; i++)
    s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] =
        (imageW - baseX > i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
  __syncthreads();
#pragma unroll
  for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
      sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X + j];
    d_Dst[i * ROWS_BLOCKDIM_X] = sum;
  }
}

__global__ void convolutionColumnsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) {
  __shared__ float
      s_Data[COLUMNS_BLOCKDIM_X][(COLUMNS_RESULT_STEPS + 2 * COLUMNS_HALO_STEPS) * COLUMNS_BLOCKDIM_Y + 1];
  const int baseX = blockIdx.x * COLUMNS_BLOCKDIM_X + threadIdx.x;
  const int baseY = (blockIdx.y * COLUMNS_RESULT_STEPS - COLUMNS_HALO_STEPS) * COLUMNS_BLOCKDIM_Y + threadIdx.y;
  d_Src += baseY * pitch + baseX;
  d_Dst += baseY * pitch + baseX;
#pragma unroll
  for (int i = COLUMNS_HALO_STEPS; i < COLUMNS_HALO_STEPS + COLUMNS_RESULT_STEPS; i++)
    s_Data[threadIdx.x][threadIdx.y + i * COLUMNS_BLOCKDIM_Y] = d_Src[i * COLUMNS_BLOCKDIM_Y * pitch];
#pragma unroll
  for (int i = 0; i < COLUMNS_HALO_STEPS; i++)
    s_Data[threadIdx.x][threadIdx.y + i * COLUMNS_BLOCKDIM_Y] =
        (baseY >= -i * COLUMNS_BLOCKDIM_Y) ? d_Src[i * COLUMNS_BLOCKDIM_Y * pitch] : 0;
#pragma unroll
  for (int i = COLUMNS_HALO_STEPS + COLUMNS_RESULT_STEPS;
       i < COLUMNS_HALO_STEPS + COLUMNS_RESULT_STEPS + COLUMNS_HALO_STEPS; i++)
    s_Data[threadIdx.x][threadIdx.y + i * COLUMNS_BLOCKDIM_Y] =
        (imageH - baseY > i * COLUMNS_BLOCKDIM_Y) ? d_Src[i * COLUMNS_BLOCKDIM_Y * pitch] : 0;
  __syncthreads();
#pragma unroll
  for (int i = COLUMNS_HALO_STEPS; i < COLUMNS_HALO_STEPS + COLUMNS_RESULT_STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
      sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.x][threadIdx.y + i * COLUMNS_BLOCKDIM_Y + j];
    d_Dst[i * COLUMNS_BLOCKDIM_Y * pitch] = sum;
  }
}

static void convolutionCPU(float *dst, const float *src, const float *kernel, int w, int h, bool rows) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
        int X = rows ? x + k : x, Y = rows ? y : y + k;
        if (X >= 0 && X < w && Y >= 0 && Y < h)
          sum += src[Y * w + X] * kernel[KERNEL_RADIUS - k];
      }
      dst[y * w + x] = sum;
    }
}

int main(int argc, char **argv) {
  const int imageW = 256, imageH = 128;
  float h_Kernel[KERNEL_LENGTH], *h_Input = (float *)malloc(imageW * imageH * sizeof(float));
  float *h_Buffer = (float *)malloc(imageW * imageH * sizeof(float)), *d_Input, *d_Output, *d_Buffer;
  float *h_OutputCPU = (float *)malloc(imageW * imageH * sizeof(float));
  float *h_OutputGPU = (float *)malloc(imageW * imageH * sizeof(float));
  srand(200);
  for (unsigned int i = 0; i < KERNEL_LENGTH; i++)
    h_Kernel[i] = (float)(rand() % 16);
  for (unsigned i = 0; i < imageW * imageH; i++)
    h_Input[i] = (float)(rand() % 16);
  size_t pitch, p2, p3;
  checkCudaErrors(cudaMallocPitch((void **)&d_Input, &pitch, imageW * sizeof(float), imageH));
  checkCudaErrors(cudaMallocPitch((void **)&d_Output, &p2, imageW * sizeof(float), imageH));
  checkCudaErrors(cudaMallocPitch((void **)&d_Buffer, &p3, imageW * sizeof(float), imageH));
  assert(pitch == p2 && p2 == p3);
  setConvolutionKernel(h_Kernel);
  checkCudaErrors(cudaMemcpy2D(d_Input, pitch, h_Input, imageW * sizeof(float), imageW * sizeof(float), imageH,
                               cudaMemcpyHostToDevice));
  assert(imageW % (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X) == 0 && imageH % ROWS_BLOCKDIM_Y == 0);
  dim3 blocks(imageW / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), imageH / ROWS_BLOCKDIM_Y);
  dim3 threads(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y);
  convolutionRowsKernel<<<blocks, threads>>>(d_Buffer, d_Input, imageW, imageH, pitch / sizeof(float));
  getLastCudaError("convolutionRowsKernel() execution failed\n");
  dim3 blocks2(imageW / COLUMNS_BLOCKDIM_X, imageH / (COLUMNS_RESULT_STEPS * COLUMNS_BLOCKDIM_Y));
  dim3 threads2(COLUMNS_BLOCKDIM_X, COLUMNS_BLOCKDIM_Y);
  convolutionColumnsKernel<<<blocks2, threads2>>>(d_Output, d_Buffer, imageW, imageH, pitch / sizeof(float));
  getLastCudaError("convolutionColumnsKernel() execution failed\n");
  checkCudaErrors(cudaMemcpy2D(h_OutputGPU, imageW * sizeof(float), d_Output, pitch, imageW * sizeof(float), imageH,
                               cudaMemcpyDeviceToHost));
  convolutionCPU(h_Buffer, h_Input, h_Kernel, imageW, imageH, true);
  convolutionCPU(h_OutputCPU, h_Buffer, h_Kernel, imageW, imageH, false);
  double sum = 0, delta = 0;
  for (unsigned i = 0; i < imageW * imageH; i++) {
    delta += (h_OutputGPU[i] - h_OutputCPU[i]) * (h_OutputGPU[i] - h_OutputCPU[i]);
    sum += h_OutputCPU[i] * h_OutputCPU[i];
  }
  double L2norm = sqrt(delta / sum);
  printf(" ...Relative L2 norm: %E\n\n", L2norm);
  printf(L2norm > 1e-6 ? "Test failed!\n" : "Test passed\n");
  cudaFree(d_Buffer), cudaFree(d_Output), cudaFree(d_Input);
  free(h_Input), free(h_Buffer), free(h_OutputCPU), free(h_OutputGPU);
  return L2norm > 1e-6;
}
