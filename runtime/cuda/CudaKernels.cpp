// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaKernels.h"

namespace blockmaestro {

/// Of the threads of a block, in registration.
static constexpr int NoLimit = -1;

KernelKey KernelKeys::of(KernelVariant Form) const {
  switch (Form) {
  case KernelVariant::Pdl:
    return Pdl;
  case KernelVariant::Prelaunch:
    return Prelaunch;
  case KernelVariant::Timed:
    return Timed;
  case KernelVariant::Persistent:
    return Persistent;
  case KernelVariant::Plain:
    break;
  }
  return Plain;
}

void CudaKernels::addRecord(const ModuleRecord &Record) {
  Entries.push_back(std::make_unique<Entry>());
  Entry *Shared = Entries.back().get();
  Shared->Symbol = Record.PersistentSymbol;
  for (const KernelRecord &Kernel : Record.Kernels) {
    Known &New = Kernels[&Kernel];
    New.PdlSymbol = Kernel.PdlSymbol;
    New.PrelaunchSymbol = Kernel.PrelaunchSymbol;
    New.TimedSymbol = Kernel.TimedSymbol;
    New.Keys.Module = Entries.size();
    if (Kernel.PersistentCase >= 0 && !Record.PersistentSymbol.empty())
      New.PersistentEntry = Shared;
  }
}

/// The real runtime keeps the name's address.
void CudaKernels::registerFunction(void **Handle, KernelKey Key,
                                   const std::string &Symbol, int ThreadLimit) {
  auto *Name = const_cast<char *>(Symbol.c_str());
  Real.RegisterFunction(Handle, static_cast<const char *>(Key), Name, Name,
                        ThreadLimit, nullptr, nullptr, nullptr, nullptr,
                        nullptr);
}

/// A key of its own for the form of this name; null where it has none.
KernelKey CudaKernels::registerForm(void **Handle, const std::string &Symbol) {
  if (Symbol.empty())
    return nullptr;
  PrivateKeys.push_back(std::make_unique<char>());
  KernelKey Key = PrivateKeys.back().get();
  registerFunction(Handle, Key, Symbol, NoLimit);
  return Key;
}

void CudaKernels::registerVariants(void **Handle, Known &Kernel) {
  Kernel.Keys.Pdl = registerForm(Handle, Kernel.PdlSymbol);
  Kernel.Keys.Prelaunch = registerForm(Handle, Kernel.PrelaunchSymbol);
  Kernel.Keys.Timed = registerForm(Handle, Kernel.TimedSymbol);
  if (!Kernel.PersistentEntry)
    return;
  Kernel.Keys.Persistent = Kernel.PersistentEntry;
  if (!Kernel.PersistentEntry->Registered)
    registerFunction(Handle, Kernel.PersistentEntry,
                     Kernel.PersistentEntry->Symbol, NoLimit);
  Kernel.PersistentEntry->Registered = true;
}

/// Gives the kernel that Function stands for its keys.
void CudaKernels::nameKernel(const RegisteredFunction &Function,
                             void **Handle) {
  auto Found = Kernels.find(Function.Record);
  if (Found == Kernels.end() || Found->second.Keys.Plain)
    return;
  Found->second.Keys.Plain = Function.Stub;
  registerVariants(Handle, Found->second);
}

void CudaKernels::addModule(const RegisteredModule &Module) {
  void **Handle = Real.RegisterFatBinary(Module.FatBinary);
  Handles[&Module] = Handle;
  for (const ModuleRecord *Each : Module.Records)
    addRecord(*Each);
  for (const RegisteredFunction &Each : Module.Functions) {
    registerFunction(Handle, Each.Stub, Each.Symbol, Each.ThreadLimit);
    nameKernel(Each, Handle);
  }
  for (const RegisteredVariable &Each : Module.Variables) {
    auto *Name = const_cast<char *>(Each.Symbol.c_str());
    Real.RegisterVar(Handle, static_cast<char *>(Each.Host), Name, Name,
                     Each.Extern, Each.Bytes, Each.Constant, 0);
    for (const ModuleRecord *In : Module.Records)
      Variables[{In, Each.Symbol}] = Each.Host;
  }
  Real.RegisterFatBinaryEnd(Handle);
}

void CudaKernels::removeModule(const RegisteredModule &Module) {
  auto Found = Handles.find(&Module);
  if (Found == Handles.end())
    return;
  Real.UnregisterFatBinary(Found->second);
  Handles.erase(Found);
}

const KernelKeys *CudaKernels::find(const KernelRecord &Kernel) const {
  auto Found = Kernels.find(&Kernel);
  return Found == Kernels.end() || !Found->second.Keys.Plain
             ? nullptr
             : &Found->second.Keys;
}

const void *CudaKernels::variable(const GlobalRecord &Global,
                                  const ModuleRecord &Of) const {
  if (Global.Internal && Of.Relocatable)
    return nullptr;
  auto Found = Variables.find({&Of, Global.Symbol});
  return Found == Variables.end() ? nullptr : Found->second;
}

} // namespace blockmaestro
