// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// k-means: divides points into clusters around centres. One launch turns the
// points around, so that neighbouring threads read neighbouring numbers; then
// each iteration takes three: every point finds its nearest centre, blocks sum
// the points of each cluster, and a block for each cluster moves its centre to
// the mean. The centres of all iterations are kept.

#include "../common/Program.h"

using namespace bench;

static constexpr int Width = 256, Chunk = 512, Rows = 8;
static constexpr int InvertTile = 32, InvertRows = 8;

/// From the features of point after point to all points' first features, then
/// their second, and so on.
__global__ void invert(int N, int Features, const float *Points,
                       float *Inverted) {
  __shared__ float Corner[InvertTile][InvertTile + 1];
  int Point = blockIdx.x * InvertTile, Feature = blockIdx.y * InvertTile;
  int X = threadIdx.x;
  for (int Y = threadIdx.y; Y < InvertTile; Y += InvertRows)
    if (Point + Y < N && Feature + X < Features)
      Corner[Y][X] = Points[size_t(Point + Y) * Features + Feature + X];
  __syncthreads();
  for (int Y = threadIdx.y; Y < InvertTile; Y += InvertRows)
    if (Feature + Y < Features && Point + X < N)
      Inverted[size_t(Feature + Y) * N + Point + X] = Corner[X][Y];
}

__global__ void assign(int N, int Features, int Clusters, const float *Inverted,
                       const float *Centre, int *Member) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  int Best = 0;
  float Least = INFINITY;
  for (int C = 0; C < Clusters; ++C) {
    float Square = 0;
    for (int F = 0; F < Features; ++F) {
      float Distance = Inverted[size_t(F) * N + I] - Centre[C * Features + F];
      Square += Distance * Distance;
    }
    if (Square < Least) {
      Least = Square;
      Best = C;
    }
  }
  Member[I] = Best;
}

/// Sums a chunk's points by cluster. A thread has a feature; the one after the
/// last counts.
__global__ void sumClusters(int N, int Features, int Clusters,
                            const float *Points, const int *Member,
                            float *Partial) {
  extern __shared__ float Sum[];
  int F = threadIdx.x, Columns = Features + 1;
  if (F > Features)
    return;
  for (int C = 0; C < Clusters; ++C)
    Sum[C * Columns + F] = 0;
  int Begin = blockIdx.x * Chunk, End = min(N, Begin + Chunk);
  for (int I = Begin; I < End; ++I)
    Sum[Member[I] * Columns + F] +=
        F < Features ? Points[size_t(I) * Features + F] : 1.0f;
  for (int C = 0; C < Clusters; ++C)
    Partial[(size_t(blockIdx.x) * Clusters + C) * Columns + F] =
        Sum[C * Columns + F];
}

/// Moves a block's cluster to the mean of its points; an empty one stays.
__global__ void moveCentres(int Parts, int Features, const float *Partial,
                            const float *From, float *To) {
  extern __shared__ float Sum[];
  int F = threadIdx.x, Columns = Features + 1, C = blockIdx.x;
  float Own = 0;
  if (F < Columns)
    for (int Part = threadIdx.y; Part < Parts; Part += Rows)
      Own += Partial[(size_t(Part) * gridDim.x + C) * Columns + F];
  Sum[threadIdx.y * blockDim.x + F] = Own;
  __syncthreads();
  if (threadIdx.y == 0)
    for (int Y = 1; Y < Rows; ++Y)
      Sum[F] += Sum[Y * blockDim.x + F];
  __syncthreads();
  if (threadIdx.y != 0 || F >= Features)
    return;
  float Count = Sum[Features];
  To[C * Features + F] = Count > 0 ? Sum[F] / Count : From[C * Features + F];
}

using Number = Rounded<float>;

/// Points around some of their own, a few times as far from each other.
static std::vector<float> clouds(uint64_t Seed, int N, int Features, int K) {
  Random Middles(Seed);
  std::vector<float> Middle =
      randomVector<float>(Middles, size_t(K) * Features, 0, 4);
  std::vector<float> Points(size_t(N) * Features);
  parallelFor((N + Chunk - 1) / Chunk, [&](size_t Part) {
    Random From(Seed ^ (Part + 1) * 0x9e3779b97f4a7c15u);
    size_t End = std::min<size_t>(N, (Part + 1) * Chunk);
    for (size_t I = Part * Chunk; I < End; ++I) {
      size_t Own = From.below(K);
      for (int F = 0; F < Features; ++F)
        Points[I * Features + F] =
            Middle[Own * Features + F] + float(From.uniform(-3, 3));
    }
  });
  return Points;
}

/// An iteration on the host, from centres of a device. A point whose two
/// nearest centres are as far as rounding can tell belongs to either: Other
/// says which, and makes both their means less certain.
struct Iteration {
  struct Cluster {
    std::vector<double> Sum, Size, Doubt; // of each feature
    double Count = 0, Unsure = 0;

    explicit Cluster(int Features)
        : Sum(Features), Size(Features), Doubt(Features) {}
    void add(const Cluster &Part);
  };

  int N, Features, K;
  const std::vector<float> &Points;
  std::vector<int> Member, Other; // Other is -1 where there is no doubt
  std::vector<Cluster> Clusters;

  Iteration(int N, int Features, int K, const std::vector<float> &Points)
      : N(N), Features(Features), K(K), Points(Points), Member(N), Other(N) {}

  void assign(const float *Centre);
  std::vector<Number> moved(const float *Centre) const;

private:
  void assignPoint(const float *Centre, size_t I);
  void count(std::vector<Cluster> &Into, size_t I) const;
};

void Iteration::Cluster::add(const Cluster &Part) {
  for (size_t F = 0; F < Sum.size(); ++F) {
    Sum[F] += Part.Sum[F];
    Size[F] += Part.Size[F];
    Doubt[F] += Part.Doubt[F];
  }
  Count += Part.Count;
  Unsure += Part.Unsure;
}

/// The nearest centre. Squares of differences, each rounded three times at
/// most, are summed: all positive, so gamma bounds the sum relatively. Of three
/// candidates the third is not looked for: the check would only be stricter.
void Iteration::assignPoint(const float *Centre, size_t I) {
  double Strays = gamma<float>(Features + 3);
  double Least = INFINITY, Second = INFINITY;
  int Best = 0, Next = -1;
  for (int C = 0; C < K; ++C) {
    double Square = 0;
    for (int F = 0; F < Features; ++F) {
      double Distance =
          double(Points[I * Features + F]) - Centre[C * Features + F];
      Square += Distance * Distance;
    }
    if (Square < Least) {
      Second = Least, Next = Best;
      Least = Square, Best = C;
    } else if (Square < Second) {
      Second = Square, Next = C;
    }
  }
  Member[I] = Best;
  Other[I] = Second * (1 - Strays) <= Least * (1 + Strays) ? Next : -1;
}

/// Adds a point to its cluster, and as a doubt to both it may belong to.
void Iteration::count(std::vector<Cluster> &Into, size_t I) const {
  Cluster &Own = Into[Member[I]];
  Own.Count += 1;
  for (int F = 0; F < Features; ++F) {
    Own.Sum[F] += Points[I * Features + F];
    Own.Size[F] += std::fabs(Points[I * Features + F]);
  }
  if (Other[I] < 0)
    return;
  for (Cluster *Each : {&Own, &Into[Other[I]]}) {
    Each->Unsure += 1;
    for (int F = 0; F < Features; ++F)
      Each->Doubt[F] += std::fabs(Points[I * Features + F]);
  }
}

void Iteration::assign(const float *Centre) {
  size_t Parts = std::min(64, N);
  std::vector<std::vector<Cluster>> Partial(
      Parts, std::vector<Cluster>(K, Cluster(Features)));
  parallelFor(Parts, [&](size_t Part) {
    for (size_t I = N * Part / Parts; I < N * (Part + 1) / Parts; ++I) {
      assignPoint(Centre, I);
      count(Partial[Part], I);
    }
  });
  Clusters.assign(K, Cluster(Features));
  for (const std::vector<Cluster> &Part : Partial)
    for (int C = 0; C < K; ++C)
      Clusters[C].add(Part[C]);
}

/// The means. No number goes through more additions than those of its chunk,
/// of a row of chunks and of the rows. Counts are exact: they are below 2^24.
std::vector<Number> Iteration::moved(const float *Centre) const {
  int Parts = (N + Chunk - 1) / Chunk;
  double Strays = gamma<float>(Chunk + double(Parts) / Rows + 1 + Rows);
  std::vector<Number> To;
  for (int C = 0; C < K; ++C)
    for (int F = 0; F < Features; ++F) {
      const Cluster &Own = Clusters[C];
      double Size = Own.Size[F] + Own.Doubt[F];
      Number Sum = Number::within(Own.Sum[F], Own.Doubt[F] + Strays * Size);
      Number Count = Number::within(Own.Count, Own.Unsure);
      bool Empty = Own.Count == 0 && Own.Unsure == 0;
      To.push_back(Empty ? Number(Centre[C * Features + F]) : Sum / Count);
    }
  return To;
}

/// The nearest centre has the greatest product with a point, less half its own
/// square; a mean can be kept while its points come.
static void checkReference(Program &Run) {
  int N = 2000, Features = 7, K = 4;
  std::vector<float> Points = clouds(Run.seed(), N, Features, K);
  Iteration Host(N, Features, K, Points);
  const float *Centre = Points.data();
  Host.assign(Centre);
  std::vector<int> Count(K);
  std::vector<double> Mean(K * Features);
  int Differ = 0;
  for (int I = 0; I < N; ++I) {
    const float *X = &Points[I * Features];
    std::vector<double> Score(K);
    for (int At = 0; At < K * Features; ++At)
      Score[At / Features] +=
          X[At % Features] * double(Centre[At]) - 0.5 * Centre[At] * Centre[At];
    int Best =
        int(std::max_element(Score.begin(), Score.end()) - Score.begin());
    Differ += Best != Host.Member[I];
    ++Count[Best];
    for (int F = 0; F < Features; ++F)
      Mean[Best * Features + F] +=
          (X[F] - Mean[Best * Features + F]) / Count[Best];
  }
  Run.expect(Differ == 0, "both ways find the same clusters");
  std::vector<Number> Want, Got = Host.moved(Centre);
  for (double Each : Mean)
    Want.push_back(Number::within(Each, 1e-10));
  for (Number &Each : Got)
    Each = Number::within(Each.value(), 0);
  Run.compare("means", Got, Want);
}

/// Checks every iteration from the device's own centres before it.
static void check(Program &Run, Iteration &Host, int Iterations,
                  const std::vector<float> &Centres,
                  const std::vector<int> &Member) {
  size_t Size = size_t(Host.K) * Host.Features;
  for (int Step = 0; Step < Iterations; ++Step) {
    const float *From = &Centres[Step * Size];
    Host.assign(From);
    std::vector<float> To(From + Size, From + 2 * Size);
    Run.compare("centres", To, Host.moved(From));
  }
  std::vector<int> Want = Host.Member;
  for (int I = 0; I < Host.N; ++I)
    if (Host.Other[I] == Member[I])
      Want[I] = Member[I];
  Run.compare("clusters", Member, Want);
}

int main(int Argc, char **Argv) {
  Program Run("kmeans", "divides points into clusters",
              {{"n", 494020, "points"},
               {"features", 34, "numbers of a point"},
               {"clusters", 5, "clusters", 2},
               {"iterations", 5, "times the centres move"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Features = int(Run["features"]);
  int K = int(Run["clusters"]), Iterations = int(Run["iterations"]);
  Run.require(N < 1 << 24, "--n is below 2^24");
  Run.require(N >= K, "--n is at least --clusters");
  Run.require(Features < 128, "--features is below 128");
  Run.require(K * (Features + 1) <= 12288, "clusters fit in shared memory");
  std::vector<float> Points = clouds(Run.seed(), N, Features, K);
  size_t Size = size_t(K) * Features;
  std::vector<float> First(Points.begin(), Points.begin() + Size);
  First.resize((Iterations + 1) * Size);

  int Parts = (N + Chunk - 1) / Chunk, Across = (Features + 32) / 32 * 32;
  Array<float> DevicePoints(Points), Inverted(Points.size());
  Array<float> Centres(First), Partial(size_t(Parts) * K * (Features + 1));
  Array<int> Member(N);
  dim3 InvertBlock(InvertTile, InvertRows);
  dim3 InvertGrid((N + InvertTile - 1) / InvertTile,
                  (Features + InvertTile - 1) / InvertTile);
  dim3 Block(Width), Grid((N + Width - 1) / Width), SumBlock(Across);
  dim3 SumGrid(Parts), MoveBlock(Across, Rows), MoveGrid(K);
  size_t SumBytes = K * (Features + 1) * sizeof(float);
  size_t MoveBytes = Across * Rows * sizeof(float);
  auto Iterate = [&](float *Now) {
    assign<<<Grid, Block>>>(N, Features, K, Inverted, Now, Member);
    Run.launched("assign", Grid, Block);
    sumClusters<<<SumGrid, SumBlock, SumBytes>>>(N, Features, K, DevicePoints,
                                                 Member, Partial);
    Run.launched("sumClusters", SumGrid, SumBlock);
    moveCentres<<<MoveGrid, MoveBlock, MoveBytes>>>(Parts, Features, Partial,
                                                    Now, Now + Size);
    Run.launched("moveCentres", MoveGrid, MoveBlock);
  };
  Run.measure([&] { Centres.upload(First); },
              [&] {
                invert<<<InvertGrid, InvertBlock>>>(N, Features, DevicePoints,
                                                    Inverted);
                Run.launched("invert", InvertGrid, InvertBlock);
                for (int Step = 0; Step < Iterations; ++Step)
                  Iterate(Centres + Step * Size);
              });

  Iteration Host(N, Features, K, Points);
  check(Run, Host, Iterations, Centres.download(), Member.download());
  return Run.report();
}
