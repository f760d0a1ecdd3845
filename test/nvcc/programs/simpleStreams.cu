// Copies and kernels of several streams, pinned memory, host functions and
// callbacks, priorities, events of all kinds.
#include <stdio.h>
#include <string.h>
#include <atomic>
#include <helper_check.h>

struct heterogeneous_workload {
  int id;
  int cudaDeviceID;
  int *h_data;
  int *d_data;
  cudaStream_t stream;
  bool success;
};
const int N_workloads = 4;
const int N_elements_per_workload = 10000;
std::atomic<int> completed(0);

__global__ void incKernel(int *data, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    data[i]++;
}
__global__ void init_array(int *g_data, int *factor, int num_iterations) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < num_iterations; i++)
    g_data[idx] += *factor;
}

void CUDART_CB myStreamCallback(cudaStream_t stream, cudaError_t status, void *data) {
  heterogeneous_workload *workload = (heterogeneous_workload *)data;
  workload->success = status == cudaSuccess;
  for (int i = 0; i < N_elements_per_workload; i++)
    workload->success &= workload->h_data[i] == i + workload->id + 1;
  completed++;
}

int main(int argc, char **argv) {
  heterogeneous_workload *workloads = (heterogeneous_workload *)malloc(N_workloads * sizeof(heterogeneous_workload));
  int least, greatest;
  checkCudaErrors(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  size_t bytes = N_elements_per_workload * sizeof(int);
  for (int i = 0; i < N_workloads; ++i) {
    heterogeneous_workload *w = &workloads[i];
    w->id = i;
    w->cudaDeviceID = 0;
    w->success = false;
    checkCudaErrors(cudaStreamCreateWithPriority(&w->stream, cudaStreamNonBlocking, i % 2 ? least : greatest));
    checkCudaErrors(cudaMalloc(&w->d_data, bytes));
    checkCudaErrors(cudaHostAlloc(&w->h_data, bytes, cudaHostAllocPortable));
    for (int k = 0; k < N_elements_per_workload; k++)
      w->h_data[k] = k + i;
    dim3 block(512);
    dim3 grid((N_elements_per_workload + block.x - 1) / block.x);
    checkCudaErrors(cudaMemcpyAsync(w->d_data, w->h_data, bytes, cudaMemcpyHostToDevice, w->stream));
    incKernel<<<grid, block, 0, w->stream>>>(w->d_data, N_elements_per_workload);
    checkCudaErrors(cudaMemcpyAsync(w->h_data, w->d_data, bytes, cudaMemcpyDeviceToHost, w->stream));
    checkCudaErrors(cudaStreamAddCallback(w->stream, myStreamCallback, w, 0));
  }
  for (int i = 0; i < N_workloads; ++i)
    checkCudaErrors(cudaStreamSynchronize(workloads[i].stream));
  bool ok = completed == N_workloads;
  for (int i = 0; i < N_workloads; ++i) {
    ok &= workloads[i].success;
    checkCudaErrors(cudaStreamDestroy(workloads[i].stream));
    checkCudaErrors(cudaFree(workloads[i].d_data));
    checkCudaErrors(cudaFreeHost(workloads[i].h_data));
  }
  free(workloads);

  // Pieces of one array, each by its own stream.
  const int nstreams = 4, n = 8 * 1024, niterations = 5;
  int c = 5, *a, *d_a, *d_c, hostSum = 0;
  checkCudaErrors(cudaMallocHost((void **)&a, n * sizeof(int)));
  memset(a, 0, n * sizeof(int));
  checkCudaErrors(cudaMalloc((void **)&d_a, n * sizeof(int)));
  checkCudaErrors(cudaMemset(d_a, 0x0, n * sizeof(int)));
  checkCudaErrors(cudaMalloc((void **)&d_c, sizeof(int)));
  checkCudaErrors(cudaMemcpy(d_c, &c, sizeof(int), cudaMemcpyHostToDevice));
  cudaStream_t *streams = (cudaStream_t *)malloc(nstreams * sizeof(cudaStream_t));
  for (int i = 0; i < nstreams; i++)
    checkCudaErrors(cudaStreamCreate(&(streams[i])));
  cudaEvent_t start_event, stop_event, joined[nstreams];
  checkCudaErrors(cudaEventCreateWithFlags(&start_event, cudaEventBlockingSync));
  checkCudaErrors(cudaEventCreateWithFlags(&stop_event, cudaEventBlockingSync));
  cudaEventRecord(start_event, 0);
  dim3 threads(256, 1), blocks(n / (nstreams * threads.x), 1);
  for (int i = 0; i < nstreams; i++) {
    int at = i * n / nstreams;
    init_array<<<blocks, threads, 0, streams[i]>>>(d_a + at, d_c, niterations);
    checkCudaErrors(cudaMemcpyAsync(a + at, d_a + at, sizeof(int) * n / nstreams, cudaMemcpyDeviceToHost, streams[i]));
    checkCudaErrors(cudaEventCreateWithFlags(&joined[i], cudaEventDisableTiming));
    checkCudaErrors(cudaEventRecord(joined[i], streams[i]));
    checkCudaErrors(cudaStreamWaitEvent(streams[0], joined[i], 0));
  }
  struct Job { int *a, n, *sum; } job = {a, n, &hostSum};
  checkCudaErrors(cudaLaunchHostFunc(streams[0], [](void *p) {
    Job *j = (Job *)p;
    for (int i = 0; i < j->n; i++)
      *j->sum += j->a[i];
  }, &job));
  cudaEventRecord(stop_event, 0);
  checkCudaErrors(cudaEventSynchronize(stop_event));
  while (cudaStreamQuery(streams[0]) == cudaErrorNotReady)
    ;
  float elapsed_time;
  checkCudaErrors(cudaEventElapsedTime(&elapsed_time, start_event, stop_event));
  ok &= hostSum == n * c * niterations && elapsed_time >= 0;
  for (int i = 0; i < nstreams; i++)
    cudaStreamDestroy(streams[i]), cudaEventDestroy(joined[i]);
  cudaEventDestroy(start_event), cudaEventDestroy(stop_event);
  cudaFreeHost(a), cudaFree(d_a), cudaFree(d_c), free(streams);
  printf("%s\n", ok ? "Success" : "Failure!");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
