// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the distinct forms of a recording's relations: what a relation
// is but for its ends.
// On the data's way: from a recording to the forms of a report, which its
// relations, and launches that repeat each other, refer to by number.
// Invariants: numbered from 0 in the order of first use, launches' relations
// first. Two relations of one form have the same pattern and edges.
// Ownership: refers to relations of the recording, which outlives it. Threads:
// immutable once built.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_RELATIONFORMS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_RELATIONFORMS_H

#include "blockmaestro/Recording.h"

#include "llvm/Support/JSON.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

struct RelationForm {
  const RecordedRelation *First = nullptr; ///< One that has it.
  const char *Pattern = "";
  uint64_t Edges = 0;
  uint64_t Relations = 0; ///< That have it.
};

class RelationForms {
public:
  explicit RelationForms(const Recording &Of);

  /// Of Recording::Relations[Number], or of CopyRelations.
  uint32_t ofLaunches(size_t Number) const { return OfLaunches[Number]; }
  uint32_t ofCopies(size_t Number) const { return OfCopies[Number]; }

  const std::vector<RelationForm> &all() const { return Forms; }

  /// As a list of objects.
  void write(llvm::json::OStream &Out) const;

private:
  void writeForm(llvm::json::OStream &Out, const RelationForm &Form,
                 size_t &RunsLeft) const;

  const Recording &Of;
  std::vector<RelationForm> Forms;
  std::vector<uint32_t> OfLaunches, OfCopies;
};

} // namespace blockmaestro

#endif
