// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The reads of textures and the reads and writes of surfaces of PTX, as calls
// that TextureLowering gives a meaning.

#include "PtxCode.h"
#include "TextureLowering.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr PtxType SignedWord{PtxKind::Signed, 32, 1};

/// The coordinates an instruction names: .1d, .a2d, .acube and their like.
struct GeometryRow {
  const char *Name;
  ImageShape Shape;
  bool Layered;
  unsigned Numbers; ///< Besides the layer.
};
const GeometryRow GeometryRows[] = {
    {"1d", ImageShape::OneD, false, 1},   {"2d", ImageShape::TwoD, false, 2},
    {"3d", ImageShape::ThreeD, false, 3}, {"a1d", ImageShape::OneD, true, 1},
    {"a2d", ImageShape::TwoD, true, 2},   {"cube", ImageShape::Cube, false, 3},
    {"acube", ImageShape::Cube, true, 3},
};

const GeometryRow *takeGeometry(PtxInstruction &I) {
  for (const GeometryRow &Row : GeometryRows)
    if (I.take(Row.Name))
      return &Row;
  return nullptr;
}

uint32_t packedShape(const GeometryRow &Geometry) {
  return uint32_t(Geometry.Shape) |
         (Geometry.Layered ? ImageAccess::Layered : 0);
}

/// The operands [ object, { layer, x, y, z } ] of an access: the handle, and
/// from the second on the layer and three coordinates of type \p T.
SmallVector<Value *> readPlace(PtxCode &C, const PtxOperand &Operand,
                               const GeometryRow &Geometry, Type *T) {
  IRBuilder<> &B = C.B;
  if (Operand.Kind != PtxOperandKind::Coordinates ||
      Operand.Elements.size() != 2) {
    C.refuse("an operand that is no place of a texture");
    return {};
  }
  SmallVector<Value *, 4> Given = C.readAll(Operand.Elements[1], SignedWord);
  const unsigned First = Geometry.Layered ? 1 : 0;
  if (Given.size() < First + Geometry.Numbers) {
    C.refuse("a coordinate that is missing");
    return {};
  }
  SmallVector<Value *> Out = {C.read(Operand.Elements[0], PtxLong),
                              Geometry.Layered ? Given[0] : B.getInt32(0)};
  for (unsigned N = 0; N < 3; ++N)
    Out.push_back(N < Geometry.Numbers ? B.CreateBitCast(Given[First + N], T)
                                       : Constant::getNullValue(T));
  return Out;
}

CallInst *callMarker(PtxCode &C, const char *Name, Type *Result,
                     ArrayRef<Value *> Operands, bool Reads) {
  SmallVector<Type *> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  FunctionCallee Callee =
      C.B.GetInsertBlock()->getModule()->getOrInsertFunction(
          Name, FunctionType::get(Result, Types, false));
  CallInst *Call = C.B.CreateCall(Callee, Operands);
  Call->setDoesNotThrow();
  if (Reads)
    Call->setOnlyReadsMemory();
  return Call;
}

/// Writes four words to the destination, which may be a vector and a predicate
/// that says whether the memory is there: it always is.
void writeWords(PtxCode &C, const PtxOperand &To, Value *Words) {
  const bool Pair = To.Kind == PtxOperandKind::Pair;
  const PtxOperand &Vector = Pair ? To.Elements[0] : To;
  if (Vector.Kind != PtxOperandKind::Vector || Vector.Elements.size() != 4)
    return C.refuse("what it writes to");
  for (unsigned N = 0; N < 4; ++N)
    C.write(Vector.Elements[N], C.B.CreateExtractValue(Words, N));
  if (Pair)
    C.write(To.Elements[1], C.B.getTrue());
}

/// Reads \p Operand, a vector of slopes, as three floats.
void readSlopes(PtxCode &C, const PtxOperand &Operand,
                const GeometryRow &Geometry, SmallVectorImpl<Value *> &Out) {
  Type *Float = C.B.getFloatTy();
  SmallVector<Value *, 4> Given = C.readAll(Operand, SignedWord);
  if (Given.size() < Geometry.Numbers)
    return C.refuse("a slope that is missing");
  for (unsigned N = 0; N < 3; ++N)
    Out.push_back(N < Geometry.Numbers ? C.B.CreateBitCast(Given[N], Float)
                                       : ConstantFP::get(Float, 0));
}

/// What a read has besides the base level's coordinates.
enum class LevelFrom { Nothing, Operand, Slopes };

LevelFrom takeLevel(PtxInstruction &I) {
  if (I.take("level"))
    return LevelFrom::Operand;
  return I.take("grad") ? LevelFrom::Slopes : LevelFrom::Nothing;
}

/// Whether the types are those of four words read at floats or at integers.
bool hasKnownTypes(const PtxInstruction &I) {
  return I.Types.size() == 2 && I.Types[0].total() == 32 &&
         I.Types[0].Lanes == 1 && I.Types[1].total() == 32 &&
         (I.Types[1].Kind == PtxKind::Float || I.Types[1].isSigned());
}

StructType *fourWords(PtxCode &C) {
  Type *Word = C.B.getInt32Ty();
  return StructType::get(Word, Word, Word, Word);
}

/// tex.2d.v4.f32.f32 d, [t, {x, y}] with a level or slopes.
void readTexture(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  const LevelFrom From = takeLevel(I);
  I.take("base");
  const GeometryRow *Geometry = takeGeometry(I);
  const unsigned Wanted = From == LevelFrom::Nothing   ? 2
                          : From == LevelFrom::Operand ? 3
                                                       : 4;
  if (!Geometry || !I.take("v4") || !hasKnownTypes(I) ||
      I.Operands.size() != Wanted)
    return C.refuse();
  const bool Numbers = I.type().isSigned();
  if (Numbers && From != LevelFrom::Nothing)
    return C.refuse("a level of whole coordinates");
  SmallVector<Value *> Operands = readPlace(
      C, I.Operands[1], *Geometry, Numbers ? B.getInt32Ty() : B.getFloatTy());
  if (C.refused())
    return;
  const uint32_t Packed =
      packedShape(*Geometry) |
      (From == LevelFrom::Nothing ? 0 : ImageAccess::HasLevel);
  Operands.insert(Operands.begin() + 1, B.getInt32(Packed));
  const char *Marker = Numbers ? TexelMarker : TextureMarker;
  if (From == LevelFrom::Slopes) {
    Marker = TextureGradMarker;
    readSlopes(C, I.Operands[2], *Geometry, Operands);
    readSlopes(C, I.Operands[3], *Geometry, Operands);
  } else if (!Numbers) {
    Operands.push_back(
        From == LevelFrom::Operand
            ? B.CreateBitCast(C.read(I.Operands[2], SignedWord), B.getFloatTy())
            : ConstantFP::get(B.getFloatTy(), 0));
  }
  if (!C.refused())
    writeWords(C, I.Operands[0],
               callMarker(C, Marker, fourWords(C), Operands, /*Reads=*/true));
}

/// tld4.r.2d.v4.f32.f32 d, [t, {x, y}]
void gatherTexture(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  const char *const Components[] = {"r", "g", "b", "a"};
  unsigned Component = 0;
  while (Component < 4 && !I.take(Components[Component]))
    ++Component;
  const GeometryRow *Geometry = takeGeometry(I);
  if (Component == 4 || !Geometry || Geometry->Shape == ImageShape::OneD ||
      Geometry->Shape == ImageShape::ThreeD || !I.take("v4") ||
      !hasKnownTypes(I) || I.type().isSigned() || I.Operands.size() != 2)
    return C.refuse();
  SmallVector<Value *> Operands =
      readPlace(C, I.Operands[1], *Geometry, B.getFloatTy());
  if (C.refused())
    return;
  const uint32_t Packed =
      packedShape(*Geometry) | (Component + 1) << ImageAccess::GathersAt;
  Operands.insert(Operands.begin() + 1, B.getInt32(Packed));
  Operands.push_back(ConstantFP::get(B.getFloatTy(), 0));
  writeWords(C, I.Operands[0],
             callMarker(C, TextureMarker, fourWords(C), Operands,
                        /*Reads=*/true));
}

/// What suld and sust have in common.
struct SurfaceForm {
  const GeometryRow *Geometry = nullptr;
  unsigned Count = 1;
  uint32_t Packed = 0;
};

/// False after a refusal.
bool takeSurface(PtxCode &C, PtxInstruction &I, SurfaceForm &Out) {
  const bool Bytes = I.take("b");
  Out.Geometry = takeGeometry(I);
  for (unsigned Count : {2, 4})
    if (I.take("v" + std::to_string(Count)))
      Out.Count = Count;
  const bool Clamp = I.take("clamp");
  const bool Zero = I.take("zero");
  if (!Clamp && !Zero)
    I.take("trap");
  const unsigned Bits = I.type().total() * Out.Count;
  if (!Bytes || !Out.Geometry || Out.Geometry->Shape == ImageShape::Cube ||
      I.Types.size() != 1 || Bits > 128 || I.Operands.size() != 2) {
    C.refuse();
    return false;
  }
  const SurfaceBoundary Boundary = Clamp  ? SurfaceBoundary::Clamp
                                   : Zero ? SurfaceBoundary::Zero
                                          : SurfaceBoundary::Trap;
  Out.Packed = uint32_t(Out.Geometry->Shape) |
               uint32_t(Boundary) << ImageAccess::BoundaryAt |
               Bits / 8 << ImageAccess::BytesAt;
  return true;
}

/// suld.b.2d.v2.b32.trap {a, b}, [s, {x, y}]
void readSurface(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  SurfaceForm Form;
  if (!takeSurface(C, I, Form))
    return;
  SmallVector<Value *> Operands =
      readPlace(C, I.Operands[1], *Form.Geometry, B.getInt32Ty());
  if (C.refused())
    return;
  Operands.insert(Operands.begin() + 1, B.getInt32(Form.Packed));
  Type *Half = B.getInt64Ty(), *Whole = B.getInt128Ty();
  Value *Given = callMarker(C, SurfaceReadMarker, StructType::get(Half, Half),
                            Operands, /*Reads=*/true);
  Value *Low = B.CreateZExt(B.CreateExtractValue(Given, 0), Whole);
  Value *High = B.CreateZExt(B.CreateExtractValue(Given, 1), Whole);
  Value *All = B.CreateOr(Low, B.CreateShl(High, 64));
  const unsigned Bits = I.type().total();
  const PtxOperand &To = I.Operands[0];
  const bool Vector = To.Kind == PtxOperandKind::Vector;
  if (Vector ? To.Elements.size() != Form.Count : Form.Count != 1)
    return C.refuse("what it writes to");
  for (unsigned N = 0; N < Form.Count; ++N)
    C.write(Vector ? To.Elements[N] : To,
            B.CreateTrunc(B.CreateLShr(All, N * Bits), B.getIntNTy(Bits)));
}

/// sust.b.2d.v2.b32.trap [s, {x, y}], {a, b}
void writeSurface(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  SurfaceForm Form;
  if (!takeSurface(C, I, Form))
    return;
  SmallVector<Value *> Operands =
      readPlace(C, I.Operands[0], *Form.Geometry, B.getInt32Ty());
  SmallVector<Value *, 4> Given = C.readAll(I.Operands[1], I.type());
  if (C.refused())
    return;
  if (Given.size() != Form.Count)
    return C.refuse("what it writes");
  Operands.insert(Operands.begin() + 1, B.getInt32(Form.Packed));
  Value *All = B.getIntN(128, 0);
  for (unsigned N = 0; N < Form.Count; ++N)
    All = B.CreateOr(All, B.CreateShl(B.CreateZExt(Given[N], B.getInt128Ty()),
                                      N * I.type().total()));
  Operands.push_back(B.CreateTrunc(All, B.getInt64Ty()));
  Operands.push_back(B.CreateTrunc(B.CreateLShr(All, 64), B.getInt64Ty()));
  callMarker(C, SurfaceWriteMarker, B.getVoidTy(), Operands, /*Reads=*/false);
}

const PtxRow TextureRows[] = {
    {"tex", readTexture},
    {"tld4", gatherTexture},
    {"suld", readSurface},
    {"sust", writeSurface},
};

} // namespace

ArrayRef<PtxRow> ptxTextureRows() { return TextureRows; }

} // namespace blockmaestro
