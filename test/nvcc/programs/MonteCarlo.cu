// Options priced by Black and Scholes and by random paths.
#include <cmath>
#include <cstdio>
#include <vector>
#include <curand_kernel.h>
#include <helper_check.h>

#define DIV_UP(a, b) (((a) + (b)-1) / (b))

__device__ inline float cndGPU(float d) {
  const float A1 = 0.31938153f;
  const float A2 = -0.356563782f;
  const float A3 = 1.781477937f;
  const float A4 = -1.821255978f;
  const float A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0)
    cnd = 1.0f - cnd;
  return cnd;
}

__device__ inline void BlackScholesBodyGPU(float &CallResult, float &PutResult, float S, float X, float T, float R,
                                           float V) {
  float sqrtT, expRT;
  float d1, d2, CNDD1, CNDD2;
  sqrtT = __fdividef(1.0F, rsqrtf(T));
  d1 = __fdividef(__logf(S / X) + (R + 0.5f * V * V) * T, V * sqrtT);
  d2 = d1 - V * sqrtT;
  CNDD1 = cndGPU(d1);
  CNDD2 = cndGPU(d2);
  expRT = __expf(-R * T);
  CallResult = S * CNDD1 - X * expRT * CNDD2;
  PutResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}

__launch_bounds__(128) __global__
void BlackScholesGPU(float2 *__restrict d_CallResult, float2 *__restrict d_PutResult, float2 *__restrict d_StockPrice,
                     float2 *__restrict d_OptionStrike, float2 *__restrict d_OptionYears, float Riskfree,
                     float Volatility, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < (optN / 2)) {
    float callResult1, callResult2, putResult1, putResult2;
    BlackScholesBodyGPU(callResult1, putResult1, d_StockPrice[opt].x, d_OptionStrike[opt].x, d_OptionYears[opt].x,
                        Riskfree, Volatility);
    BlackScholesBodyGPU(callResult2, putResult2, d_StockPrice[opt].y, d_OptionStrike[opt].y, d_OptionYears[opt].y,
                        Riskfree, Volatility);
    d_CallResult[opt] = make_float2(callResult1, callResult2);
    d_PutResult[opt] = make_float2(putResult1, putResult2);
  }
}

static double CND(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }
extern "C" void BlackScholesCPU(float *call, float *put, float *S, float *X, float *T, float R, float V, int n) {
  for (int i = 0; i < n; i++) {
    double d1 = (log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrt(T[i])), d2 = d1 - V * sqrt(T[i]);
    call[i] = (float)(S[i] * CND(d1) - X[i] * exp(-R * T[i]) * CND(d2));
    put[i] = (float)(X[i] * exp(-R * T[i]) * CND(-d2) - S[i] * CND(-d1));
  }
}

__global__ void setup_kernel(curandState *state, unsigned long long seed) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curand_init(seed, id, 0, &state[id]);
}

struct OptionData { float S, X, T, R, V; };
__constant__ OptionData c_option;

__global__ void MonteCarloKernel(curandState *state, double *sum, int paths) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curandState local = state[id];
  double mine = 0;
  for (int i = 0; i < paths; i++) {
    float2 r = curand_normal2(&local);
    float drift = (c_option.R - 0.5f * c_option.V * c_option.V) * c_option.T, vol = c_option.V * sqrtf(c_option.T);
    float a = c_option.S * expf(drift + vol * r.x) - c_option.X, b = c_option.S * expf(drift + vol * r.y) - c_option.X;
    mine += (a > 0 ? a : 0) + fmax(b, 0.0f);
  }
  state[id] = local;
  atomicAdd(sum, mine);
}

int main(int argc, char **argv) {
  const int OPT_N = 4000;
  const int OPT_SZ = OPT_N * sizeof(float);
  const float RISKFREE = 0.02f, VOLATILITY = 0.30f;
  std::vector<float> S(OPT_N), X(OPT_N), T(OPT_N), callCPU(OPT_N), putCPU(OPT_N), callGPU(OPT_N), putGPU(OPT_N);
  srand(5347);
  auto RandFloat = [](float low, float high) {
    float t = (float)rand() / (float)RAND_MAX;
    return (1.0f - t) * low + t * high;
  };
  for (int i = 0; i < OPT_N; i++) {
    S[i] = RandFloat(5.0f, 30.0f);
    X[i] = RandFloat(1.0f, 100.0f);
    T[i] = RandFloat(0.25f, 10.0f);
  }
  float *d_Call, *d_Put, *d_S, *d_X, *d_T;
  CUDA_CALL(cudaMalloc((void **)&d_Call, OPT_SZ));
  CUDA_CALL(cudaMalloc((void **)&d_Put, OPT_SZ));
  CUDA_CALL(cudaMalloc((void **)&d_S, OPT_SZ));
  CUDA_CALL(cudaMalloc((void **)&d_X, OPT_SZ));
  CUDA_CALL(cudaMalloc((void **)&d_T, OPT_SZ));
  CUDA_CALL(cudaMemcpy(d_S, &S[0], OPT_SZ, cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_X, &X[0], OPT_SZ, cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(d_T, &T[0], OPT_SZ, cudaMemcpyHostToDevice));
  BlackScholesGPU<<<DIV_UP((OPT_N / 2), 128), 128>>>((float2 *)d_Call, (float2 *)d_Put, (float2 *)d_S, (float2 *)d_X,
                                                     (float2 *)d_T, RISKFREE, VOLATILITY, OPT_N);
  getLastCudaError("BlackScholesGPU() execution failed\n");
  CUDA_CALL(cudaMemcpy(&callGPU[0], d_Call, OPT_SZ, cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaMemcpy(&putGPU[0], d_Put, OPT_SZ, cudaMemcpyDeviceToHost));
  BlackScholesCPU(&callCPU[0], &putCPU[0], &S[0], &X[0], &T[0], RISKFREE, VOLATILITY, OPT_N);
  double sum_delta = 0, sum_ref = 0;
  for (int i = 0; i < OPT_N; i++) {
    sum_delta += fabs(callCPU[i] - callGPU[i]) + fabs(putCPU[i] - putGPU[i]);
    sum_ref += fabs(callCPU[i]) + fabs(putCPU[i]);
  }
  printf("L1 norm: %E\n", sum_delta / sum_ref);

  const int threads = 64, blocks = 4, paths = 200;
  OptionData option = {25.0f, 27.0f, 2.0f, RISKFREE, VOLATILITY};
  curandState *devStates;
  double *d_sum, sum;
  CUDA_CALL(cudaMalloc((void **)&devStates, threads * blocks * sizeof(curandState)));
  CUDA_CALL(cudaMalloc((void **)&d_sum, sizeof(double)));
  CUDA_CALL(cudaMemset(d_sum, 0, sizeof(double)));
  CUDA_CALL(cudaMemcpyToSymbol(c_option, &option, sizeof option));
  setup_kernel<<<blocks, threads>>>(devStates, 1234ULL);
  MonteCarloKernel<<<blocks, threads>>>(devStates, d_sum, paths);
  CUDA_CALL(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  float call, put;
  BlackScholesCPU(&call, &put, &option.S, &option.X, &option.T, option.R, option.V, 1);
  double simulated = exp(-option.R * option.T) * sum / (2.0 * threads * blocks * paths);
  printf("simulated %f, analytic %f\n", simulated, call);
  bool ok = sum_delta / sum_ref < 1e-5 && fabs(simulated - call) < 0.15;
  puts(ok ? "Test passed" : "Test failed!");
  return ok ? 0 : 1;
}
