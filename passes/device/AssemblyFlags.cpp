// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AssemblyFlags.h"

using namespace llvm;

namespace blockmaestro {

namespace {

struct SpecialRegister {
  const char *Prefix;
  bool AssemblyEffects::*Flag;
};

constexpr SpecialRegister SpecialRegisters[] = {
    {"%envreg", &AssemblyEffects::Grid},
    {"%clock", &AssemblyEffects::Clock},
    {"%globaltimer", &AssemblyEffects::Clock},
    {"%cluster", &AssemblyEffects::Cluster},
    {"%ncluster", &AssemblyEffects::Cluster},
    {"%is_explicit_cluster", &AssemblyEffects::Cluster},
    {"%tid", &AssemblyEffects::ReadsIndices},
    {"%ntid", &AssemblyEffects::ReadsIndices},
    {"%ctaid", &AssemblyEffects::ReadsIndices},
    {"%nctaid", &AssemblyEffects::ReadsIndices},
    {"%gridid", &AssemblyEffects::ReadsIndices},
    {"%warpid", &AssemblyEffects::ReadsIndices},
    {"%nwarpid", &AssemblyEffects::ReadsIndices},
    {"%dynamic_smem_size", &AssemblyEffects::ReadsIndices},
    {"%total_smem_size", &AssemblyEffects::ReadsIndices},
};

struct ServiceRow {
  PtxService Service;
  bool AssemblyEffects::*Flag;
};

/// All but None.
constexpr ServiceRow Services[] = {
    {PtxService::ThreadEnd, &AssemblyEffects::Exits},
    {PtxService::ProgramEnd, &AssemblyEffects::Traps},
    {PtxService::BlockBarrier, &AssemblyEffects::Barrier},
    {PtxService::Cluster, &AssemblyEffects::Cluster},
    {PtxService::EarlyLaunch, &AssemblyEffects::EarlyLaunch},
    {PtxService::SharedBarrier, &AssemblyEffects::SharedBarrier},
    {PtxService::Images, &AssemblyEffects::Textures},
    {PtxService::Descriptor, &AssemblyEffects::Descriptor},
    {PtxService::Bulk, &AssemblyEffects::Bulk},
};

} // namespace

void noteSpecialRegisters(StringRef Text, AssemblyEffects &Effects) {
  for (const SpecialRegister &R : SpecialRegisters)
    if (Text.contains(R.Prefix))
      Effects.*R.Flag = true;
}

void noteService(PtxService Service, AssemblyEffects &Effects) {
  for (const ServiceRow &Row : Services)
    if (Row.Service == Service)
      Effects.*Row.Flag = true;
}

} // namespace blockmaestro
