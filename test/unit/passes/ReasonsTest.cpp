// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel for each reason why an access is not exact: the access is there, as
// wide as the reason says, and says the reason.

#include "Reasons.h"
#include "AnalysedModule.h"
#include "FootprintText.h"

#include "gtest/gtest.h"

#include <set>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

struct Met {
  ReasonKind Why;
  Exactness How;
  const char *Others; ///< What the kernel needs besides.
  const char *Body;   ///< Of k(a, b, n), all but its return; %t is threadIdx.x.
  const char *Kernel = "k";
};

constexpr const char *StoreAtI = "%p = getelementptr i8, ptr %a, i64 %i\n"
                                 "store i8 0, ptr %p\n";

/// Each square needs the one before, more often than is followed.
std::string squares() {
  std::string Body = "%x0 = xor i64 %t, %n\n";
  for (int I = 0; I < 64; ++I) {
    const std::string N = std::to_string(I);
    Body += "%y" + N + " = mul i64 %x" + N + ", %x" + N + "\n%x" +
            std::to_string(I + 1) + " = xor i64 %y" + N + ", %n\n";
  }
  return Body + "%i = add i64 %y63, 1\n";
}

/// The store stands under more conditions than are followed.
std::string returns() {
  std::string Body;
  for (int I = 0; I < 200; ++I) {
    const std::string N = std::to_string(I);
    Body += "%x" + N + " = add nuw nsw i64 %t, " + N + "\n%c" + N +
            " = icmp slt i64 %x" + N + ", %n\nbr i1 %c" + N + ", label %b" + N +
            ", label %e\nb" + N + ":\nstore volatile i8 " + N + ", ptr %b\n";
  }
  return Body + "store i8 0, ptr %a\nbr label %e\ne:\n";
}

const std::string Squares = squares();
const std::string Returns = returns();

const Met MetCases[] = {
    {ReasonKind::IndexNotPolynomial, Exactness::Bounded, "",
     "%i = and i64 %t, %n\n"},
    {ReasonKind::IndexLoaded, Exactness::Allocation, "",
     "%i = load i64, ptr %b\n"},
    {ReasonKind::IndexDivided, Exactness::Bounded, "",
     "%d = load i64, ptr %b\n%i = udiv i64 %t, %d\n"},
    {ReasonKind::IndexTooLarge, Exactness::Allocation, "",
     "%x = zext i64 %t to i128\n%y = zext i64 %n to i128\n"
     "%z = mul i128 %x, %y\n%h = lshr i128 %z, 64\n"
     "%i = trunc i128 %h to i64\n"},
    {ReasonKind::TripCountUnknown, Exactness::Allocation, "",
     "br label %l\nl:\n%i = phi i64 [0, %entry], [%j, %l]\n"
     "%j = add i64 %i, 1\n%q = getelementptr i8, ptr %a, i64 %i\n"
     "store i8 0, ptr %q\n%c = load volatile i1, ptr %b\n"
     "br i1 %c, label %l, label %e\ne:\n"},
    {ReasonKind::SeveralPointers, Exactness::Bounded, "",
     "br label %l\nl:\n%i = phi i64 [0, %entry], [%j, %l]\n"
     "%x = phi ptr [%a, %entry], [%y, %l]\n"
     "%y = phi ptr [%b, %entry], [%x, %l]\n"
     "store i8 0, ptr %x\n%j = add nuw nsw i64 %i, 1\n"
     "%c = icmp ult i64 %j, %n\nbr i1 %c, label %l, label %e\ne:\n"},
    {ReasonKind::SizeUnknown, Exactness::Allocation,
     "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n",
     "%i = load i64, ptr %b\n"
     "call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %i, i1 false)\n"},
    {ReasonKind::ArgumentByCallee, Exactness::Allocation,
     "declare double @__nv_modf(double, ptr)\n",
     "%x = call double @__nv_modf(double 1.0, ptr %a)\n"},
    {ReasonKind::PointerLoaded, Exactness::Unknown, "",
     "%x = load ptr, ptr %b\nstore i8 0, ptr %x\n"},
    {ReasonKind::PointerFromInteger, Exactness::Unknown, "",
     "%x = inttoptr i64 %n to ptr\nstore i8 0, ptr %x\n"},
    {ReasonKind::PointerUnknown, Exactness::Unknown,
     "declare ptr @f() memory(none)\n",
     "%x = call ptr @f()\nstore i8 0, ptr %x\n"},
    {ReasonKind::PointerMoved, Exactness::Unknown, "",
     "%d = load i64, ptr %b\n%x = getelementptr i8, ptr %a, i64 %d\n"
     "store i32 0, ptr %x\n"},
    {ReasonKind::InlineAssembly, Exactness::Unknown, "",
     "call void asm sideeffect \"{ .reg .u64 q; not.b64 q, $0; "
     "st.global.u32 [q], 1; }\", \"l,~{memory}\"(ptr %a)\n"},
    {ReasonKind::CallNotInlined, Exactness::Unknown, "declare void @f()\n",
     "call void @f()\n"},
    {ReasonKind::CodeReplaceable, Exactness::Unknown,
     "define weak void @f() {\nret void\n}\n", "call void @f()\n"},
    {ReasonKind::CodeReplaceable, Exactness::Unknown,
     "define void @g() {\nret void\n}\n@f = weak alias void (), ptr @g\n",
     "call void @f()\n"},
    {ReasonKind::CodeReplaceable, Exactness::Unknown,
     "define weak void @g() {\nret void\n}\n@f = alias void (), ptr @g\n",
     "call void @f()\n"},
    {ReasonKind::TasksInside, Exactness::Unknown, "", "",
     "__bm_omp_workers__omp_offloading_1_2_main_l3"},
    {ReasonKind::CallIndirect, Exactness::Unknown, "",
     "%f = load ptr, ptr %b\ncall void %f()\n"},
    {ReasonKind::CallIndirect, Exactness::Unknown,
     "define ptr @g() {\nret ptr null\n}\n@f = ifunc void (), ptr @g\n",
     "call void @f()\n"},
    {ReasonKind::Descriptor, Exactness::Unknown,
     "declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)\n",
     "call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %n, i32 0, i32 1)\n"},
    {ReasonKind::GuardNotPolynomial, Exactness::Bounded, "",
     "%c = load i1, ptr %b\nbr i1 %c, label %x, label %e\n"
     "x:\nstore i8 0, ptr %a\nbr label %e\ne:\n"},
    {ReasonKind::GuardAlternatives, Exactness::Bounded, "",
     "br label %l\nl:\n%i = phi i64 [0, %entry], [%j, %m]\n"
     "%c = load volatile i1, ptr %b\nbr i1 %c, label %e, label %m\n"
     "m:\n%j = add nuw nsw i64 %i, 1\n%d = icmp ult i64 %j, 9\n"
     "br i1 %d, label %l, label %x\nx:\nstore i8 0, ptr %a\nbr label %e\n"
     "e:\n"},
    {ReasonKind::LoopLeftEarly, Exactness::Bounded, "",
     "br label %l\nl:\n%i = phi i64 [0, %entry], [%j, %m]\n"
     "%p = getelementptr i8, ptr %a, i64 %i\nstore i8 0, ptr %p\n"
     "%c = load volatile i1, ptr %b\nbr i1 %c, label %e, label %m\n"
     "m:\n%j = add nuw nsw i64 %i, 1\n%d = icmp ult i64 %j, 9\n"
     "br i1 %d, label %l, label %e\ne:\n"},
    {ReasonKind::LoopValueLeft, Exactness::Bounded, "",
     "br label %l\nl:\n%i = phi i64 [0, %entry], [%j, %m]\n"
     "%c = load volatile i1, ptr %b\nbr i1 %c, label %e, label %m\n"
     "m:\n%j = add nuw nsw i64 %i, 1\n%d = icmp ult i64 %j, 9\n"
     "br i1 %d, label %l, label %e\ne:\n"
     "%p = getelementptr i8, ptr %a, i64 %i\nstore i8 0, ptr %p\n"},
    {ReasonKind::CasesTooMany, Exactness::Allocation,
     "declare i64 @llvm.smax.i64(i64, i64)\n",
     "%n2 = mul i64 %n, 3\n%n3 = mul i64 %n, %n\n"
     "%m0 = call i64 @llvm.smax.i64(i64 %t, i64 %n)\n"
     "%m1 = call i64 @llvm.smax.i64(i64 %m0, i64 %n2)\n"
     "%x = call i64 @llvm.smax.i64(i64 %m1, i64 %n3)\n"
     "%o0 = sub i64 9, %t\n%o1 = call i64 @llvm.smax.i64(i64 %o0, i64 %n)\n"
     "%o2 = call i64 @llvm.smax.i64(i64 %o1, i64 %n2)\n"
     "%y = call i64 @llvm.smax.i64(i64 %o2, i64 %n3)\n"
     "%i0 = mul i64 %x, 3\n%i1 = mul i64 %y, 5\n%i2 = add i64 %i0, %i1\n"
     "%u0 = sub i64 5, %t\n%u = call i64 @llvm.smax.i64(i64 %u0, i64 %n2)\n"
     "%i = add i64 %i2, %u\n"},
    {ReasonKind::CasesTooMany, Exactness::Bounded,
     "declare i64 @llvm.smax.i64(i64, i64)\n",
     "%n2 = mul i64 %n, 3\n%x = call i64 @llvm.smax.i64(i64 %t, i64 %n)\n"
     "%y0 = sub i64 9, %t\n%y = call i64 @llvm.smax.i64(i64 %y0, i64 %n2)\n"
     "%i0 = mul i64 %y, 5\n%i = add i64 %x, %i0\n"
     "%p = getelementptr i8, ptr %a, i64 %i\n"
     "%c1 = icmp eq i64 %t, 40\nbr i1 %c1, label %s, label %b1\n"
     "b1:\n%c2 = icmp eq i64 %n, %t\nbr i1 %c2, label %s, label %b2\n"
     "b2:\n%c3 = icmp eq i64 %n2, %t\nbr i1 %c3, label %s, label %b3\n"
     "b3:\n%c4 = icmp eq i64 %n, 77\nbr i1 %c4, label %s, label %b4\n"
     "b4:\n%c5 = icmp ugt i64 %t, 500\nbr i1 %c5, label %s, label %e\n"
     "s:\nstore i8 0, ptr %p\nbr label %e\ne:\n"},
    {ReasonKind::CallReaches, Exactness::Allocation,
     "define void @r(ptr %p, i64 %n) {\n"
     "store i8 0, ptr %p\n%c = icmp eq i64 %n, 0\n"
     "br i1 %c, label %e, label %m\nm:\n%l = sub i64 %n, 1\n"
     "call void @r(ptr %p, i64 %l)\ncall void @r(ptr %p, i64 %l)\n"
     "br label %e\ne:\nret void\n}\n",
     "call void @r(ptr %a, i64 %n)\n"},
    {ReasonKind::StringPrinted, Exactness::Allocation,
     "declare i32 @vprintf(ptr, ptr)\n"
     "@s = private addrspace(4) constant [3 x i8] c\"%s\\00\"\n",
     "%v = alloca ptr\nstore ptr %a, ptr %v\n"
     "%x = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @s to ptr), "
     "ptr %v)\n"},
    {ReasonKind::DeviceHeap, Exactness::Unknown, "declare ptr @malloc(i64)\n",
     "%x = call ptr @malloc(i64 8)\nstore ptr %x, ptr %b\n"
     "store i8 0, ptr %x\n"},
    {ReasonKind::KernelTooLarge, Exactness::Allocation, "", Squares.c_str()},
    {ReasonKind::KernelTooLarge, Exactness::Bounded, "", Returns.c_str()},
};

/// The module of the kernel; where its body has a new %i, it stores at a[i].
std::string moduleOf(const Met &One) {
  const std::string Body = One.Body;
  const bool Indexed = Body.find("%p = ") == std::string::npos &&
                       Body.find("store") == std::string::npos &&
                       Body.find("%i = ") != std::string::npos;
  return std::string(One.Others) + "define ptx_kernel void @" + One.Kernel +
         "(ptr %a, ptr %b, i64 %n) {\nentry:\n"
         "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "%t = zext i32 %tid to i64\n" +
         Body + (Indexed ? StoreAtI : "") + "ret void\n}\n";
}

} // namespace

TEST(Reasons, EachIsMet) {
  std::set<ReasonKind> Seen;
  for (const Met &One : MetCases) {
    SCOPED_TRACE(reasonText(One.Why).Name);
    Seen.insert(One.Why);
    const auto A = analyse(moduleOf(One), /*Relocatable=*/true);
    ASSERT_EQ(A->Record.Kernels.size(), 1u);
    bool Found = false;
    for (const Access &Each : A->Record.Kernels[0].Bytes.Accesses)
      Found |= Each.How == One.How &&
               findReason(Each.Reason) == &reasonText(One.Why);
    EXPECT_TRUE(Found) << toText(A->Record.Kernels[0]);
  }
  EXPECT_EQ(Seen.size(), size_t(ReasonKind::KernelTooLarge) + 1);
}
