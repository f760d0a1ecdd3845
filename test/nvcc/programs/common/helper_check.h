// What the programs of this folder share, in the way of such suites.
#ifndef HELPER_CHECK_H
#define HELPER_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define CUDA_CALL(x)                                                           \
  do {                                                                         \
    cudaError_t err_ = (x);                                                    \
    if (err_ != cudaSuccess) {                                                 \
      fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__,                      \
              cudaGetErrorString(err_));                                       \
      exit(-1);                                                                \
    }                                                                          \
  } while (0)

template <typename T>
void check(T result, char const *const func, const char *const file,
           int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

inline void __getLastCudaError(const char *msg, const char *file, int line) {
  cudaError_t err = cudaGetLastError();
  if (cudaSuccess != err) {
    fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n",
            file, line, msg, static_cast<int>(err), cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
}

inline int findCudaDevice(int argc, const char **argv) {
  int devID = 0, count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int i = 1; i < argc; i++)
    if (!strncmp(argv[i], "--device=", 9))
      devID = atoi(argv[i] + 9);
  if (devID >= count) {
    fprintf(stderr, "no such device\n");
    exit(EXIT_FAILURE);
  }
  cudaDeviceProp prop;
  checkCudaErrors(cudaGetDeviceProperties(&prop, devID));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", devID,
         prop.name, prop.major, prop.minor);
  checkCudaErrors(cudaSetDevice(devID));
  return devID;
}

inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name,
                                 int otherwise) {
  size_t len = strlen(name);
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    while (*arg == '-')
      arg++;
    if (!strncmp(arg, name, len) && arg[len] == '=')
      return atoi(arg + len + 1);
  }
  return otherwise;
}

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

#endif
