// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reasons.h"

#include <iterator>

namespace blockmaestro {

namespace {

constexpr ReasonText Table[] = {
    {ReasonKind::IndexNotPolynomial, "IndexNotPolynomial",
     "a SCEV node that is no sum or product of symbols",
     "the index is not a sum of products of thread and block indices, "
     "arguments and loop counters",
     "compute the index with + - * from threadIdx, blockIdx and arguments"},
    {ReasonKind::IndexLoaded, "IndexLoaded", "a load inside the offset",
     "the index is itself read from memory",
     "pass the index as an argument, or accept that every block of this "
     "kernel may touch the whole array"},
    {ReasonKind::IndexDivided, "IndexDivided",
     "a division whose denominator is not known at launch",
     "the index is divided by a number that is not known at launch",
     "divide by constants, arguments and block or grid sizes only"},
    {ReasonKind::IndexTooLarge, "IndexTooLarge",
     "a coefficient outside 64 bits or too many terms",
     "the index has constants that do not fit 64 bits",
     "use smaller constants in the index"},
    {ReasonKind::TripCountUnknown, "TripCountUnknown",
     "no polynomial backedge-taken count for a counter in the offset",
     "the index depends on a loop whose number of iterations is not known at "
     "launch",
     "let the loop run from one launch argument or constant to another, in "
     "steps of one"},
    {ReasonKind::SeveralPointers, "SeveralPointers",
     "the underlying objects are several roots",
     "the pointer may be one of several arguments",
     "choose the pointer on the host and pass it as the argument"},
    {ReasonKind::SizeUnknown, "SizeUnknown",
     "a memory intrinsic of variable length",
     "the number of bytes it copies or sets is not a constant",
     "copy element by element, or a constant number of bytes"},
    {ReasonKind::ArgumentByCallee, "ArgumentByCallee",
     "a pointer argument of a call that touches only its arguments' memory",
     "the pointer is passed to a function whose body is not visible",
     "make the function's body visible in this file"},
    {ReasonKind::PointerLoaded, "PointerLoaded",
     "the underlying object is a load from memory",
     "the pointer is itself read from memory",
     "pass the pointer as an argument, or inside a struct passed by value"},
    {ReasonKind::PointerFromInteger, "PointerFromInteger",
     "the underlying object is an inttoptr",
     "the pointer is made from an integer", "keep the pointer a pointer"},
    {ReasonKind::PointerUnknown, "PointerUnknown",
     "the underlying object is of no known kind",
     "the pointer does not come from an argument or a global variable",
     "pass the pointer as an argument"},
    {ReasonKind::PointerMoved, "PointerMoved",
     "a 64-bit number of which nothing is known added to an address as it is",
     "the pointer is moved by a number of bytes read from memory",
     "index an array of the elements' type, or pass the distance as an "
     "argument"},
    {ReasonKind::InlineAssembly, "InlineAssembly",
     "inline assembly that may touch memory",
     "inline assembly may touch any memory",
     "use the compiler's built-in function instead of the assembly"},
    {ReasonKind::CallNotInlined, "CallNotInlined",
     "a call of a function without a body",
     "a function defined elsewhere may touch any memory",
     "make the function's body visible in this file"},
    {ReasonKind::CodeReplaceable, "CodeReplaceable",
     "a weak definition in relocatable device code",
     "weak code that another file may replace may touch any memory",
     "leave out its weak attribute, or compile without -fgpu-rdc"},
    {ReasonKind::CallIndirect, "CallIndirect", "an indirect call",
     "a call through a function pointer may touch any memory",
     "call the function directly, or pass it as a template argument"},
    {ReasonKind::Descriptor, "Descriptor",
     "a texture, surface or tensor map intrinsic",
     "a texture, surface or tensor map may lead to any memory",
     "read and write through plain pointers"},
    {ReasonKind::TasksInside, "TasksInside",
     "one of the kernels that run all tasks of a file",
     "the tasks that the kernel runs may touch any memory",
     "nothing is needed: the program says what each task touches"},
    {ReasonKind::GuardNotPolynomial, "GuardNotPolynomial",
     "a branch condition that is no conjunction of polynomial comparisons",
     "it stands under a condition that cannot be evaluated at launch",
     "guard it with comparisons of indices and arguments only"},
    {ReasonKind::GuardAlternatives, "GuardAlternatives",
     "a block reached by some of the paths only",
     "it stands under alternative conditions (an 'or', or an early exit)",
     "use one condition made of comparisons joined by &&"},
    {ReasonKind::LoopLeftEarly, "LoopLeftEarly", "a loop with several exits",
     "its loop may be left early",
     "run the loop to its end, with a condition inside"},
    {ReasonKind::LoopValueLeft, "LoopValueLeft",
     "a recurrence used outside of its loop",
     "it uses what a loop counter was when its loop ended",
     "compute that number from arguments and indices instead"},
    {ReasonKind::CasesTooMany, "CasesTooMany",
     "more alternatives than MaxAlternatives",
     "its index or its conditions distinguish too many cases",
     "use fewer conditions, minima and maxima around this access"},
    {ReasonKind::CallReaches, "CallReaches",
     "the summary of a call left after inlining",
     "a function that is recursive, very large or called through a pointer "
     "reaches it",
     "call a small function directly and without recursion"},
    {ReasonKind::StringPrinted, "StringPrinted",
     "a vprintf whose format may print strings",
     "printf prints a string from memory",
     "print numbers, or strings that are constants"},
    {ReasonKind::DeviceHeap, "DeviceHeap",
     "the underlying object is a call of malloc whose result is published",
     "the memory comes from malloc or new on the device",
     "allocate on the host and pass the pointer as an argument"},
    {ReasonKind::KernelTooLarge, "KernelTooLarge",
     "a limit of Limits.h that was reached",
     "the kernel is too large to be analysed as a whole",
     "split the kernel, or compute indices and conditions in fewer steps"},
};

} // namespace

const ReasonText &reasonText(ReasonKind Kind) {
  static_assert(std::size(Table) ==
                static_cast<unsigned>(ReasonKind::KernelTooLarge) + 1);
  return Table[static_cast<unsigned>(Kind)];
}

std::string toText(const Rejection &R) {
  std::string Text = reasonText(R.Kind).User;
  return R.Detail.empty() ? Text : Text + " (" + R.Detail + ")";
}

const ReasonText *findReason(const std::string &Reason) {
  for (const ReasonText &Row : Table)
    if (Reason.rfind(Row.User, 0) == 0)
      return &Row;
  return nullptr;
}

} // namespace blockmaestro
