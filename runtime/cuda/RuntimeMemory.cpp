// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The front end's calls for memory: copies and fills, what becomes known and
// what goes away.

#include "Runtime.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

namespace blockmaestro {

/// Whether copies are nodes of the window. In the paper's they are fences.
bool Runtime::takesCopies() const {
  return relates() && !Asked.Paper && Target.prepares();
}

/// Null where the call has to be made.
std::unique_ptr<PreparedWork> Runtime::prepare(const RequestMaker &Make,
                                               cudaStream_t &Stream) {
  Request Asked;
  const auto Find = [this](const void *Symbol, size_t Bytes, size_t Offset,
                           void *&Out) {
    return Target.findSymbol(Symbol, Bytes, Offset, Out);
  };
  if (!takesCopies() || Make(Find, Asked) != cudaSuccess)
    return nullptr;
  Stream = Asked.Stream;
  return Target.prepare(Asked, Runs->takesHostWork());
}

/// For calls of which only what names no variable is looked at.
static const FindSymbol NoSymbols = [](const void *, size_t, size_t, void *&) {
  return cudaErrorNotSupported;
};

/// How long the call itself takes about, without what it waits for: copies
/// between memory of the host that is not pinned and the device are the
/// slowest.
static std::chrono::nanoseconds timeOf(const Request &Asked) {
  constexpr size_t BytesPerNanosecond = 8;
  const auto *Copy = std::get_if<CopyCommand>(&Asked.What);
  const cudaExtent Size = Copy ? Copy->What.extent : cudaExtent();
  return std::chrono::nanoseconds(Size.width * Size.height * Size.depth /
                                  BytesPerNanosecond);
}

/// Whether only the device sees all of it.
bool Runtime::owns(const TouchedBox &Box) const {
  return Memory.owns(Box.Address, Box.span());
}

/// Note [Copies from the host that are held]
/// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
/// Bytes of pinned memory the program may only change when it has waited for
/// the copy, and so that can be held as it is. A call that has no stream has
/// waited for it when it returns, and is not held.
/// Pageable memory may change as soon as the call has returned, since CUDA has
/// taken the bytes aside by then; up to 64 KB it need not have waited for
/// anything to do so. But a call that has no stream may wait for what came
/// before, and a program may rely on that: after it, it may look at what the
/// device has written to the host's memory. So such a call is held only where
/// the host can notice nothing of what the device does, but by other calls.
std::optional<Device::Origin>
Runtime::hostOrigin(const Request &Asked, const cudaMemcpy3DParms &Copy) {
  constexpr uint64_t MostPageable = uint64_t(64) << 10;
  const TouchedBox From = readBy(Copy);
  const uint64_t Bytes = From.span();
  const bool Waits = Asked.By == Asker::Call;
  if (From.Address == 0 || Bytes == 0)
    return {};
  if (const uint64_t Number = Pinned.holding(From.Address, Bytes))
    return Waits ? std::nullopt
                 : std::optional(Device::Origin{CopySource::Pinned, Number});
  if (Bytes > MostPageable || (Waits && HostNotices) ||
      Memory.find(From.Address) || Memory.find(From.Address + Bytes - 1) ||
      !Target.isPageable(reinterpret_cast<const void *>(From.Address)))
    return {};
  return Device::Origin{CopySource::Passing, 0};
}

/// Gives a copy or fill of memory that only the device sees to an executor that
/// gathers such calls.
Result<Gathering> Runtime::gather(const Request &Asked) {
  if (Finished || Recorder || !Runs->plain())
    return Gathering::Refused;
  const auto *Copy = std::get_if<CopyCommand>(&Asked.What);
  const auto *Fill = std::get_if<FillCommand>(&Asked.What);
  if (Copy && (Copy->What.dstArray || Copy->What.srcArray))
    return Gathering::Refused;
  if (!Copy && !Fill)
    return Gathering::Refused;
  if (!owns(Copy ? writtenBy(Copy->What) : writtenBy(*Fill)))
    return Gathering::Refused;
  if (!Copy || owns(readBy(Copy->What)))
    return Target.gather(Asked, {});
  const auto From = hostOrigin(Asked, Copy->What);
  return From ? Target.gather(Asked, *From) : Gathering::Refused;
}

/// Whether the call copies or fills no byte.
static bool isEmpty(const Request &Asked) {
  if (const auto *Copy = std::get_if<CopyCommand>(&Asked.What)) {
    const cudaExtent &Size = Copy->What.extent;
    return Size.width == 0 || Size.height == 0 || Size.depth == 0;
  }
  const auto *Fill = std::get_if<FillCommand>(&Asked.What);
  return Fill && (Fill->Width == 0 || Fill->Height == 0 || Fill->Depth == 0);
}

/// On a GPU a call of no bytes waits for nothing, and nothing waits for it.
cudaError_t Runtime::copy(const char *Name, const DeviceCall &Call,
                          const RequestMaker &Asked,
                          Status (Executor::*Otherwise)()) {
  Request Given;
  const bool IsKnown = Asked(NoSymbols, Given) == cudaSuccess;
  Guard Held(Lock);
  if (known() != cudaSuccess)
    return Failure;
  if (!IsKnown)
    return copyAlone(Held, {Name, Call, Asked, Otherwise}, nullptr);
  const Result<Gathering> Answer = isEmpty(Given) && !Target.prepares()
                                       ? Result<Gathering>(Gathering::InOrder)
                                       : gather(Given);
  if (!Answer.ok())
    return failed(Answer.status());
  switch (*Answer) {
  case Gathering::Taken:
    Gathered.notify();
    return cudaSuccess;
  case Gathering::InOrder:
    Held.unlock();
    return Call(calls());
  case Gathering::Refused:
    break;
  }
  return copyAlone(Held, {Name, Call, Asked, Otherwise}, &Given);
}

/// Makes the call behind all before it, or has the executor do it.
cudaError_t Runtime::copyAlone(Guard &Held, const CopyCall &What,
                               const Request *Given) {
  cudaStream_t Stream = nullptr;
  std::unique_ptr<PreparedWork> Ready = prepare(What.Asked, Stream);
  const bool HostWaits = Ready && Ready->HostWaits;
  cudaError_t Error = Ready ? goTo(Stream)
                            : settle(What.Name, What.Otherwise,
                                     Given ? &Given->Stream : nullptr);
  if (Ready && Error == cudaSuccess) {
    Error = addCopy(
        What.Name, *Ready, Stream,
        InFlight.admit(accessesOf(Ready->Touches, Memory), Stream, wantsAll()));
    if (Runs->takesHostWork())
      return Error;
  }
  Held.unlock();
  if (Error != cudaSuccess)
    return Error;
  if (!Ready && Given && What.Otherwise == &Executor::drain)
    return wait(What.Call, timeOf(*Given));
  Error = What.Call(calls());
  if (HostWaits)
    keepRecorded();
  return Error;
}

cudaError_t Runtime::libraryCall(const Request &Given) {
  const auto &What = std::get<LibraryCommand>(Given.What);
  return copy(
      What.Call, [&](const RuntimeCalls &) { return Target.perform(Given); },
      [&](const FindSymbol &, Request &Out) {
        Out = Given;
        return cudaSuccess;
      },
      What.hostWaits() ? &Executor::drain : &Executor::fence);
}

/// Makes a copy a node. Where the executor takes it, it is submitted, and the
/// host waits for what the call lets it rely on.
cudaError_t Runtime::addCopy(const char *Name, PreparedWork &What,
                             cudaStream_t Stream, const Admission &Entry) {
  FlightNode Mine = {{true, NextCopy++}, Stream};
  if (Recorder)
    Recorder->copy(recordedForm(Name, Mine.Name.Number, What),
                   InFlight.recorded(Entry, Mine.Name));
  for (const TouchedBox &Each : What.Touches)
    Mine.HostSees |= Each.HostSees;
  Task Next;
  Next.Work = {Name, std::move(What.Run)};
  Next = enter(std::move(Next), Entry, Mine);
  if (What.HostWaits)
    InFlight.order().hostWaitedFor(Stream);
  if (!Runs->takesHostWork())
    return cudaSuccess;
  Status Done = Runs->submit(std::move(Next));
  if (Done.ok() && What.HostWaits)
    Done = finishSeen();
  if (What.HostWaits)
    keepRecorded();
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// Some memory is there only behind what its stream has been given: what an
/// executor puts on other streams comes behind that too.
void Runtime::allocated(void *Address, size_t Bytes) {
  Guard Held(Lock);
  if (Runs && Runs->relatesAtOnce())
    (void)submitGathered("memory that is allocated");
  const auto Base = reinterpret_cast<uint64_t>(Address);
  (void)Target.strangeAnywhere(); // It may be there in a stream's order only.
  const bool Owned = Target.ownsMemory(Address);
  Memory.add({Base, Bytes}, Owned);
  HostNotices |= !Owned;
  if (!Owned && Target.isPinned(Address))
    Pinned.add(Base, Bytes);
}

static std::string ownMappings() {
  std::ifstream In("/proc/self/maps");
  return {std::istreambuf_iterator<char>(In), {}};
}

void Runtime::registered(void *Address, size_t Bytes) {
  Guard Held(Lock);
  HostNotices = true;
  const auto Base = reinterpret_cast<uint64_t>(Address);
  const std::vector<uint64_t> Others =
      Mappings.add(Base, sharedPieces(ownMappings(), Base, Bytes));
  if (Others.empty())
    return Memory.add({Base, Bytes});
  for (uint64_t Other : Others)
    Memory.remove(Other);
  Reasons.add("", "memory is registered at two addresses: launches that touch "
                  "it are ordered with all others");
}

void Runtime::letMemoryGo() {
  if (Runs)
    Runs->letMemoryGo();
  Target.letMemoryGo();
}

cudaError_t Runtime::releasing(const char *What, void *Address) {
  Guard Held(Lock);
  const auto Base = reinterpret_cast<uint64_t>(Address);
  const Allocation *Gone = Memory.find(Base);
  cudaError_t Error = known();
  if (Error == cudaSuccess)
    Error = Gone && Gone->Base == Base && takesCopies()
                ? addRelease(What, *Gone)
                : settle(What, &Executor::drain);
  letMemoryGo();
  Memory.remove(Base);
  Pinned.remove(Base);
  Mappings.remove(Base);
  return Error;
}

/// Memory goes away as if it were overwritten: whatever uses it comes first.
cudaError_t Runtime::addRelease(const char *Name, const Allocation &Gone) {
  TouchedBox All;
  All.Address = Gone.Base;
  All.Width = Gone.Bytes;
  All.Writes = All.HostSees = true;
  PreparedWork Release;
  Release.Touches = {All};
  Release.Run = [] { return Status(); };
  Release.HostWaits = true;
  const cudaError_t Error = addCopy(
      Name, Release, LastStream,
      InFlight.admitBehindAll(accessesOf(Release.Touches, Memory), wantsAll()));
  InFlight.order().hostWaitedForAll();
  return Error;
}

cudaError_t Runtime::retiring(const char *What, void *Address) {
  Guard Held(Lock);
  cudaError_t Error = settle(What, &Executor::fence);
  letMemoryGo();
  Memory.remove(reinterpret_cast<uint64_t>(Address));
  return Error;
}

} // namespace blockmaestro
