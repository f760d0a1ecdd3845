// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported functions of TaskInterface.h.

#include "TaskRuns.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

using namespace blockmaestro::openmp;

extern "C" {

void __blockmaestro_register_tasks(const TaskTable *Table) {
  taskRegions().add(*Table);
}

void __blockmaestro_unregister_tasks(const TaskTable *Table) {
  taskRegions().remove(*Table);
  forgetInspections(*Table);
}

void *__bm_omp_task_alloc(uint32_t Kind, uint32_t Flags, uint64_t TaskBytes,
                          uint64_t SharedsBytes) {
  void *Record = currentInspection().newTask(Kind, TaskBytes, SharedsBytes);
  const uint64_t Word = Flags;
  std::memcpy(static_cast<std::byte *>(Record) + TaskFlagsField, &Word,
              sizeof(Word));
  return Record;
}

void __bm_omp_task(void *Task, int32_t Count, const void *Dependences,
                   int32_t MoreCount, const void *MoreDependences) {
  currentInspection().addTask(Task,
                              {Count, Dependences, MoreCount, MoreDependences});
}

void __bm_omp_undeferred_task(void *Task) {
  currentInspection().addUndeferred(Task);
}

void __bm_omp_taskloop(void *Task, int32_t If, uint64_t *Lower, uint64_t *Upper,
                       int64_t Step, int32_t Schedule, uint64_t Size) {
  currentInspection().addLoop(Task, If != 0, Lower, Upper, Step,
                              LoopSchedule(Schedule), Size);
}

void __bm_omp_taskwait() { currentInspection().waitAll(); }

void __bm_omp_wait_deps(int32_t Count, const void *Dependences,
                        int32_t MoreCount, const void *MoreDependences) {
  currentInspection().waitFor({Count, Dependences, MoreCount, MoreDependences});
}

void __bm_omp_taskgroup() { currentInspection().beginGroup(); }

void __bm_omp_end_taskgroup() { currentInspection().endGroup(); }

void *__bm_omp_depobj(uint64_t Bytes) { return std::malloc(Bytes); }

void __bm_omp_end_depobj(void *Object) { std::free(Object); }

void *__bm_omp_local(uint64_t Bytes) {
  return currentInspection().newLocal(Bytes);
}

void __bm_omp_end_locals(void *First) { currentInspection().endLocals(First); }

void __bm_omp_copy(void *To, const void *From, uint64_t Bytes) {
  currentInspection().copy(To, From, Bytes);
}

void __bm_omp_fill(void *To, int32_t Value, uint64_t Bytes) {
  currentInspection().fill(To, Value, Bytes);
}

void __bm_omp_load(void *Value, const void *From, uint64_t Bytes) {
  currentInspection().load(Value, From, Bytes);
}

void __bm_omp_store(void *To, const void *Value, uint64_t Bytes) {
  currentInspection().store(To, Value, Bytes);
}

} // extern "C"
