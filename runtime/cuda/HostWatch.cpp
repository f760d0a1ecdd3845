// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostWatch.h"

#include <csignal>
#include <system_error>

namespace blockmaestro {

/// Signals are for the program's own threads. Where the system has no thread to
/// give, the program has to call.
void HostWatch::notify() {
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
    std::lock_guard<std::mutex> Guard(Lock);
    Stopping = true;
  }
  Changed.notify_all();
  if (Thread.joinable())
    Thread.join();
}

/// Whoever holds things back again and again pays for no wake-up: the thread
/// looks by itself until nothing has been held for a while.
void HostWatch::run() {
  constexpr unsigned QuietLooks = 20;
  std::unique_lock<std::mutex> Guard(Lock);
  while (!Stopping) {
    Changed.wait(Guard, [this] { return Stopping || Held(); });
    Awake = true;
    std::optional<uint64_t> Last = Held();
    for (unsigned Quiet = 0; !Stopping && Quiet < QuietLooks;) {
      Changed.wait_for(Guard, Patience, [this] { return Stopping; });
      const std::optional<uint64_t> Newest = Held();
      Quiet = Newest ? 0 : Quiet + 1;
      if (!Stopping && Newest && Newest == Last) {
        Release();
        Patience = Later;
      }
      Last = Held();
    }
    Awake = false;
  }
}

} // namespace blockmaestro
