// How fast copies are, by every kind of memory and way, and whether they copy.
#include <cassert>
#include <iostream>
#include <memory>
#include <cstring>
#include <cuda_runtime.h>
#include <helper_check.h>
#include <timer.h>

enum testMode { QUICK_MODE, RANGE_MODE, SHMOO_MODE };
enum memcpyKind { DEVICE_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_DEVICE };
enum printMode { USER_READABLE, CSV };
enum memoryMode { PINNED, PAGEABLE };
const char *sMemoryMode[] = {"PINNED", "PAGEABLE", NULL};

#define DEFAULT_SIZE (32 * (1 << 10))
#define DEFAULT_INCREMENT (16 * (1 << 10))
#define MEMCOPY_ITERATIONS 3

StopWatchInterface *timer = NULL;
int failures = 0;

static unsigned char *allocHost(unsigned int memSize, memoryMode memMode, bool wc) {
  unsigned char *p = NULL;
  if (PINNED == memMode)
    checkCudaErrors(cudaHostAlloc((void **)&p, memSize, wc ? cudaHostAllocWriteCombined : 0));
  else
    p = (unsigned char *)malloc(memSize);
  return p;
}
static void freeHost(unsigned char *p, memoryMode memMode) {
  if (PINNED == memMode)
    checkCudaErrors(cudaFreeHost(p));
  else
    free(p);
}

float testBandwidth(memcpyKind kind, unsigned int memSize, memoryMode memMode, bool wc) {
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  unsigned char *h_in = allocHost(memSize, memMode, wc), *h_out = allocHost(memSize, memMode, false), *d_a, *d_b;
  checkCudaErrors(cudaMalloc((void **)&d_a, memSize));
  checkCudaErrors(cudaMalloc((void **)&d_b, memSize));
  for (unsigned int i = 0; i < memSize / sizeof(unsigned char); i++)
    h_in[i] = (unsigned char)((i + kind) & 0xff);
  memset(h_out, 0, memSize);
  checkCudaErrors(cudaMemcpy(d_a, h_in, memSize, cudaMemcpyHostToDevice));
  timer->start();
  checkCudaErrors(cudaEventRecord(start, 0));
  for (unsigned int i = 0; i < MEMCOPY_ITERATIONS; i++) {
    switch (kind) {
    case DEVICE_TO_HOST:
      checkCudaErrors(PINNED == memMode ? cudaMemcpyAsync(h_out, d_a, memSize, cudaMemcpyDeviceToHost, 0)
                                        : cudaMemcpy(h_out, d_a, memSize, cudaMemcpyDeviceToHost));
      break;
    case HOST_TO_DEVICE:
      checkCudaErrors(PINNED == memMode ? cudaMemcpyAsync(d_b, h_in, memSize, cudaMemcpyHostToDevice, 0)
                                        : cudaMemcpy(d_b, h_in, memSize, cudaMemcpyHostToDevice));
      break;
    case DEVICE_TO_DEVICE:
      checkCudaErrors(cudaMemcpy(d_b, d_a, memSize, cudaMemcpyDeviceToDevice));
    }
  }
  checkCudaErrors(cudaEventRecord(stop, 0));
  checkCudaErrors(cudaDeviceSynchronize());
  timer->stop();
  float elapsedTimeInMs = 0.0f;
  checkCudaErrors(cudaEventElapsedTime(&elapsedTimeInMs, start, stop));
  if (kind != DEVICE_TO_HOST)
    checkCudaErrors(cudaMemcpy(h_out, d_b, memSize, cudaMemcpyDefault));
  failures += memcmp(h_in, h_out, memSize) != 0;
  cudaPointerAttributes attributes;
  checkCudaErrors(cudaPointerGetAttributes(&attributes, d_a));
  failures += attributes.type != cudaMemoryTypeDevice;
  checkCudaErrors(cudaPointerGetAttributes(&attributes, h_in));
  failures += attributes.type != (PINNED == memMode ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered);
  checkCudaErrors(cudaEventDestroy(stop));
  checkCudaErrors(cudaEventDestroy(start));
  freeHost(h_in, memMode), freeHost(h_out, memMode);
  checkCudaErrors(cudaFree(d_a));
  checkCudaErrors(cudaFree(d_b));
  return (memSize * (float)MEMCOPY_ITERATIONS) / (float)1e9 / (elapsedTimeInMs / 1e3);
}

int main(int argc, char **argv) {
  printf("[CUDA Bandwidth Test] - Starting...\n");
  timer = new StopWatchLinux;
  for (int mode = PINNED; mode <= PAGEABLE; mode++)
    for (int kind = DEVICE_TO_HOST; kind <= DEVICE_TO_DEVICE; kind++)
      for (unsigned int size = DEFAULT_SIZE; size <= DEFAULT_SIZE + 2 * DEFAULT_INCREMENT; size += DEFAULT_INCREMENT) {
        float bandwidth = testBandwidth((memcpyKind)kind, size, (memoryMode)mode, size % 3 == 0);
        printf(" %s Memory Transfers, kind %d:   %8d bytes  %.1f GB/s\n", sMemoryMode[mode], kind, size, bandwidth);
      }
  // Memory that both see, and memory that was the host's.
  float *mapped, *seen, *owned = (float *)aligned_alloc(4096, 4096);
  checkCudaErrors(cudaHostAlloc(&mapped, 256, cudaHostAllocMapped));
  checkCudaErrors(cudaHostGetDevicePointer(&seen, mapped, 0));
  checkCudaErrors(cudaMemset(seen, 0, 256));
  checkCudaErrors(cudaHostRegister(owned, 4096, cudaHostRegisterDefault));
  owned[3] = 42;
  checkCudaErrors(cudaMemcpy(seen, owned, 64, cudaMemcpyDefault));
  failures += mapped[3] != 42;
  checkCudaErrors(cudaHostUnregister(owned));
  checkCudaErrors(cudaFreeHost(mapped));
  free(owned);
  printf("%.3f ms in all\n%s\n", timer->getTime(), failures ? "Result = FAIL" : "Result = PASS");
  delete timer;
  return failures;
}
