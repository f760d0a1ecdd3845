// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A region with an inspection function runs the tasks that this makes, and not
// its kernel: the calls that the compiler's code would make, by hand, and
// kernels in CUDA C++.

// RUN: %bmclangxx -O2 -std=c++20 -fblockmaestro -I %S/../../runtime/openmp -I %S/../../include %s -o %t
// RUN: rm -f %t.report
// RUN: env BLOCKMAESTRO_TASK_REPORT=%t.report %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.report
// RUN: bash -c 'for seed in {0..5}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | FileCheck %s || exit 1; done'
// RUN: bash -c 'for queue in tickets lrr grr lf; do BLOCKMAESTRO_QUEUE=$queue %t | FileCheck %s || exit 1; done'
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t serial 2>&1 | FileCheck %s --check-prefix=SERIAL
// RUN: not --crash %t sizes 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not --crash %t fault 2>&1 | FileCheck %s --check-prefix=FAULT

#include "ClangInterface.h"
#include "TaskInterface.h"
#include "blockmaestro/task_workers.h"

#include <cstdio>
#include <cstring>
#include <elf.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

extern "C" {
void __tgt_register_lib(const LinkedBinary *Binary);
int __tgt_target_kernel(CallLocation *Where, int64_t Device, int32_t Teams,
                        int32_t Threads, const void *Region,
                        KernelLaunch *Launch);
}

constexpr int Cells = 64, Rounds = 20;

/// kmp_task_t with its private variables, shareds, and a copy of one of these.
struct Record {
  uint64_t Head[5];
  long *Cell;
  long *Count;  ///< Shared: all tasks add to it.
  long *Factor; ///< Shared: only read.
  long FactorCopy;
};

struct Execute {
  __device__ void operator()(uint32_t, void *Data) const {
    auto *Mine = static_cast<Record *>(Data);
    long *Factor = Mine->Factor;
    if (reinterpret_cast<uint64_t>(Factor) == offsetof(Record, FactorCopy))
      Factor = &Mine->FactorCopy;
    if (threadIdx.x != 0)
      return;
    Mine->Cell[1] = Mine->Cell[0] * *Factor + 1;
    ++*Mine->Count;
  }
};

extern "C" __global__ void blocks(const DeviceTask *Tasks) {
  runTaskOfBlock(Tasks, Execute());
}
extern "C" __global__ void workers(TaskWork Work) {
  workOnTasks(Work, Execute());
}
extern "C" __global__ void region(void *, long *Values) {
  if (threadIdx.x == 0)
    Values[0] = -1;
}

static bool WrongSizes, BadAddress;

/// A chain of tasks; what the last one has written says how the next goes on.
static void inspect(const uint64_t *Arguments) {
  auto *Values = reinterpret_cast<long *>(Arguments[0]);
  auto *Count = static_cast<long *>(__bm_omp_local(sizeof(long)));
  auto *Factor = static_cast<long *>(__bm_omp_local(sizeof(long)));
  const long Zero = 0;
  long Last = 0;
  __bm_omp_store(Count, &Zero, sizeof(long));
  for (long Round = 1; Round <= Rounds; ++Round) {
    __bm_omp_store(Factor, &Round, sizeof(long));
    for (int I = 0; I + 1 < Cells; ++I) {
      auto *Task = static_cast<Record *>(
          __bm_omp_task_alloc(0, 1, WrongSizes ? 1 : 48, 16));
      Task->Cell = BadAddress ? nullptr : Values + I;
      Task->Count = Count;
      Task->Factor = Factor;
      const Dependence Behind[] = {
          {reinterpret_cast<uint64_t>(Values + I), sizeof(long), 1},
          {reinterpret_cast<uint64_t>(Values + I + 1), sizeof(long), 3},
          {reinterpret_cast<uint64_t>(Count), sizeof(long), 3}};
      __bm_omp_task(Task, 3, Behind, 0, nullptr);
    }
    if (Round % 5 != 0)
      continue;
    __bm_omp_taskwait();
    __bm_omp_load(&Last, Values + Cells - 1, sizeof(long));
    Last &= 0xffff;
    __bm_omp_store(Values, &Last, sizeof(long));
  }
  __bm_omp_taskwait();
  __bm_omp_load(&Last, Count, sizeof(long));
  __bm_omp_store(Values + Cells, &Last, sizeof(long));
  __bm_omp_end_locals(Count);
}

static const SharedCopy Copy = {8, offsetof(Record, FactorCopy), sizeof(long)};
static const TaskKind Kind = {"chain.cpp:12", 48, 16, 48, sizeof(Record), 1,
                              &Copy};

/// Machine code that has nothing but what clang says of the kernel.
struct Image {
  Elf64_Ehdr Header = {};
  Elf64_Shdr Sections[4] = {};
  Elf64_Sym Symbols[2] = {};
  KernelEnvironment Kernel = {};
  char Names[32] = "\0region_kernel_environment";

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
    Sections[3] = {0, SHT_PROGBITS, 0, 0, offsetof(Image, Kernel),
                   sizeof(Kernel)};
    Symbols[1].st_name = 1;
    Symbols[1].st_shndx = 3;
    Symbols[1].st_size = sizeof(Kernel);
    Kernel.Mode = GenericMode;
    Kernel.MostThreads = 64;
  }
};

static void runOnHost(long *Values) {
  for (long Round = 1; Round <= Rounds; ++Round) {
    for (int I = 0; I + 1 < Cells; ++I)
      Values[I + 1] = Values[I] * Round + 1;
    if (Round % 5 == 0)
      Values[0] = Values[Cells - 1] & 0xffff;
  }
  Values[Cells] = Rounds * (Cells - 1);
}

int main(int Argc, char **Argv) {
  const char *How = Argc > 1 ? Argv[1] : "";
  WrongSizes = std::strcmp(How, "sizes") == 0;
  BadAddress = std::strcmp(How, "fault") == 0;
  const bool Serial = std::strcmp(How, "serial") == 0;
  const Image Code;
  const auto *Begin = reinterpret_cast<const uint8_t *>(&Code);
  const OffloadEntry Entry = {0, 1, EntryOfOpenMP, 0, (void *)region, "region"};
  const DeviceImage Images[] = {
      {Begin, Begin + sizeof(Code), &Entry, &Entry + 1}};
  const LinkedBinary Binary = {1, Images, &Entry, &Entry + 1};
  __tgt_register_lib(&Binary);
  const TaskRegion Region = {(void *)region, Serial ? nullptr : inspect,
                             "the test says so"};
  const TaskTable Table = {(void *)blocks, (void *)workers, 1, 1,
                           &Kind,          &Region};
  __blockmaestro_register_tasks(&Table);

  long Values[Cells + 1] = {5}, Wanted[Cells + 1] = {5};
  void *Bases[] = {Values};
  int64_t Sizes[] = {sizeof(Values)};
  int64_t Types[] = {MapTo | MapFrom | MapParameter};
  CallLocation Where = {0, 0, {}, ";here.cpp;main;7;3;;"};
  KernelLaunch Launch = {3, 1, Bases, Bases, Sizes, Types};
  for (int Again = 0; Again < 3; ++Again) {
    __tgt_target_kernel(&Where, -1, 0, 0, (void *)region, &Launch);
    runOnHost(Wanted);
  }
  std::printf("%s, %ld tasks\n",
              std::memcmp(Values, Wanted, sizeof(Values)) ? "wrong" : "ok",
              Values[Cells]);
  __blockmaestro_unregister_tasks(&Table);
  __tgt_target_kernel(&Where, -1, 0, 0, (void *)region, &Launch);
  std::printf("then %ld\n", Values[0]);
}

// CHECK: ok, 1260 tasks
// CHECK-NEXT: then -1

// REPORT-COUNT-3: {"region": "region", "tasks": 1260, "edges": {{[0-9]+}}, "flushes": 4, "inspect_us": {{[0-9.]+}}, "prepare_us": {{[0-9.]+}}, "run_us": {{[0-9.]+}}, "again": false}

// SERIAL-DAG: wrong, 0 tasks
// SERIAL-DAG: region: its tasks run one after the other: the test says so (3 times)

// SIZES: BlockMaestro: here.cpp:7: task at chain.cpp:12: the host has 1 and 16 bytes of it, the device 48 and 16

// FAULT: BlockMaestro: here.cpp:7: tasks: {{.*}}
