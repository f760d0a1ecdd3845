// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: user objects: things of the program that graphs keep alive, and
// the references that do it.
// Invariants: the destructor runs once, when the last reference goes, whoever
// held it. Ownership: counted; there is no other.
// Threads: any; the counts are atomic.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHOBJECTS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHOBJECTS_H

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <map>

namespace blockmaestro::emulated {

class UserObject {
public:
  UserObject(void *Pointer, cudaHostFn_t Destroy, unsigned References);
  ~UserObject();

  void retain(unsigned Count) { References += Count; }
  /// False when there are not as many; calls the destructor, and the object is
  /// gone, when they were the last.
  bool release(unsigned Count);

private:
  void *const Pointer;
  const cudaHostFn_t Destroy;
  std::atomic<uint64_t> References;
};

/// References to objects, given up when it is destroyed. A copy retains anew.
class ObjectReferences {
public:
  ObjectReferences() = default;
  ObjectReferences(const ObjectReferences &Other);
  ObjectReferences &operator=(const ObjectReferences &) = delete;
  ~ObjectReferences();

  bool empty() const { return Held.empty(); }
  /// Takes over references that the caller holds.
  void adopt(UserObject &Object, unsigned Count) { Held[&Object] += Count; }
  /// Hands references back to the caller; false when fewer are held here.
  bool yield(UserObject &Object, unsigned Count);

private:
  std::map<UserObject *, unsigned> Held;
};

} // namespace blockmaestro::emulated

#endif
