// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The metadata's writer and reader against each other, and the reader against
// bytes that no writer made.

#include "MetadataReader.h"
#include "MetadataWriter.h"
#include "SampleRecord.h"
#include "blockmaestro/MetadataLayout.h"

#include <gtest/gtest.h>

#include <functional>

using namespace blockmaestro;

namespace {

Result<ModuleRecord> read(const std::vector<uint8_t> &Bytes) {
  const uint8_t *Data = Bytes.data();
  size_t Size = Bytes.size();
  return readRecord(Data, Size);
}

/// Puts the right checksum into changed bytes, so that the reader gets to see
/// the change.
void fixChecksum(std::vector<uint8_t> &Bytes) {
  uint64_t BodyBytes = 0;
  for (int I = 7; I >= 0; --I)
    BodyBytes = BodyBytes << 8 | Bytes[8 + I];
  uint64_t Sum = metadataChecksum(Bytes.data(), MetadataCheckedHeaderBytes);
  Sum = metadataChecksum(Bytes.data() + MetadataHeaderBytes, BodyBytes, Sum);
  for (int I = 0; I < 8; ++I)
    Bytes[16 + I] = static_cast<uint8_t>(Sum >> (8 * I));
}

TEST(Metadata, HeaderIsAsDocumented) {
  std::vector<uint8_t> Bytes = serialize(sampleRecord());
  const uint8_t Start[] = {'B', 'M', 'M', '1', 8, 0, 0, 0};
  EXPECT_TRUE(std::equal(std::begin(Start), std::end(Start), Bytes.begin()));
  EXPECT_EQ(Bytes.size() % MetadataAlignment, 0u);
  // The body begins with the source's name.
  const uint8_t Body[] = {9, 0, 0, 0, 'k', 'e', 'r'};
  EXPECT_TRUE(std::equal(std::begin(Body), std::end(Body),
                         Bytes.begin() + MetadataHeaderBytes));
}

TEST(Metadata, EveryFieldComesBack) {
  Result<ModuleRecord> Read = read(serialize(sampleRecord()));
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_EQ(Read->Source, "kernel.cu");
  EXPECT_EQ(Read->Architecture, "sm_90");
  EXPECT_EQ(Read->PersistentSymbol, "persistent");
  EXPECT_EQ(Read->Bitcode, sampleRecord().Bitcode);
  ASSERT_EQ(Read->Globals.size(), 1u);
  EXPECT_EQ(Read->Globals[0].Symbol, "table");
  EXPECT_EQ(Read->Globals[0].Bytes, uint64_t(1) << 40);
  EXPECT_TRUE(Read->Globals[0].Internal);
  ASSERT_EQ(Read->Kernels.size(), 2u);
  EXPECT_EQ(Read->Kernels[1].Symbol, "_Z4idlev");
  EXPECT_EQ(Read->Kernels[1].PersistentCase, -1);
  EXPECT_EQ(Read->Kernels[1].NoVariantReason, "it does nothing");
  EXPECT_TRUE(Read->Kernels[1].Replaceable);
  EXPECT_EQ(Read->Kernels[0].Code, 0x0123456789abcdef);
  EXPECT_TRUE(Read->Relocatable);
  ASSERT_EQ(Read->Shared.size(), 2u);
  EXPECT_EQ(Read->Shared[0].Symbol, "_Z6squaref");
  EXPECT_EQ(Read->Shared[0].Code, 17u);
  const KernelRecord &K = Read->Kernels[0];
  EXPECT_EQ(K.Name, "work(float*, short)");
  EXPECT_EQ(K.ArgumentBytes, 10u);
  EXPECT_EQ(K.StaticSharedBytes, 1056u);
  EXPECT_EQ(K.Cluster, (std::array<uint32_t, 3>{4, 2, 1}));
  EXPECT_TRUE(K.has(Feature::Barrier));
  EXPECT_TRUE(K.has(Feature::DynamicShared));
  EXPECT_EQ(K.PdlSymbol, "_Z4workPfs.pdl");
  EXPECT_EQ(K.PrelaunchSymbol, "_Z4workPfs.prelaunch");
  EXPECT_EQ(K.TimedSymbol, "_Z4workPfs.timed");
  EXPECT_EQ(K.PersistentCase, 3);
  ASSERT_EQ(K.Parameters.size(), 2u);
  EXPECT_TRUE(K.Parameters[0].Pointer);
  EXPECT_TRUE(K.Parameters[1].ByValue);
  EXPECT_EQ(K.Parameters[1].Offset, 8u);
  EXPECT_EQ(K.Parameters[1].Bytes, 2u);
  EXPECT_EQ(K.Parameters[1].Alignment, 2u);
}

TEST(Metadata, FootprintsComeBack) {
  Result<ModuleRecord> Read = read(serialize(sampleRecord()));
  ASSERT_TRUE(Read.ok());
  const Footprint &F = Read->Kernels[0].Bytes;
  ASSERT_EQ(F.Symbols.size(), 7u);
  EXPECT_EQ(F.Symbols[1].Kind, SymbolKind::BlockIdx);
  EXPECT_EQ(F.Symbols[1].Dimension, 1);
  EXPECT_EQ(F.Symbols[2].Kind, SymbolKind::Argument);
  EXPECT_EQ(F.Symbols[2].Index, 1);
  EXPECT_EQ(F.Symbols[2].Bytes, 2);
  EXPECT_FALSE(F.Symbols[2].Signed);
  ASSERT_EQ(F.CounterExtents.size(), 1u);
  EXPECT_EQ(F.CounterExtents[0].Terms[0].Coefficient, -5);
  ASSERT_EQ(F.Quotients.size(), 1u);
  EXPECT_EQ(F.Quotients[0].Numerator.Terms[1].Coefficient, 3);
  EXPECT_EQ(F.Quotients[0].Denominator.Terms[0].Coefficient, 2);
  ASSERT_EQ(F.Powers.size(), 1u);
  EXPECT_EQ(F.Powers[0].Terms[0].Factors, (std::vector<uint16_t>{2}));
  ASSERT_EQ(F.Values.size(), 1u);
  EXPECT_TRUE(F.Values[0].Low.Terms.empty());
  EXPECT_EQ(F.Values[0].High.Terms[0].Coefficient, -1);
  ASSERT_EQ(F.Accesses.size(), 3u);
  const Access &A = F.Accesses[0];
  EXPECT_EQ(A.Kind, AccessKind::Write);
  EXPECT_EQ(A.Base.Kind, RootKind::Argument);
  EXPECT_EQ(A.ElementBytes, 4u);
  EXPECT_EQ(A.Offset.Terms[0].Coefficient, INT64_MIN);
  EXPECT_EQ(A.Offset.Terms[2].Factors, (std::vector<uint16_t>{1, 1}));
  EXPECT_FALSE(A.Domain[0].Equality);
  EXPECT_TRUE(A.Domain[1].Equality);
  EXPECT_EQ(A.Assumptions[0].Bits, 31);
  EXPECT_FALSE(A.Assumptions[0].Signed);
  EXPECT_EQ(A.Assumptions[0].Under, std::vector<uint16_t>{0});
  EXPECT_EQ(A.How, Exactness::Bounded);
  EXPECT_EQ(A.Reason, "a guard was left out");
  EXPECT_EQ(A.Where.File, "kernel.cu");
  EXPECT_EQ(A.Where.Line, 12u);
  EXPECT_EQ(A.Where.Column, 34u);
  EXPECT_EQ(F.Accesses[1].Base.Global, "table");
  EXPECT_EQ(F.Accesses[2].How, Exactness::Unknown);
}

TEST(Metadata, SameRecordSameBytesAlsoAfterReading) {
  std::vector<uint8_t> Bytes = serialize(sampleRecord());
  EXPECT_EQ(Bytes, serialize(sampleRecord()));
  Result<ModuleRecord> Read = read(Bytes);
  ASSERT_TRUE(Read.ok());
  EXPECT_EQ(Bytes, serialize(*Read));
}

TEST(Metadata, EveryTruncationIsAnError) {
  std::vector<uint8_t> Bytes = serialize(sampleRecord());
  for (size_t Size = 1; Size < Bytes.size(); ++Size) {
    std::vector<uint8_t> Cut(Bytes.begin(), Bytes.begin() + Size);
    EXPECT_FALSE(read(Cut).ok()) << Size;
    EXPECT_FALSE(readMetadata(Cut.data(), Cut.size()).ok()) << Size;
  }
}

TEST(Metadata, EveryChangedByteIsAnError) {
  const std::vector<uint8_t> Bytes = serialize(sampleRecord());
  for (size_t I = 0; I < Bytes.size(); ++I)
    for (uint8_t Flip : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> Changed = Bytes;
      Changed[I] ^= Flip;
      EXPECT_FALSE(read(Changed).ok()) << I;
    }
}

TEST(Metadata, ChangesUnderARightChecksumNeverHarm) {
  const std::vector<uint8_t> Bytes = serialize(sampleRecord());
  for (size_t I = MetadataHeaderBytes; I < Bytes.size(); ++I)
    for (uint8_t Flip : {0x01, 0x7f, 0xff}) {
      std::vector<uint8_t> Changed = Bytes;
      Changed[I] ^= Flip;
      fixChecksum(Changed);
      Result<ModuleRecord> Read = read(Changed);
      if (Read.ok()) {
        EXPECT_EQ(serialize(*Read), Changed) << I;
      } else {
        EXPECT_EQ(Read.status().code(), StatusCode::Corrupt) << I;
      }
    }
}

TEST(Metadata, HugeCountsAllocateNothing) {
  std::vector<uint8_t> Bytes = serialize(ModuleRecord());
  // Source and architecture are empty; the count of kernels follows.
  for (int I = 0; I < 4; ++I)
    Bytes[MetadataHeaderBytes + 8 + I] = 0xff;
  fixChecksum(Bytes);
  Result<ModuleRecord> Read = read(Bytes);
  ASSERT_FALSE(Read.ok());
  EXPECT_EQ(Read.status().message(),
            "the metadata is corrupt: a field is out of range");
}

TEST(Metadata, OtherVersionsAndForeignBytesAreNamed) {
  std::vector<uint8_t> Bytes = serialize(sampleRecord());
  Bytes[4] = MetadataVersion + 1;
  fixChecksum(Bytes);
  EXPECT_EQ(read(Bytes).status().code(), StatusCode::VersionMismatch);
  EXPECT_EQ(read(Bytes).status().message(),
            "the metadata has version 9, this build reads version 8; compile "
            "the program again");
  std::vector<uint8_t> Foreign(64, 'x');
  EXPECT_EQ(read(Foreign).status().message(),
            "this is not BlockMaestro metadata");
}

TEST(Metadata, SectionsHoldSeveralRecords) {
  ModuleRecord Second;
  Second.Source = "second.cu";
  std::vector<uint8_t> Section = serialize(sampleRecord());
  Section.insert(Section.end(), 24, 0);
  std::vector<uint8_t> Tail = serialize(Second);
  Section.insert(Section.end(), Tail.begin(), Tail.end());
  Section.insert(Section.end(), 8, 0);
  auto Read = readMetadata(Section.data(), Section.size());
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  ASSERT_EQ(Read->size(), 2u);
  EXPECT_EQ((*Read)[0].Source, "kernel.cu");
  EXPECT_EQ((*Read)[1].Source, "second.cu");
  EXPECT_EQ(readMetadata(nullptr, 0)->size(), 0u);
}

TEST(Metadata, FailureLeavesThePlaceUnchanged) {
  std::vector<uint8_t> Bytes = serialize(sampleRecord());
  Bytes.back() ^= 1;
  Bytes[MetadataHeaderBytes] ^= 1;
  const uint8_t *Data = Bytes.data();
  size_t Size = Bytes.size();
  EXPECT_FALSE(readRecord(Data, Size).ok());
  EXPECT_EQ(Data, Bytes.data());
  EXPECT_EQ(Size, Bytes.size());
}

struct Inconsistency {
  const char *Name;
  std::function<void(KernelRecord &)> Break;
  const char *Message;
};

class MetadataCheck : public testing::TestWithParam<Inconsistency> {};

TEST_P(MetadataCheck, IsFound) {
  ModuleRecord Record = sampleRecord();
  GetParam().Break(Record.Kernels[0]);
  Result<ModuleRecord> Read = read(serialize(Record));
  ASSERT_FALSE(Read.ok());
  EXPECT_EQ(Read.status().message(),
            std::string("the metadata is corrupt: ") + GetParam().Message);
}

constexpr const char *OutsideArguments =
    "a parameter of _Z4workPfs is outside its arguments";
constexpr const char *NamesNothing = "a symbol of _Z4workPfs names nothing";
constexpr const char *BadAccess =
    "an access of _Z4workPfs uses what is not there";

constexpr const char *BadDefinition =
    "a quotient, power or value of _Z4workPfs uses a symbol that is not there";

constexpr const char *Circular =
    "the symbols of _Z4workPfs are computed from each other";

const Inconsistency Inconsistencies[] = {
    {"NoSymbol", [](KernelRecord &K) { K.Symbol.clear(); },
     "a kernel has no symbol"},
    {"ParameterBehindTheEnd", [](KernelRecord &K) { K.ArgumentBytes = 9; },
     OutsideArguments},
    {"OddAlignment", [](KernelRecord &K) { K.Parameters[0].Alignment = 3; },
     OutsideArguments},
    {"FourthDimension",
     [](KernelRecord &K) { K.Bytes.Symbols[0].Dimension = 3; }, NamesNothing},
    {"ArgumentThatIsNotThere",
     [](KernelRecord &K) { K.Bytes.Symbols[2].Index = 2; }, NamesNothing},
    {"ArgumentTooWide", [](KernelRecord &K) { K.Bytes.Symbols[2].Bytes = 4; },
     NamesNothing},
    {"CounterWithoutExtent",
     [](KernelRecord &K) { K.Bytes.Symbols[3].Index = 1; }, NamesNothing},
    {"ExtentOfNothing",
     [](KernelRecord &K) { K.Bytes.CounterExtents[0].Terms[1].Factors = {7}; },
     "a loop of _Z4workPfs uses a symbol that is not there"},
    {"QuotientThatIsNotThere",
     [](KernelRecord &K) { K.Bytes.Symbols[4].Index = 1; }, NamesNothing},
    {"PowerThatIsNotThere",
     [](KernelRecord &K) { K.Bytes.Symbols[5].Index = 1; }, NamesNothing},
    {"ValueThatIsNotThere",
     [](KernelRecord &K) { K.Bytes.Symbols[6].Index = 1; }, NamesNothing},
    {"NumeratorOfNothing",
     [](KernelRecord &K) {
       K.Bytes.Quotients[0].Numerator.Terms[0].Factors = {7};
     },
     BadDefinition},
    {"ExponentOfNothing",
     [](KernelRecord &K) { K.Bytes.Powers[0].Terms[0].Factors = {7}; },
     BadDefinition},
    {"RangeOfNothing",
     [](KernelRecord &K) { K.Bytes.Values[0].High.Terms[1].Factors = {7}; },
     BadDefinition},
    {"QuotientOfItself",
     [](KernelRecord &K) {
       K.Bytes.Quotients[0].Numerator.Terms[0].Factors = {4};
     },
     Circular},
    {"QuotientOfALoopThatUsesIt",
     [](KernelRecord &K) {
       K.Bytes.Quotients[0].Numerator.Terms[0].Factors = {3};
       K.Bytes.CounterExtents[0].Terms[1].Factors = {4};
     },
     Circular},
    {"FeatureThatDoesNotExist",
     [](KernelRecord &K) { K.Features |= 1u << FeatureCount; },
     "_Z4workPfs has features that do not exist"},
    {"ClusterWithoutExtent", [](KernelRecord &K) { K.Cluster[1] = 0; },
     "_Z4workPfs has a cluster without an extent"},
    {"OffsetOfNothing",
     [](KernelRecord &K) { K.Bytes.Accesses[0].Offset.Terms[1].Factors = {9}; },
     BadAccess},
    {"PointerOutsideItsArgument",
     [](KernelRecord &K) { K.Bytes.Accesses[0].Base.Offset = 1; }, BadAccess},
    {"GlobalWithoutName",
     [](KernelRecord &K) { K.Bytes.Accesses[1].Base.Global.clear(); },
     BadAccess},
    {"NoRootButNotUnknown",
     [](KernelRecord &K) { K.Bytes.Accesses[2].How = Exactness::Allocation; },
     BadAccess},
    {"NoReason", [](KernelRecord &K) { K.Bytes.Accesses[0].Reason.clear(); },
     BadAccess},
    {"NoBits",
     [](KernelRecord &K) { K.Bytes.Accesses[0].Assumptions[0].Bits = 0; },
     BadAccess},
    {"UnderAConstraintThatIsNone",
     [](KernelRecord &K) { K.Bytes.Accesses[0].Assumptions[0].Under = {2}; },
     BadAccess},
    {"UnderOneConstraintTwice",
     [](KernelRecord &K) { K.Bytes.Accesses[0].Assumptions[0].Under = {1, 1}; },
     BadAccess},
};

INSTANTIATE_TEST_SUITE_P(Kinds, MetadataCheck,
                         testing::ValuesIn(Inconsistencies),
                         [](const testing::TestParamInfo<Inconsistency> &Info) {
                           return std::string(Info.param.Name);
                         });

} // namespace
