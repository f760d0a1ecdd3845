// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: everything a program registers before and while it runs: the
// records its objects carry, its fat binaries, and which host stub stands for
// which kernel.
// On the data's way: Metadata bytes -> Registry -> kernels that launches name.
// Invariants:
//  - A kernel found once keeps its address; launches cache it.
//  - Two sources may define kernels of one internal name. Which of them a
//    launch means cannot be told, so such a kernel counts as unknown.
//  - A record that cannot be read is left out, with its reason kept.
// Ownership: owns records and modules; they live as long as the process.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_REGISTRY_H
#define BLOCKMAESTRO_RUNTIME_CUDA_REGISTRY_H

#include "Device.h"
#include "blockmaestro/Metadata.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace blockmaestro {

/// A kernel a launch can name.
struct Kernel {
  const KernelRecord *Record = nullptr;
  size_t Object = 0;      ///< The object it comes from, by number.
  bool Ambiguous = false; ///< Two objects have their own of this name.
  std::vector<GlobalRecord> Globals; ///< Those its footprint is rooted at.
  bool GlobalsKnown = false;         ///< Kept by the front end, its lock.
};

class Registry {
public:
  /// Reads what an object carries; a failure is remembered in problems().
  void addRecords(const uint8_t *Data, size_t Bytes);

  /// A fat binary begins; functions and variables follow until endModule().
  RegisteredModule *beginModule(void *FatBinary);
  void addFunction(RegisteredModule *Module, RegisteredFunction Function);
  void addVariable(RegisteredModule *Module, RegisteredVariable Variable);
  void endModule(RegisteredModule *Module);

  /// Null when no record handed out names the kernel, or two objects have
  /// kernels of their own of this name.
  Kernel *bySymbol(const std::string &Symbol);
  Kernel *byStub(const void *Stub);
  /// What to call a kernel in messages: its name, else its symbol.
  std::string nameOf(const void *Stub);

  /// Calls back for what has come since the last time: of every object and
  /// source the record of the newest architecture up to Newest, then every
  /// whole module. Kernels can be found from then on.
  void takeNew(unsigned Newest,
               const std::function<void(const ModuleRecord &)> &OnRecord,
               const std::function<void(const RegisteredModule &)> &OnModule);

  /// Records that could not be read.
  std::vector<std::string> problems() const;

  /// The program registered something it cannot run without and we cannot give.
  void refuse(const std::string &Why);
  /// Empty, or why the program cannot run.
  std::string refusal() const;

private:
  struct ObjectRecord {
    ModuleRecord Record;
    size_t Object = 0;
  };
  void addKernels(const ObjectRecord &From);
  std::vector<const ObjectRecord *> chooseNew(unsigned Newest);

  mutable std::mutex Lock;
  std::deque<ObjectRecord> Records;
  size_t Objects = 0;
  size_t RecordsTaken = 0;
  std::deque<RegisteredModule> Modules;
  std::vector<const RegisteredModule *> Ended;
  size_t ModulesTaken = 0;
  std::map<std::string, Kernel> Kernels;
  std::map<const void *, std::string> Stubs;
  std::vector<std::string> Problems;
  std::string Refusal;
};

} // namespace blockmaestro

#endif
