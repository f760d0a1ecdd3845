// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels whose store stands under a condition, or is to one of several places,
// that invites a mistake: one that loses bytes, or that calls exact what is not
// all touched.

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
const std::string Several =
    ", because the pointer may be one of several arguments\n";
const std::string Left =
    ", because it uses what a loop counter was when its loop ended\n";
const std::string IfIn = "br i1 %in, label %yes, label %no\nyes:\n";

/// A goto from outside to the middle of a cycle: "if (t >= n) goto check;
/// again: Again; check: Check; if (*b) goto again".
std::string jumpInto(const std::string &Again, const std::string &Check = "") {
  return "%c = icmp slt i64 %t, %n\n"
         "br i1 %c, label %again, label %check\nagain:\n" +
         Again + "br label %check\ncheck:\n" + Check +
         "%x = load i1, ptr %b\nbr i1 %x, label %again, label %no\nyes:\n";
}

/// A loop to n, and behind it what its phi %v has been last.
std::string afterLoop(const std::string &Test, const std::string &Phi,
                      const std::string &Behind) {
  return "br label %h\nh:\n%k = phi i64 [0, %entry], [%j, %s]\n" + Test +
         "br i1 %w, label %x, label %y\n"
         "x:\n%c = load i8, ptr %b\nbr label %s\n"
         "y:\n%d = load i16, ptr %b\nbr label %s\n"
         "s:\n" +
         Phi +
         "%j = add nuw nsw i64 %k, 1\n%in = icmp slt i64 %j, %n\n"
         "br i1 %in, label %h, label %last\nlast:\n" +
         Behind + "br label %no\nyes:\n";
}

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

const Guarded GuardedCases[] = {
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
     "write exact { [bx] -> arg0[tx] : tx + arg0 < arg1 }, assuming i64(tx + "
     "arg0), u63(arg0), u63(arg1)\n"},
    {"what lies before an end that a pointer read from memory marks",
     "%end = load ptr, ptr %b\n%in = icmp ult ptr %p, %end\n" + IfIn,
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
    {"a thread that exits, where a trap would end the kernel: not all go on",
     "%in = icmp slt i64 %t, %n\nbr i1 %in, label %yes, label %over\n"
     "over:\ncall void @llvm.nvvm.exit()\nunreachable\nyes:\n",
     "write exact { [bx] -> arg0[tx] : tx < arg2 }\n"},
    {"the same in assembly, which may exit or not",
     "%in = icmp slt i64 %t, %n\nbr i1 %in, label %yes, label %over\n"
     "over:\ncall void asm sideeffect \"exit;\", \"\"()\nbr label %yes\nyes:\n",
     "write bounded { [bx] -> arg0[tx] }" + Unknown},
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
    {"the way back into a cycle that a goto enters",
     jumpInto("%i = phi i64 [0, %entry], [9, %check]\n"
              "%q = getelementptr i8, ptr %a, i64 %i\nstore i8 0, ptr %q\n"),
     "write bounded { [bx] -> arg0[v0] : 0 <= v0 <= 9 }" + Unknown},
    {"another pointer on the way back into such a cycle",
     jumpInto("%q = phi ptr [%a, %entry], [%b, %check]\nstore i8 0, ptr %q\n"),
     "write allocation { [bx] -> arg1[*] }" + Several +
         "write allocation { [bx] -> arg0[*] }" + Several},
    {"a condition that changes in such a cycle: it is followed for ever",
     jumpInto("%f = phi i1 [true, %entry], [%g, %check]\n"
              "br i1 %f, label %set, label %check\n"
              "set:\nstore i8 0, ptr %p\n",
              "%h = phi i1 [%c, %entry], [%f, %again], [%f, %set]\n"
              "%g = xor i1 %h, true\n"),
     "write bounded { [bx] -> arg0[tx] }" + Unknown},
    {"what a loop in such a cycle begins with, from the time before",
     jumpInto("%q = phi ptr [%a, %entry], [%w, %check]\nbr label %l\n"
              "l:\n%i = phi i64 [0, %again], [%j, %l]\n"
              "%u = phi ptr [%q, %again], [%v, %l]\n"
              "%v = phi ptr [%b, %again], [%u, %l]\nstore i8 0, ptr %u\n"
              "%j = add nuw nsw i64 %i, 1\n%d = icmp ult i64 %j, %m\n"
              "br i1 %d, label %l, label %done\ndone:\n",
              "%z = load i64, ptr %b\n%w = getelementptr i8, ptr %a, i64 %z\n"),
     "write allocation { [bx] -> arg1[*] }" + Several +
         "write allocation { [bx] -> arg0[*] }" + Several},
    {"what a pointer was in the last iteration but one",
     "br label %h\n"
     "h:\n%y = phi ptr [%a, %entry], [%w, %g]\n%o = load i1, ptr %b\n"
     "br i1 %o, label %h1, label %h2\n"
     "h1:\n%o1 = load i8, ptr %b\nbr label %look\n"
     "h2:\n%o2 = load i16, ptr %b\nbr label %look\n"
     "look:\n%s = load i8, ptr %b\n%v = zext i8 %s to i64\n"
     "%found = icmp ult i64 %v, 5\nbr i1 %found, label %behind, label %g\n"
     "g:\n%w = getelementptr i8, ptr %a, i64 %v\nbr label %h\n"
     "behind:\n%few = icmp ult i64 %v, 3\nbr i1 %few, label %l, label %no\n"
     "l:\n%i = phi i64 [0, %behind], [%j, %l]\n"
     "%q = phi ptr [%y, %behind], [%z, %l]\n"
     "%z = phi ptr [%b, %behind], [%q, %l]\nstore i8 0, ptr %q\n"
     "%j = add nuw nsw i64 %i, 1\n%in = icmp slt i64 %j, %n\n"
     "br i1 %in, label %l, label %no\nyes:\n",
     "write allocation { [bx] -> arg0[*] }" + Several +
         "write allocation { [bx] -> arg1[*] }" + Several},
    {"the number of the last iteration only: not all of the others",
     afterLoop("%w = icmp slt i64 %k, 5\n", "%v = phi i64 [0, %x], [100, %y]\n",
               "%q = getelementptr i8, ptr %a, i64 %v\nstore i8 0, ptr %q\n"),
     "write bounded { [bx] -> arg0[0] }" + Left +
         "write bounded { [bx] -> arg0[100] }" + Left},
    {"the pointer of the last iteration only: not all of the others",
     afterLoop("%w = icmp slt i64 %k, 5\n", "%v = phi ptr [%a, %x], [%b, %y]\n",
               "%q = getelementptr i8, ptr %v, i64 200\nstore i8 0, ptr %q\n"),
     "write bounded { [bx] -> arg0[200] }" + Left +
         "write bounded { [bx] -> arg1[200] }" + Left},
    {"what is the same in all iterations: it is known behind them",
     afterLoop("%w = icmp slt i64 %m, 5\n", "%v = phi i64 [0, %x], [100, %y]\n",
               "%q = getelementptr i8, ptr %a, i64 %v\nstore i8 0, ptr %q\n"),
     "write exact { [bx] -> arg0[0] : arg3 < 5 }\n"
     "write exact { [bx] -> arg0[100] : arg3 >= 5 }\n"},
    {"what is written where a loop that left early never ran",
     "br label %h\n"
     "h:\n%u = phi i32 [7, %entry], [%v, %s]\n"
     "%k = phi i32 [0, %entry], [%j, %s]\n%in = icmp slt i32 %k, %nn\n"
     "br i1 %in, label %look, label %last\n"
     "look:\n%w = icmp ult i32 %k, 5\n%v = select i1 %w, i32 0, i32 100\n"
     "%x = load i1, ptr %b\nbr i1 %x, label %last, label %s\n"
     "s:\n%j = add nsw i32 %k, 1\nbr label %h\n"
     "last:\n%e = phi i32 [%u, %h], [%v, %look]\n%f = sext i32 %e to i64\n"
     "%q = getelementptr i8, ptr %a, i64 %f\nstore i8 0, ptr %q\n"
     "br label %no\nyes:\n",
     "write bounded { [bx] -> arg0[0] : i0 < 5 }, assuming i32(arg2), "
     "u32(i0), i32(i0 + 1), because it stands under alternative conditions (an "
     "'or', or an early exit)\n"
     "write bounded { [bx] -> arg0[100] : i0 >= 5 }, assuming i32(arg2), "
     "u32(i0), i32(i0 + 1), because it stands under alternative conditions (an "
     "'or', or an early exit)\n"
     "write bounded { [bx] -> arg0[7] : arg2 <= 0 }, assuming i32(arg2), "
     "u32(i0), i32(i0 + 1), because it stands under alternative conditions (an "
     "'or', or an early exit)\n"},
};

std::string moduleOf(const Guarded &One) {
  return "declare i64 @llvm.smin.i64(i64, i64)\ndeclare void @llvm.trap()\n"
         "declare void @llvm.nvvm.exit()\n"
         "define ptx_kernel void @k(ptr %a, ptr %b, i64 %n, i64 %m) {\nentry:\n"
         "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "%t = zext i32 %tid to i64\n"
         "%p = getelementptr i8, ptr %a, i64 %t\n"
         "%nn = trunc i64 %n to i32\n" +
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
  for (const Guarded &One : GuardedCases) {
    SCOPED_TRACE(One.AtStake);
    const auto A = analyse(moduleOf(One));
    ASSERT_EQ(A->Record.Kernels.size(), 1u);
    EXPECT_EQ(writesOf(A->Record.Kernels[0]), One.Writes);
  }
}
