// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where an access is made at one launch: the indices it ranges
// over and its guards over them. Accesses side by side mostly stand under the
// same guards, and share one.
// On the data's way: inside Evaluate, between an access and its offset.
// Invariants: the points of the access are those of the box that meet the
// guards; more where dropped() or the indices' grown() say so. Ownership:
// refers to the footprint and the numbers. Threads: one.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_ACCESSDOMAIN_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_ACCESSDOMAIN_H

#include "IndexSpace.h"

namespace blockmaestro {

class AccessDomain {
public:
  /// Of one of the accesses of the kernel that At launches.
  AccessDomain(const Launch &At, const SymbolValues &Of, const Access &What);

  /// Whether it is that of the access, too.
  bool serves(const Access &Other) const;

  /// No point meets the guards.
  bool empty() const { return Empty; }
  const IndexSpace &indices() const { return Indices; }
  /// What of the guards the box does not say.
  const Guards &guards() const { return Conditions; }
  const IndexBox &box() const { return Box; }
  /// Why a guard was left out, or null.
  const char *dropped() const { return Dropped; }

private:
  bool use(const Affine &Value);
  void instantiate();

  const Access &What;
  IndexSpace Indices;
  Guards Conditions;
  IndexBox Box;
  const char *Dropped = nullptr;
  bool Empty = false;
};

bool same(const Polynomial &A, const Polynomial &B);
bool same(const Constraint &A, const Constraint &B);
/// Wherever they must hold.
bool same(const Assumption &A, const Assumption &B);

template <typename T>
bool same(const std::vector<T> &A, const std::vector<T> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const T &X, const T &Y) { return same(X, Y); });
}

} // namespace blockmaestro

#endif
