// Feature: warp: Votes, matches, reductions and barriers of whole and partial warps.

#include "Inputs/suite.h"

constexpr unsigned Full = 0xffffffffu;
constexpr int Slots = 14;

__global__ void votes(unsigned *Out) {
  unsigned T = threadIdx.x, Lane = T % 32;
  unsigned *O = Out + T * Slots;
  O[0] = __all_sync(Full, T < 64);
  O[1] = __any_sync(Full, T == 40);
  O[2] = __ballot_sync(Full, T % 3 == 0);
  O[3] = __match_any_sync(Full, T % 5);
  O[4] = __match_any_sync(Full, (unsigned long long)(T / 4) << 40);
  int Same = 7;
  O[5] = __match_all_sync(Full, T / 32, &Same);
  O[6] = Same;
  O[7] = __match_all_sync(Full, double(T), &Same);
  O[8] = Same;
  O[9] = __reduce_add_sync(Full, T);
  O[10] = __reduce_max_sync(Full, int(T) - 40);
  O[11] = __reduce_min_sync(Full, T);
  O[12] = __reduce_xor_sync(Full, T * T);
  // Each half of a warp on its own.
  unsigned Half = Lane < 16 ? 0xffffu : 0xffff0000u;
  O[13] = __reduce_or_sync(Half, 1u << T % 32) ^
          __ballot_sync(Half, Lane % 2) ^ __reduce_and_sync(Half, ~Lane);
}

// Every lane writes for its neighbour, warp after warp, without a block barrier.
__global__ void rotate(int *Data, int Rounds) {
  __shared__ int Tile[96];
  int T = threadIdx.x, Lane = T % 32;
  Tile[T] = Data[T];
  for (int R = 0; R < Rounds; ++R) {
    __syncwarp();
    int Next = Tile[T - Lane + (Lane + 1) % 32];
    __syncwarp();
    Tile[T] = Next;
  }
  Data[T] = Tile[T];
}

int main() {
  const unsigned Threads = 96;
  suite::Array<unsigned> Out(Threads * Slots);
  votes<<<1, Threads>>>(Out);
  std::vector<unsigned> Expected(Threads * Slots);
  for (unsigned T = 0; T < Threads; ++T) {
    unsigned *E = &Expected[T * Slots], W = T / 32, Lane = T % 32;
    E[0] = W < 2;
    E[1] = W == 1;
    E[5] = Full;
    E[6] = 1;
    E[10] = W * 32 + 31 - 40;
    E[11] = W * 32;
    unsigned Own = Lane < 16 ? 0xffffu : 0xffff0000u;
    E[13] = Own ^ (Own & 0xaaaaaaaau) ^ (Lane < 16 ? ~15u : ~31u);
    for (unsigned L = 0; L < 32; ++L) {
      unsigned Other = W * 32 + L;
      E[2] |= unsigned(Other % 3 == 0) << L;
      E[3] |= unsigned(Other % 5 == T % 5) << L;
      E[4] |= unsigned(Other / 4 == T / 4) << L;
      E[9] += Other;
      E[12] ^= Other * Other;
    }
  }
  same(Out.host(), Expected);

  std::vector<int> Numbers(Threads), Rotated(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    Numbers[T] = int(T * T);
  for (unsigned T = 0; T < Threads; ++T)
    Rotated[T] = Numbers[T / 32 * 32 + (T + 9) % 32];
  suite::Array<int> Data(Numbers);
  rotate<<<1, Threads>>>(Data, 9);
  same(Data.host(), Rotated);
  return suite::finish();
}
