// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the front end: turns a program's calls into launches with their
// relations, in the order issued, and keeps what the relations rest on (the
// memory map and the window of launches in flight).
// On the data's way: Launch -> Window -> recording and executor. See
// docs/runtime.md.
// Invariants:
//  - A launch no executor accepts goes to the device's own cudaLaunchKernel
//    behind a fence, and nothing is related to anything before it.
//  - Launches of one stream are related to each other; a launch on another
//    stream than the one before comes behind a fence.
//  - The first failure of an executor or of the device's own work is what every
//    later call returns, until reset().
//  - A launch that needs no relations, because nobody asks for them, goes to
//  the
//    device without the lock.
// Ownership: the device, the registry and the notes outlive it.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_RUNTIME_H
#define BLOCKMAESTRO_RUNTIME_CUDA_RUNTIME_H

#include "Allocations.h"
#include "Declarations.h"
#include "Device.h"
#include "Notes.h"
#include "Options.h"
#include "Registry.h"
#include "Window.h"
#include "Writer.h"

#include <memory>
#include <mutex>
#include <string>

namespace blockmaestro {

/// A launch as the program asked for it.
struct LaunchRequest {
  Kernel *Known = nullptr; ///< Null when no record names it.
  const void *Stub = nullptr;
  dim3 Grid;
  dim3 Block;
  void **Args = nullptr;
  size_t SharedBytes = 0;
  cudaStream_t Stream = nullptr;
};

class Runtime {
public:
  Runtime(Device &Target, Registry &Registered, Notes &Reasons,
          const Options &Asked);

  /// Opens the recording and makes the executor. Nothing else before it.
  Status start(const std::string &Program);

  /// Hands the device what was registered since the last time.
  void takeRegistered();

  const RuntimeCalls &calls() const { return Target.calls(); }

  /// A launch site has named the kernel that Stub stands for.
  void learn(const void *Stub, const Kernel &Known);
  cudaError_t launch(const LaunchRequest &What);
  /// A launch with attributes, which no executor takes.
  cudaError_t launchPlain(const cudaLaunchConfig_t *Config, const void *Stub,
                          void **Args);

  /// Everything launched comes before the device work the caller issues next.
  cudaError_t fence(const char *What);
  /// Everything launched has completed.
  cudaError_t drain(const char *What);
  cudaError_t failure();

  void allocated(void *Address, size_t Bytes);
  /// Drains, and forgets the allocation that starts at Address.
  cudaError_t releasing(const char *What, void *Address);
  /// The same for memory that goes away in stream order: fences.
  cudaError_t retiring(const char *What, void *Address);
  /// Drains, forgets all memory and the failure, and makes the executor anew
  /// around the device's own reset.
  cudaError_t reset(const char *What);

  /// Drains and closes the recording; launches fail from then on.
  Status finish();

private:
  using Guard = std::unique_lock<std::mutex>;

  Status makeExecutor();
  cudaError_t settle(const char *What, Status (Executor::*How)());
  cudaError_t passThrough(const LaunchRequest &What, const std::string &Why);
  cudaError_t submit(std::shared_ptr<const Launch> What, cudaStream_t Stream,
                     const Declaration *Declared);
  Admission admit(const Launch &What, cudaStream_t Stream,
                  const Declaration *Declared, bool WithImplied);
  void explain(const Launch &What, const Admission &Entry);
  void record(const Launch &What, const Admission &Entry);
  void learnGlobals(Kernel &Known);
  cudaError_t failed(const Status &Why);
  cudaError_t known();

  Device &Target;
  Registry &Registered;
  Notes &Reasons;
  const Options Asked;

  std::mutex Lock;
  AllocationMap Memory;
  Window InFlight;
  std::unique_ptr<RecordingWriter> Recorder;
  std::unique_ptr<Executor> Runs;
  uint64_t NextId = 0;
  cudaStream_t LastStream = nullptr;
  cudaError_t Failure = cudaSuccess;
  bool Finished = false;
};

} // namespace blockmaestro

#endif
