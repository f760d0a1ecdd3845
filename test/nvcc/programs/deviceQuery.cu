// Says what the device is.
#include <cuda_runtime.h>
#include <iostream>
#include <memory>
#include <string>
#include <helper_check.h>

static const char *sSDKsample = "CUDA Device Query (Runtime API)";

inline int ConvertSMVer2Cores(int major, int minor) {
  typedef struct {
    int SM; // 0xMm (hexidecimal notation), M = SM Major version, and m = SM minor version
    int Cores;
  } sSMtoCores;
  sSMtoCores nGpuArchCoresPerSM[] = {{0x50, 128}, {0x60, 64}, {0x70, 64}, {0x75, 64}, {0x80, 64}, {0x86, 128}, {0x90, 128}, {-1, -1}};
  int index = 0;
  while (nGpuArchCoresPerSM[index].SM != -1) {
    if (nGpuArchCoresPerSM[index].SM == ((major << 4) + minor))
      return nGpuArchCoresPerSM[index].Cores;
    index++;
  }
  return nGpuArchCoresPerSM[index - 1].Cores;
}

int main(int argc, char **argv) {
  printf("%s Starting...\n\n", argv[0]);
  printf(" %s version (CUDART static linking)\n\n", sSDKsample);
  int deviceCount = 0;
  cudaError_t error_id = cudaGetDeviceCount(&deviceCount);
  if (error_id != cudaSuccess) {
    printf("cudaGetDeviceCount returned %d\n-> %s\n", static_cast<int>(error_id), cudaGetErrorString(error_id));
    printf("Result = FAIL\n");
    exit(EXIT_FAILURE);
  }
  int dev, driverVersion = 0, runtimeVersion = 0, wrong = 0;
  for (dev = 0; dev < deviceCount; ++dev) {
    cudaSetDevice(dev);
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, dev);
    printf("\nDevice %d: \"%s\"\n", dev, deviceProp.name);
    cudaDriverGetVersion(&driverVersion);
    cudaRuntimeGetVersion(&runtimeVersion);
    printf("  CUDA Driver Version / Runtime Version          %d.%d / %d.%d\n", driverVersion / 1000,
           (driverVersion % 100) / 10, runtimeVersion / 1000, (runtimeVersion % 100) / 10);
    char msg[256];
    snprintf(msg, sizeof(msg), "  Total amount of global memory:                 %.0f MBytes (%llu bytes)\n",
             static_cast<float>(deviceProp.totalGlobalMem / 1048576.0f), (unsigned long long)deviceProp.totalGlobalMem);
    printf("%s", msg);
    printf("  (%03d) Multiprocessors, (%03d) CUDA Cores/MP:    %d CUDA Cores\n", deviceProp.multiProcessorCount,
           ConvertSMVer2Cores(deviceProp.major, deviceProp.minor),
           ConvertSMVer2Cores(deviceProp.major, deviceProp.minor) * deviceProp.multiProcessorCount);
    int clockRate, memoryClock, value;
    checkCudaErrors(cudaDeviceGetAttribute(&clockRate, cudaDevAttrClockRate, dev));
    checkCudaErrors(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, dev));
    printf("  GPU Max Clock rate:                            %.0f MHz (%0.2f GHz)\n", clockRate * 1e-3f, clockRate * 1e-6f);
    printf("  Memory Clock rate:                             %.0f Mhz\n", memoryClock * 1e-3f);
    printf("  Memory Bus Width:                              %d-bit\n", deviceProp.memoryBusWidth);
    if (deviceProp.l2CacheSize)
      printf("  L2 Cache Size:                                 %d bytes\n", deviceProp.l2CacheSize);
    printf("  Total amount of constant memory:               %zu bytes\n", deviceProp.totalConstMem);
    printf("  Total amount of shared memory per block:       %zu bytes\n", deviceProp.sharedMemPerBlock);
    printf("  Total shared memory per multiprocessor:        %zu bytes\n", deviceProp.sharedMemPerMultiprocessor);
    printf("  Total number of registers available per block: %d\n", deviceProp.regsPerBlock);
    printf("  Warp size:                                     %d\n", deviceProp.warpSize);
    printf("  Maximum number of threads per block:           %d\n", deviceProp.maxThreadsPerBlock);
    printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", deviceProp.maxThreadsDim[0],
           deviceProp.maxThreadsDim[1], deviceProp.maxThreadsDim[2]);
    printf("  Max dimension size of a grid size    (x,y,z): (%d, %d, %d)\n", deviceProp.maxGridSize[0],
           deviceProp.maxGridSize[1], deviceProp.maxGridSize[2]);
    printf("  Maximum memory pitch:                          %zu bytes\n", deviceProp.memPitch);
    printf("  Concurrent copy and kernel execution:          %s with %d copy engine(s)\n",
           (deviceProp.asyncEngineCount ? "Yes" : "No"), deviceProp.asyncEngineCount);
    printf("  Integrated GPU sharing Host Memory:            %s\n", deviceProp.integrated ? "Yes" : "No");
    printf("  Device has ECC support:                        %s\n", deviceProp.ECCEnabled ? "Enabled" : "Disabled");
    printf("  Device supports Unified Addressing (UVA):      %s\n", deviceProp.unifiedAddressing ? "Yes" : "No");
    printf("  Device PCI Domain ID / Bus ID / location ID:   %d / %d / %d\n", deviceProp.pciDomainID,
           deviceProp.pciBusID, deviceProp.pciDeviceID);
    const char *sComputeMode[] = {"Default", "Exclusive", "Prohibited", "Exclusive Process", "Unknown", NULL};
    checkCudaErrors(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, dev));
    printf("  Compute Mode:\n     < %s >\n", sComputeMode[value]);
    struct { cudaDeviceAttr attr; int expected; } same[] = {
        {cudaDevAttrMaxThreadsPerBlock, deviceProp.maxThreadsPerBlock}, {cudaDevAttrWarpSize, deviceProp.warpSize},
        {cudaDevAttrMultiProcessorCount, deviceProp.multiProcessorCount}, {cudaDevAttrComputeCapabilityMajor, deviceProp.major},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)deviceProp.sharedMemPerBlock}, {cudaDevAttrMaxGridDimX, deviceProp.maxGridSize[0]}};
    for (auto &s : same)
      wrong += cudaDeviceGetAttribute(&value, s.attr, dev) != cudaSuccess || value != s.expected;
    char id[64];
    int again = -1;
    wrong += cudaDeviceGetPCIBusId(id, sizeof id, dev) != cudaSuccess || cudaDeviceGetByPCIBusId(&again, id) != cudaSuccess || again != dev;
    size_t free_, total;
    wrong += cudaMemGetInfo(&free_, &total) != cudaSuccess || free_ > total || total != deviceProp.totalGlobalMem;
  }
  printf("%s\n", wrong ? "Result = FAIL" : "Result = PASS");
  return wrong;
}
