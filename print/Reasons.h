// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every way in which an access can be less than exact: one row of
// a table each, so that dumps, remarks and documentation say the same.
// On the data's way: made by the device analysis, kept as text in
// Access::Reason, turned back into advice by the remarks.
// Threads: constant data.

#ifndef BLOCKMAESTRO_PRINT_REASONS_H
#define BLOCKMAESTRO_PRINT_REASONS_H

#include <string>

namespace blockmaestro {

enum class ReasonKind {
  // The offset is not known (Exactness::Allocation).
  IndexNotPolynomial,
  IndexLoaded,
  IndexDivided,
  IndexTooLarge,
  TripCountUnknown,
  SeveralPointers,
  SizeUnknown,
  ArgumentByCallee,
  // The pointer is not known (Exactness::Unknown).
  PointerLoaded,
  PointerFromInteger,
  PointerUnknown,
  PointerMoved,
  InlineAssembly,
  CallNotInlined,
  CodeReplaceable,
  CallIndirect,
  Descriptor,
  TasksInside,
  // The set is too large (Exactness::Bounded).
  GuardNotPolynomial,
  GuardAlternatives,
  LoopLeftEarly,
  LoopValueLeft,
  CasesTooMany,
  // Calls and library services.
  CallReaches,
  StringPrinted,
  DeviceHeap,
  // Anything, where the analysis comes to an end.
  KernelTooLarge,
};

struct ReasonText {
  ReasonKind Kind;
  const char *Name;      ///< Of the remark, and for developers.
  const char *Developer; ///< What the analysis met.
  const char *User;      ///< In words of CUDA; starts Access::Reason.
  const char *Advice;    ///< What the programmer may do about it.
};

/// A reason with what it was met at, in the program's words; Detail may be
/// empty.
struct Rejection {
  ReasonKind Kind = ReasonKind::IndexNotPolynomial;
  std::string Detail;
};

const ReasonText &reasonText(ReasonKind Kind);

/// The text kept in Access::Reason: the user text and, in brackets, the detail.
std::string toText(const Rejection &R);

/// The row whose user text Reason starts with, or null.
const ReasonText *findReason(const std::string &Reason);

} // namespace blockmaestro

#endif
