// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runtime.h"

#include "ErrorText.h"
#include "Evaluate.h"
#include "PackLaunch.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace blockmaestro {
namespace {

Dim3 sizeOf(dim3 Size) { return {Size.x, Size.y, Size.z}; }

/// The launch with its arguments packed; null, and why, when it cannot be.
std::shared_ptr<Launch> pack(const LaunchRequest &What, uint64_t Id,
                             std::string &Why) {
  if (!What.Known) {
    Why = "no record of this kernel: its file was not compiled with "
          "-fblockmaestro, or two files have a kernel of this name";
    return nullptr;
  }
  const KernelRecord &Kernel = *What.Known->Record;
  if (!What.Args && !Kernel.Parameters.empty()) {
    Why = "launched without arguments";
    return nullptr;
  }
  if (sizeOf(What.Grid).count() == 0 || sizeOf(What.Block).count() == 0) {
    Why = "launched with no blocks or no threads";
    return nullptr;
  }
  std::shared_ptr<Launch> Packed =
      packLaunch(Kernel, What.Grid, What.Block, What.Args, What.SharedBytes);
  Packed->Id = Id;
  return Packed;
}

std::vector<std::string> reasonsOf(const LaunchAccesses &Touched) {
  std::vector<std::string> Out;
  for (const BlockAccess &Each : Touched.Accesses)
    if (!Each.Exact)
      Out.push_back(Each.Reason);
  return Out;
}

RecordedLaunch recordedForm(const Launch &What, const LaunchAccesses &Touched) {
  RecordedLaunch Out;
  Out.Id = What.Id;
  Out.Kernel = What.Kernel->Name;
  Out.Grid = What.Grid;
  Out.Block = What.Block;
  Out.SharedBytes = What.Kernel->StaticSharedBytes + What.DynamicSharedBytes;
  Out.Degraded = reasonsOf(Touched);
  return Out;
}

RecordedRelation recordedForm(const Need &What, uint64_t Consumer) {
  const Relation &Known = What.How->What;
  const Encoding &Form = What.How->Form;
  RecordedRelation Out;
  Out.Producer = What.Producer;
  Out.Consumer = Consumer;
  Out.Hazards = Known.Hazards;
  Out.Exact = Known.Exact;
  Out.Implied = What.Implied;
  Out.Header = Form.Header;
  Out.Pieces = Form.Pieces;
  for (size_t I = 0; I < Form.Pieces.size(); ++I)
    Out.PieceHazards.push_back(Known.Pieces[I].Hazards);
  Out.List = Form.List;
  Out.Reason = Known.Reason;
  return Out;
}

} // namespace

Runtime::Runtime(Device &Target, Registry &Registered, Notes &Reasons,
                 const Options &Asked)
    : Target(Target), Registered(Registered), Reasons(Reasons), Asked(Asked),
      InFlight(Asked.Window) {}

Status Runtime::start(const std::string &Program) {
  Guard Held(Lock);
  if (!Asked.RecordPath.empty()) {
    Result<std::unique_ptr<RecordingWriter>> Opened = RecordingWriter::open(
        Asked.RecordPath,
        {Program, Target.name(), Asked.ExecutorText, Asked.Window});
    if (!Opened.ok())
      return Opened.status();
    Recorder = std::move(*Opened);
  }
  return makeExecutor();
}

Status Runtime::makeExecutor() {
  Result<std::unique_ptr<Executor>> Made =
      Target.makeExecutor(Asked.Executor, Asked.Window, Recorder.get());
  if (Made.ok())
    Runs = std::move(*Made);
  return Made.status();
}

void Runtime::takeRegistered() {
  Guard Held(Lock);
  auto Note = [&](const Status &Done) {
    if (!Done.ok())
      Reasons.add("", Done.message());
  };
  Registered.takeNew(
      Target.architecture(),
      [&](const ModuleRecord &Record) { Note(Target.addRecord(Record)); },
      [&](const RegisteredModule &Module) { Note(Target.addModule(Module)); });
}

/// An executor failed. What the system would not give can be asked for again;
/// everything else stays.
cudaError_t Runtime::failed(const Status &Why) {
  const cudaError_t Error = errorOf(Why);
  if (Target.failure().ok())
    Reasons.addFailure(Why.message());
  if (Why.code() != StatusCode::Io && Why.code() != StatusCode::OutOfMemory)
    Failure = Error;
  return Error;
}

/// The failure that stays, if there has been one.
cudaError_t Runtime::known() {
  if (Failure == cudaSuccess)
    Failure = errorOf(Target.failure());
  return Failure;
}

/// Drains or fences; nothing is in flight for later launches afterwards.
cudaError_t Runtime::settle(const char *What, Status (Executor::*How)()) {
  if (known() != cudaSuccess || Finished)
    return Failure;
  InFlight.clear();
  Status Done = (Runs.get()->*How)();
  if (!Done.ok())
    return failed(Done);
  if (Recorder)
    Recorder->barrier(What);
  return cudaSuccess;
}

cudaError_t Runtime::fence(const char *What) {
  Guard Held(Lock);
  return settle(What, &Executor::fence);
}

cudaError_t Runtime::drain(const char *What) {
  Guard Held(Lock);
  return settle(What, &Executor::drain);
}

cudaError_t Runtime::failure() {
  Guard Held(Lock);
  return known();
}

void Runtime::learn(const void *Stub, const Kernel &Known) {
  Guard Held(Lock);
  Target.learn(Stub, *Known.Record);
}

cudaError_t Runtime::launch(const LaunchRequest &What) {
  const std::unique_ptr<const Declaration> Declared = takeDeclaration();
  Guard Held(Lock);
  if (Finished)
    return cudaErrorCudartUnloading;
  if (known() != cudaSuccess)
    return Failure;
  if (Runs->plain() && !Recorder && !Asked.Explain) {
    Held.unlock();
    return calls().cudaLaunchKernel(What.Stub, What.Grid, What.Block, What.Args,
                                    What.SharedBytes, What.Stream);
  }
  std::string Why;
  std::shared_ptr<Launch> Packed = pack(What, NextId, Why);
  if (!Packed)
    return passThrough(What, Why);
  Status Accepted = Target.accepts(*Packed, What.Stream);
  if (!Accepted.ok())
    return passThrough(What, Accepted.message());
  if (What.Stream != LastStream) {
    cudaError_t Wrong = settle("another stream", &Executor::fence);
    if (Wrong != cudaSuccess)
      return Wrong;
    LastStream = What.Stream;
  }
  learnGlobals(*What.Known);
  return submit(std::move(Packed), What.Stream, Declared.get());
}

cudaError_t Runtime::passThrough(const LaunchRequest &What,
                                 const std::string &Why) {
  std::string Name = Registered.nameOf(What.Stub);
  Reasons.add(Name, "not run by blocks: " + Why);
  cudaError_t Wrong = settle(Name.c_str(), &Executor::fence);
  if (Wrong != cudaSuccess)
    return Wrong;
  return calls().cudaLaunchKernel(What.Stub, What.Grid, What.Block, What.Args,
                                  What.SharedBytes, What.Stream);
}

cudaError_t Runtime::launchPlain(const cudaLaunchConfig_t *Config,
                                 const void *Stub, void **Args) {
  forgetDeclaration();
  Guard Held(Lock);
  if (Finished)
    return cudaErrorCudartUnloading;
  std::string Name = Registered.nameOf(Stub);
  Reasons.add(Name, "not run by blocks: launched with attributes");
  cudaError_t Wrong = settle(Name.c_str(), &Executor::fence);
  return Wrong != cudaSuccess ? Wrong
                              : calls().cudaLaunchKernelExC(Config, Stub, Args);
}

void Runtime::explain(const Launch &What, const Admission &Entry) {
  for (const std::string &Why : reasonsOf(*Entry.Touched))
    Reasons.add(What.Kernel->Name, Why);
  for (const Need &Each : Entry.Needs)
    if (!Each.How->What.Reason.empty())
      Reasons.add(What.Kernel->Name, Each.How->What.Reason);
}

void Runtime::record(const Launch &What, const Admission &Entry) {
  std::vector<RecordedRelation> Relations;
  for (const Need &Each : Entry.Needs)
    Relations.push_back(recordedForm(Each, What.Id));
  Recorder->launch(recordedForm(What, *Entry.Touched), Relations);
}

/// Enters the launch into the window: what the compiler knows of it, and what
/// the program has declared.
Admission Runtime::admit(const Launch &What, cudaStream_t Stream,
                         const Declaration *Declared, bool WithImplied) {
  if (Declared && Declared->Broken)
    Reasons.add(What.Kernel->Name, "what the program declared of it has a range "
                                   "that is none: all of it was left out");
  if (!Declared || Declared->Broken)
    return InFlight.admit(What, Memory, Stream, WithImplied);
  return InFlight.admit(
      What.Id, declaredAccesses(evaluate(What, Memory), *Declared, Memory),
      Stream, WithImplied);
}

cudaError_t Runtime::submit(std::shared_ptr<const Launch> What,
                            cudaStream_t Stream, const Declaration *Declared) {
  bool WithImplied = Asked.Explain || Recorder || Asked.Checks;
  Admission Entry = admit(*What, Stream, Declared, WithImplied);
  Task Next;
  Next.Stream = Stream;
  Next.Node = What->Id;
  for (const Need &Each : Entry.Needs)
    if (!Each.Implied)
      Next.Needs.push_back(
          {Each.Producer, Each.How->Form.Header, Each.How->Form.Pieces,
           Each.How->Form.List});
  if (Asked.Explain)
    explain(*What, Entry);
  if (Recorder)
    record(*What, Entry);
  if (Asked.Checks)
    Target.expect(What->Id, Entry.Touched);
  ++NextId;
  Next.What = std::move(What);
  Status Done = Runs->submit(std::move(Next));
  return Done.ok() ? cudaSuccess : failed(Done);
}

void Runtime::learnGlobals(Kernel &Known) {
  if (Known.GlobalsKnown)
    return;
  for (const GlobalRecord &Each : Known.Globals) {
    Result<uint64_t> Address = Target.globalAddress(Each.Symbol, *Known.Module);
    if (Address.ok())
      Memory.addGlobal(Each.Symbol, {*Address, Each.Bytes});
    else
      Reasons.add(Known.Record->Name, Address.status().message());
  }
  Known.GlobalsKnown = true;
}

void Runtime::allocated(void *Address, size_t Bytes) {
  Guard Held(Lock);
  Memory.add({reinterpret_cast<uint64_t>(Address), Bytes});
}

cudaError_t Runtime::releasing(const char *What, void *Address) {
  Guard Held(Lock);
  cudaError_t Wrong = settle(What, &Executor::drain);
  Memory.remove(reinterpret_cast<uint64_t>(Address));
  return Wrong;
}

cudaError_t Runtime::retiring(const char *What, void *Address) {
  Guard Held(Lock);
  cudaError_t Wrong = settle(What, &Executor::fence);
  Memory.remove(reinterpret_cast<uint64_t>(Address));
  return Wrong;
}

cudaError_t Runtime::reset(const char *What) {
  Guard Held(Lock);
  (void)settle(What, &Executor::drain);
  Runs.reset();
  Memory.clear();
  Failure = cudaSuccess;
  cudaError_t Wrong = calls().cudaDeviceReset();
  Status Made = Finished ? Status() : makeExecutor();
  return Made.ok() ? Wrong : failed(Made);
}

Status Runtime::finish() {
  Guard Held(Lock);
  (void)settle("end of the program", &Executor::drain);
  Target.finish();
  Finished = true;
  Runs.reset();
  return Recorder ? Recorder->close() : Status();
}

} // namespace blockmaestro
