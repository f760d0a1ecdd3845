// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The loads, stores, copies, fences and prefetches of PTX.

#include "AccessMarks.h"
#include "PtxAccess.h"

using namespace llvm;

namespace blockmaestro {

namespace {

struct OrderRow {
  const char *Name;
  AtomicOrdering Order;
};
const OrderRow OrderRows[] = {
    {"relaxed", AtomicOrdering::Monotonic},
    {"acquire", AtomicOrdering::Acquire},
    {"release", AtomicOrdering::Release},
    {"acq_rel", AtomicOrdering::AcquireRelease},
    {"sc", AtomicOrdering::SequentiallyConsistent},
};

const StringRef Scopes[] = {"cta", "cluster", "gpu", "sys", "gl"};
/// Modifiers that say how memory is cached.
const StringRef Hints[] = {"ca", "cg", "cs",   "lu",  "cv",
                           "wb", "wt", "weak", "mmio"};

/// Takes .global, .shared, ...; 3 for shared memory, else 0.
unsigned takeSpace(PtxInstruction &I) {
  if (!I.takeAny({"shared", "shared::cta", "shared::cluster"}).empty())
    return NVPTXAS::ADDRESS_SPACE_SHARED;
  I.takeAny({"global", "local", "const", "param", "param::entry"});
  return 0;
}

/// A load or store of all of \p Bits bits in one piece, if the machine can.
bool inOnePiece(unsigned Bits) {
  return Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128;
}

/// Element \p N of a vector of \p Type at \p Address.
Value *elementAddress(IRBuilder<> &B, Value *Address, PtxType Type,
                      unsigned N) {
  return N ? B.CreatePtrAdd(Address, B.getInt64(N * Type.total() / 8))
           : Address;
}

/// The alignment of an element of a vector that is aligned as a whole.
Align elementAlignment(PtxType Type, const PtxAccess &A, unsigned N) {
  return commonAlignment(Align(Type.total() / 8 * A.Count),
                         uint64_t(N) * Type.total() / 8);
}

/// The mark of an access, null where it is volatile itself.
MDNode *markOf(PtxCode &C, const PtxAccess &A) {
  return A.Volatile ? nullptr : MDNode::getDistinct(C.B.getContext(), {});
}

/// Checks what loads and stores share; a strong access must be one piece.
bool isAccess(PtxCode &C, const PtxInstruction &I, const PtxAccess &A,
              unsigned VectorOperand) {
  unsigned Bits = I.type().total() * A.Count;
  const PtxOperand &Vector = I.Operands[VectorOperand];
  bool Fits = A.Count == 1 ? Vector.Kind != PtxOperandKind::Vector
                           : Vector.Elements.size() == A.Count;
  bool Strong = A.Order != AtomicOrdering::NotAtomic;
  return !C.refused() && I.Types.size() == 1 && Fits &&
         !(Strong && !inOnePiece(Bits));
}

/// A load of one piece that other threads may write at the same time.
Value *strongLoad(PtxCode &C, const PtxAccess &A, Value *Address,
                  unsigned Bits) {
  LoadInst *Load = C.B.CreateAlignedLoad(C.B.getIntNTy(Bits), Address,
                                         Align(Bits / 8), A.Volatile);
  Load->setAtomic(A.Order);
  return Load;
}

/// ld, ldu: elements go to the registers of a vector.
void load(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxAccess A = takePtxAccess(I);
  PtxType Type = I.type();
  if (I.Operands.size() < 2)
    return C.refuse();
  Value *Address = C.address(I.Operands[1], A.Space);
  if (!isAccess(C, I, A, 0))
    return C.refuse();
  auto Target = [&](unsigned N) -> const PtxOperand & {
    return A.Count == 1 ? I.Operands[0] : I.Operands[0].Elements[N];
  };
  llvm::Type *Element = B.getIntNTy(Type.total());
  if (A.Order != AtomicOrdering::NotAtomic) {
    Value *Whole = strongLoad(C, A, Address, Type.total() * A.Count);
    for (unsigned N = 0; N < A.Count; ++N)
      C.write(Target(N),
              B.CreateTrunc(B.CreateLShr(Whole, N * Type.total()), Element),
              Type.isSigned());
    return;
  }
  SmallVector<LoadInst *, 4> Loaded;
  MDNode *Mark = markOf(C, A);
  for (unsigned N = 0; N < A.Count; ++N) {
    Loaded.push_back(B.CreateAlignedLoad(
        Element, elementAddress(B, Address, Type, N),
        elementAlignment(Type, A, N), C.isVolatile() && !A.ReadOnly));
    Loaded.back()->setMetadata(PtxMark, Mark);
  }
  for (unsigned N = 0; N < A.Count; ++N)
    C.write(Target(N), Loaded[N], Type.isSigned());
}

void store(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  if (I.take("async"))
    return ptxStoreAsync(C, I);
  PtxAccess A = takePtxAccess(I);
  PtxType Type = I.type();
  if (I.Operands.size() < 2)
    return C.refuse();
  Value *Address = C.address(I.Operands[0], A.Space);
  if (!isAccess(C, I, A, 1))
    return C.refuse();
  SmallVector<Value *, 4> Parts = C.readAll(I.Operands[1], Type);
  if (A.Order == AtomicOrdering::NotAtomic) {
    MDNode *Mark = markOf(C, A);
    for (unsigned N = 0; N < A.Count; ++N)
      B.CreateAlignedStore(Parts[N], elementAddress(B, Address, Type, N),
                           elementAlignment(Type, A, N), C.isVolatile())
          ->setMetadata(PtxMark, Mark);
    return;
  }
  unsigned Bits = Type.total() * A.Count;
  Value *Whole = B.getIntN(Bits, 0);
  for (unsigned N = 0; N < A.Count; ++N)
    Whole =
        B.CreateOr(Whole, B.CreateShl(B.CreateZExt(Parts[N], Whole->getType()),
                                      N * Type.total()));
  StoreInst *Store =
      B.CreateAlignedStore(Whole, Address, Align(Bits / 8), A.Volatile);
  Store->setAtomic(A.Order);
}

/// fence and membar; those of proxies order nothing that exists here.
void fence(PtxCode &C, PtxInstruction &I) {
  if (I.take("proxy")) {
    bool Tensor = I.takePrefixed("tensormap");
    I.takePrefixed("async");
    I.takeAny({"alias", "generic"});
    I.takeAny({"global", "shared::cta", "shared::cluster"});
    I.takeAny({"acquire", "release"});
    I.takePrefixed("sync_restrict");
    I.takeAny(Scopes);
    if (Tensor || !I.Operands.empty())
      C.refuse();
    return;
  }
  I.take("mbarrier_init");
  I.takePrefixed("sync_restrict");
  AtomicOrdering Order = AtomicOrdering::SequentiallyConsistent;
  for (const OrderRow &Row : OrderRows)
    if (I.take(Row.Name))
      Order = Row.Order;
  I.takeAny(Scopes);
  C.B.CreateFence(Order);
}

/// A hint about caches.
void hint(PtxCode &C, PtxInstruction &I) {
  if (I.take("tensormap"))
    return C.refuse();
  I.takePrefixed("L1");
  I.takePrefixed("L2");
  I.takeAny({"global", "local"});
}

/// discard may leave anything in memory, so it leaves what is there.
void policy(PtxCode &C, PtxInstruction &I) {
  I.takePrefixed("L2");
  I.takeAny({"fractional", "range"});
  I.take("global");
  if (I.Operands.empty())
    return C.refuse();
  C.write(I.Operands[0], C.B.getInt64(0));
}

/// cp.async copies at once; a shorter source is filled up with zeros.
void copyNow(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  I.takeAny({"ca", "cg"});
  I.takePrefixed("L2");
  if (!I.take("global") || takeSpace(I) != NVPTXAS::ADDRESS_SPACE_SHARED ||
      I.Operands.size() < 3)
    return C.refuse();
  std::optional<uint64_t> Size = C.constant(I.Operands[2]);
  if (!Size)
    return C.refuse("a size that is not constant");
  Value *To = C.address(I.Operands[0], NVPTXAS::ADDRESS_SPACE_SHARED);
  Value *From = C.address(I.Operands[1], 0);
  Value *Bytes = B.getInt64(*Size);
  if (I.Operands.size() > 3) {
    Value *Given = C.read(I.Operands[3], {PtxKind::Unsigned, 32, 1});
    Bytes = B.CreateBinaryIntrinsic(Intrinsic::umin,
                                    B.CreateZExt(Given, B.getInt64Ty()), Bytes);
  }
  auto *Known = dyn_cast<ConstantInt>(Bytes);
  Align Alignment(*Size);
  if (!Known || Known->getZExtValue() != *Size)
    B.CreateMemSet(To, B.getInt8(0), *Size, Alignment);
  B.CreateMemCpy(To, Alignment, From, MaybeAlign(1), Bytes);
}

/// cp.reduce.async.bulk
void reducingCopy(PtxCode &C, PtxInstruction &I) {
  if (!I.take("async") || !I.take("bulk"))
    return C.refuse();
  ptxBulkReduction(C, I);
}

/// cp.async; the group instructions have nothing left to wait for.
void asynchronousCopy(PtxCode &C, PtxInstruction &I) {
  if (I.take("reduce"))
    return reducingCopy(C, I);
  if (!I.take("async"))
    return C.refuse();
  if (I.take("bulk"))
    return ptxBulkCopy(C, I);
  if (!I.takeAny({"commit_group", "wait_group", "wait_all"}).empty())
    return;
  if (I.take("mbarrier"))
    return ptxArriveAfterCopies(C, I);
  copyNow(C, I);
}

const PtxRow MemoryRows[] = {
    {"ld", load},
    {"ldu", load},
    {"st", store},
    {"fence", fence},
    {"membar", fence},
    {"prefetch", hint},
    {"prefetchu", hint},
    {"applypriority", hint},
    {"discard", hint},
    {"createpolicy", policy},
    {"cp", asynchronousCopy},
};

} // namespace

PtxAccess takePtxAccess(PtxInstruction &I) {
  PtxAccess A;
  A.Space = takeSpace(I);
  A.ReadOnly = I.take("nc");
  A.Volatile = I.take("volatile");
  if (A.Volatile)
    A.Order = AtomicOrdering::Monotonic;
  for (const OrderRow &Row : OrderRows)
    if (I.take(Row.Name))
      A.Order = Row.Order;
  I.takeAny(Scopes);
  while (!I.takeAny(Hints).empty())
    ;
  I.takePrefixed("L1::");
  I.takePrefixed("L2::");
  for (unsigned Count : {2, 4, 8})
    if (I.take("v" + std::to_string(Count)))
      A.Count = Count;
  return A;
}

ArrayRef<PtxRow> ptxMemoryRows() { return MemoryRows; }

} // namespace blockmaestro
