// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockVariants.h"

#include "Calls.h"
#include "Gate.h"
#include "Linkage.h"
#include "TimedVariants.h"
#include "VariantChecks.h"
#include "VariantClones.h"
#include "VariantParts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

// Note [Late]
// What a prelaunch variant does around the kernel's code is some hundred
// instructions, optimised when BlockMaestro was built. Inlined at the start of
// the pipeline they would be optimised again in every variant, most of what
// variants cost at compile time. So they stay out of line, left alone by the
// optimiser, until its end; the machine code is the same.

// Note [Code twice]
// A variant costs as much to compile as its kernel, for which the optimiser and
// the assembler may need more than linear time, and the assembler some 60 ms
// for the code that waits. So large kernels have none, smaller ones no
// persistent case, and of very many kernels in a file the first have some: no
// file takes more than about twice the time that it takes without variants. The
// pdl variant costs least and is what runs where nobody asks for another: it
// is there for more kernels, and larger ones.

namespace blockmaestro {
namespace {

/// Marks functions that are inlined at the end of the pipeline only.
constexpr StringLiteral LateAttribute = "blockmaestro-late";
constexpr StringLiteral LateFunctions[] = {
    "__bm_prelaunch_enter", "__bm_prelaunch_leave",
    "__bm_prelaunch_enter_counted", "__bm_prelaunch_leave_counted"};

constexpr unsigned FirstArchitecture = 90;
/// How many kernels of a file have a form, and how many instructions, before
/// any optimisation and with all that is called, one and all of these have. See
/// Note [Code twice].
struct Budget {
  size_t Kernels, InOne, InAll;
};
constexpr Budget PdlBudget = {48, 16000, 40000};
constexpr Budget PrelaunchBudget = {16, 8000, 24000};
constexpr Budget PersistentBudget = {16, 6000, 20000};
constexpr Budget TimedBudget = {48, 8000, 24000};

/// A kernel's static shared memory; one entry holds that of all its cases.
constexpr uint32_t SharedLimit = 48 * 1024;
constexpr uint32_t WorkerShared = 2 * StagedBytes + 64;
constexpr uint32_t CounterShared = 16;
constexpr size_t MostArgumentBytes = 4096;
constexpr unsigned GlobalSpace = 1;

/// 90 for sm_90 and sm_90a; 0 for anything else.
unsigned architectureNumber(StringRef Name) {
  unsigned Number = 0;
  if (!Name.consume_front("sm_") || Name.consumeInteger(10, Number))
    return 0;
  return Number;
}

/// Makes the last parameter of kernel F a by-value structure of Bytes bytes
/// that is only read, and so never copied to local memory.
void makeReadOnlyStructure(Function &F, uint64_t Bytes) {
  LLVMContext &Context = F.getContext();
  unsigned Last = F.arg_size() - 1;
  auto *Type = ArrayType::get(Type::getInt64Ty(Context), Bytes / 8);
  F.addParamAttr(Last, Attribute::getWithByValType(Context, Type));
  F.addParamAttr(Last, Attribute::getWithAlignment(Context, Align(8)));
  F.addParamAttr(Last, Attribute::get(Context, "nvvm.grid_constant"));
}

/// See Note [Late].
void keepOutOfLine(Module &M) {
  for (StringRef Name : LateFunctions) {
    Function *F = M.getFunction(Name);
    F->addFnAttr(LateAttribute);
    F->addFnAttr(Attribute::NoInline);
    F->addFnAttr(Attribute::OptimizeNone);
  }
}

/// Whether threads of the prelaunch variant must really exit.
bool leavesOneByOne(const KernelRecord &Record) {
  return Record.has(Feature::EarlyExit) || Record.has(Feature::WarpRows);
}

/// Has every thread of F wait, before anything else, until the launch in front
/// has completed and what it wrote is visible.
void awaitLaunchInFront(Function &F) {
  auto *Type = FunctionType::get(Type::getVoidTy(F.getContext()), false);
  auto *Wait = InlineAsm::get(Type, "griddepcontrol.wait;", "~{memory}",
                              /*hasSideEffects=*/true);
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<>(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca()).CreateCall(Wait);
}

/// The kernel behind a wait for the launch in front.
void addPdlVariant(Function &Kernel, VariantClones &Clones,
                   KernelRecord &Record) {
  Record.PdlSymbol = Record.Symbol + "$bm_pdl";
  Function *Variant = Clones.copy(Kernel, Record.PdlSymbol, {});
  awaitLaunchInFront(*Variant);
}

/// The kernel with the gate around it.
void addPrelaunchVariant(Function &Kernel, VariantClones &Clones,
                         KernelRecord &Record) {
  std::string Symbol = Record.Symbol + "$bm_prelaunch";
  Function *Variant =
      Clones.copy(Kernel, Symbol, {PointerType::get(Kernel.getContext(), 0)});
  makeReadOnlyStructure(*Variant, sizeof(Gate));
  Value *GateArgument = Variant->getArg(Variant->arg_size() - 1);
  if (leavesOneByOne(Record)) {
    enterThrough(*Variant, "__bm_prelaunch_enter_counted", GateArgument);
    leaveOneByOne(*Variant, "__bm_prelaunch_leave_counted", GateArgument);
  } else {
    enterThrough(*Variant, "__bm_prelaunch_enter", GateArgument);
    leaveThroughOneExit(*Variant, "__bm_prelaunch_leave", GateArgument);
  }
  Record.PrelaunchSymbol = Symbol;
}

/// The value of kernel parameter Formal, read from the launch's argument bytes
/// as the kernel itself would get it. Structures are copied to memory of the
/// calling thread, made in front of Allocas.
Value *readArgument(IRBuilder<> &Build, Value *Arguments,
                    const Argument &Formal, const Parameter &Place,
                    Instruction *Allocas) {
  Align Known(MinAlign(16, Place.Offset ? Place.Offset : 16));
  Value *Address = Build.CreateConstInBoundsGEP1_32(Build.getInt8Ty(),
                                                    Arguments, Place.Offset);
  Type *Type = Formal.getType();
  if (Formal.hasByValAttr()) {
    IRBuilder<> AtEntry(Allocas);
    AllocaInst *Copy = AtEntry.CreateAlloca(Formal.getParamByValType());
    Copy->setAlignment(
        std::max(Copy->getAlign(), Formal.getParamAlign().valueOrOne()));
    Build.CreateMemCpy(Copy, Copy->getAlign(), Address, Known, Place.Bytes);
    return Copy;
  }
  if (Type->isPointerTy() && Type->getPointerAddressSpace() == 0) {
    // As for a kernel's own parameters, what they point to is global memory.
    auto *Global = PointerType::get(Build.getContext(), GlobalSpace);
    return Build.CreateAddrSpaceCast(
        Build.CreateAlignedLoad(Global, Address, Known), Type);
  }
  if (Type->isIntegerTy() && Type->getIntegerBitWidth() < 8) {
    Value *Byte = Build.CreateAlignedLoad(Build.getInt8Ty(), Address, Known);
    return Build.CreateTrunc(Byte, Type);
  }
  return Build.CreateAlignedLoad(Type, Address, Known);
}

/// One kernel that the persistent entry can run.
struct PersistentKernel {
  Function *Body;
  KernelRecord *Record;
};

/// Writes __bm_dispatch: a switch over the kernels of the module.
void defineDispatch(Module &M, ArrayRef<PersistentKernel> Kernels) {
  Function *Dispatch = M.getFunction("__bm_dispatch");
  Dispatch->setLinkage(GlobalValue::InternalLinkage);
  Dispatch->addFnAttr(Attribute::AlwaysInline);
  LLVMContext &Context = M.getContext();
  auto *Entry = BasicBlock::Create(Context, "entry", Dispatch);
  auto *End = BasicBlock::Create(Context, "end", Dispatch);
  ReturnInst::Create(Context, End);
  SwitchInst *Switch =
      SwitchInst::Create(Dispatch->getArg(0), End, Kernels.size(), Entry);
  for (auto [Number, Kernel] : enumerate(Kernels)) {
    auto *Case = BasicBlock::Create(Context, "case", Dispatch, End);
    IRBuilder<> Build(Case);
    SmallVector<Value *> Arguments;
    for (auto [I, Place] : enumerate(Kernel.Record->Parameters))
      Arguments.push_back(readArgument(Build, Dispatch->getArg(1),
                                       *Kernel.Body->getArg(I), Place, Switch));
    for (unsigned I = 0; I < Arguments.size(); ++I)
      Kernel.Body->removeParamAttr(I, Attribute::ByVal);
    Arguments.push_back(Dispatch->getArg(2));
    Build.CreateCall(Kernel.Body, Arguments);
    Build.CreateBr(End);
    Switch->addCase(Build.getInt32(Number), Case);
    Kernel.Record->PersistentCase = Number;
  }
}

/// A name that two objects of a program, or two architectures of one object,
/// share only where all their code is the same: their cases are numbered
/// differently, and the linker keeps one entry of each name.
std::string entryName(const ModuleRecord &R) {
  std::string Text = R.Source + '\0' + R.Architecture;
  for (const KernelRecord &K : R.Kernels)
    Text += '\0' + K.Symbol;
  Text += '\0';
  Text.append(R.Bitcode.begin(), R.Bitcode.end());
  return "bm_persistent_" + utohexstr(xxh3_64bits(Text), /*LowerCase=*/true);
}

void definePersistentEntry(Module &M, const Function &Like, ModuleRecord &R) {
  R.PersistentSymbol = entryName(R);
  LLVMContext &Context = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Context),
                                 {PointerType::get(Context, 0)}, false);
  Function *Entry =
      Function::Create(Type,
                       R.Relocatable ? GlobalValue::WeakODRLinkage
                                     : GlobalValue::ExternalLinkage,
                       R.PersistentSymbol, M);
  Entry->setCallingConv(CallingConv::PTX_Kernel);
  Entry->addFnAttr(Attribute::Convergent);
  Entry->addFnAttr(Attribute::NoUnwind);
  for (StringRef Kind : {"target-cpu", "target-features"})
    Entry->addFnAttr(Like.getFnAttribute(Kind));
  makeReadOnlyStructure(*Entry, sizeof(Batch));
  IRBuilder<> Build(BasicBlock::Create(Context, "entry", Entry));
  callDeviceCode(Build, "__bm_persistent", {Entry->getArg(0)});
  Build.CreateRetVoid();
}

/// Instructions of Kernel and all that it calls.
size_t codeSize(const Function &Kernel) {
  size_t Sum = 0;
  for (const Function *F : reachableFrom(Kernel))
    Sum += F->getInstructionCount();
  return Sum;
}

/// How much code is compiled once more, and how much may be.
class CodeTwice {
public:
  explicit CodeTwice(const Budget &Most) : Most(Most) {}

  /// Why Kernel cannot be added; empty when it can.
  std::string whyNot(const Function &Kernel) const {
    const size_t Own = codeSize(Kernel);
    if (Own > Most.InOne)
      return "its code is too large to be compiled once more";
    if (Own + Size > Most.InAll)
      return "the file's code is too large to be compiled once more";
    if (Count >= Most.Kernels)
      return "the file has more than " + std::to_string(Most.Kernels) +
             " kernels";
    return "";
  }
  void add(const Function &Kernel) {
    ++Count;
    Size += codeSize(Kernel);
  }

private:
  const Budget Most;
  size_t Count = 0;
  size_t Size = 0;
};

/// Why Record cannot be one more case of an entry that has cases with
/// SharedBytes of shared memory; empty when it can.
std::string whyNoCase(const Function &Kernel, const KernelRecord &Record,
                      const CodeTwice &Cases, uint32_t SharedBytes) {
  if (std::string Reason = Cases.whyNot(Kernel); !Reason.empty())
    return Reason;
  if (SharedBytes + Record.StaticSharedBytes + WorkerShared > SharedLimit)
    return "the file's kernels together need more shared memory than one has";
  return whyNoPersistent(Kernel, Record);
}

/// Gives every kernel that has a prelaunch variant its case, or the reason.
void addPersistentEntry(Module &M, ModuleRecord &R) {
  VariantClones Clones(IndexSource::Memory, "$bm_body");
  SmallVector<PersistentKernel> Kernels;
  uint32_t SharedBytes = 0;
  CodeTwice Cases(PersistentBudget);
  for (KernelRecord &Record : R.Kernels) {
    if (Record.PrelaunchSymbol.empty())
      continue;
    Function &Kernel = *M.getFunction(Record.Symbol);
    std::string Reason = whyNoCase(Kernel, Record, Cases, SharedBytes);
    if (!Reason.empty()) {
      Record.NoVariantReason = "persistent only: " + Reason;
      continue;
    }
    SharedBytes += Record.StaticSharedBytes;
    Cases.add(Kernel);
    Function *Body = Clones.body(Kernel);
    Body->removeFnAttr(Attribute::NoInline);
    Body->removeFnAttr(Attribute::OptimizeNone);
    Kernels.push_back({Body, &Record});
  }
  if (Kernels.empty())
    return;
  Function &Like = *M.getFunction(Kernels.front().Record->Symbol);
  std::string Failure = linkDeviceCode(M, persistentCode(), Like);
  if (!Failure.empty()) {
    for (PersistentKernel &Kernel : Kernels)
      Kernel.Record->NoVariantReason = "persistent only: " + Failure;
    return;
  }
  defineDispatch(M, Kernels);
  definePersistentEntry(M, Like, R);
}

/// Why Record can have no variant of any form; empty when it can.
std::string whyNoVariant(const Module &M, const ModuleRecord &R,
                         const KernelRecord &Record) {
  if (architectureNumber(R.Architecture) < FirstArchitecture)
    return "compiled for " + R.Architecture +
           "; waiting for single blocks needs sm_90 or newer";
  const Function *Kernel = M.getFunction(Record.Symbol);
  if (!Kernel || Kernel->isDeclaration())
    return "its code is not in this file";
  const Function *Weak = R.Relocatable ? findReplaceable(*Kernel) : nullptr;
  if (Weak)
    return "another file may replace its weak " + Weak->getName().str();
  if (Kernel->arg_size() != Record.Parameters.size())
    return "its parameters are not all described";
  return whyNoCopy(*Kernel, Record);
}

/// Why no form of Kernel with one more parameter of so many Bytes can do
/// something when its blocks end; empty when one can.
std::string whyNoEnd(const Function &Kernel, const KernelRecord &Record,
                     size_t Bytes, const CodeTwice &Copied) {
  if (leavesOneByOne(Record) &&
      Record.StaticSharedBytes + CounterShared > SharedLimit)
    return "its shared memory leaves no room to count the threads that return";
  if (alignTo(Record.ArgumentBytes, 8) + Bytes > MostArgumentBytes)
    return "its parameters leave no room for one more";
  std::string Reason = whyNoPrelaunch(Kernel, Record);
  return Reason.empty() ? Copied.whyNot(Kernel) : Reason;
}

/// The kernels that have a pdl variant from now on.
SmallVector<KernelRecord *> addPdlVariants(Module &M, ModuleRecord &R,
                                           VariantClones &Clones) {
  SmallVector<KernelRecord *> Added;
  CodeTwice Copied(PdlBudget);
  for (KernelRecord &Record : R.Kernels) {
    Record.NoVariantReason = whyNoVariant(M, R, Record);
    if (!Record.NoVariantReason.empty())
      continue;
    Function &Kernel = *M.getFunction(Record.Symbol);
    Record.NoVariantReason = Copied.whyNot(Kernel);
    if (!Record.NoVariantReason.empty())
      continue;
    Copied.add(Kernel);
    addPdlVariant(Kernel, Clones, Record);
    Added.push_back(&Record);
  }
  return Added;
}

/// Gives the kernels prelaunch variants, or the reason why not.
void addPrelaunchVariants(Module &M, ArrayRef<KernelRecord *> Kernels,
                          VariantClones &Clones) {
  std::string Failure = linkDeviceCode(M, prelaunchCode(),
                                       *M.getFunction(Kernels.front()->Symbol));
  if (Failure.empty())
    keepOutOfLine(M);
  CodeTwice Gated(PrelaunchBudget);
  for (KernelRecord *Record : Kernels) {
    Function &Kernel = *M.getFunction(Record->Symbol);
    std::string Reason = Failure.empty()
                             ? whyNoEnd(Kernel, *Record, sizeof(Gate), Gated)
                             : Failure;
    if (!Reason.empty()) {
      Record->NoVariantReason = "prelaunch and persistent: " + Reason;
      continue;
    }
    Gated.add(Kernel);
    addPrelaunchVariant(Kernel, Clones, *Record);
  }
}

/// Chooses the kernels that get a timed variant. See Note [Copied last].
void chooseTimed(Module &M, ModuleRecord &R) {
  CodeTwice Timed(TimedBudget);
  for (KernelRecord &Record : R.Kernels) {
    if (!whyNoVariant(M, R, Record).empty())
      continue;
    Function &Kernel = *M.getFunction(Record.Symbol);
    if (!whyNoEnd(Kernel, Record, sizeof(BlockTime *), Timed).empty())
      continue;
    Timed.add(Kernel);
    Record.TimedSymbol = timedSymbolOf(Record.Symbol);
    markTimed(Kernel,
              leavesOneByOne(Record) ? Leaving::OneByOne : Leaving::Together);
  }
}

} // namespace

void addBlockVariants(Module &M, ModuleRecord &R) {
  VariantClones Clones(IndexSource::Hardware, "$bm_overlapped");
  SmallVector<KernelRecord *> Copied = addPdlVariants(M, R, Clones);
  if (Copied.empty())
    return;
  addPrelaunchVariants(M, Copied, Clones);
  addPersistentEntry(M, R);
  chooseTimed(M, R);
}

bool finishBlockVariants(Module &M) {
  bool Changed = addTimedVariants(M);
  for (Function &F : make_early_inc_range(M)) {
    if (!F.hasFnAttribute(LateAttribute))
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    inlineEverywhere(F);
    if (F.use_empty())
      F.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace blockmaestro
