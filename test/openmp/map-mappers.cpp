// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mappers of the program: of one object, of arrays, by name, in one another.

#include "map.h"

struct Row {
  int Length;
  double *Values;
};
#pragma omp declare mapper(Row R) map(R, R.Values[0 : R.Length])
#pragma omp declare mapper(ends : Row R) map(R.Length)                         \
    map(R, R.Values[R.Length - 1 : 1])

struct Table {
  int Rows;
  Row *All;
};
#pragma omp declare mapper(Table T) map(T, T.All[0 : T.Rows])

int main() {
  const bool Far = isFar();
  const int Here = omp_get_default_device();
  double V[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  Row One = {4, V[0]};
#pragma omp target map(tofrom : One)
  for (int I = 0; I < One.Length; ++I)
    One.Values[I] *= 2;
  CHECK(V[0][0] == 2 && V[0][3] == 8 && One.Values == V[0]);
  CHECK(!Far || !omp_target_is_present(&One, Here));

  Row Many[3] = {{4, V[0]}, {3, V[1]}, {2, V[2]}};
#pragma omp target map(tofrom : Many)
  for (Row &R : Many)
    R.Values[R.Length - 1] = R.Length;
  CHECK(V[0][3] == 4 && V[1][2] == 3 && V[2][1] == 2);
#pragma omp target enter data map(to : Many[0 : 2])
#pragma omp target map(present, alloc : Many[0 : 2])
  Many[1].Values[0] = 50;
  CHECK(V[1][0] == (Far ? 5 : 50));
#pragma omp target update from(Many[0 : 2])
  CHECK(V[1][0] == 50 && Many[1].Values == V[1]);
#pragma omp target exit data map(release : Many[0 : 2])
  CHECK(!Far || (!omp_target_is_present(&Many[1], Here) &&
                 !omp_target_is_present(V[1], Here)));

#pragma omp target map(mapper(ends), tofrom : One)
  One.Values[One.Length - 1] = -1;
  CHECK(V[0][3] == -1);

  Table T = {3, Many};
#pragma omp target map(tofrom : T)
  for (int I = 0; I < T.Rows; ++I)
    T.All[I].Values[0] = 1000 + I;
  CHECK(V[0][0] == 1000 && V[2][0] == 1002 && T.All == Many);
  CHECK(!Far || (!omp_target_is_present(&T, Here) &&
                 !omp_target_is_present(V[2], Here)));
  return report();
}
