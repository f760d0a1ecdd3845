// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the real runtime knows each kernel and its variants by.
// On the data's way: filled as the program registers, read at every launch.
// Invariants: a kernel's own key is its host stub; variants have no stub, so
// they are registered, in the fat binary of their kernel, under addresses that
// this table owns.
// Ownership: records and modules outlive it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CUDAKERNELS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CUDAKERNELS_H

#include "CudaLibrary.h"
#include "GpuPort.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

/// What cudaLaunchKernel takes for a kernel; null where there is no such form.
using KernelKey = const void *;

struct KernelKeys {
  KernelKey Plain = nullptr;
  KernelKey Pdl = nullptr;
  KernelKey Prelaunch = nullptr;
  KernelKey Timed = nullptr;
  KernelKey Persistent = nullptr;
  uint64_t Module = 0; ///< Shared by kernels of one persistent entry.

  KernelKey of(KernelVariant Form) const;
};

class CudaKernels {
public:
  explicit CudaKernels(const RegistrationCalls &Real) : Real(Real) {}

  void addModule(const RegisteredModule &Module);
  void removeModule(const RegisteredModule &Module);

  /// Null when no module has named the kernel.
  const KernelKeys *find(const KernelRecord &Kernel) const;
  /// The host variable that stands for a device variable of Of's module, or
  /// null. What relocatable code keeps to itself the host cannot name, even
  /// where another file has a variable of that name.
  const void *variable(const GlobalRecord &Global,
                       const ModuleRecord &Of) const;

private:
  struct Entry {
    std::string Symbol;
    bool Registered = false;
  };
  struct Known {
    KernelKeys Keys;
    std::string PdlSymbol;
    std::string PrelaunchSymbol;
    std::string TimedSymbol;
    Entry *PersistentEntry = nullptr; ///< Shared by the module's kernels.
  };

  void addRecord(const ModuleRecord &Record);
  void nameKernel(const RegisteredFunction &Function, void **Handle);
  KernelKey registerForm(void **Handle, const std::string &Symbol);
  void registerVariants(void **Handle, Known &Kernel);
  void registerFunction(void **Handle, KernelKey Key, const std::string &Symbol,
                        int ThreadLimit);

  const RegistrationCalls &Real;
  std::map<const KernelRecord *, Known> Kernels;
  std::vector<std::unique_ptr<Entry>> Entries;
  std::vector<std::unique_ptr<char>> PrivateKeys;
  /// By symbol and module.
  std::map<std::pair<const ModuleRecord *, std::string>, const void *>
      Variables;
  std::map<const RegisteredModule *, void **> Handles;
};

} // namespace blockmaestro

#endif
