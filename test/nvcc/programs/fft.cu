// Fourier transforms of complex numbers: in shared memory for short ones, by
// passes over memory for long ones, in float and double.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <helper_check.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

template <typename T> struct vec2;
template <> struct vec2<float> { typedef float2 type; };
template <> struct vec2<double> { typedef double2 type; };

#define COMPLEX_OPS(T2)                                                                                      \
  inline __host__ __device__ T2 operator+(T2 a, T2 b) { a.x += b.x; a.y += b.y; return a; }                  \
  inline __host__ __device__ T2 operator-(T2 a, T2 b) { a.x -= b.x; a.y -= b.y; return a; }                  \
  inline __host__ __device__ T2 operator*(T2 a, T2 b) {                                                      \
    T2 c;                                                                                                    \
    c.x = a.x * b.x - a.y * b.y;                                                                             \
    c.y = a.x * b.y + a.y * b.x;                                                                             \
    return c;                                                                                                \
  }
COMPLEX_OPS(float2)
COMPLEX_OPS(double2)

__device__ inline float2 expi(float phi) { float2 w; __sincosf(phi, &w.y, &w.x); return w; }
__device__ inline double2 expi(double phi) { return make_double2(cos(phi), sin(phi)); }

template <typename T2> inline __device__ void swapValues(T2 &a, T2 &b) { T2 c(a); a = b; b = c; }

template <typename T> __global__ void fftShared(typename vec2<T>::type *data, int n, int logn) {
  typedef typename vec2<T>::type T2;
  extern __shared__ __align__(16) unsigned char smem[];
  T2 *s = reinterpret_cast<T2 *>(smem);
  data += blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s[__brev(i) >> (32 - logn)] = data[i];
  __syncthreads();
  for (int half = 1; half < n; half <<= 1) {
    for (int k = threadIdx.x; k < n / 2; k += blockDim.x) {
      int j = k & (half - 1), at = ((k - j) << 1) + j;
      T2 w = expi(T(-M_PI) * j / half), u = s[at], v = s[at + half] * w;
      s[at] = u + v;
      s[at + half] = u - v;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = s[i];
}

template <typename T>
__global__ void fftPass(const typename vec2<T>::type *__restrict__ in, typename vec2<T>::type *__restrict__ out, int n,
                        int p) {
  typedef typename vec2<T>::type T2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i & (p - 1);
  T2 u0 = in[i], u1 = in[i + n / 2] * expi(T(-M_PI) * k / p);
  int j = ((i - k) << 1) + k;
  out[j] = u0 + u1;
  out[j + p] = u0 - u1;
}

template <typename T> int test(int n, int logn, double tolerance) {
  typedef typename vec2<T>::type T2;
  T2 *h = (T2 *)malloc(n * sizeof(T2)), *a = (T2 *)malloc(n * sizeof(T2)), *b = (T2 *)malloc(n * sizeof(T2));
  for (int i = 0; i < n; i++) {
    h[i].x = sin(i * 0.37) + (i % 5);
    h[i].y = cos(i * 1.1);
  }
  T2 *d, *e;
  checkCudaErrors(cudaMalloc(&d, n * sizeof(T2)));
  checkCudaErrors(cudaMalloc(&e, n * sizeof(T2)));
  checkCudaErrors(cudaMemcpy(d, h, n * sizeof(T2), cudaMemcpyHostToDevice));
  fftShared<T><<<1, 64, n * sizeof(T2)>>>(d, n, logn);
  checkCudaErrors(cudaMemcpy(a, d, n * sizeof(T2), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(d, h, n * sizeof(T2), cudaMemcpyHostToDevice));
  for (int p = 1; p < n; p <<= 1) {
    fftPass<T><<<(n / 2 + 63) / 64, 64>>>(d, e, n, p);
    T2 *t = d; d = e; e = t;
  }
  checkCudaErrors(cudaMemcpy(b, d, n * sizeof(T2), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int k = 0; k < n; k += 3) {
    double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
      double phi = -2 * M_PI * ((long)i * k % n) / n;
      re += h[i].x * cos(phi) - h[i].y * sin(phi);
      im += h[i].x * sin(phi) + h[i].y * cos(phi);
    }
    worst = fmax(worst, fmax(hypot(a[k].x - re, a[k].y - im), hypot(b[k].x - re, b[k].y - im)));
  }
  printf("%d points of %d bytes: worst %g\n", n, (int)sizeof(T2), worst);
  cudaFree(d), cudaFree(e), free(h), free(a), free(b);
  return worst > tolerance;
}

int main() {
  int failed = test<float>(256, 8, 2e-3) + test<double>(512, 9, 1e-10);
  printf(failed ? "FAILED\n" : "PASSED\n");
  return failed;
}
