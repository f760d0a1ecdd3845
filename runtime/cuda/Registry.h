// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: everything a program registers before and while it runs: the
// records its objects carry, its fat binaries, and which host stub stands for
// which kernel.
// On the data's way: Metadata bytes -> Registry -> kernels that launches name.
// Invariants:
//  - A kernel found once keeps its address; launches cache it.
//  - Two objects may each have a kernel of one name; a launch says which it
//    means by the address of its object's records, and a fat binary is that of
//    the object registered right before it. Where neither is known and the
//    name is an internal one of two objects, the kernel counts as unknown.
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
#include <thread>
#include <utility>
#include <vector>

namespace blockmaestro {

/// A kernel a launch can name.
struct Kernel {
  const KernelRecord *Record = nullptr;
  const ModuleRecord *Module = nullptr; ///< Record is in it.
  std::vector<GlobalRecord> Globals;    ///< Those its footprint is rooted at.
  bool GlobalsKnown = false;            ///< Kept by the front end, its lock.
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

  /// The kernel of the object whose records are at Records, or of the only one
  /// that has it. Null when no record handed out names the kernel, or it cannot
  /// be told which of several it is.
  Kernel *find(const void *Records, const std::string &Symbol);
  Kernel *byStub(const void *Stub);
  /// What to call a kernel in messages and recordings.
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
  struct Stub {
    std::string Symbol;
    size_t Object = 0;
  };
  /// What is registered right before the fat binary it belongs to.
  struct Announced {
    std::thread::id By;
    size_t Object = 0;
  };
  size_t addObject(const uint8_t *Data, size_t Bytes);
  size_t objectOf(const RegisteredModule &Module) const;
  Kernel *findIn(size_t Object, const std::string &Symbol);
  void addKernels(const ObjectRecord &From);
  std::vector<const ObjectRecord *> chooseNew(unsigned Newest);

  mutable std::mutex Lock;
  std::deque<ObjectRecord> Records;
  size_t Objects = 0;                      ///< So many, from 1 on; 0 is none.
  std::map<const void *, size_t> ObjectOf; ///< By the address of its records.
  std::map<size_t, const ModuleRecord *> Chosen; ///< By object.
  Announced Next;
  size_t RecordsTaken = 0;
  std::deque<RegisteredModule> Modules;
  std::vector<RegisteredModule *> Ended;
  size_t ModulesTaken = 0;
  std::map<const RegisteredModule *, size_t> ModuleObjects;
  std::map<std::pair<size_t, std::string>, Kernel> Kernels;
  std::map<std::string, Kernel *> Only; ///< Null: one of several.
  std::map<const void *, Stub> Stubs;
  std::vector<std::string> Problems;
  std::string Refusal;
};

} // namespace blockmaestro

#endif
