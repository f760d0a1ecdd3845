// Finds words in a text: patterns in constant memory, string functions written
// for the device, lines printed by kernels, assertions that hold.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

#define MAX_PATTERNS 4
#define MAX_LENGTH 16

typedef struct {
  char text[MAX_LENGTH];
  int length;
  int skip[256 / 8];
} pattern_t;

__constant__ pattern_t patterns[MAX_PATTERNS];
__constant__ const char *const banner = "device";

__device__ int d_strlen(const char *s) {
  const char *p = s;
  while (*p)
    ++p;
  return p - s;
}
__device__ char d_tolower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
__device__ int d_strncasecmp(const char *a, const char *b, int n) {
  for (; n; --n, ++a, ++b) {
    int d = d_tolower(*a) - d_tolower(*b);
    if (d || !*a)
      return d;
  }
  return 0;
}

__global__ void search(const char *__restrict__ text, int n, int *counts, int *first, int npatterns) {
  assert(npatterns <= MAX_PATTERNS && blockDim.x % warpSize == 0);
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (int p = 0; p < npatterns; p++) {
    const pattern_t *pat = &patterns[p];
    bool hit = tid + pat->length <= n && d_strncasecmp(text + tid, pat->text, pat->length) == 0;
    unsigned hits = __ballot_sync(0xffffffff, hit);
    if (hits && (threadIdx.x & 31) == __ffs(hits) - 1) {
      atomicAdd(&counts[p], __popc(hits));
      atomicMin(&first[p], tid);
    }
    if (__any_sync(0xffffffffu, hit) && __all_sync(0xffffffffu, hit))
      __trap();
  }
}

__global__ void report(const int *counts, int npatterns) {
  if (threadIdx.x < npatterns)
    printf("[%s] %-8s x %3d (%d letters, %5.1f%%)\n", "gpu", patterns[threadIdx.x].text, counts[threadIdx.x],
           d_strlen(patterns[threadIdx.x].text), 100.0 * counts[threadIdx.x] / 50);
}

static int naive(const char *text, const char *p, int *first) {
  int count = 0, n = (int)strlen(p);
  *first = 0x7fffffff;
  for (const char *t = text; *t; t++)
    if (strncasecmp(t, p, n) == 0) {
      if (!count++)
        *first = (int)(t - text);
    }
  return count;
}

int main(int argc, char *argv[]) {
  const char *words[MAX_PATTERNS] = {"lorem", "dolor", "magna", "sit"};
  const char *sentence = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor MAGNA aliqua. ";
  char *text = (char *)malloc(50 * strlen(sentence) + 1), *d_text;
  text[0] = 0;
  for (int i = 0; i < 50; i++)
    strcat(text, sentence);
  int n = (int)strlen(text), counts[MAX_PATTERNS] = {0}, first[MAX_PATTERNS], *d_counts, *d_first, bad = 0;
  pattern_t host[MAX_PATTERNS];
  memset(host, 0, sizeof host);
  for (int i = 0; i < MAX_PATTERNS; i++) {
    strcpy(host[i].text, words[i]);
    host[i].length = (int)strlen(words[i]);
  }
  cudaMemcpyToSymbol(patterns, host, sizeof host);
  cudaMalloc((void **)&d_text, n + 1);
  cudaMalloc((void **)&d_counts, sizeof counts);
  cudaMalloc((void **)&d_first, sizeof first);
  cudaMemcpy(d_text, text, n + 1, cudaMemcpyHostToDevice);
  cudaMemset(d_counts, 0, sizeof counts);
  cudaMemset(d_first, 0x7f, sizeof first);
  search<<<(n + 127) / 128, 128>>>(d_text, n, d_counts, d_first, MAX_PATTERNS);
  report<<<1, 32>>>(d_counts, MAX_PATTERNS);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost);
  cudaMemcpy(first, d_first, sizeof first, cudaMemcpyDeviceToHost);
  for (int i = 0; i < MAX_PATTERNS; i++) {
    int at;
    bad += counts[i] != naive(text, words[i], &at) || first[i] != at;
  }
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(d_text), cudaFree(d_counts), cudaFree(d_first), free(text);
  return bad;
}
