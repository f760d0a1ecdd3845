// Conway's game, a byte and a bit for each cell, in pitched memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <helper_check.h>

#define IDX(x, y) ((y) * pitch + (x))

__global__ void lifeBytes(const uint8_t *in, uint8_t *out, size_t pitch, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x) {
      int left = (x + w - 1) % w, right = (x + 1) % w, up = (y + h - 1) % h, down = (y + 1) % h;
      int n = in[IDX(left, up)] + in[IDX(x, up)] + in[IDX(right, up)] + in[IDX(left, y)] + in[IDX(right, y)] +
              in[IDX(left, down)] + in[IDX(x, down)] + in[IDX(right, down)];
      out[IDX(x, y)] = n == 3 || (n == 2 && in[IDX(x, y)]) ? 1 : 0;
    }
}

// 32 cells in a word: sums of bits by full adders.
__global__ void lifeBits(const unsigned *__restrict__ in, unsigned *__restrict__ out, int words, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words * h)
    return;
  int x = i % words, y = i / words;
  unsigned s0 = 0, s1 = 0, s2 = 0, centre = 0;
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned *row = in + (y + dy + h) % h * words;
    unsigned w = __ldg(row + x), l = __ldg(row + (x + words - 1) % words), r = __ldg(row + (x + 1) % words);
    unsigned west = __funnelshift_l(l, w, 1), east = __funnelshift_r(w, r, 1);
    unsigned bits[3] = {west, east, w};
    if (dy == 0) {
      centre = w;
      bits[2] = 0;
    }
    for (int k = 0; k < 3; ++k) {
      unsigned c0 = s0 & bits[k], c1 = s1 & c0;
      s0 ^= bits[k];
      s1 ^= c0;
      s2 |= c1;
    }
  }
  out[i] = ~s2 & s1 & (s0 | centre);
}

int main() {
  const int w = 128, h = 96, steps = 12;
  uint8_t *host = (uint8_t *)malloc(w * h), *next = (uint8_t *)malloc(w * h), *got = (uint8_t *)malloc(w * h);
  unsigned *bits = (unsigned *)calloc(w / 32 * h, 4), *a, *b;
  for (int i = 0; i < w * h; i++)
    if ((host[i] = rand() % 3 == 0))
      bits[i / 32] |= 1u << (i % 32);
  uint8_t *d_in, *d_out;
  size_t pitch, pitch2;
  checkCudaErrors(cudaMallocPitch(&d_in, &pitch, w, h));
  checkCudaErrors(cudaMallocPitch(&d_out, &pitch2, w, h));
  checkCudaErrors(cudaMemcpy2D(d_in, pitch, host, w, w, h, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMalloc(&a, w / 8 * h));
  checkCudaErrors(cudaMalloc(&b, w / 8 * h));
  checkCudaErrors(cudaMemcpy(a, bits, w / 8 * h, cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; s++) {
    lifeBytes<<<dim3(3, 5), dim3(32, 8)>>>(d_in, d_out, pitch, w, h);
    lifeBits<<<(w / 32 * h + 63) / 64, 64>>>(a, b, w / 32, h);
    uint8_t *t = d_in; d_in = d_out; d_out = t;
    unsigned *u = a; a = b; b = u;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
              n += host[(y + dy + h) % h * w + (x + dx + w) % w];
        next[y * w + x] = n == 3 || (n == 2 && host[y * w + x]);
      }
    memcpy(host, next, w * h);
  }
  checkCudaErrors(cudaMemcpy2D(got, w, d_in, pitch, w, h, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(bits, a, w / 8 * h, cudaMemcpyDeviceToHost));
  int bad = memcmp(got, host, w * h) != 0, alive = 0;
  for (int i = 0; i < w * h; i++)
    bad += ((bits[i / 32] >> (i % 32)) & 1) != host[i], alive += host[i];
  printf("%d alive: %s\n", alive, bad ? "FAILED" : "PASSED");
  cudaFree(d_in), cudaFree(d_out), cudaFree(a), cudaFree(b), free(host), free(next), free(got), free(bits);
  return bad != 0;
}
