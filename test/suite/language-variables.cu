// Feature: language: Variables of the device: addresses of each other, structures,
// templates' statics, static locals, constants, arrays in local memory.

#include "Inputs/suite.h"

struct Node {
  int Value;
  const Node *Next;
};

__device__ Node Third = {3, nullptr};
__device__ Node Second = {2, &Third};
__device__ Node First = {1, &Second};
__device__ Node *Head = &First;

__constant__ float Table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__constant__ const float *Inside = &Table[3];
__device__ const char Text[] = "device";
__device__ const char *const Words[] = {"zero", "one", "two"};

struct Point {
  int X, Y;
  constexpr Point(int X, int Y) : X(X), Y(Y) {}
};
__device__ Point Corner(3, 4);
__device__ double Matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};

template <typename T> struct Counter {
  static __device__ int Count;
};
template <typename T> __device__ int Counter<T>::Count = sizeof(T);

namespace {
__device__ int Unnamed = 40;
}
static __device__ int Hidden = 2;

__device__ int counted() {
  static int Calls = 100;
  return atomicAdd(&Calls, 1);
}

__device__ int length(const char *S) {
  int N = 0;
  while (S[N])
    ++N;
  return N;
}

__global__ void read(double *Out) {
  int K = 0;
  int Sum = 0;
  for (const Node *N = Head; N; N = N->Next)
    Sum = Sum * 10 + N->Value;
  Out[K++] = Sum;
  Out[K++] = Inside[1];
  Out[K++] = Inside - Table;
  Out[K++] = length(Text);
  Out[K++] = length(Words[0]) * 100 + length(Words[1]) * 10 + length(Words[2]);
  Out[K++] = Corner.X * 10 + Corner.Y;
  Out[K++] = Matrix[1][0] * Matrix[0][2];
  Out[K++] = Counter<char>::Count * 10 + Counter<double>::Count;
  Out[K++] = Unnamed + Hidden;
  Counter<char>::Count += 1;
  Second.Next = &First;
  First.Next = nullptr;
  Head = &Second;
}

__global__ void calls(int *Seen) {
  atomicAdd(&Seen[counted() - 100], 1);
}

// Every thread its own table, indexed by what is not known beforehand.
__global__ void localTables(const int *In, int *Out, int N) {
  int Mine[256];
  for (int I = 0; I < 256; ++I)
    Mine[I] = 0;
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  for (int I = 0; I < N; ++I)
    ++Mine[(In[I] + T) & 255];
  int Sum = 0;
  for (int I = 0; I < 256; ++I)
    Sum = (Sum * 33 + Mine[I] * I) & 0xffffff;
  Out[T] = Sum;
}

int main() {
  suite::Array<double> Out(9);
  read<<<1, 1>>>(Out);
  same(Out.host(), (std::vector<double>{123, 16, 3, 6, 433, 34, 12, 18, 42}));
  read<<<1, 1>>>(Out);
  expect(Out.host()[0] == 21);
  expect(Out.host()[7] == 28);

  suite::Array<int> Seen(64);
  calls<<<2, 32>>>(Seen);
  same(Seen.host(), std::vector<int>(64, 1));

  const int N = 500, Threads = 96;
  std::vector<int> In(N);
  for (int I = 0; I < N; ++I)
    In[I] = I * I * 7;
  suite::Array<int> DIn(In), Sums(Threads);
  localTables<<<3, 32>>>(DIn, Sums, N);
  std::vector<int> Expected(Threads);
  for (int T = 0; T < Threads; ++T) {
    std::vector<int> Mine(256);
    for (int V : In)
      ++Mine[(V + T) & 255];
    for (int I = 0; I < 256; ++I)
      Expected[T] = (Expected[T] * 33 + Mine[I] * I) & 0xffffff;
  }
  same(Sums.host(), Expected);
  return suite::finish();
}
