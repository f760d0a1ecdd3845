// Feature: programs: Graphs: breadth-first search by levels and by a queue, shortest paths
// by relaxing, connected components by union and find, triangles by intersection.

#include <algorithm>
#include <climits>
#include <numeric>
#include <queue>
#include <utility>

#include "Inputs/suite.h"

__global__ void level(int N, const int *Start, const int *To, int *Depth, int Now, bool *Changed) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= N || Depth[V] != Now)
    return;
  for (int E = Start[V]; E < Start[V + 1]; ++E)
    if (Depth[To[E]] < 0) {
      Depth[To[E]] = Now + 1;
      *Changed = true;
    }
}

__global__ void expand(const int *Queue, int Size, const int *Start, const int *To, int *Depth,
                       int *Next, int *NextSize) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Size)
    return;
  const int V = Queue[I];
  for (int E = Start[V]; E < Start[V + 1]; ++E)
    if (atomicCAS(&Depth[To[E]], -1, Depth[V] + 1) == -1)
      Next[atomicAdd(NextSize, 1)] = To[E];
}

__global__ void relax(int Edges, const int2 *Edge, const int *Weight, int *Distance, int *Changed) {
  const int E = blockIdx.x * blockDim.x + threadIdx.x;
  if (E >= Edges || Distance[Edge[E].x] == INT_MAX)
    return;
  const int Through = Distance[Edge[E].x] + Weight[E];
  if (atomicMin(&Distance[Edge[E].y], Through) > Through)
    atomicExch(Changed, 1);
}

__device__ int root(volatile int *Parent, int V) {
  while (Parent[V] != V)
    V = Parent[V];
  return V;
}

__global__ void unite(int Edges, const int2 *Edge, int *Parent) {
  const int E = blockIdx.x * blockDim.x + threadIdx.x;
  if (E >= Edges)
    return;
  int A = Edge[E].x, B = Edge[E].y;
  while (true) {
    A = root(Parent, A);
    B = root(Parent, B);
    if (A == B)
      return;
    const int High = max(A, B), Low = min(A, B);
    if (atomicCAS(&Parent[High], High, Low) == High)
      return;
  }
}

__global__ void flatten(int N, int *Parent) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V < N)
    Parent[V] = root(Parent, V);
}

__global__ void triangles(int N, const int *Start, const int *To, unsigned long long *Count) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  if (V >= N)
    return;
  unsigned long long Mine = 0;
  for (int E = Start[V]; E < Start[V + 1]; ++E) {
    const int W = To[E];
    if (W <= V)
      continue;
    int A = Start[V], B = Start[W];
    while (A < Start[V + 1] && B < Start[W + 1])
      if (To[A] < To[B])
        ++A;
      else if (To[A] > To[B])
        ++B;
      else {
        Mine += To[A] > W;
        ++A;
        ++B;
      }
  }
  atomicAdd(Count, Mine);
}

int main() {
  constexpr int N = 700;
  std::vector<std::vector<int>> Near(N);
  unsigned Seed = 3;
  for (int K = 0; K < 2 * N; ++K) {
    Seed = Seed * 1664525u + 1013904223u;
    const int A = Seed >> 8 & 511, B = Seed >> 17 & 511;
    if (A == B)
      continue;
    Near[A].push_back(B);
    Near[B].push_back(A);
  }
  for (int V = 600; V < 650; ++V) {
    Near[V].push_back(V + 1);
    Near[V + 1].push_back(V);
  }
  std::vector<int> Start{0}, To, Weight;
  std::vector<int2> Edge;
  for (int V = 0; V < N; ++V) {
    std::sort(Near[V].begin(), Near[V].end());
    Near[V].erase(std::unique(Near[V].begin(), Near[V].end()), Near[V].end());
    for (int W : Near[V]) {
      To.push_back(W);
      Edge.push_back({V, W});
      Weight.push_back(1 + (V * 31 + W * 17) % 23);
    }
    Start.push_back(static_cast<int>(To.size()));
  }
  const int Edges = static_cast<int>(To.size());

  std::vector<int> Depth(N, -1);
  std::queue<int> Open;
  Depth[1] = 0;
  for (Open.push(1); !Open.empty(); Open.pop())
    for (int W : Near[Open.front()])
      if (Depth[W] < 0) {
        Depth[W] = Depth[Open.front()] + 1;
        Open.push(W);
      }

  std::vector<int> First(N, -1);
  First[1] = 0;
  suite::Array<int> S(Start), T(To), D(First);
  const int Grid = (N + 63) / 64;
  bool *Changed = nullptr;
  check(cudaMallocManaged(&Changed, sizeof *Changed));
  int Level = 0;
  do {
    *Changed = false;
    level<<<Grid, 64>>>(N, S, T, D, Level++, Changed);
    check(cudaDeviceSynchronize());
  } while (*Changed);
  check(cudaFree(Changed));
  same(D.host(), Depth);

  suite::Array<int> D2(First), Q1(std::vector<int>(N, 1)), Q2(N), Size(1);
  int *Queue = Q1, *Next = Q2;
  for (int Count = 1; Count > 0; std::swap(Queue, Next)) {
    check(cudaMemset(Size, 0, sizeof(int)));
    expand<<<(Count + 63) / 64, 64>>>(Queue, Count, S, T, D2, Next, Size);
    check(cudaMemcpy(&Count, Size, sizeof(int), cudaMemcpyDeviceToHost));
  }
  same(D2.host(), Depth);

  std::vector<int> Distance(N, INT_MAX), Far;
  Distance[1] = 0;
  suite::Array<int2> Es(Edge);
  suite::Array<int> W(Weight), Ds(Distance), Moved(1);
  for (int Round = 0, Flag = 1; Flag && Round < N; ++Round) {
    check(cudaMemset(Moved, 0, sizeof(int)));
    relax<<<(Edges + 127) / 128, 128>>>(Edges, Es, W, Ds, Moved);
    check(cudaMemcpy(&Flag, Moved, sizeof(int), cudaMemcpyDeviceToHost));
  }
  do {
    Far = Distance;
    for (int E = 0; E < Edges; ++E)
      if (Distance[Edge[E].x] != INT_MAX)
        Distance[Edge[E].y] = std::min(Distance[Edge[E].y], Distance[Edge[E].x] + Weight[E]);
  } while (Far != Distance);
  same(Ds.host(), Distance);

  std::vector<int> Parent(N);
  std::iota(Parent.begin(), Parent.end(), 0);
  suite::Array<int> P(Parent);
  unite<<<(Edges + 127) / 128, 128>>>(Edges, Es, P);
  flatten<<<Grid, 64>>>(N, P);
  do {
    Far = Parent;
    for (const int2 &E : Edge)
      Parent[E.x] = Parent[E.y] = std::min(Parent[E.x], Parent[E.y]);
  } while (Far != Parent);
  same(P.host(), Parent);

  suite::Array<unsigned long long> Count(1);
  triangles<<<Grid, 64>>>(N, S, T, Count);
  unsigned long long Here = 0;
  for (const int2 &E : Edge)
    if (E.x < E.y)
      for (int X : Near[E.x])
        Here += X > E.y && std::binary_search(Near[E.y].begin(), Near[E.y].end(), X);
  same(Count.host(), std::vector<unsigned long long>{Here});
  return suite::finish();
}
