// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which values and branches of a thread's code are the same for all
// threads of a block that get there together; LLVM's uniformity analysis with
// this device's own sources of divergence.
// On the data's way: asked by RegionPlan about a body whose barriers have been
// split off.
// Invariants: what is read from memory, other than launch constants, counts as
// divergent: another thread or block may write it at any time.
// Threads: one module; valid until the body changes.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_UNIFORMITY_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_UNIFORMITY_H

#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
class Value;
} // namespace llvm

namespace blockmaestro {

class LaunchConstants;

class Uniformity {
public:
  Uniformity(llvm::Function &Body, const LaunchConstants &Constants);
  ~Uniformity();

  bool isUniform(const llvm::Value &V) const;
  /// Whether threads that reach the end of \p Block together go on together.
  bool branchesUniformly(const llvm::BasicBlock &Block) const;
  const llvm::LoopInfo &loops() const;

private:
  struct Analyses;
  std::unique_ptr<Analyses> Found;
};

} // namespace blockmaestro

#endif
