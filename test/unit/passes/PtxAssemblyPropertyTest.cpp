// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random inline assembly: what is understood touches the bytes that it is said
// to touch, no others, and all of them where that is not said to be uncertain.

#include "DescribedAssembly.h"
#include "RandomAssembly.h"

#include "llvm/ADT/APInt.h"
#include "llvm/IR/Instructions.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

AssemblyEffects randomEffects(const std::string &Text) {
  return effectsOfCall("{i64, i64}", Text, AssemblyConstraints,
                       "ptr %a, i64 %b, i32 %n, i64 %c");
}

/// Whether what A stands under is so, given the inputs.
bool happens(const AssemblyAccess &A, const uint64_t (&Inputs)[InputCount]) {
  if (!A.When)
    return true;
  const uint64_t Right = A.When->RightArgument ? Inputs[*A.When->RightArgument]
                                               : uint64_t(A.When->RightNumber);
  return llvm::ICmpInst::compare(llvm::APInt(64, Inputs[A.When->Left]),
                                 llvm::APInt(64, Right), A.When->Compare);
}

/// Whether A is at what was touched, given the inputs.
bool covers(const AssemblyAccess &A, const AssemblyTouch &Touched,
            const uint64_t (&Inputs)[InputCount]) {
  return happens(A, Inputs) && A.Kind == Touched.Kind &&
         A.Bytes == Touched.Bytes &&
         Inputs[A.Address] + uint64_t(A.Displacement) == Touched.Address;
}

/// Compares what is said of Text with one run of it.
void compare(const AssemblyEffects &Effects, const AssemblyRun &Truth,
             const uint64_t (&Inputs)[InputCount]) {
  EXPECT_TRUE(Effects.Exits || !Truth.Exits) << "does not say that it exits";
  if (!Effects.Understood)
    return;
  for (const AssemblyTouch &Touched : Truth.Touches)
    EXPECT_TRUE(std::any_of(
        Effects.Accesses.begin(), Effects.Accesses.end(),
        [&](const AssemblyAccess &A) { return covers(A, Touched, Inputs); }))
        << "misses " << Touched.Bytes << " bytes at " << Touched.Address;
  for (const AssemblyAccess &A : Effects.Accesses)
    EXPECT_TRUE(A.Sometimes || !happens(A, Inputs) ||
                std::any_of(Truth.Touches.begin(), Truth.Touches.end(),
                            [&](const AssemblyTouch &Touched) {
                              return covers(A, Touched, Inputs);
                            }))
        << "does not touch argument " << A.Address << " + " << A.Displacement;
}

} // namespace

TEST(PtxAssemblyProperty, UnderstoodMeansRight) {
  const char *Given = std::getenv("BM_ASSEMBLY_SEEDS");
  const uint32_t Seeds = Given ? uint32_t(std::atoi(Given)) : 4000;
  unsigned Understood = 0, Touching = 0;
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    RandomAssembly Assembly(Seed);
    const std::string Text = Assembly.text();
    SCOPED_TRACE("seed " + std::to_string(Seed) + ": " + Text);
    const AssemblyEffects Effects = randomEffects(Text);
    Understood += Effects.Understood;
    Touching += Effects.Understood && !Effects.Accesses.empty();
    for (uint64_t N = 0; N < 3; ++N)
      compare(Effects, Assembly.run({0x10000, 0x2000000, N, 0x300000000}),
              {0x10000, 0x2000000, N, 0x300000000});
    if (HasFailure())
      return;
  }
  EXPECT_GT(Understood, Seeds / 4);
  EXPECT_GT(Touching, Seeds / 8);
}
