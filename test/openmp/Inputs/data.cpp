// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Data of the device without a region: what is there is seen by the routines.
// With an argument, one of the errors.

#include "../map.h"

#include <cstring>
#include <vector>

struct Row {
  int Length;
  double *Values;
};
#pragma omp declare mapper(Row R) map(R, R.Values[0 : R.Length])

#pragma omp begin declare target
int Shared = 4;
#pragma omp end declare target

/// What the device has for Host.
template <typename T> static T onDevice(const T &Host) {
  T Out = {};
  void *There = omp_get_mapped_ptr(&Host, 0);
  CHECK(There != nullptr);
  if (There)
    CHECK(omp_target_memcpy(&Out, There, sizeof(T), 0, 0,
                            omp_get_initial_device(), 0) == 0);
  return Out;
}

static bool isThere(const void *Host) { return omp_target_is_present(Host, 0); }

static void counts() {
  int X = 5;
#pragma omp target enter data map(to : X)
  X = 6;
#pragma omp target enter data map(to : X)
  CHECK(onDevice(X) == 5);
#pragma omp target update to(X)
  CHECK(onDevice(X) == 6);
  X = 7;
#pragma omp target exit data map(from : X)
  CHECK(X == 7 && isThere(&X));
#pragma omp target exit data map(from : X)
  CHECK(X == 6 && !isThere(&X));
}

static void pointers() {
  int *P = new int[100];
  for (int I = 0; I < 100; ++I)
    P[I] = I;
#pragma omp target data map(to : P) map(to : P[10 : 20])
  {
    CHECK(onDevice(P) + 10 == omp_get_mapped_ptr(P + 10, 0));
    CHECK(onDevice(P[29]) == 29);
    int *Q = P + 10;
#pragma omp target data use_device_ptr(Q)
    CHECK(Q == omp_get_mapped_ptr(P + 10, 0));
  }
  CHECK(!isThere(P + 10) && !isThere(&P));
  delete[] P;
}

static void mappers() {
  double V[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  Row Rows[2] = {{4, V[0]}, {3, V[1]}};
#pragma omp target enter data map(to : Rows)
  CHECK(onDevice(Rows[1]).Values == omp_get_mapped_ptr(V[1], 0));
  CHECK(onDevice(V[1][2]) == 7 && !isThere(&V[1][3]));
  V[1][2] = 70;
  Rows[0].Length = 4;
#pragma omp target update to(Rows)
  CHECK(onDevice(V[1][2]) == 70);
  CHECK(onDevice(Rows[1]).Values == omp_get_mapped_ptr(V[1], 0));
#pragma omp target exit data map(from : Rows)
  CHECK(Rows[1].Values == V[1]);
  CHECK(!isThere(Rows) && !isThere(V[0]) && !isThere(V[1]));
#pragma omp target enter data map(to : Rows)
#pragma omp target enter data map(to : Rows)
#pragma omp target exit data map(delete : Rows)
  CHECK(!isThere(Rows) && !isThere(V[0]) && !isThere(V[1]));
}

static void tasks() {
  int X = 1, Token = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : Token) shared(X)
    X = 2;
#pragma omp target enter data map(to : X) nowait depend(inout : Token)
#pragma omp task depend(inout : Token) shared(X)
    CHECK(onDevice(X) == 2);
#pragma omp target exit data map(delete : X) nowait depend(inout : Token)
  }
  CHECK(!isThere(&X));
}

int main(int Count, char **Arguments) {
  const char *Error = Count > 1 ? Arguments[1] : "";
  CHECK(omp_get_num_devices() == 1 && omp_get_initial_device() == 1);
  int *Data = new int[50]();
  if (!std::strcmp(Error, "overlap")) {
#pragma omp target enter data map(to : Data[10 : 20])
#pragma omp target enter data map(to : Data[0 : 15])
  } else if (!std::strcmp(Error, "absent")) {
#pragma omp target enter data map(present, to : Data[3 : 4])
  } else if (!std::strcmp(Error, "device")) {
#pragma omp target enter data map(to : Data[0 : 1]) device(5)
  } else if (!std::strcmp(Error, "null")) {
    int *Nothing = nullptr;
#pragma omp target enter data map(to : Nothing[0 : 10])
  } else if (!std::strcmp(Error, "negative")) {
    long Count = -5;
#pragma omp target enter data map(to : Data[0 : Count])
  } else if (!std::strcmp(Error, "huge")) {
    long Count = 1l << 50;
#pragma omp target enter data map(alloc : Data[0 : Count])
  }
  delete[] Data;
  counts();
  pointers();
  mappers();
  tasks();
  return report();
}
