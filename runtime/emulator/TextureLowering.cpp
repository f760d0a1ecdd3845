// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextureLowering.h"

#include "HostCode.h"
#include "ThreadCode.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

struct MarkerRow {
  const char *Marker;
  const char *Host;
};
const MarkerRow Rows[] = {
    {TextureMarker, "bm_texture"},
    {TextureGradMarker, "bm_texture_grad"},
    {TexelMarker, "bm_texel"},
    {SurfaceReadMarker, "bm_surface_read"},
    {SurfaceWriteMarker, "bm_surface_write"},
};

const char *hostCallOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  for (const MarkerRow &Row : Rows)
    if (Callee && Callee->getName() == Row.Marker)
      return Row.Host;
  return nullptr;
}

/// Replaces the markers of one function.
class TextureRewriter {
public:
  TextureRewriter(ThreadCode &T, Function &F) : T(T), F(F) {}

  void run(bool Observed);

private:
  Value *callHostFor(CallInst &Marker, const char *Host);
  Value *loadMember(IRBuilder<> &B, Value *View, Type *Of, size_t Offset);
  Value *loadPlain(CallInst &Marker, IRBuilder<> &B, Value *View);
  void splitPlain(CallInst &Marker);

  ThreadCode &T;
  Function &F;
};

Value *TextureRewriter::callHostFor(CallInst &Marker, const char *Host) {
  IRBuilder<> B(&Marker);
  SmallVector<Value *> Operands = {T.linearThread(F),
                                   B.getInt32(T.Sites.siteOf(Marker))};
  append_range(Operands, Marker.args());
  auto *Given = dyn_cast<StructType>(Marker.getType());
  const bool Words = Given && Given->getNumElements() == 4;
  Type *Returned =
      Words ? FixedVectorType::get(B.getInt32Ty(), 4) : Marker.getType();
  CallInst *Call =
      callHost(B, Host, Returned, ThreadCode::context(F), Operands);
  if (Marker.onlyReadsMemory())
    Call->setOnlyReadsMemory();
  if (!Words)
    return Call;
  Value *Out = PoisonValue::get(Given);
  for (unsigned N = 0; N < 4; ++N)
    Out = B.CreateInsertValue(Out, B.CreateExtractElement(Call, N), N);
  return Out;
}

/// A member of the view, which does not change while kernels run.
Value *TextureRewriter::loadMember(IRBuilder<> &B, Value *View, Type *Of,
                                   size_t Offset) {
  LoadInst *Load = B.CreateLoad(Of, B.CreatePtrAdd(View, B.getInt64(Offset)));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(B.getContext(), {}));
  return Load;
}

/// The texel of a plain row, or 0 outside, without a branch, so that a loop
/// over threads can be vectorised.
Value *TextureRewriter::loadPlain(CallInst &Marker, IRBuilder<> &B,
                                  Value *View) {
  constexpr unsigned NumberOperand = 3;
  Type *Word = B.getInt32Ty();
  Value *Number = Marker.getArgOperand(NumberOperand);
  Value *Count = loadMember(B, View, Word, offsetof(ImageView, PlainCount));
  Value *Texels =
      loadMember(B, View, B.getPtrTy(), offsetof(ImageView, PlainTexels));
  Value *Inside = B.CreateICmpULT(Number, Count);
  Value *Safe = B.CreateSelect(Inside, Number, B.getInt32(0));
  Value *Loaded = B.CreateAlignedLoad(
      Word, B.CreateGEP(Word, Texels, B.CreateZExt(Safe, B.getInt64Ty())),
      Align(4));
  return B.CreateSelect(Inside, Loaded, B.getInt32(0));
}

/// Reads a plain row by loads where only the first component is used, and
/// whatever else the texture is by the call.
void TextureRewriter::splitPlain(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  Value *View = B.CreateIntToPtr(Marker.getArgOperand(0), B.getPtrTy());
  Value *Bytes =
      loadMember(B, View, B.getInt32Ty(), offsetof(ImageView, PlainBytes));
  Instruction *Plain = nullptr, *Other = nullptr;
  SplitBlockAndInsertIfThenElse(B.CreateICmpNE(Bytes, B.getInt32(0)), &Marker,
                                &Plain, &Other);
  IRBuilder<> InPlain(Plain);
  Value *First = loadPlain(Marker, InPlain, View);
  Marker.moveBefore(Other->getIterator());
  Value *Called = callHostFor(Marker, "bm_texel");
  IRBuilder<> After(&Plain->getSuccessor(0)->front());
  PHINode *Both = After.CreatePHI(First->getType(), 2);
  IRBuilder<> InOther(Other);
  Both->addIncoming(First, Plain->getParent());
  Both->addIncoming(InOther.CreateExtractValue(Called, 0), Other->getParent());
  for (User *U : make_early_inc_range(Marker.users())) {
    auto *Part = cast<ExtractValueInst>(U);
    Part->replaceAllUsesWith(Both);
    Part->eraseFromParent();
  }
  Marker.eraseFromParent();
}

/// Whether \p Marker reads a row of texels by number, and only the first
/// component.
bool mayBePlain(const CallInst &Marker) {
  constexpr unsigned PackedOperand = 1;
  const auto *Packed =
      dyn_cast<ConstantInt>(Marker.getArgOperand(PackedOperand));
  return Marker.getCalledFunction()->getName() == TexelMarker && Packed &&
         Packed->isZero() && all_of(Marker.users(), [](const User *U) {
           const auto *Part = dyn_cast<ExtractValueInst>(U);
           return Part && (Part->getIndices()[0] == 0 || Part->use_empty());
         });
}

void TextureRewriter::run(bool Observed) {
  SmallVector<CallInst *> Markers;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && hostCallOf(*Call))
      Markers.push_back(Call);
  for (CallInst *Marker : Markers) {
    if (!Observed && mayBePlain(*Marker)) {
      splitPlain(*Marker);
      continue;
    }
    Value *Result = callHostFor(*Marker, hostCallOf(*Marker));
    Marker->replaceAllUsesWith(Result);
    Marker->eraseFromParent();
  }
}

} // namespace

bool isImageMarker(StringRef Name) {
  return any_of(Rows, [&](const MarkerRow &Row) { return Name == Row.Marker; });
}

void lowerTextures(ThreadCode &T, bool Observed) {
  for (Function *F : T.Functions)
    TextureRewriter(T, *F).run(Observed);
}

} // namespace blockmaestro
