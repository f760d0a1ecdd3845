// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: everything a program registers before and while it runs: the
// records its objects carry, its fat binaries, and which host stub stands for
// which kernel.
// On the data's way: Metadata bytes -> Registry -> kernels that launches name.
// Invariants:
//  - The host stub is a kernel's one identity, as it is CUDA's: launches,
//    executors and devices all ask the registry what it stands for.
//  - A fat binary is of the object whose records were registered right before
//    it, or else of those objects of relocatable device code whose records are
//    registered as its variables.
//  - Where several fat binaries have registered one stub, it is not known which
//    of them CUDA runs. Its kernel is that of the first that has a record, in
//    doubt unless all have the same code.
//  - The globals of footprints are named by module from the start: files may
//    each have a variable of one name.
//  - A record that cannot be read is left out, with its reason kept.
// Ownership: owns records and modules; they live as long as the process.
// Threads: any; one lock. Kernels change only in takeNew() and removeModule(),
// which the front end calls under its own lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_REGISTRY_H
#define BLOCKMAESTRO_RUNTIME_CUDA_REGISTRY_H

#include "Device.h"
#include "LinkedCode.h"
#include "blockmaestro/Metadata.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace blockmaestro {

/// A device variable that a footprint is rooted at.
struct KernelGlobal {
  GlobalRecord What;
  std::string Name; ///< In the footprint.
};

/// What a host stub stands for.
struct Kernel {
  const KernelRecord *Record = nullptr; ///< Null when no record names it.
  const ModuleRecord *Module = nullptr; ///< Record is in it.
  /// Why the record may not be that of the code that runs, or why there is
  /// none; empty when the record can be used.
  std::string Doubt;
  std::vector<KernelGlobal> Globals;
  bool GlobalsKnown = false; ///< Kept by the front end, its lock.

  bool usable() const { return Record && Doubt.empty(); }
};

class Registry {
public:
  /// Reads what an object carries; a failure is remembered in problems().
  void addRecords(const uint8_t *Data, size_t Bytes);
  /// The same; the fat binary that this thread begins next is the object's.
  void addRecordsOfNext(const uint8_t *Data, size_t Bytes);

  /// A fat binary begins; functions and variables follow until endModule().
  RegisteredModule *beginModule(void *FatBinary);
  void addFunction(RegisteredModule *Module, RegisteredFunction Function);
  void addVariable(RegisteredModule *Module, RegisteredVariable Variable);
  void endModule(RegisteredModule *Module);

  /// What Stub stands for; null when no fat binary has registered it. The
  /// kernel keeps its address.
  Kernel *byStub(const void *Stub);
  /// What to call a kernel in messages and recordings; Symbol when no fat
  /// binary has registered it, or no kernel where that is empty.
  std::string nameOf(const void *Stub, const std::string &Symbol = "");

  /// How many 32-bit registers a thread of the kernel has where the machine
  /// code runs that its fat binary has for the target; 0 where that is not
  /// known.
  uint32_t registersOf(const void *Stub);

  using OnModule = std::function<void(const RegisteredModule &)>;
  /// The record is null where the stub stands for nothing that is known.
  using OnKernel = std::function<void(const void *Stub, const KernelRecord *)>;

  /// Calls back for every whole module that has come since the last time, with
  /// the records of the code that Target runs, and then for every stub that
  /// stands for something else than before.
  void takeNew(const CodeTarget &Target, const OnModule &Came,
               const OnKernel &Changed);
  /// Module is gone; its stubs may stand for kernels of others now.
  void removeModule(RegisteredModule *Module, const OnKernel &Changed);

  /// The files, each once, whose fat binary did not come behind their records:
  /// another CUDA runtime of the process has it.
  std::vector<std::string> takeUnclaimed();

  /// Records that could not be read.
  std::vector<std::string> problems() const;

  /// The program registered something it cannot run without and we cannot give.
  void refuse(const std::string &Why);
  /// Empty, or why the program cannot run.
  std::string refusal() const;

private:
  /// What one object carries.
  struct Object {
    std::deque<ModuleRecord> Records;
    const void *Data = nullptr; ///< Where it has them.
    /// A part of a fat binary that is not gone.
    bool Loaded = false;
  };
  struct Module {
    RegisteredModule Known;
    Object *Own = nullptr;       ///< Null: relocatable device code.
    std::vector<Object *> Parts; ///< Linked of these, in the linker's order.
    bool Gone = false;           ///< The program has unregistered it.
  };
  /// A kernel that a fat binary has registered a stub for.
  struct Meaning {
    const RegisteredModule *In = nullptr;
    FoundKernel Found;
  };
  struct Stub {
    std::string Symbol;
    Kernel Means;
    std::vector<Meaning> Meanings; ///< In the order registered.
  };
  /// What is registered right before the fat binary it belongs to.
  struct Announced {
    std::thread::id By;
    Object *Of = nullptr;
  };

  Object *addObject(const uint8_t *Data, size_t Bytes);
  void noteUnclaimed();
  Object *objectAt(const void *Data);
  std::vector<const ModuleRecord *> recordsOf(const Module &M) const;
  void find(Module &M, const CodeTarget &Target);
  bool settle(Stub &Of);

  mutable std::mutex Lock;
  std::deque<Object> Objects;
  std::deque<Module> Modules;
  std::map<const RegisteredModule *, Module *> ModuleOf;
  std::vector<Module *> Ended;
  size_t ModulesTaken = 0;
  CodeTarget Target;       ///< Of the modules that have been taken.
  size_t RecordsNamed = 0; ///< For names of globals.
  Announced Next;
  std::vector<std::string> Unclaimed; ///< See takeUnclaimed().
  std::map<const void *, Stub> Stubs;
  std::map<const ModuleRecord *, std::string> Suffixes; ///< Of its globals.
  std::vector<std::string> Problems;
  std::string Refusal;
};

} // namespace blockmaestro

#endif
