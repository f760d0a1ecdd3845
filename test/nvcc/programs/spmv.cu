// Sparse matrices times vectors by thread, by warp and by generic operators,
// with the options of a benchmark.
#include <getopt.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>

class cuda_error : public std::runtime_error {
public:
  cuda_error(cudaError_t e, const char *where) : std::runtime_error(std::string(where) + ": " + cudaGetErrorString(e)) {}
};
#define TRY(x) do { cudaError_t e = x; if (e != cudaSuccess) throw cuda_error(e, #x); } while (0)

template <typename T> class device_array {
  T *ptr_ = nullptr;
  size_t n_ = 0;

public:
  explicit device_array(size_t n) : n_(n) { TRY(cudaMalloc(&ptr_, n * sizeof(T))); }
  device_array(const std::vector<T> &v) : device_array(v.size()) {
    TRY(cudaMemcpy(ptr_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_array(device_array &&o) noexcept : ptr_(std::exchange(o.ptr_, nullptr)), n_(o.n_) {}
  device_array &operator=(device_array &&) = delete;
  ~device_array() { cudaFree(ptr_); }
  T *data() { return ptr_; }
  const T *data() const { return ptr_; }
  std::vector<T> to_host() const {
    std::vector<T> v(n_);
    TRY(cudaMemcpy(v.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};

struct plus_times {
  template <class T> static __host__ __device__ T zero() { return T(0); }
  template <class T> static __host__ __device__ T add(T a, T b) { return a + b; }
  template <class T> static __host__ __device__ T mul(T a, T b) { return a * b; }
};
struct min_plus {
  template <class T> static __host__ __device__ T zero() { return T(1e30); }
  template <class T> static __host__ __device__ T add(T a, T b) { return a < b ? a : b; }
  template <class T> static __host__ __device__ T mul(T a, T b) { return a + b; }
};

template <class Op, class T, class I>
__global__ void csr_scalar(I rows, const I *__restrict__ ptr, const I *__restrict__ idx, const T *__restrict__ val,
                           const T *__restrict__ x, T *__restrict__ y) {
  for (I row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    T sum = Op::template zero<T>();
    for (I k = ptr[row]; k < ptr[row + 1]; ++k)
      sum = Op::add(sum, Op::mul(val[k], __ldg(&x[idx[k]])));
    y[row] = sum;
  }
}

template <class Op, int THREADS_PER_VECTOR, class T, class I>
__global__ void csr_vector(I rows, const I *__restrict__ ptr, const I *__restrict__ idx, const T *__restrict__ val,
                           const T *__restrict__ x, T *__restrict__ y) {
  const int lane = threadIdx.x & (THREADS_PER_VECTOR - 1);
  const I row = (blockIdx.x * blockDim.x + threadIdx.x) / THREADS_PER_VECTOR;
  if (row >= rows)
    return;
  T sum = Op::template zero<T>();
  for (I k = ptr[row] + lane; k < ptr[row + 1]; k += THREADS_PER_VECTOR)
    sum = Op::add(sum, Op::mul(val[k], x[idx[k]]));
  const unsigned mask = __activemask();
#pragma unroll
  for (int offset = THREADS_PER_VECTOR / 2; offset > 0; offset /= 2)
    sum = Op::add(sum, __shfl_xor_sync(mask, sum, offset, THREADS_PER_VECTOR));
  if (lane == 0)
    y[row] = sum;
}

template <class T, class Op> bool run(int rows, int degree, bool verbose, const char *name) {
  std::vector<int> ptr(1), idx;
  std::vector<T> val, x(rows);
  for (int r = 0; r < rows; ++r) {
    x[r] = T(r % 17) - 8;
    for (int k = 0; k < 1 + (r * 7) % degree; ++k) {
      idx.push_back((r * 31 + k * 97) % rows);
      val.push_back(T((r + k) % 9));
    }
    ptr.push_back(static_cast<int>(idx.size()));
  }
  device_array<int> d_ptr(ptr), d_idx(idx);
  device_array<T> d_val(val), d_x(x), d_y(rows);
  std::map<std::string, std::function<void()>> kernels;
  kernels["scalar"] = [&] { csr_scalar<Op><<<8, 64>>>(rows, d_ptr.data(), d_idx.data(), d_val.data(), d_x.data(), d_y.data()); };
  kernels["vector<8>"] = [&] { csr_vector<Op, 8><<<(rows * 8 + 127) / 128, 128>>>(rows, d_ptr.data(), d_idx.data(), d_val.data(), d_x.data(), d_y.data()); };
  kernels["vector<32>"] = [&] { csr_vector<Op, 32><<<(rows * 32 + 127) / 128, 128>>>(rows, d_ptr.data(), d_idx.data(), d_val.data(), d_x.data(), d_y.data()); };
  bool ok = true;
  for (auto &[which, launch] : kernels) {
    TRY(cudaMemset(d_y.data(), 0xff, rows * sizeof(T)));
    launch();
    TRY(cudaGetLastError());
    auto y = d_y.to_host();
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
      T sum = Op::template zero<T>();
      for (int k = ptr[r]; k < ptr[r + 1]; ++k)
        sum = Op::add(sum, Op::mul(val[k], x[idx[k]]));
      wrong += sum != y[r];
    }
    if (verbose || wrong)
      std::cout << name << ' ' << which << ": " << wrong << " rows wrong\n";
    ok &= !wrong;
  }
  return ok;
}

int main(int argc, char **argv) {
  int rows = 1000, degree = 40, verbose = 0, c;
  static struct option long_options[] = {{"rows", required_argument, 0, 'r'},
                                         {"degree", required_argument, 0, 'd'},
                                         {"verbose", no_argument, &verbose, 1},
                                         {0, 0, 0, 0}};
  while ((c = getopt_long(argc, argv, "r:d:", long_options, NULL)) != -1)
    switch (c) {
    case 'r': rows = atoi(optarg); break;
    case 'd': degree = atoi(optarg); break;
    case 0: break;
    default: fprintf(stderr, "usage: %s [--rows N] [--degree N] [--verbose]\n", argv[0]); return 2;
    }
  try {
    bool ok = run<float, plus_times>(rows, degree, verbose, "float") & run<double, plus_times>(rows, degree, verbose, "double") &
              run<float, min_plus>(rows, degree, verbose, "min_plus");
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    return !ok;
  } catch (const cuda_error &e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
