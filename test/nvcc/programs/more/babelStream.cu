// The streams of a memory benchmark: a class template behind an interface and a reduction by blocks, in float and double.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>
#define startA (0.1)
#define startB (0.2)
#define startC (0.0)
#define startScalar (0.4)
#define TBSIZE 1024
#define DOT_NUM_BLOCKS 64
template <class T> class Stream {
public:
  virtual ~Stream() {}
  virtual void copy() = 0;
  virtual void mul() = 0;
  virtual void add() = 0;
  virtual void triad() = 0;
  virtual void nstream() = 0;
  virtual T dot() = 0;
  virtual void init_arrays(T initA, T initB, T initC) = 0;
  virtual void read_arrays(std::vector<T> &a, std::vector<T> &b, std::vector<T> &c) = 0;
};
void check_error(void) {
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) {
    std::cerr << "Error: " << cudaGetErrorString(err) << std::endl;
    exit(err);
  }
}
template <class T> class CUDAStream : public Stream<T> {
protected:
  int array_size;
  T *sums, *d_a, *d_b, *d_c, *d_sum;

public:
  CUDAStream(const int, const int);
  ~CUDAStream();
  virtual void copy() override;
  virtual void add() override;
  virtual void mul() override;
  virtual void triad() override;
  virtual void nstream() override;
  virtual T dot() override;
  virtual void init_arrays(T initA, T initB, T initC) override;
  virtual void read_arrays(std::vector<T> &a, std::vector<T> &b, std::vector<T> &c) override;
};
template <class T> CUDAStream<T>::CUDAStream(const int ARRAY_SIZE, const int device_index) {
  if (ARRAY_SIZE % TBSIZE != 0)
    throw std::runtime_error("Array size must be a multiple of " + std::to_string(TBSIZE));
  int count;
  cudaGetDeviceCount(&count);
  check_error();
  if (device_index >= count)
    throw std::runtime_error("Invalid device index");
  cudaSetDevice(device_index);
  cudaDeviceProp props;
  cudaGetDeviceProperties(&props, device_index);
  std::cout << "Using CUDA device " << props.name << std::endl;
  array_size = ARRAY_SIZE;
  sums = (T *)malloc(sizeof(T) * DOT_NUM_BLOCKS);
  if (props.totalGlobalMem < 3 * ARRAY_SIZE * sizeof(T))
    throw std::runtime_error("Device does not have enough memory for all 3 buffers");
  cudaMalloc(&d_a, ARRAY_SIZE * sizeof(T));
  cudaMalloc(&d_b, ARRAY_SIZE * sizeof(T));
  cudaMalloc(&d_c, ARRAY_SIZE * sizeof(T));
  cudaMalloc(&d_sum, DOT_NUM_BLOCKS * sizeof(T));
  check_error();
}
template <class T> CUDAStream<T>::~CUDAStream() {
  free(sums);
  for (T *p : {d_a, d_b, d_c, d_sum})
    cudaFree(p);
}
template <typename T> __global__ void init_kernel(T *a, T *b, T *c, T initA, T initB, T initC) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = initA;
  b[i] = initB;
  c[i] = initC;
}
template <class T> void CUDAStream<T>::init_arrays(T initA, T initB, T initC) {
  init_kernel<<<array_size / TBSIZE, TBSIZE>>>(d_a, d_b, d_c, initA, initB, initC);
  check_error();
  cudaDeviceSynchronize();
}
template <class T> void CUDAStream<T>::read_arrays(std::vector<T> &a, std::vector<T> &b, std::vector<T> &c) {
  cudaMemcpy(a.data(), d_a, a.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, b.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
  check_error();
}
#define KERNEL(name, statement)                                                                                        \
  template <typename T> __global__ void name##_kernel(T *a, T *b, T *c) {                                              \
    const T scalar = startScalar;                                                                                      \
    const int i = blockDim.x * blockIdx.x + threadIdx.x;                                                               \
    (void)scalar;                                                                                                      \
    statement;                                                                                                         \
  }                                                                                                                    \
  template <class T> void CUDAStream<T>::name() {                                                                      \
    name##_kernel<<<array_size / TBSIZE, TBSIZE>>>(d_a, d_b, d_c);                                                     \
    check_error();                                                                                                     \
    cudaDeviceSynchronize();                                                                                           \
  }
KERNEL(copy, c[i] = a[i])
KERNEL(mul, b[i] = scalar * c[i])
KERNEL(add, c[i] = a[i] + b[i])
KERNEL(triad, a[i] = b[i] + scalar * c[i])
KERNEL(nstream, a[i] += b[i] + scalar * c[i])
template <class T> __global__ void dot_kernel(const T *a, const T *b, T *sum, int array_size) {
  __shared__ T tb_sum[TBSIZE];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  const size_t local_i = threadIdx.x;
  tb_sum[local_i] = {};
  for (; i < array_size; i += blockDim.x * gridDim.x)
    tb_sum[local_i] += a[i] * b[i];
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (local_i < offset)
      tb_sum[local_i] += tb_sum[local_i + offset];
  }
  if (local_i == 0)
    sum[blockIdx.x] = tb_sum[local_i];
}
template <class T> T CUDAStream<T>::dot() {
  dot_kernel<<<DOT_NUM_BLOCKS, TBSIZE>>>(d_a, d_b, d_sum, array_size);
  check_error();
  cudaMemcpy(sums, d_sum, DOT_NUM_BLOCKS * sizeof(T), cudaMemcpyDeviceToHost);
  return std::accumulate(sums, sums + DOT_NUM_BLOCKS, T(0));
}
template class CUDAStream<float>;
template class CUDAStream<double>;
template <typename T> int run(int size, unsigned num_times) {
  std::cout << "Running kernels " << num_times << " times, precision " << sizeof(T) << std::endl;
  Stream<T> *stream = new CUDAStream<T>(size, 0);
  stream->init_arrays(startA, startB, startC);
  T sum = 0, goldA = startA, goldB = startB, goldC = startC;
  auto t1 = std::chrono::high_resolution_clock::now();
  for (unsigned int k = 0; k < num_times; k++) {
    stream->copy(), stream->mul(), stream->add(), stream->triad();
    sum = stream->dot();
    goldC = goldA, goldB = T(startScalar) * goldC, goldC = goldA + goldB, goldA = goldB + T(startScalar) * goldC;
  }
  stream->nstream();
  goldA += goldB + T(startScalar) * goldC;
  auto t2 = std::chrono::high_resolution_clock::now();
  std::vector<T> a(size), b(size), c(size);
  stream->read_arrays(a, b, c);
  auto off = [](const std::vector<T> &v, T gold) {
    return std::accumulate(v.begin(), v.end(), 0.0, [&](double s, T x) { return s + std::fabs(x - gold); }) / v.size();
  };
  double eps = std::numeric_limits<T>::epsilon() * 100.0;
  std::cout << std::left << std::setw(12) << "Seconds" << std::chrono::duration<double>(t2 - t1).count() << std::endl;
  delete stream;
  return off(a, goldA) > eps || off(b, goldB) > eps || off(c, goldC) > eps || !(sum > 0);
}
int main(int argc, char *argv[]) {
  try {
    int bad = run<float>(1 << 16, 5) + run<double>(1 << 16, 5);
    std::cout << (bad ? "Validation failed" : "Validation passed") << std::endl;
    return bad;
  } catch (const std::exception &e) {
    std::cerr << e.what() << std::endl;
    return EXIT_FAILURE;
  }
}
