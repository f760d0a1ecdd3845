// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels whose store stands under a condition that invites a mistake: one that
// loses bytes, or that calls exact what is not all touched.

#include "AnalysedModule.h"
#include "FootprintText.h"

#include "gtest/gtest.h"

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

struct Guarded {
  const char *AtStake;
  std::string Body;   ///< Of k(a, b, n, m), up to the store to %p.
  std::string Writes; ///< What the record says of them, line by line.
};

const std::string Unknown = ", because it stands under a condition that cannot "
                            "be evaluated at launch\n";
const std::string IfIn = "br i1 %in, label %yes, label %no\nyes:\n";

/// "If n > 0 and one of the first Count of b is set, or the last is."
std::string oneOfMany(unsigned Count) {
  std::string Text = "%c = icmp sgt i64 %n, 0\n"
                     "br i1 %c, label %b0, label %b" +
                     std::to_string(Count) + "\n";
  for (unsigned I = 0; I <= Count; ++I) {
    const std::string K = std::to_string(I);
    const std::string Next = I < Count ? "b" + std::to_string(I + 1) : "no";
    Text += "b" + K + ":\n%q" + K + " = getelementptr i8, ptr %b, i64 " + K +
            "\n%x" + K + " = load i1, ptr %q" + K + "\nbr i1 %x" + K +
            ", label %yes, label %" + Next + "\n";
  }
  return Text + "yes:\n";
}

const Guarded All[] = {
    {"a limit that memory chooses: not all is touched",
     "%c = load i1, ptr %b\n%l = select i1 %c, i64 %n, i64 %m\n"
     "%in = icmp slt i64 %t, %l\n" +
         IfIn,
     "write bounded { [bx] -> arg0[tx] : tx < arg2 }" + Unknown +
         "write bounded { [bx] -> arg0[tx] : tx < arg3 }" + Unknown},
    {"what a condition's second choice lets through",
     "%c = icmp sgt i64 %m, 0\n%x = icmp slt i64 %t, %n\n"
     "%y = icmp eq i64 %t, 7\n%in = select i1 %c, i1 %x, i1 %y\n" +
         IfIn,
     "write exact { [bx] -> arg0[tx] : arg3 >= 1 and tx < arg2 }\n"
     "write exact { [bx] -> arg0[tx] : arg3 <= 0 and tx = 7 }\n"},
    {"what is below the low half of a limit that is negative as a whole",
     "%l = call i64 @llvm.smin.i64(i64 %n, i64 %m)\n%s = trunc i64 %l to i32\n"
     "%in = icmp slt i32 %tid, %s\n" +
         IfIn,
     "write exact { [bx] -> arg0[tx] : tx < arg2 and tx < arg3 }, assuming "
     "i32(arg2), i32(arg3)\n"},
    {"what lies before an end that another pointer marks",
     "%in = icmp ult ptr %p, %b\n" + IfIn,
     "write bounded { [bx] -> arg0[tx] }" + Unknown},
    {"what the second iteration writes, where the first only goes on",
     "br label %h\n"
     "h:\n%i = phi i64 [0, %entry], [%j, %on]\n%j = add nuw nsw i64 %i, 1\n"
     "%full = icmp eq i64 %i, 8\nbr i1 %full, label %over, label %look\n"
     "over:\ncall void @llvm.trap()\nunreachable\n"
     "look:\n%q = getelementptr i8, ptr %b, i64 %i\n%x = load i1, ptr %q\n"
     "br i1 %x, label %found, label %on\n"
     "found:\n%r = getelementptr i8, ptr %a, i64 %i\nstore i8 0, ptr %r\n"
     "%once = icmp slt i64 %t, %n\nbr i1 %once, label %no, label %on\n"
     "on:\nbr label %h\nyes:\n",
     "write bounded { [bx] -> arg0[i0] }" + Unknown},
    {"what the last of more conditions than are followed lets through",
     oneOfMany(25),
     "write bounded { [bx] -> arg0[tx] }, because it stands under alternative "
     "conditions (an 'or', or an early exit)\n"},
    {"two ways of a switch that come together: not all of its ways do",
     "switch i64 %n, label %no [ i64 1, label %x i64 2, label %y ]\n"
     "x:\n%v = load i8, ptr %b\nbr label %yes\n"
     "y:\n%w = load i16, ptr %b\nbr label %yes\nyes:\n",
     "write exact { [bx] -> arg0[tx] : arg2 = 1 }, assuming i64(arg2 - 1), "
     "i64(arg2 - 2)\n"
     "write exact { [bx] -> arg0[tx] : arg2 = 2 }, assuming i64(arg2 - 1), "
     "i64(arg2 - 2)\n"},
};

std::string moduleOf(const Guarded &One) {
  return "declare i64 @llvm.smin.i64(i64, i64)\ndeclare void @llvm.trap()\n"
         "define ptx_kernel void @k(ptr %a, ptr %b, i64 %n, i64 %m) {\nentry:\n"
         "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "%t = zext i32 %tid to i64\n"
         "%p = getelementptr i8, ptr %a, i64 %t\n" +
         One.Body + "store i8 0, ptr %p\nbr label %no\nno:\nret void\n}\n";
}

std::string writesOf(const KernelRecord &K) {
  std::string Text;
  for (const Access &Each : K.Bytes.Accesses)
    if (writes(Each.Kind))
      Text += toText(Each, K.Bytes) + "\n";
  return Text;
}

} // namespace

TEST(Conditions, LoseNoByteAndClaimNone) {
  for (const Guarded &One : All) {
    SCOPED_TRACE(One.AtStake);
    const auto A = analyse(moduleOf(One));
    ASSERT_EQ(A->Record.Kernels.size(), 1u);
    EXPECT_EQ(writesOf(A->Record.Kernels[0]), One.Writes);
  }
}
