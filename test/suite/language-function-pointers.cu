// Feature: language: Function pointers: local, in tables, in device and constant
// variables, copied to the host and passed back as arguments.

#include "Inputs/suite.h"

using Binary = int (*)(int, int);

__device__ int add(int A, int B) { return A + B; }
__device__ int subtract(int A, int B) { return A - B; }
__device__ int multiply(int A, int B) { return A * B; }
__device__ static int largest(int A, int B) { return A > B ? A : B; }

__device__ Binary Current = add;
__constant__ Binary Fixed = multiply;
__device__ Binary Table[4] = {add, subtract, multiply, largest};

struct Named {
  char Letter;
  Binary Apply;
};
__device__ const Named Operators[] = {{'+', add}, {'-', subtract}, {'*', multiply}};

__device__ Binary byLetter(char Letter) {
  for (const Named &N : Operators)
    if (N.Letter == Letter)
      return N.Apply;
  return nullptr;
}

__global__ void tables(int *Out) {
  int I = threadIdx.x;
  Out[5 * I] = Table[I % 4](I, 3);
  Out[5 * I + 1] = Current(I, 10);
  Out[5 * I + 2] = Fixed(I, 10);
  Binary Mine = I % 2 ? subtract : add;
  Out[5 * I + 3] = Mine(I, 1);
  Binary Found = byLetter("+-*/"[I % 4]);
  Out[5 * I + 4] = Found ? Found(I, 2) : -1;
}

__global__ void passed(Binary Given, int *Out) {
  Out[threadIdx.x] = Given(threadIdx.x, 5);
}

__global__ void change(int Which) {
  if (threadIdx.x == 0)
    Current = Table[Which];
}

__global__ void compare(int *Out) {
  Out[0] = Current == subtract;
  Out[1] = Current == Table[1];
  Out[2] = Fixed == Table[2];
  Out[3] = Current == Fixed;
}

template <typename F> __device__ int twice(F Apply, int Value) {
  return Apply(Apply(Value, 2), 3);
}
__global__ void asArguments(int *Out) {
  Out[threadIdx.x] = twice(multiply, threadIdx.x) + twice(&add, threadIdx.x);
}

// The function waits for the others of its block.
__device__ int neighbour(int *Buffer, int I) {
  Buffer[I] = I * I;
  __syncthreads();
  return Buffer[(I + 1) % blockDim.x];
}
__device__ int (*Waiting)(int *, int) = neighbour;
__global__ void waits(int *Out) {
  extern __shared__ int Buffer[];
  Out[threadIdx.x] = Waiting(Buffer, threadIdx.x);
}

int host(int Which, int A, int B) {
  return Which == 0   ? A + B
         : Which == 1 ? A - B
         : Which == 2 ? A * B
                      : (A > B ? A : B);
}

int main() {
  const int N = 64;
  suite::Array<int> Out(5 * N);
  tables<<<1, N>>>(Out);
  std::vector<int> Expected(5 * N);
  for (int I = 0; I < N; ++I) {
    Expected[5 * I] = host(I % 4, I, 3);
    Expected[5 * I + 1] = I + 10;
    Expected[5 * I + 2] = I * 10;
    Expected[5 * I + 3] = I % 2 ? I - 1 : I + 1;
    Expected[5 * I + 4] = I % 4 == 3 ? -1 : host(I % 4, I, 2);
  }
  same(Out.host(), Expected);

  for (int Which = 0; Which < 4; ++Which) {
    Binary Given;
    check(cudaMemcpyFromSymbol(&Given, Table, sizeof Given, Which * sizeof Given));
    suite::Array<int> Passed(N);
    passed<<<1, N>>>(Given, Passed);
    std::vector<int> ExpectedPassed(N);
    for (int I = 0; I < N; ++I)
      ExpectedPassed[I] = host(Which, I, 5);
    same(Passed.host(), ExpectedPassed);
  }

  change<<<1, 32>>>(1);
  suite::Array<int> Compared(4);
  compare<<<1, 1>>>(Compared);
  same(Compared.host(), (std::vector<int>{1, 1, 1, 0}));

  suite::Array<int> Twice(N);
  asArguments<<<1, N>>>(Twice);
  std::vector<int> ExpectedTwice(N);
  for (int I = 0; I < N; ++I)
    ExpectedTwice[I] = I * 6 + I + 5;
  same(Twice.host(), ExpectedTwice);

  suite::Array<int> Waited(N);
  waits<<<1, N, N * sizeof(int)>>>(Waited);
  std::vector<int> ExpectedWaited(N);
  for (int I = 0; I < N; ++I)
    ExpectedWaited[I] = ((I + 1) % N) * ((I + 1) % N);
  same(Waited.host(), ExpectedWaited);
  return suite::finish();
}
