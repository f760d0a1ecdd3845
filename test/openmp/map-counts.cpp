// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Data stays as long as somebody has mapped it, and is copied only then.

#include "map.h"

static int onDevice(int &X) {
  int Out = 0;
#pragma omp target map(alloc : X) map(from : Out)
  Out = X;
  return Out;
}

int main() {
  const bool Far = isFar();
  const int Here = omp_get_default_device();
  int X = 1;
#pragma omp target data map(tofrom : X)
  {
    X = 2;
#pragma omp target data map(tofrom : X)
    CHECK(onDevice(X) == (Far ? 1 : 2));
#pragma omp target map(tofrom : X)
    X = 5;
    CHECK(X == (Far ? 2 : 5));
#pragma omp target map(always, from : X)
    X = 6;
    CHECK(X == 6);
    X = 7;
#pragma omp target map(always, to : X)
    X += 1;
    CHECK(onDevice(X) == 8);
  }
  CHECK(X == 8);

  int Y[4] = {1, 2, 3, 4};
#pragma omp target enter data map(to : Y)
#pragma omp target enter data map(to : Y[1 : 2])
#pragma omp target
  Y[1] = 20;
#pragma omp target exit data map(from : Y[1 : 2])
  CHECK(Y[1] == (Far ? 2 : 20));
  CHECK(omp_target_is_present(Y, Here));
#pragma omp target exit data map(from : Y)
  CHECK(Y[1] == 20);
  CHECK(!Far || !omp_target_is_present(Y, Here));

#pragma omp target enter data map(to : Y)
#pragma omp target enter data map(to : Y)
#pragma omp target exit data map(delete : Y)
  CHECK(!Far || !omp_target_is_present(Y, Here));
#pragma omp target exit data map(release : Y)

#pragma omp target enter data map(alloc : Y)
#pragma omp target map(present, to : Y)
  for (int I = 0; I < 4; ++I)
    Y[I] = I;
#pragma omp target exit data map(from : Y)
  CHECK(Y[3] == 3 && Y[1] == 1);
#pragma omp target data map(to : Y) if (X == 0)
  CHECK(!Far || !omp_target_is_present(Y, Here));
#pragma omp target data map(ompx_hold, tofrom : Y)
  {
#pragma omp target exit data map(delete : Y)
    CHECK(omp_target_is_present(Y, Here));
#pragma omp target
    Y[2] = 22;
  }
  CHECK(Y[2] == 22);
  return report();
}
