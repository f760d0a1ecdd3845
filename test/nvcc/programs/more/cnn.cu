// A small convolutional network forward and its loss: images unrolled to columns, a tiled product, max pooling, softmax by blocks, layers as classes that own their memory.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
const int CUDA_NUM_THREADS = 256;
inline int GET_BLOCKS(const int N) { return (N + CUDA_NUM_THREADS - 1) / CUDA_NUM_THREADS; }
#define CUDA_POST_KERNEL_CHECK { cudaError_t e = cudaPeekAtLastError(); if (e) throw std::runtime_error(std::string("kernel: ") + cudaGetErrorString(e)); }
template <typename Dtype> class Blob {
  std::vector<int> shape_;
  std::shared_ptr<Dtype> data_;
public:
  explicit Blob(std::vector<int> s) : shape_(std::move(s)) { Dtype *p; if (cudaMalloc(&p, count() * sizeof(Dtype))) throw std::bad_alloc(); data_.reset(p, [](Dtype *q) { cudaFree(q); }); }
  int count() const { int n = 1; for (int s : shape_) n *= s; return n; }
  int shape(int i) const { return shape_[i]; }
  Dtype *gpu() { return data_.get(); }
  void set(const std::vector<Dtype> &v) { cudaMemcpy(data_.get(), v.data(), v.size() * sizeof(Dtype), cudaMemcpyDefault); }
  std::vector<Dtype> cpu() const { std::vector<Dtype> v(count()); cudaMemcpy(v.data(), data_.get(), v.size() * sizeof(Dtype), cudaMemcpyDefault); return v; }
};
template <typename Dtype> __global__ void im2col_gpu_kernel(const int n, const Dtype *data_im, const int height, const int width, const int k, const int pad, const int hc, const int wc, Dtype *data_col) {
  CUDA_KERNEL_LOOP(index, n) {
    const int h_index = index / wc, h_col = h_index % hc, w_col = index % wc, c_im = h_index / hc, c_col = c_im * k * k;
    const int h_offset = h_col - pad, w_offset = w_col - pad;
    Dtype *col = data_col + (c_col * hc + h_col) * wc + w_col;
    const Dtype *im = data_im + (c_im * height + h_offset) * width + w_offset;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) {
        int h_im = h_offset + i, w_im = w_offset + j;
        *col = (h_im >= 0 && w_im >= 0 && h_im < height && w_im < width) ? im[i * width + j] : 0;
        col += hc * wc;
      }
  }
}
template <typename Dtype, int T> __global__ void gemm(int M, int N, int K, const Dtype *A, const Dtype *B, const Dtype *bias, Dtype *C) {
  __shared__ Dtype As[T][T + 1], Bs[T][T + 1];
  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  Dtype acc = 0;
  for (int t = 0; t < K; t += T) {
    As[threadIdx.y][threadIdx.x] = row < M && t + threadIdx.x < K ? A[row * K + t + threadIdx.x] : Dtype(0);
    Bs[threadIdx.y][threadIdx.x] = col < N && t + threadIdx.y < K ? B[(t + threadIdx.y) * N + col] : Dtype(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = fmaxf(acc + (bias ? bias[row] : Dtype(0)), Dtype(0));
}
template <typename Dtype> __global__ void MaxPoolForward(const int n, const Dtype *const bottom, const int h, const int w, const int ph, const int pw, Dtype *const top, int *mask) {
  CUDA_KERNEL_LOOP(index, n) {
    const int x = index % pw, y = (index / pw) % ph, c = index / pw / ph;
    int hend = min(y * 2 + 2, h), wend = min(x * 2 + 2, w), maxidx = -1;
    Dtype maxval = -FLT_MAX;
    for (int i = y * 2; i < hend; ++i) for (int j = x * 2; j < wend; ++j) if (bottom[(c * h + i) * w + j] > maxval) maxidx = i * w + j, maxval = bottom[(c * h + i) * w + j];
    top[index] = maxval;
    mask[index] = maxidx;
  }
}
template <typename Dtype, int BLOCK> __global__ void softmaxLoss(const Dtype *x, int n, int label, Dtype *prob, Dtype *loss) {
  __shared__ Dtype s[BLOCK];
  Dtype m = -FLT_MAX, sum = 0;
  for (int i = threadIdx.x; i < n; i += BLOCK) m = max(m, x[i]);
  s[threadIdx.x] = m;
  for (int o = BLOCK / 2; o; o >>= 1) { __syncthreads(); if (threadIdx.x < o) s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + o]); }
  __syncthreads();
  m = s[0];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += BLOCK) sum += prob[i] = exp(x[i] - m);
  s[threadIdx.x] = sum;
  for (int o = BLOCK / 2; o; o >>= 1) { __syncthreads(); if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += BLOCK) { prob[i] /= s[0]; if (i == label) *loss = -log(max(prob[i], Dtype(FLT_MIN))); }
}
int main() try {
  const int C = 3, H = 20, W = 18, K = 3, F = 10, PH = 10, PW = 9;
  Blob<float> im({C, H, W}), weight({F, C * K * K}), bias({F}), col({C * K * K, H * W}), conv({F, H * W}), pool({F, PH, PW}), prob({F * PH * PW}), loss({1});
  Blob<int> mask({F * PH * PW});
  std::mt19937 g(3); std::normal_distribution<float> d;
  auto random = [&](Blob<float> &b) { std::vector<float> v(b.count()); for (auto &x : v) x = d(g); b.set(v); return v; };
  auto hi = random(im), hw = random(weight), hb = random(bias);
  im2col_gpu_kernel<float><<<GET_BLOCKS(C * H * W), CUDA_NUM_THREADS>>>(C * H * W, im.gpu(), H, W, K, 1, H, W, col.gpu());
  CUDA_POST_KERNEL_CHECK;
  gemm<float, 16><<<dim3((H * W + 15) / 16, (F + 15) / 16), dim3(16, 16)>>>(F, H * W, C * K * K, weight.gpu(), col.gpu(), bias.gpu(), conv.gpu());
  MaxPoolForward<float><<<GET_BLOCKS(pool.count()), CUDA_NUM_THREADS>>>(pool.count(), conv.gpu(), H, W, PH, PW, pool.gpu(), mask.gpu());
  softmaxLoss<float, 128><<<1, 128>>>(pool.gpu(), pool.count(), 17, prob.gpu(), loss.gpu());
  CUDA_POST_KERNEL_CHECK;
  std::vector<double> want(F * PH * PW, -1e30); auto got = pool.cpu(), p = prob.cpu(); auto m = mask.cpu();
  double worst = 0, sum = 0, total = 0, top = -1e30;
  for (int f = 0; f < F; f++) for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
    double a = hb[f];
    for (int c = 0; c < C; c++) for (int i = 0; i < K; i++) for (int j = 0; j < K; j++) { int v = y + i - 1, u = x + j - 1; if (v >= 0 && u >= 0 && v < H && u < W) a += hi[(c * H + v) * W + u] * hw[(f * C + c) * K * K + i * K + j]; }
    double &w = want[(f * PH + y / 2) * PW + x / 2]; w = std::max(w, std::max(a, 0.0));
  }
  for (double w : want) top = std::max(top, w);
  for (double w : want) sum += exp(w - top);
  for (size_t i = 0; i < want.size(); i++) worst = std::max({worst, fabs(got[i] - want[i]), fabs(p[i] - exp(want[i] - top) / sum)}), total += p[i], worst += m[i] < 0;
  worst = std::max(worst, fabs(loss.cpu()[0] + log(exp(want[17] - top) / sum)) / 10);
  std::cout << "worst " << worst << ", sum " << total << std::endl;
  return worst > 1e-4;
} catch (const std::exception &e) { std::cerr << e.what() << std::endl; return 1; }
