// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostClock.h"

#include <chrono>

namespace blockmaestro {
namespace {

uint64_t nowNs() {
  return uint64_t(std::chrono::nanoseconds(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

uint32_t nextThread() {
  static std::atomic<uint32_t> Count{0};
  return Count++;
}

/// Without destructors: static destructors make calls after a thread's own ran.
thread_local TimeBetweenCalls Mine;

} // namespace

HostTime HostClock::now() {
  thread_local const uint32_t Thread = nextThread();
  return {Thread, Mine.ns(nowNs())};
}

void HostClock::Call::begin() {
  Mine.begin(nowNs());
  Begun = true;
}

void HostClock::Call::end() { Mine.end(nowNs(), Begun); }

} // namespace blockmaestro
