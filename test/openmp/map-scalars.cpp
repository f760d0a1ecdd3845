// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scalars and small aggregates come to a region as the clauses say.

#include "map.h"

struct Pair {
  int A;
  double B;
};

int main() {
  const bool Far = isFar();
  int To = 1, From = 2, Both = 3, Alloc = 4, Private = 5, First = 6;
  char C = 'c';
  float F = 1.5f;
  double D = 2.5;
  long long L = 1LL << 40;
  bool B = true;
  int Seen[6] = {};
#pragma omp target map(to : To) map(from : From) map(tofrom : Both)            \
    map(alloc : Alloc) private(Private) firstprivate(First) map(from : Seen)
  {
    Seen[0] = To;
    To = 10;
    From = 20;
    Seen[1] = Both;
    Both = 30;
    Alloc = 40;
    Private = 50;
    Seen[2] = First;
    First = 60;
    Seen[3] = C + (B ? 1 : 0);
    Seen[4] = int(F * 2 + D * 4);
    Seen[5] = int(L >> 38);
    C = 'd';
  }
  CHECK(Seen[0] == 1 && Seen[1] == 3 && Seen[2] == 6);
  CHECK(Seen[3] == 'c' + 1 && Seen[4] == 13 && Seen[5] == 4);
  CHECK(From == 20 && Both == 30 && Private == 5 && First == 6 && C == 'c');
  CHECK(!Far || (To == 1 && Alloc == 4));

  Pair P = {1, 2.0}, Q = {3, 4.0};
  int Small[3] = {1, 2, 3};
  double Sum = 0;
#pragma omp target firstprivate(P, Small) map(tofrom : Q, Sum)
  {
    Sum = P.A + P.B + Small[0] + Small[1] + Small[2] + Q.B;
    P.A = 100;
    Small[1] = 100;
    Q.A = 30;
  }
  CHECK(Sum == 13 && P.A == 1 && Small[1] == 2 && Q.A == 30 && Q.B == 4);

  double Shared = 1;
#pragma omp target defaultmap(tofrom : scalar)
  Shared = Shared + 1;
  CHECK(Shared == 2);
  return report();
}
