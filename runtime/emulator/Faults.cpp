// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Faults.h"

#include "ThreadScheduler.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

namespace blockmaestro {

namespace {

// Read in a signal handler, so it must be there without being made first.
__attribute__((tls_model("initial-exec"))) thread_local RunningCode *Running =
    nullptr;
/// The last frame of onSignal() in which this OS thread handed a signal on, and
/// the signal's context.
struct HandedOn {
  const void *Frame;
  const void *Context;
};
__attribute__((tls_model("initial-exec"))) thread_local HandedOn LastHandedOn;

constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t SignalCount = std::size(Signals);
constexpr size_t SignalStackBytes = 64 << 10;
/// How far from the stack pointer an access still counts as the stack's.
constexpr uint64_t StackReach = 64 << 10;

/// What the program wanted done with a signal, newest first; never freed, since
/// a handler may be reading it.
struct Earlier {
  struct sigaction Action;
  Earlier *Older;
};
std::atomic<Earlier *> EarlierActions[SignalCount];

size_t slotOf(int Signal) {
  size_t Slot = 0;
  while (Slot + 1 < SignalCount && Signals[Slot] != Signal)
    ++Slot;
  return Slot;
}

/// What happens with a signal nobody handles: the faulting instruction runs
/// again, or the signal is sent again, with the default action.
void dieOf(int Signal, const siginfo_t &Info) {
  signal(Signal, SIG_DFL);
  if (Info.si_code <= 0)
    raise(Signal);
}

/// Gives the signal to the program's handler. One that hands it back to us, as
/// the handler it had found, gets to the one before it: then \p Frame lies
/// below the frame that handed it on.
void handOn(int Signal, siginfo_t *Info, void *Context, const void *Frame) {
  const Earlier *To = EarlierActions[slotOf(Signal)].load();
  HandedOn Before = LastHandedOn;
  if (Before.Context == Context && Frame < Before.Frame && To)
    To = To->Older;
  if (!To ||
      (!(To->Action.sa_flags & SA_SIGINFO) &&
       (To->Action.sa_handler == SIG_DFL || To->Action.sa_handler == SIG_IGN)))
    return dieOf(Signal, *Info);
  LastHandedOn = {Frame, Context};
  if (To->Action.sa_flags & SA_SIGINFO)
    To->Action.sa_sigaction(Signal, Info, Context);
  else
    To->Action.sa_handler(Signal);
  LastHandedOn = Before;
}

/// Whether a register holds what can be no address of this machine, which is
/// then what the access went to; an aligned access to an unaligned address is
/// reported the same way.
bool hasImpossibleAddress(const mcontext_t &Machine) {
  for (int Register = REG_R8; Register <= REG_RCX; ++Register) {
    int64_t Upper = int64_t(Machine.gregs[Register]) >> 47;
    if (Upper != 0 && Upper != -1)
      return true;
  }
  return false;
}

FaultKind kindOf(int Signal, const siginfo_t &Info, const mcontext_t &Machine) {
  if (Signal == SIGFPE || Signal == SIGILL)
    return FaultKind::Trap;
  if (Signal == SIGBUS)
    return Info.si_code == BUS_ADRALN ? FaultKind::Misaligned
                                      : FaultKind::IllegalAddress;
  if (Info.si_code == SI_KERNEL)
    return hasImpossibleAddress(Machine) ? FaultKind::IllegalAddress
                                         : FaultKind::Misaligned;
  auto Address = reinterpret_cast<uint64_t>(Info.si_addr);
  auto Top = uint64_t(Machine.gregs[REG_RSP]);
  if (Address + StackReach >= Top && Address <= Top + StackReach)
    return FaultKind::StackOverflow;
  return FaultKind::IllegalAddress;
}

void onSignal(int Signal, siginfo_t *Info, void *Context) {
  RunningCode *R = Running;
  bool Sent = Info->si_code == SI_USER || Info->si_code == SI_TKILL ||
              Info->si_code == SI_QUEUE;
  if (!R || !R->Below || Sent)
    return handOn(Signal, Info, Context, __builtin_frame_address(0));
  mcontext_t &Machine = static_cast<ucontext_t *>(Context)->uc_mcontext;
  R->Died.Kind = kindOf(Signal, *Info, Machine);
  if (R->Died.Kind == FaultKind::IllegalAddress && Info->si_code != SI_KERNEL)
    R->Died.Address = reinterpret_cast<uint64_t>(Info->si_addr);
  if (R->Threads)
    R->Died.Thread = R->Threads->current();
  R->GivenUp = true;
  constexpr greg_t DirectionFlag = 0x400;
  Machine.gregs[REG_EFL] &= ~DirectionFlag;
  Machine.gregs[REG_RSP] =
      reinterpret_cast<greg_t>(std::exchange(R->Below, nullptr));
  Machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(bm_switch_landing);
}

/// Gives back the signal stack of an OS thread that ends.
void dropSignalStack(void *Memory) {
  stack_t Now{};
  if (sigaltstack(nullptr, &Now) == 0 && Now.ss_sp == Memory) {
    stack_t None{};
    None.ss_flags = SS_DISABLE;
    sigaltstack(&None, nullptr);
  }
  munmap(Memory, SignalStackBytes);
}

/// The key under which each OS thread keeps the signal stack it was given; a
/// thread_local object would end the process when it cannot be made.
bool signalStackKey(pthread_key_t &Key) {
  static pthread_key_t TheKey;
  static const bool Made = pthread_key_create(&TheKey, dropSignalStack) == 0;
  Key = TheKey;
  return Made;
}

/// Gives the calling OS thread a stack for signal handlers if it has none.
bool provideSignalStack() {
  stack_t Now{};
  if (sigaltstack(nullptr, &Now) != 0)
    return false;
  if (!(Now.ss_flags & SS_DISABLE))
    return true;
  pthread_key_t Key;
  if (!signalStackKey(Key))
    return false;
  void *Memory = mmap(nullptr, SignalStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    return false;
  stack_t New{};
  New.ss_sp = Memory;
  New.ss_size = SignalStackBytes;
  if (pthread_setspecific(Key, Memory) == 0 && sigaltstack(&New, nullptr) == 0)
    return true;
  pthread_setspecific(Key, nullptr);
  munmap(Memory, SignalStackBytes);
  return false;
}

/// The words and the code of each kind.
struct KindRow {
  StatusCode Code;
  const char *Words;
};
const KindRow Kinds[] = {
    {StatusCode::Trap, "hit a trap"},
    {StatusCode::Assertion, "failed an assertion"},
    {StatusCode::IllegalAddress, "accessed an illegal address"},
    {StatusCode::Misaligned, "accessed a misaligned address"},
    {StatusCode::StackOverflow, "ran out of stack"},
    {StatusCode::Stuck, "is stuck in a loop that never ends"},
    {StatusCode::OutOfMemory, "has no memory for the stacks of its threads"},
};

std::string describe(Dim3 At) {
  return "(" + std::to_string(At.X) + "," + std::to_string(At.Y) + "," +
         std::to_string(At.Z) + ")";
}

} // namespace

RunningCode::RunningCode(Fault &Died, const ThreadScheduler *Threads)
    : Died(Died), Threads(Threads), Outer(std::exchange(Running, this)) {}

RunningCode::~RunningCode() { Running = Outer; }

RunningCode *RunningCode::current() { return Running; }

BM_SWITCHES void giveUp(Fault What) {
  RunningCode *R = Running;
  R->Died = std::move(What);
  R->GivenUp = true;
  bm_resume_resting(std::exchange(R->Below, nullptr));
}

void giveUpForMemory() {
  Fault Died;
  Died.Kind = FaultKind::Given;
  Died.Why = Status(StatusCode::OutOfMemory, "out of memory");
  giveUp(std::move(Died));
}

bool claimFaults() {
  static std::mutex Lock;
  if (!provideSignalStack())
    return false;
  std::lock_guard<std::mutex> Guard(Lock);
  for (size_t Slot = 0; Slot < SignalCount; ++Slot) {
    struct sigaction Now{};
    if (sigaction(Signals[Slot], nullptr, &Now) != 0 ||
        ((Now.sa_flags & SA_SIGINFO) && Now.sa_sigaction == onSignal))
      continue;
    auto *Kept = new (std::nothrow) Earlier{Now, EarlierActions[Slot]};
    if (!Kept)
      return false;
    EarlierActions[Slot] = Kept;
    struct sigaction Ours{};
    Ours.sa_sigaction = onSignal;
    Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&Ours.sa_mask);
    sigaction(Signals[Slot], &Ours, nullptr);
  }
  return true;
}

Status faultStatus(const Fault &What, const FaultPlace &Where) {
  if (What.Kind == FaultKind::Given)
    return What.Why;
  const KindRow &Row = Kinds[size_t(What.Kind)];
  std::string Text = "kernel '" + Where.Kernel + "' ";
  if (!What.Words.empty())
    Text += What.Words;
  else
    Text += What.Usual ? What.Usual : Row.Words;
  if (What.Address != Fault::UnknownAddress) {
    char Digits[32];
    snprintf(Digits, sizeof(Digits), " 0x%llx",
             static_cast<unsigned long long>(What.Address));
    Text += Digits;
  }
  Text += ": block " + describe(Where.BlockIndex) + Where.BlockName;
  if (What.Thread != Fault::UnknownThread)
    Text += ", thread " + describe(blockOf(What.Thread, Where.BlockShape));
  if (What.Site < Where.Sites.size() && !Where.Sites[What.Site].empty())
    Text += ", at " + Where.Sites[What.Site];
  return Status(Row.Code, std::move(Text));
}

extern "C" BM_SWITCHES void bm_fault(BlockContext *, uint32_t Thread,
                                     uint32_t Kind, uint32_t Site) {
  Fault What;
  What.Kind = FaultKind(Kind);
  What.Thread = Thread;
  What.Site = Site;
  giveUp(std::move(What));
}

} // namespace blockmaestro
