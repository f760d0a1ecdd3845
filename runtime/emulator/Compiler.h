// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host compiler of the emulator: optimises a module for this
// processor, compiles and links it into the process (LLVM ORC).
// On the data's way: last step of compiling a kernel.
// Invariants: compiled code can reach nothing but other compiled code and the
// functions of HostCalls. Ownership: owns all compiled code and device globals.
// Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_COMPILER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_COMPILER_H

#include "blockmaestro/Status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class Error;
class LLVMContext;
class Module;
class TargetMachine;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace blockmaestro {

class Compiler {
public:
  static Result<std::unique_ptr<Compiler>> create();
  ~Compiler();

  const llvm::TargetMachine &target() const { return *Target; }
  /// Runs the -O3 pipeline over \p M.
  void optimize(llvm::Module &M);
  /// Links \p M; the code is made when it is first looked up.
  Status add(std::unique_ptr<llvm::Module> M,
             std::unique_ptr<llvm::LLVMContext> Context);
  Result<uint64_t> lookup(const std::string &Name);

private:
  Compiler(std::unique_ptr<llvm::orc::LLJIT> Jit,
           std::unique_ptr<llvm::TargetMachine> Target);

  Status failure(llvm::Error Why);

  std::unique_ptr<llvm::orc::LLJIT> Jit;
  std::unique_ptr<llvm::TargetMachine> Target;
  std::string Reported; ///< What the linker said since the last failure.
};

} // namespace blockmaestro

#endif
