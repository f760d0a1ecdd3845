// Vectors of Thrust with functors and lambdas.
#include <cmath>
#include <iostream>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct saxpy_functor {
  const float a;
  saxpy_functor(float _a) : a(_a) {}
  __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};

template <typename T> struct square {
  __host__ __device__ T operator()(const T &x) const { return x * x; }
};

int main(void) {
  const int n = 1000;
  thrust::host_vector<float> h_x(n), h_y(n);
  for (int i = 0; i < n; i++)
    h_x[i] = i % 10, h_y[i] = 1;
  thrust::device_vector<float> X = h_x, Y = h_y;
  thrust::transform(X.begin(), X.end(), Y.begin(), Y.begin(), saxpy_functor(2.0f));
  float norm = std::sqrt(thrust::transform_reduce(Y.begin(), Y.end(), square<float>(), 0.0f, thrust::plus<float>()));
  long evens = thrust::transform_reduce(thrust::counting_iterator<long>(0), thrust::counting_iterator<long>(n),
                                        [] __host__ __device__(long i) { return i % 2 ? 0 : i; }, 0L, thrust::plus<long>());
  thrust::host_vector<float> back = Y;
  double expected = 0;
  int bad = evens != 249500;
  for (int i = 0; i < n; i++) {
    bad += back[i] != 2 * h_x[i] + 1;
    expected += back[i] * back[i];
  }
  bad += std::fabs(norm - std::sqrt(expected)) > 1e-2;
  std::cout << "norm is " << norm << "\n" << (bad ? "FAILED" : "PASSED") << std::endl;
  return bad != 0;
}
