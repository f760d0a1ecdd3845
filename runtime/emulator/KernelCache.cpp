// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelCache.h"

#include "BlockFunction.h"
#include "Costs.h"
#include "DeviceGlobals.h"
#include "KernelSource.h"
#include "Refusal.h"
#include "Retarget.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Whether the recorded parameters are those of \p Kernel, so that reading the
/// argument block by them is sound.
bool parametersMatch(const Function &Kernel, const KernelRecord &Record) {
  if (Kernel.arg_size() != Record.Parameters.size())
    return false;
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const Argument &A : Kernel.args()) {
    const Parameter &P = Record.Parameters[A.getArgNo()];
    Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    if (Layout.getTypeStoreSize(T) > P.Bytes ||
        uint64_t(P.Offset) + P.Bytes > Record.ArgumentBytes)
      return false;
  }
  return true;
}

bool owns(const ModuleRecord &M, const KernelRecord &Record) {
  for (const KernelRecord &K : M.Kernels)
    if (&K == &Record)
      return true;
  return false;
}

} // namespace

void KernelCache::addModule(const ModuleRecord *M) {
  std::lock_guard<std::mutex> Guard(Lock);
  Modules.push_back({M});
}

const CompiledKernel &KernelCache::get(const KernelRecord &Record,
                                       bool Counted) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::unique_ptr<CompiledKernel> &Slot = Kernels[{&Record, Counted}];
  if (!Slot)
    Slot = std::make_unique<CompiledKernel>();
  if (!Slot->Run &&
      (Slot->Refused.ok() || Slot->Refused.code() == StatusCode::NotFound))
    compile(Record, Counted, *Slot);
  return *Slot;
}

void KernelCache::compile(const KernelRecord &Record, bool Counted,
                          CompiledKernel &Out) {
  for (unsigned Ordinal = 0; Ordinal < Modules.size(); ++Ordinal)
    if (owns(*Modules[Ordinal].Record, Record)) {
      Out.Refused = compileFrom(Ordinal, Record, Counted, Out);
      return;
    }
  Out.Refused = Status(StatusCode::NotFound,
                       "no device module of the program has the kernel '" +
                           Record.Symbol + "'");
}

Status KernelCache::compileFrom(unsigned Ordinal, const KernelRecord &Record,
                                bool Counted, CompiledKernel &Out) {
  if (Status S = defineGlobals(Ordinal); !S.ok())
    return S;
  auto Context = std::make_unique<LLVMContext>();
  Result<std::unique_ptr<Module>> M =
      parseDeviceModule(*Modules[Ordinal].Record, *Context, Host->target());
  if (!M.ok())
    return M.status();
  Result<Function *> Kernel = isolateKernel(**M, Record.Symbol);
  if (!Kernel.ok())
    return Kernel.status();
  if (!parametersMatch(**Kernel, Record))
    return Status(StatusCode::Corrupt,
                  "the recorded parameters of kernel '" + Record.Name +
                      "' are not those of its device code");
  if (Status S = checkRunnable(**Kernel, Record.Name); !S.ok())
    return S;
  if (Counted)
    Out.Weights = markVisits(**Kernel);
  ThreadCode Thread = retarget(**Kernel, Record, Ordinal, Out.Weights.size());
  std::string Name = "block." + std::to_string(Ordinal) + "." + Record.Symbol +
                     (Counted ? ".counted" : "");
  makeBlockFunction(*Thread.Body, Name);
  Host->optimize(**M);
  if (Status S = Host->add(std::move(*M), std::move(Context)); !S.ok())
    return S;
  Result<uint64_t> Address = Host->lookup(Name);
  if (!Address.ok())
    return Address.status();
  Out.Run = reinterpret_cast<BlockFunctionType>(*Address);
  Out.Form = Thread.Form;
  Out.Sites = Thread.Sites.texts();
  Out.StaticShared = Thread.StaticShared;
  Out.ArgumentBytes = Record.ArgumentBytes;
  return Status();
}

Status KernelCache::defineGlobals(unsigned Ordinal) {
  DeviceModule &Device = Modules[Ordinal];
  if (Device.GlobalsDefined)
    return Status();
  auto Context = std::make_unique<LLVMContext>();
  Result<std::unique_ptr<Module>> M =
      parseDeviceModule(*Device.Record, *Context, Host->target());
  if (!M.ok())
    return M.status();
  keepDeviceGlobals(**M, Ordinal, KnownGlobals);
  Device.GlobalsDefined = true;
  return Host->add(std::move(*M), std::move(Context));
}

Result<uint64_t> KernelCache::addressIn(unsigned Ordinal,
                                        const std::string &Symbol) {
  if (Status S = defineGlobals(Ordinal); !S.ok())
    return S;
  std::string Name = "device." + Symbol;
  for (const std::string &Known : {Name, Name + "." + std::to_string(Ordinal)})
    if (KnownGlobals.count(Known))
      return Host->lookup(Known);
  return Status(StatusCode::NotFound,
                "no device module of the program has the variable '" + Symbol +
                    "'");
}

Result<uint64_t> KernelCache::globalAddress(const std::string &Symbol,
                                            const ModuleRecord *Of) {
  std::lock_guard<std::mutex> Guard(Lock);
  Result<uint64_t> Found =
      Status(StatusCode::NotFound, "the program has no device module");
  for (unsigned Ordinal = 0; Ordinal < Modules.size(); ++Ordinal) {
    if (Of && Of != Modules[Ordinal].Record)
      continue;
    Found = addressIn(Ordinal, Symbol);
    if (Found.ok() || Found.status().code() != StatusCode::NotFound)
      break;
  }
  return Found;
}

} // namespace blockmaestro
