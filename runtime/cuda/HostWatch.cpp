// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostWatch.h"

#include <csignal>
#include <system_error>
#include <utility>

namespace blockmaestro {

/// Signals are for the program's own threads. Where the system has no thread to
/// give, the program has to call.
void HostWatch::notify() {
  Told.store(Told.load(std::memory_order_relaxed) + 1,
             std::memory_order_relaxed);
  if (!Awake)
    Changed.notify_one();
  if (Thread.joinable() || Stopping)
    return;
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  try {
    Thread = std::thread(&HostWatch::run, this);
  } catch (const std::system_error &) {
    Stopping = true;
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

void HostWatch::stop() {
  {
    std::scoped_lock Both(Lock, PauseLock);
    Stopping = true;
  }
  Changed.notify_all();
  Stopped.notify_all();
  if (Thread.joinable())
    Thread.join();
}

/// Waits as long as the program may make no call; false: stop.
bool HostWatch::pause() {
  std::unique_lock<std::mutex> Guard(PauseLock);
  return !Stopped.wait_for(Guard, Patience, [this] { return Stopping.load(); });
}

/// Whether there was something, or is by now: a call under way that held
/// something new had the lock.
bool HostWatch::release(uint64_t Last) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Stopping || !Held())
    return false;
  if (Told != Last)
    return true;
  Release();
  Patience = Later;
  return true;
}

/// Until nothing has been held back for a while: who holds things back again
/// and again pays for no wake-up.
void HostWatch::look() {
  constexpr unsigned QuietLooks = 20;
  uint64_t Last = Told;
  for (unsigned Quiet = 0; Quiet < QuietLooks && pause();) {
    const uint64_t Now = Told;
    const bool New = std::exchange(Last, Now) != Now;
    Quiet = New || release(Now) ? 0 : Quiet + 1;
  }
}

void HostWatch::run() {
  std::unique_lock<std::mutex> Guard(Lock);
  while (!Stopping) {
    Changed.wait(Guard, [this] { return Stopping || Held(); });
    Awake = true;
    Guard.unlock();
    look();
    Guard.lock();
    Awake = false;
  }
}

} // namespace blockmaestro
