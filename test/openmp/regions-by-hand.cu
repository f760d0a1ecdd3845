// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A region's id is launched as a kernel with what its map clauses make: the
// calls that clang's code would make, by hand, and kernels in CUDA C++.

// RUN: %bmclangxx -O2 -std=c++20 -fblockmaestro -I %S/../../runtime/openmp -I %S/../../include %s -o %t
// RUN: %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:3 %t | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=disabled %t | FileCheck %s --check-prefix=HOST
// RUN: not --crash %t unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN

#include "ClangInterface.h"

#include <cstdio>
#include <cstring>
#include <elf.h>

using namespace blockmaestro::openmp;

extern "C" {
void __tgt_register_lib(const LinkedBinary *Binary);
void __tgt_unregister_lib(const LinkedBinary *Binary);
int __tgt_target_kernel(CallLocation *Where, int64_t Device, int32_t Teams,
                        int32_t Threads, const void *Region,
                        KernelLaunch *Launch);
int omp_get_num_devices();
}

extern "C" __global__ void scale(void *, double *Values, uint64_t Count,
                                 double *Factor) {
  for (uint64_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += uint64_t(gridDim.x) * blockDim.x)
    Values[I] *= *Factor;
}

extern "C" __global__ void sum(LaunchEnvironment *Environment, int *Out) {
  auto *Parts = static_cast<int *>(Environment->ReductionBuffer);
  if (threadIdx.x == 0)
    atomicAdd(Parts + blockIdx.x % 4, 0);
  if (threadIdx.x == 0)
    atomicAdd(Out, 1 + int(Environment->ReductionCount));
}

/// Machine code that has nothing but what clang says of the two kernels.
struct Image {
  Elf64_Ehdr Header = {};
  Elf64_Shdr Sections[4] = {};
  Elf64_Sym Symbols[3] = {};
  KernelEnvironment Kernels[2] = {};
  char Names[64] = "\0scale_kernel_environment\0sum_kernel_environment";

  Image() {
    std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
    Header.e_ident[EI_CLASS] = ELFCLASS64;
    Header.e_ident[EI_ABIVERSION] = 8;
    Header.e_machine = 190;
    Header.e_flags = 90 << 8;
    Header.e_shoff = offsetof(Image, Sections);
    Header.e_shnum = 4;
    Sections[1] = {0, SHT_SYMTAB, 0, 0, offsetof(Image, Symbols),
                   sizeof(Symbols), 2};
    Sections[2] = {0, SHT_STRTAB, 0, 0, offsetof(Image, Names), sizeof(Names)};
    Sections[3] = {0, SHT_PROGBITS, 0, 0, offsetof(Image, Kernels),
                   sizeof(Kernels)};
    for (unsigned I = 0; I < 2; ++I) {
      Symbols[I + 1].st_name = I == 0 ? 1 : 26;
      Symbols[I + 1].st_shndx = 3;
      Symbols[I + 1].st_value = I * sizeof(KernelEnvironment);
      Symbols[I + 1].st_size = sizeof(KernelEnvironment);
      Kernels[I].Mode = SpmdMode;
      Kernels[I].MostThreads = 64;
    }
    Kernels[1].ReductionBytes = 4;
    Kernels[1].ReductionLength = 4;
  }
};

static int run(const void *Region, int Teams, uint64_t TripCount,
               uint32_t Count, void **Bases, int64_t *Sizes, int64_t *Types) {
  CallLocation Where = {0, 0, {}, ";here.cpp;main;7;3;;"};
  KernelLaunch Launch = {3, Count, Bases, Bases, Sizes, Types};
  Launch.TripCount = TripCount;
  return __tgt_target_kernel(&Where, -1, Teams, 0, Region, &Launch);
}

int main(int Argc, char **) {
  const Image Code;
  const auto *Begin = reinterpret_cast<const uint8_t *>(&Code);
  const OffloadEntry Entries[] = {
      {0, 1, EntryOfOpenMP, 0, (void *)scale, "scale"},
      {0, 1, EntryOfOpenMP, 0, (void *)sum, "sum"}};
  const DeviceImage Images[] = {
      {Begin, Begin + sizeof(Code), Entries, Entries + 2}};
  const LinkedBinary Binary = {1, Images, Entries, Entries + 2};
  std::printf("before: %d devices\n", omp_get_num_devices());
  __tgt_register_lib(&Binary);
  std::printf("devices: %d\n", omp_get_num_devices());

  double Values[1000], Factor = 3;
  for (int I = 0; I < 1000; ++I)
    Values[I] = I;
  void *Bases[] = {Values, (void *)uint64_t(1000), &Factor};
  int64_t Sizes[] = {sizeof(Values), 8, 8};
  int64_t Types[] = {MapTo | MapFrom | MapParameter, MapLiteral | MapParameter,
                     MapPrivate | MapTo | MapParameter};
  int Returned = run(Argc > 1 ? (void *)&Argc : (void *)scale, 0, 1000, 3,
                     Bases, Sizes, Types);
  std::printf("scale: %d, %g %g\n", Returned, Values[1], Values[999]);

  int Sum = 0;
  void *SumBase[] = {&Sum};
  int64_t SumSize[] = {4}, SumType[] = {MapTo | MapFrom | MapParameter};
  Returned = run((void *)sum, 0, 64 * 4, 1, SumBase, SumSize, SumType);
  std::printf("sum: %d, %d\n", Returned, Sum);
  __tgt_unregister_lib(&Binary);
  std::printf("after: %d devices\n", omp_get_num_devices());
}

// CHECK: before: 0 devices
// CHECK-NEXT: devices: 1
// CHECK-NEXT: scale: 0, 3 2997
// CHECK-NEXT: sum: 0, 4
// CHECK-NEXT: after: 0 devices

// HOST: devices: 0
// HOST-NEXT: scale: -1, 1 999
// HOST-NEXT: sum: -1, 0

// UNKNOWN: BlockMaestro: here.cpp:7: the device has no code for this region
