// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables that the device has of its own, to and link, and functions.

#include "map.h"

#pragma omp begin declare target
int Global = 5;
double Table[100];
int Local = 3;
static int twice(int X) { return 2 * X + Local; }
struct Settings {
  static int Level;
};
int Settings::Level = 9;
#pragma omp end declare target

int Linked[50];
#pragma omp declare target link(Linked)

int main() {
  const bool Far = isFar();
  int Seen = 0;
  Global = 6;
#pragma omp target map(from : Seen)
  Seen = Global + twice(10) + Settings::Level;
  CHECK(Seen == (Far ? 5 : 6) + 23 + 9);
#pragma omp target update to(Global)
  Local = 4;
#pragma omp target update to(Local)
#pragma omp target map(from : Seen)
  {
    Seen = Global + twice(10);
    Global = 60;
    for (int I = 0; I < 100; ++I)
      Table[I] = I;
  }
  CHECK(Seen == 30);
  CHECK(Global == (Far ? 6 : 60));
#pragma omp target update from(Global, Table[10 : 5])
  CHECK(Global == 60 && Table[12] == 12 && Table[20] == (Far ? 0 : 20));
  // Mapping it copies nothing: it is there without end.
  Global = 70;
#pragma omp target map(tofrom : Global) map(from : Seen)
  Seen = Global;
  CHECK(Seen == (Far ? 60 : 70) && Global == 70);

  for (int I = 0; I < 50; ++I)
    Linked[I] = I;
#pragma omp target map(tofrom : Linked)
  for (int I = 0; I < 50; ++I)
    Linked[I] += 100;
  CHECK(Linked[0] == 100 && Linked[49] == 149);
#pragma omp target map(tofrom : Linked[10 : 5])
  Linked[12] = 1;
  CHECK(Linked[12] == 1 && Linked[13] == 113);
  return report();
}
