// Host threads by OpenMP, each with a stream, an event and its part of the work; managed counters that both sides read.
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <vector>
#define GPU_CHECK(e) { cudaError_t s = (e); if (s) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(s)); exit(1); } }
__managed__ unsigned long long done = 0;
__device__ __managed__ int per_part[16];
__global__ void kernelAddConstant(int *g_a, const int b, int part) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  g_a[idx] += b;
  if (threadIdx.x == 0) { atomicAdd(&done, 1ULL); atomicAdd(&per_part[part], 1); }
}
int main(int argc, char *argv[]) {
  int num_gpus = 0, n = 1 << 14;
  GPU_CHECK(cudaGetDeviceCount(&num_gpus));
  printf("number of host CPUs:\t%d\nnumber of CUDA devices:\t%d\n", omp_get_num_procs(), num_gpus);
  omp_set_num_threads(4);
  int *a = NULL;
  GPU_CHECK(cudaMallocHost(&a, n * sizeof(int)));
  for (int i = 0; i < n; i++) a[i] = i;
  double t = omp_get_wtime();
  int threads = 1;
#pragma omp parallel default(shared)
  {
    int cpu = omp_get_thread_num(), count = omp_get_num_threads(), part = n / count;
#pragma omp single nowait
    threads = count;
    GPU_CHECK(cudaSetDevice(cpu % num_gpus));
    cudaStream_t stream;
    cudaEvent_t event;
    GPU_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    GPU_CHECK(cudaEventCreate(&event));
    int *d_a = 0;
    GPU_CHECK(cudaMalloc(&d_a, part * sizeof(int)));
    GPU_CHECK(cudaMemcpyAsync(d_a, a + cpu * part, part * sizeof(int), cudaMemcpyHostToDevice, stream));
    for (int step = 0; step < 3; step++)
      kernelAddConstant<<<part / 128, 128, 0, stream>>>(d_a, 3 + step, cpu);
    GPU_CHECK(cudaMemcpyAsync(a + cpu * part, d_a, part * sizeof(int), cudaMemcpyDeviceToHost, stream));
    GPU_CHECK(cudaEventRecord(event, stream));
    GPU_CHECK(cudaEventSynchronize(event));
    GPU_CHECK(cudaFree(d_a));
#pragma omp critical
    printf("CPU thread %d (of %d) uses CUDA device %d\n", cpu, count, cpu % num_gpus);
  }
  GPU_CHECK(cudaDeviceSynchronize());
  long errors = 0, sum = 0;
#pragma omp parallel for reduction(+ : errors)
  for (int i = 0; i < n; i++) errors += a[i] != i + 12;
  for (int i = 0; i < threads; i++) sum += per_part[i];
  printf("%f s, %llu blocks\n", omp_get_wtime() - t, done);
  GPU_CHECK(cudaFreeHost(a));
  return errors || done != 3ULL * n / 128 || sum != (long)done;
}
