// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host compiler of the emulator: optimises a module for this
// processor, compiles and links it into the process (LLVM ORC).
// On the data's way: last step of compiling a kernel.
// Invariants: compiled code can reach nothing but other compiled code and the
// functions of HostCalls. Ownership: owns all compiled code and device globals.
// Threads: compile() any; otherwise one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_COMPILER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_COMPILER_H

#include "blockmaestro/Status.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace llvm {
class Error;
class Module;
class TargetMachine;
namespace orc {
class JITTargetMachineBuilder;
class LLJIT;
} // namespace orc
} // namespace llvm

namespace blockmaestro {

class Compiler {
public:
  static Result<std::unique_ptr<Compiler>> create();
  ~Compiler();

  const llvm::TargetMachine &target() const { return *Target; }
  /// The processor that code is made for, and by what, in words.
  std::string description() const;

  using Optimized = std::function<void(llvm::Module &)>;
  /// Makes an object of \p M. Where \p Late is given, M is code: the -O3
  /// pipeline runs over it, then Late. Any number at the same time.
  Result<std::string> compile(llvm::Module &M, const Optimized &Late) const;
  /// Links \p Object; its references are looked for when it is looked up.
  Status add(const std::string &Object);
  Result<uint64_t> lookup(const std::string &Name);

private:
  using TargetBuilder = llvm::orc::JITTargetMachineBuilder;

  Compiler(std::unique_ptr<llvm::orc::LLJIT> Jit,
           std::unique_ptr<TargetBuilder> Builder,
           std::unique_ptr<llvm::TargetMachine> Target);

  Status failure(llvm::Error Why);

  std::unique_ptr<llvm::orc::LLJIT> Jit;
  std::unique_ptr<TargetBuilder> Builder;
  std::unique_ptr<llvm::TargetMachine> Target;
  std::string Reported; ///< What the linker said since the last failure.
};

} // namespace blockmaestro

#endif
