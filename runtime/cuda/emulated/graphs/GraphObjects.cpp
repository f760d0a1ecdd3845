// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphObjects.h"

#include "GraphState.h"

namespace blockmaestro::emulated {

UserObject::UserObject(void *Pointer, cudaHostFn_t Destroy, unsigned References)
    : Pointer(Pointer), Destroy(Destroy), References(References) {
  graphState().Handles.add(this);
}

UserObject::~UserObject() { graphState().Handles.remove(this); }

bool UserObject::release(unsigned Count) {
  uint64_t Before = References.load();
  do {
    if (Before < Count)
      return false;
  } while (!References.compare_exchange_weak(Before, Before - Count));
  if (Before == Count) {
    Destroy(Pointer);
    delete this;
  }
  return true;
}

ObjectReferences::ObjectReferences(const ObjectReferences &Other)
    : Held(Other.Held) {
  for (auto &[Object, Count] : Held)
    Object->retain(Count);
}

ObjectReferences::~ObjectReferences() {
  for (auto &[Object, Count] : Held)
    Object->release(Count);
}

bool ObjectReferences::yield(UserObject &Object, unsigned Count) {
  auto Found = Held.find(&Object);
  if (Found == Held.end() || Found->second < Count)
    return false;
  Found->second -= Count;
  if (Found->second == 0)
    Held.erase(Found);
  return true;
}

} // namespace blockmaestro::emulated
