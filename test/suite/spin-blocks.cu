// Feature: language: Blocks that wait for other blocks: a chain, a lock, the last block of
// a grid, and a scan that looks back.

#include "Inputs/suite.h"

// Block b waits for block b - 1.
__global__ void chain(volatile int *Turn, int *Out) {
  __shared__ int Base;
  if (threadIdx.x == 0) {
    while (*Turn != static_cast<int>(blockIdx.x))
      ;
    __threadfence();
    Base = blockIdx.x ? Out[blockIdx.x - 1] : 0;
    Out[blockIdx.x] = Base + blockIdx.x + 1;
    __threadfence();
    *Turn = blockIdx.x + 1;
  }
  __syncthreads();
}

__global__ void locked(int *Lock, int *Data) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(Lock, 0, 1) != 0)
      __nanosleep(20);
    __threadfence();
    int *volatile Value = Data;
    Value[0] = Value[0] + 1;
    __threadfence();
    atomicExch(Lock, 0);
  }
}

// The block that comes last adds up what all blocks have left.
__global__ void lastBlock(const int *In, int *Partial, unsigned *Done,
                          int *Out) {
  __shared__ int Sum;
  __shared__ bool Last;
  if (threadIdx.x == 0)
    Sum = 0;
  __syncthreads();
  atomicAdd(&Sum, In[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    Partial[blockIdx.x] = Sum;
    __threadfence();
    Last = atomicInc(Done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (Last && threadIdx.x == 0) {
    int All = 0;
    for (unsigned B = 0; B < gridDim.x; ++B)
      All += static_cast<volatile int *>(Partial)[B];
    *Out = All;
  }
}

struct State {
  int Ready; // 0: nothing, 1: the block's own sum, 2: with all before.
  int Own;
  int Through;
};

// A scan in one pass: each block looks back at those before it.
__global__ void lookBack(const int *In, int *Out, volatile State *States,
                         unsigned *Ticket) {
  __shared__ unsigned Block;
  __shared__ int Before, Tile[128];
  if (threadIdx.x == 0)
    Block = atomicAdd(Ticket, 1);
  __syncthreads();
  unsigned T = threadIdx.x, I = Block * 128 + T;
  Tile[T] = In[I];
  __syncthreads();
  for (unsigned By = 1; By < 128; By *= 2) {
    int Add = T >= By ? Tile[T - By] : 0;
    __syncthreads();
    Tile[T] += Add;
    __syncthreads();
  }
  if (T == 0) {
    volatile State *Mine = States + Block;
    Mine->Own = Tile[127];
    __threadfence();
    Mine->Ready = 1;
    int Sum = 0;
    for (int B = static_cast<int>(Block) - 1; B >= 0; --B) {
      int Ready;
      while ((Ready = States[B].Ready) == 0)
        ;
      __threadfence();
      Sum += Ready == 2 ? States[B].Through : States[B].Own;
      if (Ready == 2)
        break;
    }
    Mine->Through = Sum + Tile[127];
    __threadfence();
    Mine->Ready = 2;
    Before = Sum;
  }
  __syncthreads();
  Out[I] = Tile[T] + Before;
}

int main() {
  const int Blocks = 40;
  suite::Array<int> Turn(1), Out(Blocks);
  chain<<<Blocks, 64>>>(Turn, Out);
  std::vector<int> Sums(Blocks);
  for (int B = 0; B < Blocks; ++B)
    Sums[B] = (B + 1) * (B + 2) / 2;
  same(Out.host(), Sums);

  suite::Array<int> Lock(1), Data(1);
  locked<<<30, 128>>>(Lock, Data);
  same(Data.host(), std::vector<int>(1, 120));

  const int N = Blocks * 128;
  std::vector<int> Numbers(N), Scanned(N);
  int Sum = 0;
  for (int I = 0; I < N; ++I) {
    Numbers[I] = I * 17 % 23 - 5;
    Sum += Numbers[I];
    Scanned[I] = Sum;
  }
  suite::Array<int> In(Numbers), Partial(Blocks), Total(1), Scan(N);
  suite::Array<unsigned> Done(1), Ticket(1);
  lastBlock<<<Blocks, 128>>>(In, Partial, Done, Total);
  same(Total.host(), std::vector<int>(1, Sum));
  suite::Array<State> States(Blocks);
  lookBack<<<Blocks, 128>>>(In, Scan, States.get(), Ticket);
  same(Scan.host(), Scanned);
  return suite::finish();
}
