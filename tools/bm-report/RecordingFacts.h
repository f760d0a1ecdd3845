// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the parts of a report share of one recording: its kernels,
// reasons, sums, forms and motifs, and the numbers by which tables refer to
// them.
// On the data's way: made once from a recording and the records of its program;
// read by all that writes a report.
// Invariants: kernels and reasons are numbered from 0 in the order of first
// use. A reason is a text and the kernel that is its cause, -1 where that is
// not known.
// Ownership: refers to the recording and the records, which outlive it.
// Threads: immutable once built.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_RECORDINGFACTS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_RECORDINGFACTS_H

#include "LaunchSums.h"
#include "Motifs.h"
#include "Numbered.h"
#include "ProgramRecords.h"
#include "RelationForms.h"

#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

using ReasonOfKernel = std::pair<std::string, int64_t>;

struct RecordingFacts {
  RecordingFacts(const Recording &What, const ProgramRecords &Program);

  const Recording &What;
  const ProgramRecords &Program;
  std::vector<LaunchSum> Sums;
  RelationForms Forms;
  Numbered<std::string> KernelNames;
  std::vector<int64_t> KernelOf;          ///< Of each launch.
  std::vector<FoundKernel> KernelRecords; ///< Of each kernel.
  Numbered<ReasonOfKernel> Reasons;
  std::vector<int64_t> RelationReasons;     ///< -1 where there is none.
  std::vector<int64_t> CopyRelationReasons; ///< Likewise.
  Numbered<std::vector<int64_t>> ReasonSets;
  std::vector<int64_t> ReasonSetOf; ///< Of each launch.
  Numbered<std::string> Calls;
  std::vector<MotifNode> Motifs;
  std::vector<uint32_t> Positions; ///< Of each launch, a node.
  /// Of each launch the first of the relations, copies and barriers that are
  /// its own, and one past the last behind the last launch.
  std::vector<size_t> RelationsFrom, CopiesFrom, BarriersFrom;

  /// The first access of the kernel that is not exact for the reason; null
  /// where it is not known.
  const Access *accessOf(const ReasonOfKernel &Why) const;

private:
  void numberKernels();
  void numberReasons();
  int64_t reasonOf(const RecordedRelation &R);
  void findOwn();
  void findMotifsOf();
  std::vector<int64_t> kindOf(const RecordedLaunch &L);
};

} // namespace blockmaestro

#endif
