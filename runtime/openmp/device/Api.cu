// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the routines of OpenMP that a program calls on the device.

#include "State.h"

using namespace blockmaestro;
using namespace blockmaestro::openmp;

BM_ENTRY int32_t omp_get_thread_num() { return int32_t(threadNumber()); }
BM_ENTRY int32_t omp_get_num_threads() { return int32_t(teamSize()); }
BM_ENTRY int32_t omp_get_level() { return int32_t(level(nest())); }
BM_ENTRY int32_t omp_get_active_level() { return (nest() & Active) != 0; }
BM_ENTRY int32_t omp_in_parallel() { return (nest() & Active) != 0; }
BM_ENTRY int32_t omp_in_final() { return (nest() & Final) != 0; }
BM_ENTRY int32_t omp_in_explicit_task() { return 0; }
BM_ENTRY int32_t omp_get_thread_limit() { return int32_t(blockThreads()); }
BM_ENTRY int32_t omp_get_num_procs() { return int32_t(blockThreads()); }

BM_DEVICE uint32_t requestedThreads() {
  return Team.Mode == KernelEnvironment::Spmd ? 0 : Team.RequestedThreads;
}

/// Inside of a team a `parallel` is of one thread.
BM_ENTRY int32_t omp_get_max_threads() {
  if (nest() & Active)
    return 1;
  const uint32_t Wanted = requestedThreads();
  return int32_t(Wanted && Wanted < blockThreads() ? Wanted : blockThreads());
}
BM_ENTRY void omp_set_num_threads(int32_t Count) {
  if (!(nest() & Active))
    Team.RequestedThreads = Count > 0 ? uint32_t(Count) : 0;
}

BM_ENTRY int32_t omp_get_ancestor_thread_num(int32_t Level) {
  const uint8_t Byte = nest();
  if (Level < 0 || uint32_t(Level) > level(Byte))
    return -1;
  const bool IsTeams = (Byte & Active) && uint32_t(Level) == Team.ActiveLevel;
  return IsTeams ? int32_t(thread()) : 0;
}
BM_ENTRY int32_t omp_get_team_size(int32_t Level) {
  const uint8_t Byte = nest();
  if (Level < 0 || uint32_t(Level) > level(Byte))
    return -1;
  const bool IsTeams = (Byte & Active) && uint32_t(Level) == Team.ActiveLevel;
  return IsTeams ? int32_t(Team.Size) : 1;
}

BM_ENTRY int32_t omp_get_team_num() {
  return Team.IsTask ? 0 : int32_t(block());
}
BM_ENTRY int32_t omp_get_num_teams() {
  return Team.IsTask ? 1 : int32_t(blocks());
}
BM_ENTRY int32_t omp_get_max_teams() { return 0; }
BM_ENTRY int32_t omp_get_teams_thread_limit() { return 0; }

BM_ENTRY int32_t omp_is_initial_device() { return 0; }
BM_ENTRY int32_t omp_get_device_num() { return 0; }
BM_ENTRY int32_t omp_get_default_device() { return 0; }
BM_ENTRY int32_t omp_get_num_devices() { return 1; }
BM_ENTRY int32_t omp_get_initial_device() { return 1; }

BM_ENTRY void omp_set_dynamic(int32_t) {}
BM_ENTRY int32_t omp_get_dynamic() { return 0; }
BM_ENTRY void omp_set_nested(int32_t) {}
BM_ENTRY int32_t omp_get_nested() { return 0; }
BM_ENTRY void omp_set_max_active_levels(int32_t) {}
BM_ENTRY int32_t omp_get_max_active_levels() { return 1; }
BM_ENTRY int32_t omp_get_supported_active_levels() { return 1; }
BM_ENTRY int32_t omp_get_cancellation() { return 0; }
BM_ENTRY int32_t omp_get_proc_bind() { return 0; }
BM_ENTRY int32_t omp_get_num_places() { return 0; }
BM_ENTRY int32_t omp_get_place_num() { return -1; }

/// Kinds as in omp.h: 1 static, 2 dynamic, 3 guided, 4 auto.
BM_ENTRY void omp_set_schedule(int32_t Kind, int32_t Chunk) {
  if (nest() & Active)
    return;
  Team.Schedule = Kind;
  Team.ScheduleChunk = Chunk;
}
BM_ENTRY void omp_get_schedule(int32_t *Kind, int32_t *Chunk) {
  *Kind = Team.Schedule;
  *Chunk = Team.ScheduleChunk;
}

BM_ENTRY double omp_get_wtime() {
  return double(__nvvm_read_ptx_sreg_globaltimer()) * 1e-9;
}
BM_ENTRY double omp_get_wtick() { return 1e-9; }
