// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Methods, templates and lambdas in target regions.

#include "check.h"

#pragma omp declare target
template <typename T> struct Counter {
  T Value = 0;
  void add(T By) { Value += By; }
};
#pragma omp end declare target

int main() {
  Counter<long> C;
  long Got = 0;
#pragma omp target map(tofrom : C, Got)
  {
    auto Square = [](long X) { return X * X; };
    for (int I = 0; I < 4; ++I)
      C.add(Square(I));
    Got = C.Value;
  }
  expect(Got == 14 && C.Value == 14);
  return finish();
}
