// Feature: symbols: device and constant variables read, written and found from the host.

#include "Inputs/suite.h"

__device__ int Numbers[100];
__constant__ float Factors[4] = {1, 2, 3, 4};
static __device__ double Hidden = 2.5;
__device__ int Initial = 42;

struct Pair {
  short A;
  long long B;
};
__device__ Pair Both = {3, 4};

__global__ void work(float *Out) {
  int I = threadIdx.x;
  Numbers[I] *= 2;
  Out[I] = Factors[I % 4] * Numbers[I];
  if (I == 0)
    Hidden += Both.A + Both.B;
}

int main() {
  std::vector<int> Given(100), Got(100), Doubled(100);
  for (int I = 0; I < 100; ++I) {
    Given[I] = I - 50;
    Doubled[I] = 2 * Given[I];
  }
  check(cudaMemcpyToSymbol(Numbers, Given.data(), 400));
  float New[2] = {10, 20};
  check(cudaMemcpyToSymbol(Factors, New, sizeof(New), 2 * sizeof(float)));
  suite::Array<float> Out(100);
  work<<<1, 100>>>(Out);
  check(cudaGetLastError());
  check(cudaMemcpyFromSymbol(Got.data(), Numbers, 400));
  same(Got, Doubled);
  float Factor[4] = {1, 2, 10, 20};
  std::vector<float> Expected;
  for (int I = 0; I < 100; ++I)
    Expected.push_back(Factor[I % 4] * Doubled[I]);
  same(Out.host(), Expected);
  double Value = 0;
  check(cudaMemcpyFromSymbol(&Value, Hidden, sizeof(Value)));
  expect(Value == 9.5);
  int Number = 0;
  check(cudaMemcpyFromSymbol(&Number, Initial, sizeof(Number)));
  expect(Number == 42);

  void *Address = nullptr;
  size_t Bytes = 0;
  check(cudaGetSymbolAddress(&Address, Numbers));
  check(cudaGetSymbolSize(&Bytes, Numbers));
  expect(Bytes == 400);
  check(cudaMemcpy(Got.data(), static_cast<int *>(Address) + 90, 40,
                   cudaMemcpyDeviceToHost));
  expect(Got[0] == Doubled[90] && Got[9] == Doubled[99]);
  check(cudaMemset(Address, 0, Bytes));
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  check(cudaMemcpyToSymbolAsync(Numbers, Given.data(), 40, 0,
                                cudaMemcpyHostToDevice, Stream));
  check(cudaMemcpyFromSymbolAsync(Got.data(), Numbers, 80, 0,
                                  cudaMemcpyDeviceToHost, Stream));
  check(cudaStreamSynchronize(Stream));
  expect(Got[9] == Given[9] && Got[10] == 0);

  expect(cudaMemcpyToSymbol(Numbers, Given.data(), 404) ==
         cudaErrorInvalidValue);
  expect(cudaMemcpyFromSymbol(Got.data(), Numbers, 4, 400) ==
         cudaErrorInvalidValue);
  expect(cudaMemcpyToSymbol(Numbers, Given.data(), 4, 0,
                            cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidMemcpyDirection);
  int Host = 0;
  expect(cudaGetSymbolAddress(&Address, Host) == cudaErrorInvalidSymbol);
  (void)cudaGetLastError();
  check(cudaStreamDestroy(Stream));
  return suite::finish();
}
