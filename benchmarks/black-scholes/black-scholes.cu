// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Black-Scholes: the prices of European call and put options in closed form,
// one option per thread. A desk prices its book again and again: every launch
// reads the same options and writes over the prices of the launch before it.

#include "../common/Program.h"

using namespace bench;

static constexpr int Width = 256;
static constexpr float Rate = 0.02f, Volatility = 0.3f;

__global__ void price(int N, const float *Spot, const float *Strike,
                      const float *Years, float *Call, float *Put) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float S = Spot[I], K = Strike[I], T = Years[I];
  float Spread = Volatility * sqrtf(T);
  float Drift = (Rate + 0.5f * Volatility * Volatility) * T;
  float D1 = (logf(S / K) + Drift) / Spread;
  float D2 = D1 - Spread;
  float Later = K * expf(-Rate * T);
  Call[I] = S * normcdff(D1) - Later * normcdff(D2);
  Put[I] = Later * normcdff(-D2) - S * normcdff(-D1);
}

using Number = Rounded<float>;

/// The natural logarithm, within a unit on a device.
static Number log(const Number &X) {
  double Slope = 1 / (X.value() - X.error());
  return apply<float>(X, [](double V) { return std::log(V); }, Slope, 1);
}

/// The normal distribution, within 5 units on a device. It is steepest where
/// its argument is nearest to 0.
static Number normal(const Number &X) {
  double Nearest = std::max(0.0, std::fabs(X.value()) - X.error());
  double Slope = 0.3989422804014327 * std::exp(-Nearest * Nearest / 2);
  return apply<float>(
      X, [](double V) { return std::erfc(-V * M_SQRT1_2) / 2; }, Slope, 5);
}

struct Prices {
  Number Call, Put;
};

/// An option on the host.
static Prices priced(Number S, Number K, Number T, Number R, Number V) {
  Number Spread = V * sqrt(T);
  Number Drift = (R + Number(0.5f) * V * V) * T;
  Number D1 = (log(S / K) + Drift) / Spread, D2 = D1 - Spread;
  Number Later = K * exp(-R * T);
  return {S * normal(D1) - Later * normal(D2),
          Later * normal(-D2) - S * normal(-D1)};
}

/// The mean of what an option pays over the normal distribution of the
/// logarithm of the price, by Simpson's rule.
static Prices integrated(double S, double K, double T, double R, double V) {
  double Call = 0, Put = 0;
  int Parts = 200000;
  for (int I = 0; I <= Parts; ++I) {
    double Z = -12 + 24.0 * I / Parts;
    double Weight = (I == 0 || I == Parts ? 1
                     : I % 2              ? 4
                                          : 2) *
                    24.0 / Parts / 3 * std::exp(-Z * Z / 2) /
                    std::sqrt(2 * M_PI);
    double At = S * std::exp((R - V * V / 2) * T + V * std::sqrt(T) * Z);
    Call += Weight * std::max(At - K, 0.0);
    Put += Weight * std::max(K - At, 0.0);
  }
  return {Number::within(Call * std::exp(-R * T), 1e-7),
          Number::within(Put * std::exp(-R * T), 1e-7)};
}

/// The prices are means of what is paid; a textbook's example (Hull, Options,
/// Futures and Other Derivatives) has 4.76 and 0.81.
static void checkReference(Program &Run) {
  Random From(Run.seed());
  std::vector<Number> One, Other;
  for (int I = 0; I < 20; ++I) {
    float S = float(From.uniform(5, 30)), K = float(From.uniform(1, 100));
    float T = float(From.uniform(0.25, 10));
    Prices Closed = priced(S, K, T, Rate, Volatility);
    Prices Mean = integrated(S, K, T, Rate, Volatility);
    One.insert(One.end(), {Closed.Call, Closed.Put});
    Other.insert(Other.end(), {Mean.Call, Mean.Put});
  }
  Run.compare("closed form and integral", One, Other);
  Prices Book = priced(42.0f, 40.0f, 0.5f, 0.1f, 0.2f);
  Run.expect(std::fabs(Book.Call.value() - 4.76) < 0.005, "a known call");
  Run.expect(std::fabs(Book.Put.value() - 0.81) < 0.005, "a known put");
}

int main(int Argc, char **Argv) {
  Program Run(
      "black-scholes", "prices of European options in closed form",
      {{"n", 4000000, "options"}, {"rounds", 8, "times the book is priced"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Rounds = int(Run["rounds"]);
  Run.require(N <= 1 << 30, "--n is at most 2^30");
  Random From(Run.seed());
  std::vector<float> Spot = randomVector<float>(From, N, 5, 30);
  std::vector<float> Strike = randomVector<float>(From, N, 1, 100);
  std::vector<float> Years = randomVector<float>(From, N, 0.25, 10);

  Array<float> DeviceSpot(Spot), DeviceStrike(Strike), DeviceYears(Years);
  Array<float> Call(N), Put(N);
  dim3 Block(Width), Grid((N + Width - 1) / Width);
  Run.measure(
      [&] {
        Call.clear();
        Put.clear();
      },
      [&] {
        for (int Round = 0; Round < Rounds; ++Round) {
          price<<<Grid, Block>>>(N, DeviceSpot, DeviceStrike, DeviceYears, Call,
                                 Put);
          Run.launched("price", Grid, Block);
        }
      });

  std::vector<Number> WantCall(N), WantPut(N);
  parallelFor(Grid.x, [&](size_t Part) {
    size_t End = std::min<size_t>(N, (Part + 1) * Width);
    for (size_t I = Part * Width; I < End; ++I) {
      Prices Want = priced(Spot[I], Strike[I], Years[I], Rate, Volatility);
      WantCall[I] = Want.Call;
      WantPut[I] = Want.Put;
    }
  });
  Run.compare("call", Call.download(), WantCall);
  Run.compare("put", Put.download(), WantPut);
  return Run.report();
}
