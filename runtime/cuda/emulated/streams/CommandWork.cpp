// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandWork.h"

#include "Copies.h"
#include "Launches.h"

namespace blockmaestro::emulated {
namespace {

/// The engine's work for each kind of command.
struct MakeWork {
  Work &Out;

  cudaError_t operator()(const LaunchCommand &From) const {
    Out.Blocks = From.What;
    return checkLaunch(*From.What);
  }
  cudaError_t operator()(const CopyCommand &From) const {
    return workOf(From, Out);
  }
  cudaError_t operator()(const FillCommand &From) const {
    return workOf(From, Out);
  }
  cudaError_t operator()(const HostCommand &From) const {
    Out.Host = [From] { From.Function(From.UserData); };
    return cudaSuccess;
  }
  cudaError_t operator()(const LibraryCommand &From) const {
    Out.Short = workOf(From);
    return cudaSuccess;
  }
  /// Everything else is a mark in the order: an address of a graph stays what
  /// it is between launches.
  template <typename T> cudaError_t operator()(const T &) const {
    return cudaSuccess;
  }
};

} // namespace

cudaError_t engineWork(const Command &From, Work &Out) {
  return std::visit(MakeWork{Out}, From);
}

} // namespace blockmaestro::emulated
