// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [What the host may see]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Most of what a launch or copy writes the host can only get at by a call: a
// copy, which is a node itself and comes behind what it reads. That is not so
// for memory of the host (pinned, registered, managed, and for copies
// pageable), for what is printed, and for an assertion that fails. A call that
// waits in CUDA, such as cudaMemcpy, promises that all earlier work of its
// stream is done, so that the program may then look at such memory, or write it
// again. So these nodes are marked, and a waiting call finishes all that are
// marked: its own too, when it writes the host's memory. A copy out of pageable
// memory has taken the bytes aside and is not marked. The rest may stay in
// flight. A call that waits for an event, or asks for it, finishes the node
// that records it, which is behind all work that the event stands for. Calls
// that synchronise, ask how far a stream is or run host functions leave nothing
// in flight. A failure of a
// launch that stayed in flight is the answer of a later call, at the latest of
// the next that synchronises. A program may also watch such memory without any
// call, which an executor that runs nothing before it has to would never end:
// when no call comes for a while, HostWatch finishes what is marked.

#include "Runtime.h"

#include "ErrorText.h"
#include "Evaluate.h"
#include "HostClock.h"
#include "PackLaunch.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace blockmaestro {
namespace {

/// Whether there is a record, and it is that of the code that runs.
bool hasRecord(const LaunchRequest &What) {
  return What.Known && What.Known->usable();
}

/// Whether the host may notice a launch though it touches only memory of the
/// device.
bool isNoticed(const KernelRecord &Kernel) {
  return Kernel.has(Feature::Prints) || Kernel.has(Feature::Asserts) ||
         Kernel.has(Feature::IndirectCalls) ||
         Kernel.has(Feature::DynamicParallelism);
}

/// Why there is none.
std::string whyNoRecord(const LaunchRequest &What) {
  if (!What.Known)
    return "the program has not registered it: relocatable device code is "
           "linked with -fgpu-rdc";
  if (!What.Known->Doubt.empty())
    return What.Known->Doubt;
  return "no record of this kernel: its file was not compiled with "
         "-fblockmaestro";
}

/// The launch with its arguments packed; null, and why, when it cannot be.
std::shared_ptr<Launch> pack(const LaunchRequest &What, uint64_t Id,
                             std::string &Why) {
  if (!hasRecord(What)) {
    Why = whyNoRecord(What);
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

} // namespace

Runtime::Runtime(Device &Target, Registry &Registered, Notes &Reasons,
                 const Options &Asked)
    : Target(Target), Registered(Registered), Reasons(Reasons), Asked(Asked),
      InFlight(Asked.Window,
               Asked.Paper ? HazardChoice::RawOnly : HazardChoice::All) {}

Status Runtime::start(const std::string &Program) {
  Guard Held(Lock);
  if (!Asked.RecordPath.empty())
    startRecording(Program);
  return makeExecutor();
}

/// Where that cannot be, the program runs unrecorded.
void Runtime::startRecording(const std::string &Program) {
  const bool Traces = Target.tracesWarps();
  if (Asked.WarpsOneIn && !Traces)
    Reasons.addFailure("only the emulated device traces warps; the recording "
                       "is made without");
  Result<std::unique_ptr<RecordingWriter>> Opened = RecordingWriter::open(
      Asked.RecordPath,
      {Program, Target.name(), Asked.ExecutorText, Asked.Window,
       Asked.RecordCosts, Traces ? Asked.WarpsOneIn : 0},
      Asked.RecordNameNow);
  if (!Opened.ok())
    return Reasons.addFailure(Opened.status().message() +
                              "; the program runs unrecorded");
  Recorder = std::move(*Opened);
  sayOtherPath();
  HostClock::start();
  Target.watchEdges(
      [this](const RecordedObservation &Seen) { Recorder->observe(Seen); });
}

void Runtime::sayOtherPath() {
  if (const std::string Path = Recorder->otherPath(); !Path.empty())
    Reasons.addFailure("another process writes " + Asked.RecordPath +
                       "; the recording of this one is " + Path);
}

/// The host has waited: what has run by now outlives a program that is killed.
void Runtime::keepRecorded() {
  if (Recorder)
    (void)Recorder->flush();
}

Status Runtime::makeExecutor() {
  Result<std::unique_ptr<Executor>> Made =
      Target.makeExecutor(Asked.Executor, Asked.Window, Recorder.get());
  if (Made.ok()) {
    HostNotices |= Target.reachesPageable();
    Runs = std::move(*Made);
    Runs->relateBy(Shared ? nullptr : &Beside);
  }
  return Made.status();
}

void Runtime::takeRegistered() {
  Guard Held(Lock);
  Registers.clear();
  auto Note = [&](const Status &Done) {
    if (!Done.ok())
      Reasons.add("", Done.message());
  };
  Registered.takeNew(
      Target.target(),
      [&](const RegisteredModule &Module) { Note(Target.addModule(Module)); },
      [&](const void *Stub, const KernelRecord *Record) {
        Target.learn(Stub, Record);
      });
}

void Runtime::removeModule(RegisteredModule &Module) {
  Guard Held(Lock);
  (void)settle("__cudaUnregisterFatBinary", &Executor::drain);
  if (Runs)
    Runs->forgetKernels();
  Registers.clear();
  Registered.removeModule(&Module,
                          [&](const void *Stub, const KernelRecord *Record) {
                            Target.learn(Stub, Record);
                          });
  Target.removeModule(Module);
}

cudaError_t Runtime::launch(const LaunchRequest &What) {
  const std::unique_ptr<const Declaration> Declared = takeDeclaration();
  Guard Held(Lock);
  if (Finished)
    return cudaErrorCudartUnloading;
  if (known() != cudaSuccess)
    return Failure;
  HostNotices |= !hasRecord(What) || isNoticed(*What.Known->Record);
  if (!relates()) {
    if (hasRecord(What) && Runs->relatesAtOnce())
      learnGlobals(*What.Known);
    const void *Form = Target.formInOrder(What);
    Result<bool> Taken = Target.gather(What, Form);
    if (!Taken.ok())
      return failed(Taken.status());
    if (What.Known && Runs->gathers())
      learnGlobals(*What.Known);
    if (*Taken) {
      if (Runs->gathers())
        Gathered.notify();
      return cudaSuccess;
    }
    Held.unlock();
    return Target.launchInOrder(What, Form);
  }
  std::string Why;
  std::shared_ptr<Launch> Packed = pack(What, NextId, Why);
  if (!hasRecord(What) && Declared && !Declared->Broken &&
      Target.ordersClosed(What.Stream))
    return launchDeclared(What, *Declared);
  if (!Packed)
    return passThrough(What, Why);
  Status Accepted = Target.accepts(*Packed, What.Stream);
  if (!Accepted.ok())
    return passThrough(
        What, Target.isCapturing(What.Stream) ? "" : Accepted.message());
  cudaError_t Error = goTo(What.Stream);
  if (Error == cudaSuccess && What.Known->Record->has(Feature::Prints))
    Error = afterPrinting();
  if (Error != cudaSuccess)
    return Error;
  learnGlobals(*What.Known);
  return submit(std::move(Packed), What.Stub, What.Stream, Declared.get());
}

/// Nodes so far are behind the executor; relations to them are still known.
cudaError_t Runtime::fenceExecutor() {
  if (!InFlight.anyUnfenced())
    return cudaSuccess;
  Status Done = Runs->fence();
  InFlight.fenced();
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// From here on streams have to see to the order, where executors keep to one
/// at a time.
cudaError_t Runtime::leaveToStreams() {
  return Runs->takesStreams() ? cudaSuccess : fenceExecutor();
}

cudaError_t Runtime::goTo(cudaStream_t Stream) {
  if (Stream == LastStream)
    return cudaSuccess;
  LastStream = Stream;
  if (!Runs->takesStreams() && InFlight.anyUnfenced())
    Reasons.add("", "a launch on another stream than the one before came after "
                    "all in flight, whatever events say");
  return leaveToStreams();
}

/// What launches print comes in the order of the launches.
cudaError_t Runtime::afterPrinting() {
  if (!Runs->takesHostWork())
    return cudaSuccess;
  Status Done = Runs->finish(
      InFlight.where([](const FlightNode &Each) { return Each.Prints; }));
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// \p Why is empty where there is nothing to explain.
cudaError_t Runtime::passThrough(const LaunchRequest &What,
                                 const std::string &Why) {
  std::string Name = Registered.nameOf(What.Stub, What.Symbol);
  ++Explained.Whole;
  if (!Why.empty())
    Reasons.add(Name, "not run by blocks: " + Why);
  cudaError_t Error = settle(Name.c_str(), &Executor::fence);
  if (Error != cudaSuccess)
    return Error;
  return calls().cudaLaunchKernel(What.Stub, What.Grid, What.Block, What.Args,
                                  What.SharedBytes, What.Stream);
}

/// A launch whose kernel only the device knows. The executor orders it like a
/// fence; the window, and a recording, by what the program has declared.
cudaError_t Runtime::launchDeclared(const LaunchRequest &What,
                                    const Declaration &Declared) {
  cudaError_t Error = goTo(What.Stream);
  if (Error != cudaSuccess)
    return Error;
  Error = fenceExecutor();
  if (Error == cudaSuccess)
    Error = calls().cudaLaunchKernel(What.Stub, What.Grid, What.Block,
                                     What.Args, What.SharedBytes, What.Stream);
  if (Error != cudaSuccess)
    return Error;
  LaunchAccesses Touched;
  Touched.Grid = sizeOf(What.Grid);
  Admission Entry =
      InFlight.admit(declaredAccesses(std::move(Touched), Declared, Memory),
                     What.Stream, wantsAll());
  const NodeName Name = {false, NextId++};
  const std::string Kernel = Registered.nameOf(What.Stub, What.Symbol);
  FlightNode Mine = {Name, What.Stream, sizeOf(What.Grid)};
  if (Asked.Explain)
    explain(Kernel, Entry, Mine);
  if (Recorder)
    Recorder->launch({Name.Number, Kernel, sizeOf(What.Grid),
                      sizeOf(What.Block), uint32_t(What.SharedBytes),
                      registersOf(What.Stub), /*RegistersAsRun=*/0,
                      reasonsOf(*Entry.Touched), HostClock::now()},
                     InFlight.recorded(Entry, Name));
  keep(std::move(Mine));
  InFlight.fenced();
  return cudaSuccess;
}

void Runtime::attributeSet(const void *Stub, const Kernel &Of,
                           cudaFuncAttribute Which, int Value) {
  Guard Held(Lock);
  Target.attributeSet(Stub, Of, Which, Value);
}

cudaError_t Runtime::launchPlain(const cudaLaunchConfig_t *Config,
                                 const void *Stub, void **Args) {
  forgetDeclaration();
  Guard Held(Lock);
  if (Finished)
    return cudaErrorCudartUnloading;
  std::string Name = Registered.nameOf(Stub);
  ++Explained.Whole;
  HostNotices = true;
  Reasons.add(Name, "not run by blocks: launched with attributes");
  cudaError_t Error = settle(Name.c_str(), &Executor::fence);
  return Error != cudaSuccess ? Error
                              : calls().cudaLaunchKernelExC(Config, Stub, Args);
}

/// What is not exact is said of the kernel whose accesses are not; of a
/// relation, where those of both are, of the later kernel.
void Runtime::explain(const std::string &Kernel, const Admission &Entry,
                      FlightNode &Mine) {
  ++Explained.Launches;
  Mine.Reasons = reasonsOf(*Entry.Touched);
  for (const std::string &Why : Mine.Reasons)
    Reasons.add(Kernel, Why);
  const auto Has = [](const FlightNode &Each, const std::string &Why) {
    return std::ranges::find(Each.Reasons, Why) != Each.Reasons.end();
  };
  for (const Need &Each : Entry.Needs) {
    const Relation &Known = Each.How->What;
    ++Explained.Relations;
    Explained.Exact += Known.Exact;
    if (!Known.Reason.empty() && !Has(Mine, Known.Reason) &&
        !Has(InFlight.find(Each.Producer), Known.Reason))
      Reasons.add(Kernel, Known.Reason);
  }
}

std::string Runtime::explained() const {
  return "launches run by blocks: " + std::to_string(Explained.Launches) +
         ", others: " + std::to_string(Explained.Whole) +
         "; relations: " + std::to_string(Explained.Relations) + ", " +
         std::to_string(Explained.Exact) + " of them exact";
}

/// Whether the host may rely on the launch before a call that waits for it: it
/// touches memory of the host, or does what the host notices without memory.
bool Runtime::hostSees(const Launch &What, const LaunchAccesses &Touched) {
  if (What.Kernel->has(Feature::Prints) || What.Kernel->has(Feature::Asserts))
    return true;
  return std::any_of(Touched.Accesses.begin(), Touched.Accesses.end(),
                     [this](const BlockAccess &Each) {
                       return Each.How == Reach::Everything ||
                              Target.hostSees(Each.Where.Base);
                     });
}

/// Whether accesses and implied needs are looked at.
bool Runtime::wantsAll() const {
  return Asked.Explain || Recorder || Asked.Checks || Runs->takesHostWork();
}

/// The node that has been admitted may be in flight from now on.
void Runtime::keep(FlightNode Mine) {
  const bool HostSees = Mine.HostSees;
  InFlight.enter(std::move(Mine));
  if (HostSees)
    Watch.notify();
}

/// Finishes what the host may see.
Status Runtime::finishSeen() {
  const Status Done = Runs->finish(
      InFlight.where([](const FlightNode &Each) { return Each.HostSees; }));
  InFlight.hostHasSeen();
  return Done;
}

/// What ends a chain is counted by the call.
void Runtime::explainFence(const char *What) {
  if (Asked.Explain && gathered())
    Reasons.add("", Runs->fenceText() + std::string(What));
}

/// Submits what an executor has gathered. In front of every call that is made
/// without a fence and that streams may order.
cudaError_t Runtime::submitGathered(const char *What) {
  if (!Runs || Finished || !Runs->mindsFences())
    return cudaSuccess;
  explainFence(What);
  Status Done = Runs->fence();
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// The next call says what failed.
void Runtime::submitUnasked() {
  if (Status Done = Runs->submitHeld(); !Done.ok())
    (void)failed(Done);
}

/// Whether an executor holds launches back that it has gathered.
bool Runtime::gathered() const { return Runs && !Finished && Runs->gathers(); }

/// Whether something that the host may see is in flight.
bool Runtime::heldBack() const {
  return Runs && !Finished && Failure == cudaSuccess &&
         !InFlight.where([](const FlightNode &Each) { return Each.HostSees; })
              .empty();
}

/// Gives Next its place behind what Entry names, as far as the executor knows
/// of it.
Task Runtime::enter(Task Next, const Admission &Entry, FlightNode Mine) {
  Next.Node = InFlight.next();
  Next.Stream = Mine.Stream;
  Next.Needs = InFlight.dependences(Entry);
  if (Asked.Checks)
    Target.expect({Next.Node, Next.What, Entry.Touched, Entry.Needs,
                   InFlight.beside(), InFlight.unordered()});
  keep(Mine);
  return Next;
}

/// Enters the launch into the window: what the compiler knows of it, and what
/// the program has declared.
Admission Runtime::admit(const Launch &What, cudaStream_t Stream,
                         const Declaration *Declared) {
  if (Declared && Declared->Broken)
    Reasons.add(What.Kernel->Name,
                "what the program declared of it has a range "
                "that is none: all of it was left out");
  if (!Declared || Declared->Broken)
    return InFlight.admit(What, Memory, Stream, wantsAll());
  return InFlight.admit(
      declaredAccesses(evaluate(What, Memory), *Declared, Memory), Stream,
      wantsAll());
}

/// Found out once for each kernel.
uint32_t Runtime::registersOf(const void *Stub) {
  const auto [Found, New] = Registers.try_emplace(Stub);
  if (New)
    Found->second = Target.registersOf(Stub);
  if (New && Found->second == 0)
    Found->second = Registered.registersOf(Stub);
  return Found->second;
}

cudaError_t Runtime::submit(std::shared_ptr<const Launch> What,
                            const void *Stub, cudaStream_t Stream,
                            const Declaration *Declared) {
  Admission Entry = admit(*What, Stream, Declared);
  const NodeName Name = {false, What->Id};
  FlightNode Mine = {Name, Stream, What->Grid};
  if (Asked.Explain) {
    explain(What->Kernel->Name, Entry, Mine);
    if (const std::string Why = Target.whyNotHeld(); !Why.empty())
      Reasons.add("", "launches are not gathered: " + Why);
  }
  if (Recorder)
    Recorder->launch(
        recordedForm(*What, *Entry.Touched,
                     {registersOf(Stub), Target.registersAsRun(*What)}),
        InFlight.recorded(Entry, Name));
  Mine.Prints = What->Kernel->has(Feature::Prints);
  if (Runs->takesHostWork())
    Mine.HostSees = hostSees(*What, *Entry.Touched);
  ++NextId;
  const std::string &Kernel = What->Kernel->Name;
  Task Next;
  Next.What = std::move(What);
  Status Done = Runs->submit(enter(std::move(Next), Entry, Mine));
  if (Recorder)
    if (const std::string Why = Runs->whyNotReported(); !Why.empty())
      Reasons.add(Kernel, "when its blocks run is not recorded: " + Why);
  if (gathered())
    Gathered.notify();
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// Whether anybody asks what waits for what.
bool Runtime::relates() const {
  return !Finished && (!Runs->plain() || Recorder || Asked.Explain);
}

void Runtime::learnGlobals(Kernel &Known) {
  if (Known.GlobalsKnown)
    return;
  for (const KernelGlobal &Each : Known.Globals) {
    Result<Allocation> Place = Target.findGlobal(Each.What, *Known.Module);
    if (Place.ok())
      Memory.addGlobal(
          Each.Name, *Place,
          Target.ownsMemory(reinterpret_cast<const void *>(Place->Base)));
    else
      Reasons.add(Known.Record->Name, Place.status().message());
  }
  Known.GlobalsKnown = true;
}

cudaError_t Runtime::reset(const char *What) {
  Guard Held(Lock);
  if (settle(What, &Executor::drain) == cudaSuccess && Runs)
    Runs->reportRest();
  Runs.reset();
  GraphEnds.clear();
  Memory.clear();
  Pinned.clear();
  Mappings.clear();
  Failure = cudaSuccess;
  Target.forgetGraphs();
  cudaError_t Error = calls().cudaDeviceReset();
  Status Made = Finished ? Status() : makeExecutor();
  return Made.ok() ? Error : failed(Made);
}

Status Runtime::finish() {
  Watch.stop();
  Gathered.stop();
  Guard Held(Lock);
  if (settle("end of the program", &Executor::drain) == cudaSuccess && Runs)
    Runs->reportRest();
  if (Asked.Explain && Runs && !Runs->account().empty())
    Reasons.add("", Runs->account());
  if (const std::string Account = Target.account();
      Asked.Explain && !Account.empty())
    Reasons.add("", Account);
  Target.finish();
  Finished = true;
  Runs.reset();
  if (!Recorder)
    return {};
  Status Closed = Recorder->close();
  sayOtherPath();
  return Closed;
}

} // namespace blockmaestro
