// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory of the device by its own address, and the routines for it.

#include "map.h"

static void clauses() {
  const bool Far = isFar();
  int A[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int *P = A;
#pragma omp target data map(tofrom : A)
  {
#pragma omp target data use_device_ptr(P)
    {
      CHECK(!Far || P != A);
#pragma omp target is_device_ptr(P)
      P[2] = 30;
    }
#pragma omp target data use_device_addr(A)
    {
#pragma omp target has_device_addr(A)
      A[3] = 40;
    }
  }
  CHECK(A[2] == 30 && A[3] == 40 && P == A);
}

static void memory() {
  const int Here = omp_get_default_device();
  const int Host = omp_get_initial_device();
  int *D = static_cast<int *>(omp_target_alloc(64 * sizeof(int), Here));
  int A[64], B[64] = {};
  for (int I = 0; I < 64; ++I)
    A[I] = I;
  CHECK(omp_target_memcpy(D, A, 60 * 4, 4, 0, Here, Host) == 0);
#pragma omp target is_device_ptr(D)
  for (int I = 1; I < 61; ++I)
    D[I] += 1000;
  // Without a clause the pointer keeps its value.
#pragma omp target
  D[1] = 7;
  CHECK(omp_target_memcpy(B, D, 60 * 4, 0, 4, Host, Here) == 0);
  CHECK(B[0] == 7 && B[1] == 1001 && B[59] == 1059 && B[60] == 0);
  CHECK(omp_target_is_accessible(D, 64 * sizeof(int), Here));
  CHECK(omp_target_memset(D, 0x11, 8, Here) == D);
  CHECK(omp_target_memcpy(B, D, 12, 0, 0, Host, Here) == 0);
  CHECK(B[0] == 0x11111111 && B[1] == 0x11111111 && B[2] == 1001);

  // 2 x 3 x 2 elements of 4 x 4 x 4, to 2 x 3 x 2 of 3 x 4 x 5.
  const size_t Volume[] = {2, 3, 2}, To[] = {1, 0, 3}, From[] = {1, 1, 2};
  const size_t ToSizes[] = {3, 4, 5}, FromSizes[] = {4, 4, 4};
  int C[60] = {};
  CHECK(omp_target_memcpy(D, A, 256, 0, 0, Here, Host) == 0);
  CHECK(omp_target_memcpy_rect(C, D, 4, 3, Volume, To, From, ToSizes, FromSizes,
                               Host, Here) == 0);
  for (int I = 0; I < 60; ++I) {
    const int X = I / 20, Y = I / 5 % 4, Z = I % 5;
    const bool In = X >= 1 && Y < 3 && Z >= 3;
    CHECK(C[I] == (In ? (X - 1 + 1) * 16 + (Y + 1) * 4 + Z - 3 + 2 : 0));
  }
  CHECK(omp_target_memcpy_rect(nullptr, nullptr, 0, 0, nullptr, nullptr,
                               nullptr, nullptr, nullptr, Host, Here) >= 3);
  CHECK(omp_target_memcpy(D, A, 4, 0, 0, 1000, Host) != 0);

  omp_depend_t After;
  int Token = 0;
#pragma omp depobj(After) depend(inout : Token)
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : Token) shared(A)
    A[0] = 77;
    CHECK(omp_target_memcpy_async(D, A, 4, 0, 0, Here, Host, 1, &After) == 0);
#pragma omp taskwait
  }
#pragma omp depobj(After) destroy
  CHECK(omp_target_memcpy(B, D, 4, 0, 0, Host, Here) == 0);
  CHECK(B[0] == 77);
  omp_target_free(D, Here);
  omp_target_free(nullptr, Here);
}

static void associations() {
  const int Here = omp_get_default_device();
  const int Host = omp_get_initial_device();
  if (Here == Host)
    return;
  int A[4] = {1, 2, 3, 4}, B[4] = {};
  int *D = static_cast<int *>(omp_target_alloc(8 * sizeof(int), Here));
  CHECK(omp_target_associate_ptr(A, D, 16, 8, Here) == 0);
  CHECK(omp_target_is_present(A, Here) && omp_target_is_present(A, Host));
  CHECK(omp_get_mapped_ptr(A + 1, Here) == D + 3);
  CHECK(omp_get_mapped_ptr(A, Host) == A);
#pragma omp target map(tofrom : A)
  for (int I = 0; I < 4; ++I)
    A[I] = 5 + I;
  CHECK(A[0] == 1);
#pragma omp target update from(A)
  CHECK(A[0] == 5 && A[3] == 8);
  CHECK(omp_target_memcpy(B, D, 16, 0, 8, Host, Here) == 0 && B[3] == 8);
  CHECK(omp_target_disassociate_ptr(A, Here) == 0);
  CHECK(omp_target_disassociate_ptr(A, Here) != 0);
  CHECK(!omp_target_is_present(A, Here));
  CHECK(omp_get_mapped_ptr(A, Here) == nullptr);
  omp_target_free(D, Here);
}

int main() {
  clauses();
  if (omp_get_num_devices() > 0) {
    memory();
    associations();
  }
  return report();
}
