// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DependClauses.h"

#include "NestedPasses.h"
#include "TaskFootprints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace blockmaestro {
namespace {

constexpr uint64_t DependBytes = 24, LengthField = 8, FlagsField = 16;
/// Larger expressions are not followed.
constexpr unsigned MostInstructions = 64;

/// What was stored last at each offset of a variable before some call in its
/// block.
using StoredValues = std::map<int64_t, StoreInst *>;

/// A task that is created, as variables of its creator.
struct CreatedTask {
  uint32_t Kind = 0;
  AllocaInst *Shareds = nullptr;
};
using CreatedTasks = DenseMap<AllocaInst *, CreatedTask>;

/// False where the variable is used in another way than by loads, stores and
/// the call. Its own address may be in another variable.
bool storesInto(Value &Pointer, int64_t Offset, CallInst &Before,
                StoredValues &Out) {
  const DataLayout &Layout = Before.getDataLayout();
  for (User *By : Pointer.users()) {
    if (auto *Gep = dyn_cast<GetElementPtrInst>(By)) {
      APInt Further(64, 0);
      if (!Gep->accumulateConstantOffset(Layout, Further) ||
          !storesInto(*Gep, Offset + Further.getSExtValue(), Before, Out))
        return false;
    } else if (auto *Store = dyn_cast<StoreInst>(By)) {
      if (Store->getPointerOperand() != &Pointer) {
        if (!isa<AllocaInst>(Store->getPointerOperand()))
          return false;
        continue;
      }
      if (Store->getParent() != Before.getParent() ||
          !Store->comesBefore(&Before))
        continue;
      StoreInst *&Last = Out[Offset];
      if (!Last || Last->comesBefore(Store))
        Last = Store;
    } else if (By != &Before && !isa<LoadInst>(By) &&
               !cast<Instruction>(By)->isLifetimeStartOrEnd()) {
      return false;
    }
  }
  return true;
}

/// Writes expressions of a task's creator again, over the task's record.
class Rebuilding {
public:
  Rebuilding(const StoredValues &Record, uint64_t RecordBytes)
      : End(alignTo(RecordBytes, sizeof(uint64_t))) {
    for (auto [Offset, Store] : Record)
      if (!Places.try_emplace(Store->getValueOperand(), Offset).second)
        Ambiguous.insert(Store->getValueOperand());
  }

  Value *build(IRBuilder<> &Builder, Value *Of) {
    if (isa<Constant>(Of))
      return Of;
    if (Value *Known = Built.lookup(Of))
      return Known;
    return Built[Of] = buildNew(Builder, Of);
  }
  uint64_t bytes() const { return End; }

private:
  Value *buildNew(IRBuilder<> &Builder, Value *Of) {
    if (Ambiguous.contains(Of))
      return nullptr;
    if (const auto Place = Places.find(Of); Place != Places.end())
      return load(Builder, *Of, uint64_t(Place->second));
    auto *I = dyn_cast<Instruction>(Of);
    const bool Follows = I &&
                         (isa<BinaryOperator>(I) || isa<CastInst>(I) ||
                          isa<GetElementPtrInst>(I)) &&
                         ++Followed < MostInstructions;
    if (!Follows)
      return mayBeNew(*Of) ? load(Builder, *Of, takePlace()) : nullptr;
    Instruction *Copy = I->clone();
    for (Use &Each : Copy->operands()) {
      Value *Operand = build(Builder, Each.get());
      if (!Operand) {
        Copy->deleteValue();
        return nullptr;
      }
      Each.set(Operand);
    }
    Copy->setDebugLoc(DebugLoc());
    Builder.Insert(Copy);
    return Copy;
  }

  /// Whether a value that is not in the record needs no comparison with what is
  /// there: a number, or a pointer that is the same all the time.
  static bool mayBeNew(const Value &Of) {
    return Of.getType()->isIntegerTy() || isa<Argument>(Of) ||
           isa<AllocaInst>(Of);
  }

  uint64_t takePlace() {
    const uint64_t Out = End;
    End += sizeof(uint64_t);
    return Out;
  }

  static Value *load(IRBuilder<> &Builder, Value &Of, uint64_t Offset) {
    Value *Record = Builder.GetInsertBlock()->getParent()->getArg(0);
    return Builder.CreateLoad(
        Of.getType(), Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(),
                                                         Record, Offset));
  }

  DenseMap<Value *, int64_t> Places;
  DenseSet<Value *> Ambiguous; ///< Values with several places.
  DenseMap<Value *, Value *> Built;
  uint64_t End;
  unsigned Followed = 0;
};

/// Makes variables of tasks that are created and of their shareds, so that it
/// can be seen what is stored into them.
CreatedTasks placeTasks(Function &F, ArrayRef<std::string> Entries,
                        ArrayRef<KindLayout> Kinds) {
  CreatedTasks Out;
  SmallVector<CallInst *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == "__kmpc_omp_task_alloc")
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const auto Entry =
        find(Entries, Call->getArgOperand(TaskEntryArgument)->getName());
    if (Entry == Entries.end())
      continue;
    const auto Kind = uint32_t(Entry - Entries.begin());
    IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
    Type *Byte = Builder.getInt8Ty();
    const TaskSite &Site = Kinds[Kind].Site;
    AllocaInst *Task =
        Builder.CreateAlloca(ArrayType::get(Byte, Site.TaskBytes));
    AllocaInst *Shareds =
        Builder.CreateAlloca(ArrayType::get(Byte, Site.SharedsBytes));
    Builder.SetInsertPoint(Call);
    Builder.CreateStore(Shareds, Task);
    Call->replaceAllUsesWith(Task);
    Call->eraseFromParent();
    Out[Task] = {Kind, Shareds};
  }
  return Out;
}

/// What the record has when the task is created; false where not known.
bool storesIntoRecord(CallInst &Create, AllocaInst &Task,
                      const CreatedTask &Made, const KindLayout &Layout,
                      StoredValues &Out) {
  return storesInto(Task, 0, Create, Out) &&
         storesInto(*Made.Shareds, Layout.SharedsOffset, Create, Out);
}

void setRecordBytes(Function &Kernel, uint64_t Bytes) {
  LLVMContext &C = Kernel.getContext();
  Kernel.removeParamAttr(0, Attribute::ByVal);
  Kernel.addParamAttr(0, Attribute::getWithByValType(
                             C, ArrayType::get(Type::getInt8Ty(C), Bytes)));
}

/// A range as pointers to its first and last byte; null where not known.
struct RangeEnds {
  Value *First = nullptr;
  Value *Last = nullptr;
};

RangeEnds endsOf(Rebuilding &Over, IRBuilder<> &Builder, Value *Address,
                 Value *Length) {
  Value *Begin = nullptr, *End = nullptr;
  RangeEnds Out;
  if (!match(Address, m_PtrToInt(m_Value(Begin))) ||
      !(Out.First = Over.build(Builder, Begin)))
    return {};
  Type *Byte = Builder.getInt8Ty();
  if (match(Length,
            m_Sub(m_PtrToInt(m_Value(End)), m_PtrToInt(m_Specific(Begin))))) {
    if (Value *Behind = Over.build(Builder, End))
      Out.Last = Builder.CreateGEP(Byte, Behind, Builder.getInt64(-1));
  } else if (Value *Count = Over.build(Builder, Length)) {
    Out.Last = Builder.CreateGEP(Byte, Out.First,
                                 Builder.CreateSub(Count, Builder.getInt64(1)));
  }
  return Out.Last ? Out : RangeEnds();
}

enum CreateArgument : unsigned {
  RecordArgument = 2,
  ItemsArgument,
  ListArgument
};

/// A clause's ends over what the creator has in the record; null where that
/// cannot be.
Function *addEnds(Module &M, const StoredValues &InRecord, uint64_t RecordBytes,
                  Value *Address, Value *Length) {
  Function *Kernel = addRecordKernel(M, RecordBytes, "clause");
  IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Kernel));
  Rebuilding Over(InRecord, RecordBytes);
  const RangeEnds Ends = endsOf(Over, Builder, Address, Length);
  if (!Ends.First) {
    Builder.CreateUnreachable();
    Kernel->eraseFromParent();
    return nullptr;
  }
  Builder.CreateLoad(Builder.getInt8Ty(), Ends.First);
  Builder.CreateStore(Builder.getInt8(0), Ends.Last);
  Builder.CreateRetVoid();
  setRecordBytes(*Kernel, Over.bytes());
  return Kernel;
}

/// A clause's item as stored before the call that creates the task.
struct ListItem {
  Value *Address = nullptr, *Length = nullptr;
  ConstantInt *Flags = nullptr;

  /// Where it stands in the source.
  const DILocation *place() const {
    Value *Begin = nullptr;
    if (Address && match(Address, m_PtrToInt(m_Value(Begin))))
      if (auto *I = dyn_cast<Instruction>(Begin))
        return I->getDebugLoc();
    return nullptr;
  }
};

/// Null values where they are not known.
std::vector<ListItem> itemsOf(CallInst &Create) {
  auto *Count = dyn_cast<ConstantInt>(Create.getArgOperand(ItemsArgument));
  Value *List =
      Create.getArgOperand(ListArgument)->stripInBoundsConstantOffsets();
  StoredValues Stored;
  if (!Count || !storesInto(*List, 0, Create, Stored))
    return {};
  std::vector<ListItem> Out(Count->getZExtValue());
  for (size_t Item = 0; Item < Out.size(); ++Item) {
    auto At = [&](uint64_t Field) -> Value * {
      const auto Known = Stored.find(int64_t(Item * DependBytes + Field));
      return Known == Stored.end() ? nullptr : Known->second->getValueOperand();
    };
    Out[Item] = {At(0), At(LengthField),
                 dyn_cast_or_null<ConstantInt>(At(FlagsField))};
  }
  return Out;
}

using ItemPlaces = std::vector<const DILocation *>;

void addClauses(CallInst &Create, const CreatedTask &Made,
                const KindLayout &Layout, const ItemPlaces &Places,
                std::vector<DependClause> &Out) {
  StoredValues InRecord;
  auto *Task = cast<AllocaInst>(Create.getArgOperand(RecordArgument));
  if (!storesIntoRecord(Create, *Task, Made, Layout, InRecord))
    return;
  const std::vector<ListItem> Items = itemsOf(Create);
  for (size_t I = 0; I < Items.size(); ++I) {
    const ListItem &Of = Items[I];
    if (!Of.Address || !Of.Length || !Of.Flags)
      continue;
    Function *Ends = addEnds(*Create.getModule(), InRecord, Layout.RecordBytes,
                             Of.Address, Of.Length);
    const DILocation *Where = I < Places.size() ? Places[I] : nullptr;
    if (!Where)
      Where = Create.getDebugLoc();
    if (Ends)
      Out.push_back(
          {Made.Kind, uint8_t(Of.Flags->getZExtValue()), Where, Ends});
  }
}

std::vector<CallInst *> callsIn(Function &F, const Function &Callee) {
  std::vector<CallInst *> Out;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() == &Callee)
      Out.push_back(Call);
  return Out;
}

/// Of the calls that create tasks with clauses, once their creator can be read.
/// Items that are the same have one place then, so these are noted before.
void addClausesOf(Function &F, const Function &Create,
                  ArrayRef<std::string> Entries, ArrayRef<KindLayout> Kinds,
                  std::vector<DependClause> &Out) {
  const CreatedTasks Tasks = placeTasks(F, Entries, Kinds);
  std::map<const CallInst *, ItemPlaces> Places;
  for (CallInst *Call : callsIn(F, Create))
    for (const ListItem &Each : itemsOf(*Call))
      Places[Call].push_back(Each.place());
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  runNested(F, std::move(Passes));
  for (CallInst *Call : callsIn(F, Create)) {
    const auto Made =
        Tasks.find(dyn_cast<AllocaInst>(Call->getArgOperand(RecordArgument)));
    if (Made != Tasks.end())
      addClauses(*Call, Made->second, Kinds[Made->second.Kind], Places[Call],
                 Out);
  }
}

} // namespace

std::vector<DependClause> findDependClauses(Module &Copy,
                                            ArrayRef<std::string> Entries,
                                            ArrayRef<KindLayout> Kinds) {
  std::vector<DependClause> Out;
  const Function *Create = Copy.getFunction("__kmpc_omp_task_with_deps");
  if (!Create)
    return Out;
  std::vector<Function *> Creators;
  for (Function &F : Copy)
    if (!callsIn(F, *Create).empty())
      Creators.push_back(&F);
  for (Function *F : Creators)
    addClausesOf(*F, *Create, Entries, Kinds, Out);
  return Out;
}

} // namespace blockmaestro
