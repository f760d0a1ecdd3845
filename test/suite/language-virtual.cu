// Feature: language: Virtual functions: objects made on the device, in local, global
// and allocated memory, several bases, virtual bases and destructors.

#include "Inputs/suite.h"
#include <new>

struct Shape {
  __device__ Shape(int Id) : Id(Id) {}
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const { return -1; }
  __device__ virtual int corners() const { return 0; }
  int Id;
};

struct Rectangle : Shape {
  __device__ Rectangle(int Id, float W, float H) : Shape(Id), W(W), H(H) {}
  __device__ float area() const override { return W * H; }
  __device__ int corners() const override { return 4; }
  float W, H;
};

struct Square final : Rectangle {
  __device__ Square(int Id, float W) : Rectangle(Id, W, W) {}
  __device__ int corners() const override { return Rectangle::corners() + 100; }
};

struct Circle : Shape {
  __device__ Circle(int Id, float R) : Shape(Id), R(R) {}
  __device__ float area() const override { return 3 * R * R; }
  float R;
};

__global__ void make(Shape **Shapes, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  if (I % 3 == 0)
    Shapes[I] = new Rectangle(I, I, 2);
  else if (I % 3 == 1)
    Shapes[I] = new Square(I, I);
  else
    Shapes[I] = new Circle(I, I);
}

__global__ void use(Shape **Shapes, float *Areas, int *Corners, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const Shape *S = Shapes[N - 1 - I];
  Areas[I] = S->area();
  Corners[I] = S->corners() * 1000 + S->Id;
}

__global__ void destroy(Shape **Shapes, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    delete Shapes[I];
}

struct Left {
  __device__ virtual int left() const { return L; }
  int L = 1;
};
struct Right {
  __device__ virtual int right() const { return R; }
  int R = 2;
};
struct Both : Left, Right {
  __device__ int right() const override { return R + L * 10; }
};

struct Top {
  __device__ virtual int top() const { return T; }
  int T = 7;
};
struct MiddleA : virtual Top {
  int A = 10;
};
struct MiddleB : virtual Top {
  __device__ int top() const override { return T * 2; }
  int B = 20;
};
struct Bottom : MiddleA, MiddleB {
  int C = 30;
};

__device__ int callRight(const Right &R) { return R.right(); }
__device__ int callTop(const Top &T) { return T.top(); }

__device__ int Destroyed;
struct Counts {
  __device__ virtual ~Counts() { atomicAdd(&Destroyed, 1); }
};
struct CountsMore : Counts {
  __device__ ~CountsMore() override { atomicAdd(&Destroyed, 100); }
};

__global__ void bases(int *Out) {
  Both B;
  B.L = threadIdx.x;
  Out[threadIdx.x * 4] = callRight(B);
  Out[threadIdx.x * 4 + 1] = B.left();
  Bottom D;
  D.T = threadIdx.x;
  Out[threadIdx.x * 4 + 2] = callTop(D) + D.A + D.B + D.C;
  alignas(Rectangle) char Place[sizeof(Rectangle)];
  Shape *S = new (Place) Rectangle(3, threadIdx.x, 4);
  Out[threadIdx.x * 4 + 3] = static_cast<int>(S->area());
  S->~Shape();
  Counts *C = new CountsMore;
  delete C;
}

// Of many blocks each thread has a stack of its own, one block after another.
__global__ void remake(Shape **To) { *To = new Rectangle(7, 2, 3); }
__global__ void addAreas(Shape **From, float *Sums) {
  float Sum = 0;
  for (int N = 0; N < 3; ++N) {
    Sum += (*From)->area();
    __syncthreads();
  }
  Sums[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

int main() {
  const int N = 100;
  suite::Array<Shape *> Shapes(N);
  suite::Array<float> Areas(N);
  suite::Array<int> Corners(N);
  make<<<2, 64>>>(Shapes, N);
  use<<<2, 64>>>(Shapes, Areas, Corners, N);
  destroy<<<2, 64>>>(Shapes, N);
  std::vector<float> ExpectedAreas(N);
  std::vector<int> ExpectedCorners(N);
  for (int I = 0; I < N; ++I) {
    int K = N - 1 - I;
    ExpectedAreas[I] = K % 3 == 0 ? K * 2.f : K % 3 == 1 ? 1.f * K * K : 3.f * K * K;
    ExpectedCorners[I] = (K % 3 == 0 ? 4 : K % 3 == 1 ? 104 : 0) * 1000 + K;
  }
  same(Areas.host(), ExpectedAreas);
  same(Corners.host(), ExpectedCorners);

  suite::Array<int> Out(4 * 32);
  bases<<<1, 32>>>(Out);
  std::vector<int> Expected(4 * 32);
  for (int I = 0; I < 32; ++I) {
    Expected[4 * I] = 2 + 10 * I;
    Expected[4 * I + 1] = I;
    Expected[4 * I + 2] = 2 * I + 60;
    Expected[4 * I + 3] = 4 * I;
  }
  same(Out.host(), Expected);
  int Count = 0;
  check(cudaMemcpyFromSymbol(&Count, Destroyed, sizeof Count));
  expect(Count == 32 * 101);

  const int Blocks = 2000, Threads = 64;
  suite::Array<float> Sums(Blocks * Threads);
  remake<<<1, 1>>>(Shapes);
  addAreas<<<Blocks, Threads>>>(Shapes, Sums);
  same(Sums.host(), std::vector<float>(Blocks * Threads, 18));
  return suite::finish();
}
