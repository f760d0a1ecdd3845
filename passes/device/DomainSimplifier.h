// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the only user of isl at compile time: removes from a domain what
// follows from the rest of it, and finds domains that are empty.
// On the data's way: the last step before an access is final.
// Invariants: the set of points of a domain does not change, see Note [Relax];
// isl's work is bounded, for a question and for all questions of a kernel, and
// where it gives up the domain stays as it is.
// Ownership: owns its isl context. Threads: one.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_DOMAINSIMPLIFIER_H
#define BLOCKMAESTRO_PASSES_DEVICE_DOMAINSIMPLIFIER_H

#include "Limits.h"

#include "blockmaestro/Footprint.h"

#include <map>
#include <optional>
#include <vector>

struct isl_basic_set;
struct isl_ctx;
struct isl_set;

namespace blockmaestro {

/// What is known of the counters in a domain. Any: the first iteration of a
/// loop runs whatever its extent is. Applied: that iteration is a domain of its
/// own, so where a counter is mentioned its loop's condition holds.
enum class Iterations { Any, Applied };

class DomainSimplifier {
public:
  DomainSimplifier();
  ~DomainSimplifier();
  DomainSimplifier(const DomainSimplifier &) = delete;
  DomainSimplifier &operator=(const DomainSimplifier &) = delete;

  /// Removes implied constraints from A's domain; what is known of the symbols
  /// in A is in F and must not change between calls. Returns false when no
  /// point is left: the access never happens.
  bool simplify(Access &A, const Footprint &F, Iterations Loops);

  /// Constraints that hold together exactly where one of Any does, in any
  /// launch. None where there are none among those of Any, or isl gave up.
  std::optional<std::vector<Constraint>>
  merged(const std::vector<std::vector<Constraint>> &Any, const Footprint &F);

  /// Whether Value >= 0 is known to hold on A's domain.
  bool implies(const Access &A, const Polynomial &Value, const Footprint &F,
               Iterations Loops);

private:
  bool provenEmpty(isl_basic_set *Set);
  bool provenEmpty(isl_set *Set);

  isl_ctx *Context;
  Budget Effort{MaxCoefficients};
  /// What simplify made of each domain; none where no point is left.
  std::map<std::vector<int64_t>, std::optional<std::vector<Constraint>>> Done;
};

} // namespace blockmaestro

#endif
