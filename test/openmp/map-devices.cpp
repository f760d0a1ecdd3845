// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where regions run: clauses, the default device, and what routines say of it.

#include "map.h"

static bool runsHere() {
  int Initial = 0;
#pragma omp target map(from : Initial)
  Initial = omp_is_initial_device();
  return Initial != 0;
}

int main() {
  volatile bool Never = false;
  const int Devices = omp_get_num_devices();
  const int Host = omp_get_initial_device();
  CHECK(Host == Devices);
  CHECK(omp_is_initial_device() && omp_get_device_num() == Host);
  CHECK(omp_get_default_device() == 0);
  CHECK(runsHere() == (Devices == 0));
  int Initial = 0, X = 1;
#pragma omp target if (Never) map(from : Initial) map(tofrom : X)
  {
    Initial = omp_is_initial_device();
    X += 1;
  }
  CHECK(Initial && X == 2);
#pragma omp target device(Host) map(tofrom : X)
  X += omp_is_initial_device() ? 10 : 100;
  CHECK(X == 12);
  omp_set_default_device(Host);
  CHECK(runsHere());
#pragma omp target enter data map(to : X)
  CHECK(Devices == 0 || !omp_target_is_present(&X, 0));
  omp_set_default_device(0);
  CHECK(runsHere() == (Devices == 0));
  return report();
}
