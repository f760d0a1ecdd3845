// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a host stub stands for, whatever objects, fat binaries and files of the
// program have registered it.

#include "Registry.h"

#include "FatBinaries.h"
#include "FrontEnd.h"
#include "MetadataWriter.h"
#include "blockmaestro/LinkedParts.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

class RegistryTest : public testing::Test {
protected:
  /// The bytes of a record of kernel Symbol, which is called Name.
  const std::vector<uint8_t> &record(const std::string &Symbol,
                                     const std::string &Name, uint64_t Code,
                                     const std::string &For = "sm_90") {
    ModuleRecord Out;
    Out.Source = Name + ".cu";
    Out.Architecture = For;
    Out.Kernels = {stepKernel()};
    Out.Kernels[0].Symbol = Symbol;
    Out.Kernels[0].Name = Name;
    Out.Kernels[0].Code = Code;
    Bytes.push_back(serialize(Out));
    return Bytes.back();
  }

  /// An object with a fat binary of its own, that registers Stub.
  RegisteredModule *addObject(const std::vector<uint8_t> &Record,
                              const void *Stub, const std::string &Symbol) {
    if (!Record.empty())
      Registered.addRecordsOfNext(Record.data(), Record.size());
    return addModule(Stub, Symbol);
  }

  /// A fat binary that registers Stub.
  RegisteredModule *addModule(const void *Stub, const std::string &Symbol) {
    Code.emplace_back(std::vector<CodeImage>{
        {CodeImage::Form::Machine, {90, Architecture::Scope::Any}}});
    RegisteredModule *Out = Registered.beginModule(Code.back().registered());
    Registered.addFunction(Out, {Stub, Symbol, -1});
    Registered.endModule(Out);
    return Out;
  }

  /// A fat binary that was linked of objects with these records.
  RegisteredModule *
  addLinked(std::initializer_list<const std::vector<uint8_t> *> Records,
            const void *Stub, const std::string &Symbol) {
    RegisteredModule *Out = addModule(Stub, Symbol);
    for (const std::vector<uint8_t> *Each : Records)
      Registered.addVariable(Out, {const_cast<uint8_t *>(Each->data()),
                                   std::string(PartPrefix) + "1", 1});
    return Out;
  }

  /// What is handed out, as kernels' names, and what stubs changed to.
  Lines take() {
    Lines Out;
    Registered.takeNew(
        {90},
        [&](const RegisteredModule &Each) {
          std::string Text = "module";
          for (const ModuleRecord *Record : Each.Records)
            Text += " " + Record->Source;
          Out.push_back(Text);
        },
        [&](const void *, const KernelRecord *Record) {
          Out.push_back(Record ? Record->Name : "none");
        });
    return Out;
  }

  Lines remove(RegisteredModule *Module) {
    Lines Out;
    Registered.removeModule(Module,
                            [&](const void *, const KernelRecord *Record) {
                              Out.push_back(Record ? Record->Name : "none");
                            });
    return Out;
  }

  /// The name of what Stub stands for, with "?" where that is in doubt.
  std::string meaning(const void *Stub) {
    const Kernel *Known = Registered.byStub(Stub);
    if (!Known)
      return "not registered";
    if (!Known->Record)
      return "no record";
    return Known->Record->Name + (Known->usable() ? "" : "?");
  }

  Registry Registered;
  std::deque<std::vector<uint8_t>> Bytes;
  std::deque<FatBinary> Code;
  char Stubs[4] = {};
};

TEST_F(RegistryTest, UnreadableRecordsAreProblems) {
  const std::vector<uint8_t> Junk = {1, 2, 3};
  addObject(Junk, &Stubs[0], "step");
  EXPECT_EQ(take(), Lines{"module"});
  EXPECT_EQ(Registered.problems().size(), 1u);
  EXPECT_EQ(meaning(&Stubs[0]), "no record");
}

/// Each object's stubs mean its own kernel of the name.
TEST_F(RegistryTest, AnObjectIsKnownByItsFatBinary) {
  addObject(record("set", "first", 1), &Stubs[0], "set");
  addObject(record("set", "second", 2), &Stubs[1], "set");
  addObject({}, &Stubs[2], "set");
  EXPECT_EQ(take(), (Lines{"module first.cu", "module second.cu", "module",
                           "first", "second"}));
  EXPECT_EQ(meaning(&Stubs[0]), "first");
  EXPECT_EQ(meaning(&Stubs[1]), "second");
  EXPECT_EQ(meaning(&Stubs[2]), "no record");
  EXPECT_EQ(meaning(&Stubs[3]), "not registered");
  EXPECT_EQ(Registered.nameOf(&Stubs[1]), "second");
  EXPECT_EQ(Registered.nameOf(&Stubs[2]), "set");
  EXPECT_EQ(Registered.nameOf(&Stubs[3]), "a function that is no kernel");
  EXPECT_EQ(Registered.nameOf(&Stubs[3], "_Z4stepPKfi"),
            "step(float const*, int)");
}

/// A template kernel in several files has one stub for all of them.
TEST_F(RegistryTest, AStubOfSeveralFatBinariesIsKnownWhereTheirCodeIsTheSame) {
  addObject(record("k", "first", 7), &Stubs[0], "k");
  addObject(record("k", "second", 7), &Stubs[0], "k");
  addObject(record("l", "third", 7), &Stubs[1], "l");
  addObject(record("l", "fourth", 8), &Stubs[1], "l");
  addObject(record("m", "fifth", 0), &Stubs[2], "m");
  addObject(record("m", "sixth", 0), &Stubs[2], "m");
  addObject(record("n", "seventh", 7), &Stubs[3], "n");
  addObject({}, &Stubs[3], "n");
  take();
  EXPECT_EQ(meaning(&Stubs[0]), "first");
  EXPECT_EQ(meaning(&Stubs[1]), "third?");
  EXPECT_EQ(meaning(&Stubs[2]), "fifth?");
  EXPECT_EQ(meaning(&Stubs[3]), "seventh?");
}

/// Until it goes, and of the code that the target runs.
TEST_F(RegistryTest, RegistersAreThoseOfTheMachineCode) {
  Code.emplace_back(std::vector<CodeImage>{{CodeImage::Form::Machine, {90}}},
                    MachineCode({"k"}, {40}).Bytes);
  RegisteredModule *Module = Registered.beginModule(Code.back().registered());
  Registered.addFunction(Module, {&Stubs[0], "k", -1});
  Registered.addFunction(Module, {&Stubs[1], "l", -1});
  Registered.endModule(Module);
  addModule(&Stubs[2], "k");
  take();
  EXPECT_EQ(Registered.registersOf(&Stubs[0]), 40u);
  EXPECT_EQ(Registered.registersOf(&Stubs[1]), 0u) << "no such kernel";
  EXPECT_EQ(Registered.registersOf(&Stubs[2]), 0u) << "no machine code";
  EXPECT_EQ(Registered.registersOf(&Stubs[3]), 0u) << "not registered";
  remove(Module);
  EXPECT_EQ(Registered.registersOf(&Stubs[0]), 0u);
}

TEST_F(RegistryTest, AStubMeansWhatIsLeftWhenAFatBinaryGoes) {
  RegisteredModule *First = addObject(record("k", "first", 7), &Stubs[0], "k");
  RegisteredModule *Second =
      addObject(record("k", "second", 8), &Stubs[0], "k");
  take();
  Kernel *Known = Registered.byStub(&Stubs[0]);
  EXPECT_EQ(meaning(&Stubs[0]), "first?");
  EXPECT_EQ(remove(First), Lines{"second"});
  EXPECT_EQ(meaning(&Stubs[0]), "second");
  EXPECT_EQ(remove(Second), Lines{"none"});
  EXPECT_EQ(meaning(&Stubs[0]), "no record");
  EXPECT_EQ(Registered.byStub(&Stubs[0]), Known);
}

/// Two libraries of relocatable code, or one that was linked in two parts, and
/// a fat binary of objects that carry nothing.
TEST_F(RegistryTest, RelocatableCodeIsOfTheObjectsThatAFatBinaryNames) {
  const std::vector<uint8_t> &One = record("k", "k of the first", 1);
  const std::vector<uint8_t> &Two = record("l", "l of the first", 2);
  const std::vector<uint8_t> &Three = record("k", "k of the second", 3);
  for (const auto *Each : {&One, &Two, &Three})
    Registered.addRecords(Each->data(), Each->size());
  RegisteredModule *First = addLinked({&One, &Two}, &Stubs[0], "k");
  Registered.addFunction(First, {&Stubs[1], "l", -1});
  addLinked({&Three}, &Stubs[2], "k");
  addModule(&Stubs[3], "k");
  EXPECT_EQ(take(),
            (Lines{"module k of the first.cu l of the first.cu",
                   "module k of the second.cu", "module", "k of the first",
                   "l of the first", "k of the second"}));
  EXPECT_EQ(meaning(&Stubs[0]), "k of the first");
  EXPECT_EQ(meaning(&Stubs[1]), "l of the first");
  EXPECT_EQ(meaning(&Stubs[2]), "k of the second");
  EXPECT_EQ(meaning(&Stubs[3]), "no record");
  EXPECT_TRUE(First->Variables.empty());
}

/// The same library again, at the same address.
TEST_F(RegistryTest, AFileThatIsLoadedAgainHasNewRecords) {
  const std::vector<uint8_t> &Record = record("k", "k", 1);
  Registered.addRecords(Record.data(), Record.size());
  RegisteredModule *Before = addLinked({&Record}, &Stubs[0], "k");
  take();
  EXPECT_EQ(remove(Before), Lines{"none"});
  Registered.addRecords(Record.data(), Record.size());
  RegisteredModule *After = addLinked({&Record}, &Stubs[0], "k");
  EXPECT_EQ(take(), (Lines{"module k.cu", "k"}));
  EXPECT_NE(Before->Records, After->Records);
}

TEST_F(RegistryTest, AModuleThatIsGoneIsNotHandedOut) {
  RegisteredModule *Gone = addObject(record("k", "gone", 1), &Stubs[0], "k");
  EXPECT_EQ(remove(Gone), Lines{});
  EXPECT_EQ(take(), Lines{});
  EXPECT_EQ(meaning(&Stubs[0]), "no record");
}

TEST_F(RegistryTest, HandsOutWholeModulesOnce) {
  Code.emplace_back(std::vector<CodeImage>());
  RegisteredModule *Module = Registered.beginModule(Code.back().registered());
  Registered.addFunction(Module, {&Stubs[0], "_Z4stepPKfi", -1});
  EXPECT_EQ(take(), Lines{});
  Registered.endModule(Module);
  EXPECT_EQ(take(), Lines{"module"});
  EXPECT_EQ(take(), Lines{});
  EXPECT_EQ(Registered.nameOf(&Stubs[0]), "step(float const*, int)");
}

/// What the object carries for an architecture that does not run is no record
/// of its kernel.
TEST_F(RegistryTest, RecordsAreOfTheCodeThatTheDeviceRuns) {
  std::vector<uint8_t> Both = record("k", "for 80", 1, "sm_80");
  const std::vector<uint8_t> &Newer = record("k", "for 90", 1, "sm_90");
  Both.insert(Both.end(), Newer.begin(), Newer.end());
  Code.emplace_back(std::vector<CodeImage>{
      {CodeImage::Form::Machine, {90, Architecture::Scope::Alone}},
      {CodeImage::Form::Ptx, {80, Architecture::Scope::Any}}});
  Registered.addRecordsOfNext(Both.data(), Both.size());
  RegisteredModule *Odd = Registered.beginModule(Code.back().registered());
  Registered.addFunction(Odd, {&Stubs[0], "k", -1});
  Registered.endModule(Odd);
  addObject(Both, &Stubs[1], "k");
  take();
  EXPECT_EQ(meaning(&Stubs[0]), "no record") << "sm_90a";
  EXPECT_EQ(meaning(&Stubs[1]), "for 90");
}

/// A static variable of two files is two variables.
TEST_F(RegistryTest, GlobalsAreNamedByModule) {
  for (int I : {0, 1}) {
    ModuleRecord Record;
    Record.Architecture = "sm_90";
    Record.Kernels = {stepKernel()};
    Root &Base = Record.Kernels[0].Bytes.Accesses[1].Base;
    Base = {RootKind::Global, 0, 0, "table"};
    Record.Globals = {{"other", 4, true}, {"table", uint64_t(8 + I), true}};
    Bytes.push_back(serialize(Record));
    addObject(Bytes.back(), &Stubs[I], "step");
  }
  take();
  std::string Names[2];
  for (int I : {0, 1}) {
    const Kernel &Known = *Registered.byStub(&Stubs[I]);
    ASSERT_EQ(Known.Globals.size(), 1u);
    EXPECT_EQ(Known.Globals[0].What.Symbol, "table");
    EXPECT_EQ(Known.Globals[0].What.Bytes, uint64_t(8 + I));
    Names[I] = Known.Globals[0].Name;
    EXPECT_EQ(Known.Record->Bytes.Accesses[1].Base.Global, Names[I]);
  }
  EXPECT_NE(Names[0], Names[1]);
}

} // namespace
