// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streamcluster: opens facilities among weighted points such that the way to
// them and the price of opening them are cheap together. For each candidate two
// launches find what opening it would save, of the way and by closing others;
// the host reads that back and decides; where it opens, a third launch moves
// points over. Coordinates are small whole numbers: every result is exact.

#include "../common/Program.h"

using namespace bench;

static constexpr int Width = 256, Slots = 64, Columns = Slots + 1;
static constexpr int Greatest = 127, Heaviest = 3;

using Whole = unsigned long long;

/// What each point would cost at the candidate. A block adds up in column C
/// what the points of the facility in slot C would lose if they had to move,
/// and in the last column what the other points win.
__global__ void gain(int N, int Dimensions, int Candidate, const float *Points,
                     const int *Weight, const int *Slot, const int *Cost,
                     int *NewCost, Whole *Partial) {
  extern __shared__ float There[];
  __shared__ Whole Sum[Columns];
  for (int D = threadIdx.x; D < Dimensions; D += Width)
    There[D] = Points[size_t(D) * N + Candidate];
  if (threadIdx.x < Columns)
    Sum[threadIdx.x] = 0;
  __syncthreads();
  int I = blockIdx.x * Width + threadIdx.x;
  if (I < N) {
    float Square = 0;
    for (int D = 0; D < Dimensions; ++D) {
      float Way = Points[size_t(D) * N + I] - There[D];
      Square += Way * Way;
    }
    int New = int(Square) * Weight[I], Now = Cost[I];
    NewCost[I] = New;
    if (New < Now)
      atomicAdd(&Sum[Slots], Whole(Now - New));
    else
      atomicAdd(&Sum[Slot[I]], Whole(New - Now));
  }
  __syncthreads();
  if (threadIdx.x < Columns)
    Partial[blockIdx.x * Columns + threadIdx.x] = Sum[threadIdx.x];
}

/// Adds a column of all blocks.
__global__ void total(int Parts, const Whole *Partial, Whole *Total) {
  __shared__ Whole Sum[Width];
  int T = threadIdx.x;
  Whole Own = 0;
  for (int Part = T; Part < Parts; Part += Width)
    Own += Partial[Part * Columns + blockIdx.x];
  Sum[T] = Own;
  __syncthreads();
  for (int Half = Width / 2; Half > 0; Half /= 2) {
    if (T < Half)
      Sum[T] += Sum[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Total[blockIdx.x] = Sum[0];
}

/// Moves points to the facility in slot Opened: those that win and those whose
/// own, a bit of Closed, closes.
__global__ void reassign(int N, int Opened, Whole Closed, const int *NewCost,
                         int *Cost, int *Slot) {
  int I = blockIdx.x * Width + threadIdx.x;
  if (I >= N)
    return;
  if (NewCost[I] < Cost[I] || (Closed >> Slot[I] & 1)) {
    Cost[I] = NewCost[I];
    Slot[I] = Opened;
  }
}

/// The facilities that are open, and what opening a candidate would bring.
struct Facilities {
  long long Price;
  Whole Open = 1; // the slots in use
  int Opened = 0; // the slot of the last opened
  Whole Closed = 0;
  std::vector<long long> Gains;

  explicit Facilities(long long Price) : Price(Price) {}
  bool consider(const std::vector<Whole> &Total);
};

/// Opens the candidate where that pays, and then closes all that cost more than
/// to move their points. False where it does not pay or no slot is free.
bool Facilities::consider(const std::vector<Whole> &Total) {
  long long Gain = (long long)Total[Slots] - Price;
  Closed = 0;
  for (int S = 0; S < Slots; ++S)
    if (Open >> S & 1 && (long long)Total[S] < Price) {
      Gain += Price - (long long)Total[S];
      Closed |= Whole(1) << S;
    }
  Gains.push_back(Gain);
  if (Gain <= 0 || ~Open == 0)
    return false;
  Opened = 0;
  while (Open >> Opened & 1)
    ++Opened;
  Open = (Open & ~Closed) | Whole(1) << Opened;
  return true;
}

/// Points, dimension by dimension, in some clouds.
struct Input {
  int N, Dimensions;
  std::vector<float> Points;
  std::vector<int> Weight, Candidates;

  Input(uint64_t Seed, int N, int Dimensions, int Count);
  void costs(int Candidate, std::vector<int> &To) const;
};

Input::Input(uint64_t Seed, int N, int Dimensions, int Count)
    : N(N), Dimensions(Dimensions), Points(size_t(N) * Dimensions) {
  Random From(Seed);
  int Clouds = 20;
  std::vector<int> Middle, Cloud;
  for (int I = 0; I < Clouds * Dimensions; ++I)
    Middle.push_back(16 + int(From.below(Greatest - 31)));
  for (int I = 0; I < N; ++I) {
    Cloud.push_back(int(From.below(Clouds)));
    Weight.push_back(1 + int(From.below(Heaviest)));
  }
  for (int I = 0; I < Count; ++I)
    Candidates.push_back(int(From.below(N)));
  parallelFor(Dimensions, [&](size_t D) {
    Random Own(Seed ^ (D + 1) * 0x9e3779b97f4a7c15u);
    for (int I = 0; I < N; ++I)
      Points[D * N + I] =
          float(Middle[Cloud[I] * Dimensions + D] - 16 + int(Own.below(33)));
  });
}

/// What each point costs at a candidate.
void Input::costs(int Candidate, std::vector<int> &To) const {
  parallelFor((N + Width - 1) / Width, [&](size_t Part) {
    size_t Begin = Part * Width, End = std::min<size_t>(N, Begin + Width);
    std::vector<int> Square(Width);
    for (size_t D = 0; D < size_t(Dimensions); ++D)
      for (size_t I = Begin; I < End; ++I) {
        int Way = int(Points[D * N + I]) - int(Points[D * N + Candidate]);
        Square[I - Begin] += Way * Way;
      }
    for (size_t I = Begin; I < End; ++I)
      To[I] = Square[I - Begin] * Weight[I];
  });
}

/// The same on the host, in whole numbers.
struct Host {
  const Input &In;
  Facilities Open;
  std::vector<int> Slot, Cost, Way;

  Host(const Input &In, long long Price)
      : In(In), Open(Price), Slot(In.N), Cost(In.N), Way(In.N) {
    In.costs(0, Cost);
  }
  bool consider(int Candidate);
};

bool Host::consider(int Candidate) {
  In.costs(Candidate, Way);
  std::vector<Whole> Total(Columns);
  for (int I = 0; I < In.N; ++I)
    Total[Way[I] < Cost[I] ? Slots : Slot[I]] += std::abs(Way[I] - Cost[I]);
  if (!Open.consider(Total))
    return false;
  for (int I = 0; I < In.N; ++I)
    if (Way[I] < Cost[I] || Open.Closed >> Slot[I] & 1) {
      Cost[I] = Way[I];
      Slot[I] = Open.Opened;
    }
  return true;
}

static long long priceOf(int N, int Dimensions) { return 8ll * N * Dimensions; }

/// From the definition: the price of what is open and the ways to it, which
/// falls by exactly the gain when a candidate opens.
static void checkReference(Program &Run) {
  int N = 3000, Dimensions = 5;
  Input In(Run.seed(), N, Dimensions, 60);
  Host Points(In, priceOf(N, Dimensions));
  std::vector<int> Site(Slots);
  auto Whole = [&] {
    long long Sum = 0;
    for (int S = 0; S < Slots; ++S)
      Sum += Points.Open.Open >> S & 1 ? Points.Open.Price : 0;
    for (int I = 0; I < N; ++I) {
      double Square = 0;
      for (int D = 0; D < Dimensions; ++D)
        Square += std::pow(
            In.Points[D * N + I] - In.Points[D * N + Site[Points.Slot[I]]], 2);
      Sum += std::llround(Square * In.Weight[I]);
    }
    return Sum;
  };
  std::vector<long long> Costs, Want;
  for (int Candidate : In.Candidates) {
    long long Before = Whole();
    bool Opened = Points.consider(Candidate);
    if (Opened)
      Site[Points.Open.Opened] = Candidate;
    Costs.push_back(Whole());
    Want.push_back(Before - (Opened ? Points.Open.Gains.back() : 0));
  }
  Run.compare("cost of all", Costs, Want);
  Run.expect(Costs.back() < Costs.front(), "candidates help");
}

int main(int Argc, char **Argv) {
  Program Run("streamcluster", "opens facilities among weighted points",
              {{"n", 65536, "points"},
               {"dimensions", 256, "coordinates of a point"},
               {"candidates", 20, "points tried as a facility"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Dimensions = int(Run["dimensions"]);
  Run.require(Dimensions <= 1024, "--dimensions is at most 1024");
  Run.require(N <= 1 << 24, "--n is at most 2^24");
  Input In(Run.seed(), N, Dimensions, int(Run["candidates"]));
  long long Price = priceOf(N, Dimensions);
  Host Want(In, Price);
  std::vector<int> First = Want.Cost;

  int Parts = (N + Width - 1) / Width;
  Array<float> Points(In.Points);
  Array<int> Weight(In.Weight), Slot(N), Cost(N), NewCost(N);
  Array<Whole> Partial(size_t(Parts) * Columns), Total(Columns);
  Facilities Open(Price);
  dim3 Block(Width), Grid(Parts), TotalGrid(Columns);
  Run.measure(
      [&] {
        Open = Facilities(Price);
        Slot.clear();
        Cost.upload(First);
      },
      [&] {
        for (int Candidate : In.Candidates) {
          gain<<<Grid, Block, Dimensions * sizeof(float)>>>(
              N, Dimensions, Candidate, Points, Weight, Slot, Cost, NewCost,
              Partial);
          Run.launched("gain", Grid, Block);
          total<<<TotalGrid, Block>>>(Parts, Partial, Total);
          Run.launched("total", TotalGrid, Block);
          if (!Open.consider(Total.download()))
            continue;
          reassign<<<Grid, Block>>>(N, Open.Opened, Open.Closed, NewCost, Cost,
                                    Slot);
          Run.launched("reassign", Grid, Block);
        }
      });

  for (int Candidate : In.Candidates)
    Want.consider(Candidate);
  Run.compare("gains", Open.Gains, Want.Open.Gains);
  Run.compare("costs", Cost.download(), Want.Cost);
  Run.compare("facilities", Slot.download(), Want.Slot);
  return Run.report();
}
