// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structs, their members, pointers in them, and `this`.

#include "map.h"

struct Inner {
  int N;
  double *Values;
};

struct Outer {
  char Tag;
  Inner In;
  int Counts[4];
  Outer *Next;
};

class Counter {
public:
  explicit Counter(int N) : N(N), Data(new int[N]()) {}
  ~Counter() { delete[] Data; }
  void fill(int By) {
#pragma omp target map(tofrom : Data[0 : N])
    for (int I = 0; I < N; ++I)
      Data[I] += By * I;
  }
  void grow() {
#pragma omp target map(tofrom : this[0 : 1])
    Total += 3;
  }
  int operator[](int I) const { return Data[I]; }
  int Total = 4;

private:
  int N;
  int *Data;
};

static void members() {
  double Values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Outer O = {'x', {8, Values}, {1, 2, 3, 4}, nullptr};
#pragma omp target map(tofrom : O)
  {
    O.Tag = 'y';
    O.Counts[3] += O.In.N;
  }
  CHECK(O.Tag == 'y' && O.Counts[3] == 12 && O.In.Values == Values);
#pragma omp target map(tofrom : O.Counts[1 : 2]) map(to : O.In.N)
  O.Counts[2] = O.In.N + 1;
  CHECK(O.Counts[2] == 9 && O.Counts[0] == 1 && O.Tag == 'y');
#pragma omp target map(to : O.In) map(tofrom : O.In.Values[0 : 8])
  for (int I = 0; I < O.In.N; ++I)
    O.In.Values[I] *= 2;
  CHECK(Values[0] == 2 && Values[7] == 16 && O.In.Values == Values);
#pragma omp target map(tofrom : O, O.In.Values[2 : 4])
  {
    O.In.Values[3] = -1;
    O.Counts[0] = 77;
  }
  CHECK(Values[3] == -1 && O.Counts[0] == 77 && O.In.Values == Values);
}

static void pointers() {
  double Values[2][3] = {{1, 2, 3}, {4, 5, 6}};
  Outer *O = new Outer[2];
  for (int I = 0; I < 2; ++I)
    O[I] = {'a', {3, Values[I]}, {}, nullptr};
#pragma omp target enter data map(to : O[0 : 2])
  for (int I = 0; I < 2; ++I) {
#pragma omp target enter data map(to : O[I].In.Values[0 : 3])
  }
#pragma omp target map(present, alloc : O[0 : 2])
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < O[I].In.N; ++J)
      O[I].In.Values[J] += 10 * O[I].In.N;
  for (int I = 0; I < 2; ++I) {
#pragma omp target exit data map(from : O[I].In.Values[0 : 3])
  }
#pragma omp target exit data map(from : O[0 : 2])
  CHECK(Values[0][0] == 31 && Values[1][2] == 36);
  CHECK(O[1].In.Values == Values[1]);
  delete[] O;
}

static void references(Inner &R, int (&Array)[5]) {
#pragma omp target map(tofrom : R, Array)
  {
    R.N = 5;
    Array[4] = R.N;
  }
}

int main() {
  members();
  pointers();
  Counter C(6);
  C.fill(2);
  C.fill(3);
  C.grow();
  CHECK(C[5] == 25 && C[0] == 0 && C.Total == 7);
  Inner R = {1, nullptr};
  int Array[5] = {};
  references(R, Array);
  CHECK(R.N == 5 && Array[4] == 5);
  return report();
}
