// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which works on a GPU are behind which, by streams, events and
// waits of the host: two that touch the same bytes, of which one writes them,
// and of which neither is behind the other, end the program.
// On the data's way: told by FakeRuntime.cpp. Kernels are those of
// test/gpu/orders.cu, and so it is asked for, by FAKE_CUDA_ORDERS; graphs are
// not looked at.
// Invariants: a stream's works are numbered; a clock has of each stream the
// number of works that are in front. The default stream and those that wait for
// it are behind each other.
// Threads: any.

#ifndef BLOCKMAESTRO_TEST_FAKECUDA_WORKORDER_H
#define BLOCKMAESTRO_TEST_FAKECUDA_WORKORDER_H

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <vector>

class WorkOrder {
public:
  void made(cudaStream_t Stream, unsigned Flags) {
    const std::lock_guard<std::mutex> Held(Lock);
    Clocks.erase(Stream);
    Numbers[Stream] = 0;
    if (Flags & cudaStreamNonBlocking)
      Free.insert(Stream);
    else
      Free.erase(Stream);
  }
  void recorded(cudaEvent_t Event, cudaStream_t Stream) {
    const std::lock_guard<std::mutex> Held(Lock);
    Events[Event] = next(Stream);
  }
  void waits(cudaStream_t Stream, cudaEvent_t Event) {
    const std::lock_guard<std::mutex> Held(Lock);
    add(Clocks[Stream], Events[Event]);
    (void)next(Stream);
  }
  /// The host has waited for all that is behind what the stream has been given.
  void waited(cudaStream_t Stream) {
    const std::lock_guard<std::mutex> Held(Lock);
    const Clock InFront = next(Stream);
    std::erase_if(Accesses,
                  [&](const Access &Each) { return isBehind(InFront, Each); });
  }
  void waitedForAll() {
    const std::lock_guard<std::mutex> Held(Lock);
    Accesses.clear();
  }

  void launch(void **Arguments, cudaStream_t Stream) {
    if (!IsAsked)
      return;
    const int Count = *static_cast<int *>(Arguments[2]);
    const int Shift = *static_cast<int *>(Arguments[3]);
    const auto *From = *static_cast<const unsigned **>(Arguments[0]);
    const auto *To = *static_cast<const unsigned **>(Arguments[1]);
    const std::lock_guard<std::mutex> Held(Lock);
    const Clock InFront = next(Stream);
    if (Shift < Count)
      touch(Stream, InFront, From + Shift, From + Count, false);
    touch(Stream, InFront, To, To + Count, true);
  }
  void copy(void *To, const void *From, size_t Bytes, cudaStream_t Stream) {
    const std::lock_guard<std::mutex> Held(Lock);
    const Clock InFront = next(Stream);
    touch(Stream, InFront, From, static_cast<const char *>(From) + Bytes,
          false);
    touch(Stream, InFront, To, static_cast<char *>(To) + Bytes, true);
  }
  void fill(void *To, size_t Bytes, cudaStream_t Stream) {
    const std::lock_guard<std::mutex> Held(Lock);
    touch(Stream, next(Stream), To, static_cast<char *>(To) + Bytes, true);
  }

private:
  using Clock = std::map<cudaStream_t, uint64_t>;
  struct Access {
    cudaStream_t Stream;
    uint64_t Number;
    const void *First, *End;
    bool Writes;
  };

  static void add(Clock &To, const Clock &Other) {
    for (const auto &[Stream, Number] : Other)
      To[Stream] = std::max(To[Stream], Number);
  }
  static bool isBehind(const Clock &InFront, const Access &What) {
    const auto Found = InFront.find(What.Stream);
    return Found != InFront.end() && Found->second >= What.Number;
  }
  bool waitsForDefault(cudaStream_t Stream) const {
    return Stream && Free.count(Stream) == 0;
  }

  /// What the stream is given next is behind this, itself included.
  Clock next(cudaStream_t Stream) {
    Clock &Mine = Clocks[Stream];
    for (const auto &[Other, Its] : Clocks)
      if (!Stream ? waitsForDefault(Other) : !Other && waitsForDefault(Stream))
        add(Mine, Its);
    Mine[Stream] = ++Numbers[Stream];
    return Mine;
  }
  void touch(cudaStream_t Stream, const Clock &InFront, const void *First,
             const void *End, bool Writes) {
    if (!IsAsked)
      return;
    for (const Access &Each : Accesses)
      if ((Writes || Each.Writes) && Each.First < End && First < Each.End &&
          !isBehind(InFront, Each)) {
        std::fprintf(stderr, "fake CUDA: works at %p are in no order\n", First);
        std::abort();
      }
    Accesses.push_back({Stream, InFront.at(Stream), First, End, Writes});
  }

  const bool IsAsked = std::getenv("FAKE_CUDA_ORDERS") != nullptr;
  std::mutex Lock;
  std::map<cudaStream_t, Clock> Clocks;
  std::map<cudaStream_t, uint64_t> Numbers; ///< Of works, ever.
  std::set<cudaStream_t> Free;              ///< They wait for no other.
  std::map<cudaEvent_t, Clock> Events;
  std::vector<Access> Accesses; ///< For which the host has not waited.
};

#endif
