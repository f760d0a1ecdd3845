/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * target data, enter, exit and update, and tasks on a struct, in C.
 */

#include "check.h"

#include <stdlib.h>

typedef struct {
  int Count;
  int *Items;
} List;

int main(void) {
  List L = {6, (int *)malloc(6 * sizeof(int))};
  int Wrong = 0;
  for (int I = 0; I < 6; ++I)
    L.Items[I] = I;
#pragma omp target enter data map(to : L.Items[0 : L.Count])
#pragma omp target data map(tofrom : L.Items[0 : L.Count])
  {
#pragma omp target parallel map(to : L.Count) map(tofrom : L.Items[0 : L.Count])
#pragma omp single
    for (int I = 0; I < L.Count; ++I) {
#pragma omp task firstprivate(I) depend(inout : L.Items[I])
      L.Items[I] += 10;
#pragma omp task firstprivate(I) depend(inout : L.Items[I])
      L.Items[I] *= 2;
    }
  }
#pragma omp target update from(L.Items[0 : 2])
  Wrong += L.Items[0] != 20 || L.Items[1] != 22 || L.Items[2] != 2;
#pragma omp target exit data map(from : L.Items[0 : L.Count])
  for (int I = 0; I < 6; ++I)
    Wrong += L.Items[I] != 2 * (I + 10);
  expect(Wrong == 0);
  free(L.Items);
  return finish();
}
