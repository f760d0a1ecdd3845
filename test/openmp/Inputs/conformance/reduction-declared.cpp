// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// declare reduction: a structure of the program.

#include "check.h"

#pragma omp declare target
struct Pair {
  long Sum = 0;
  int Most = -1;
  void add(int I) {
    Sum += I;
    Most = I > Most ? I : Most;
  }
  void meet(const Pair &P) {
    Sum += P.Sum;
    Most = P.Most > Most ? P.Most : Most;
  }
};
#pragma omp declare reduction(meet:Pair : omp_out.meet(omp_in))                \
    initializer(omp_priv = Pair())
#pragma omp end declare target

int main() {
  Pair S;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(meet : S)
  for (int I = 0; I < 500; ++I)
    S.add(I);
  expect(S.Sum == 124750 && S.Most == 499);
  return finish();
}
