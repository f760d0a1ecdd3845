// Feature: language: Code that compilers make calls of a library of: the sine
// and cosine of one angle, roots as powers, lengths of strings, comparisons of
// large structures, division of 128 bits.
// Flags: -ffast-math

#include <cmath>

#include "Inputs/suite.h"

using Wide = unsigned __int128;

struct Key {
  int A, B, C, D, E, F, G, H, I, J, K, L;
  __host__ __device__ bool operator==(const Key &R) const {
    return A == R.A && B == R.B && C == R.C && D == R.D && E == R.E &&
           F == R.F && G == R.G && H == R.H && I == R.I && J == R.J &&
           K == R.K && L == R.L;
  }
};

__global__ void angles(float *Single, double *Double, float By) {
  float X = By * threadIdx.x;
  double Y = By * threadIdx.x;
  Single[threadIdx.x] = sinf(X) + 2 * cosf(X);
  Double[threadIdx.x] = sin(Y) + 2 * cos(Y);
}

__global__ void powers(double *Roots, double *Tens) {
  double X = threadIdx.x;
  Roots[threadIdx.x] = pow(X, 1.0 / 3.0);
  Tens[threadIdx.x] = pow(10.0, X);
}

__global__ void length(const char *Text, int *Length) {
  int N = 0;
  while (Text[N])
    ++N;
  *Length = N;
}

__global__ void find(const Key *Keys, Key Wanted, int *Found) {
  if (Keys[threadIdx.x] == Wanted)
    *Found = threadIdx.x;
}

__global__ void divide(Wide *Quotients, Wide *Rests, Wide Over) {
  Wide N = (Wide(threadIdx.x) << 100) + 12345;
  Quotients[threadIdx.x] = N / Over;
  Rests[threadIdx.x] = N % Over;
}

int main() {
  const int N = 16;
  suite::Array<float> Single(N);
  suite::Array<double> Double(N), Roots(N), Tens(N);
  angles<<<1, N>>>(Single, Double, 0.3f);
  powers<<<1, N>>>(Roots, Tens);
  for (int T = 0; T < N; ++T) {
    double X = 0.3f * T, Sum = std::sin(X) + 2 * std::cos(X);
    expect(std::abs(Single.host()[T] - Sum) < 1e-5);
    expect(std::abs(Double.host()[T] - Sum) < 1e-12);
    expect(std::abs(Roots.host()[T] - std::cbrt(T)) < 1e-12);
    expect(std::abs(Tens.host()[T] / std::pow(10.0, T) - 1) < 1e-12);
  }

  std::vector<char> Text(1001, 'x');
  Text.back() = 0;
  suite::Array<char> Characters(Text);
  suite::Array<int> Numbers(2);
  length<<<1, 1>>>(Characters, Numbers);
  std::vector<Key> Keys(N);
  for (int T = 0; T < N; ++T)
    Keys[T].L = T;
  suite::Array<Key> KeysThere(Keys);
  find<<<1, N>>>(KeysThere, Keys[11], Numbers + 1);
  same(Numbers.host(), (std::vector<int>{1000, 11}));

  const Wide Over = (Wide(1) << 70) + 7;
  suite::Array<Wide> Quotients(N), Rests(N);
  divide<<<1, N>>>(Quotients, Rests, Over);
  for (int T = 0; T < N; ++T) {
    Wide Number = (Wide(T) << 100) + 12345;
    expect(Quotients.host()[T] == Number / Over);
    expect(Rests.host()[T] == Number % Over);
  }
  return suite::finish();
}
