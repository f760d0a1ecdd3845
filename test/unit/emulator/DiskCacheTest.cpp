// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DiskCache.h"
#include "CompiledUnit.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

using namespace blockmaestro;
namespace fs = std::filesystem;

namespace {

class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "bm-cache-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Base = Template;
    Folder = Base + "/a/b";
  }
  void TearDown() override { fs::remove_all(Base); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> Found;
    for (const fs::directory_entry &E : fs::directory_iterator(Folder))
      Found.push_back(E.path());
    return Found;
  }

  std::string Base, Folder;
};

std::string read(const fs::path &File) {
  std::ifstream In(File, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(In)), {});
}

void write(const fs::path &File, const std::string &Bytes) {
  std::ofstream(File, std::ios::binary | std::ios::trunc) << Bytes;
}

TEST_F(DiskCacheTest, WhatWasStoredIsFoundByAnotherProcessesCache) {
  DiskCache(Folder).store("key", "value");
  DiskCache Other(Folder);
  EXPECT_EQ(Other.load("key"), "value");
  EXPECT_EQ(Other.load("keys"), std::nullopt);
  Other.store("key", "newer");
  EXPECT_EQ(DiskCache(Folder).load("key"), "newer");
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DiskCacheTest, EveryDamagedByteIsNoticedAndTheFileRemoved) {
  DiskCache Cache(Folder);
  Cache.store("key", "some value");
  const fs::path File = files().front();
  const std::string Whole = read(File);
  for (size_t At = 0; At < Whole.size(); ++At) {
    std::string Damaged = Whole;
    Damaged[At] ^= 0x10;
    write(File, Damaged);
    EXPECT_EQ(Cache.load("key"), std::nullopt) << At;
    EXPECT_FALSE(fs::exists(File)) << At;
  }
}

TEST_F(DiskCacheTest, EveryTruncatedFileIsNoticed) {
  DiskCache Cache(Folder);
  Cache.store("key", "some value");
  const fs::path File = files().front();
  const std::string Whole = read(File);
  for (size_t Size = 0; Size < Whole.size(); ++Size) {
    write(File, Whole.substr(0, Size));
    EXPECT_EQ(Cache.load("key"), std::nullopt) << Size;
  }
  write(File, Whole + "x");
  EXPECT_EQ(Cache.load("key"), std::nullopt);
}

TEST_F(DiskCacheTest, AFileUnderAnotherKeysNameIsNotUsed) {
  DiskCache Cache(Folder);
  Cache.store("one", "1");
  const fs::path One = files().front();
  const std::string Bytes = read(One);
  fs::remove(One);
  Cache.store("two", "2");
  write(files().front(), Bytes);
  EXPECT_EQ(Cache.load("two"), std::nullopt);
}

TEST_F(DiskCacheTest, WritersAtTheSameTimeLeaveOneWholeFile) {
  std::vector<std::thread> Writers;
  for (char Letter = 'a'; Letter < 'e'; ++Letter)
    Writers.emplace_back([&, Letter] {
      DiskCache Own(Folder);
      for (int Round = 0; Round < 50; ++Round) {
        Own.store("key", std::string(10000, Letter));
        std::optional<std::string> Seen = Own.load("key");
        if (Seen) {
          EXPECT_EQ(*Seen, std::string(10000, Seen->front()));
        }
      }
    });
  for (std::thread &W : Writers)
    W.join();
  EXPECT_TRUE(DiskCache(Folder).load("key").has_value());
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DiskCacheTest, AFolderThatCannotBeIsNoCache) {
  write(Base + "/file", "");
  DiskCache Cache(Base + "/file/folder");
  Cache.store("key", "value");
  EXPECT_EQ(Cache.load("key"), std::nullopt);
  DiskCache None("");
  EXPECT_FALSE(None.enabled());
  None.store("key", "value");
  EXPECT_EQ(None.load("key"), std::nullopt);
}

TEST_F(DiskCacheTest, TheOldestGoWhenThereIsNoRoom) {
  constexpr uint64_t Limit = 10000;
  DiskCache Cache(Folder, Limit);
  auto Time = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (int I = 0; I < 8; ++I) {
    Cache.store(std::to_string(I), std::string(1000, 'x'));
    for (const fs::path &File : files())
      if (fs::last_write_time(File) > Time + std::chrono::minutes(I))
        fs::last_write_time(File, Time + std::chrono::minutes(I));
  }
  EXPECT_TRUE(Cache.load("0").has_value());
  for (int I = 8; I < 12; ++I)
    Cache.store(std::to_string(I), std::string(1000, 'x'));
  uint64_t Sum = 0;
  for (const fs::path &File : files())
    Sum += fs::file_size(File);
  EXPECT_LE(Sum, Limit);
  EXPECT_TRUE(Cache.load("0").has_value());
  EXPECT_FALSE(Cache.load("1").has_value());
  EXPECT_TRUE(Cache.load("11").has_value());
}

TEST_F(DiskCacheTest, TheEnvironmentNamesTheFolder) {
  setenv("BLOCKMAESTRO_CACHE", "/somewhere", 1);
  EXPECT_EQ(DiskCache::folderFromEnvironment(), "/somewhere");
  setenv("BLOCKMAESTRO_CACHE", "off", 1);
  EXPECT_EQ(DiskCache::folderFromEnvironment(), "");
  unsetenv("BLOCKMAESTRO_CACHE");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(DiskCache::folderFromEnvironment(), "/cache/blockmaestro");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(DiskCache::folderFromEnvironment(),
            "/home/somebody/.cache/blockmaestro");
  unsetenv("HOME");
  EXPECT_EQ(DiskCache::folderFromEnvironment(), "");
}

CompiledUnit sampleUnit() {
  CompiledUnit Unit;
  Unit.Object = std::string("\x7f"
                            "ELF\0code",
                            9);
  Unit.Needs = {"device.x", "fn.0.f"};
  Unit.Variables.resize(1);
  Unit.Facts.Form = KernelForm::Fibers;
  Unit.Facts.Sites = {"", "a.cu:12"};
  Unit.Facts.StaticShared = 48;
  Unit.Facts.ArgumentBytes = 24;
  Unit.Facts.StackBytes = 1000;
  Unit.Facts.DeepStack = true;
  Unit.Facts.MayWait = true;
  Unit.Facts.ReservedShared = 16;
  Unit.Facts.StripThreads = 1024;
  Unit.Facts.Weights.resize(2);
  Unit.Facts.Weights[1].Barriers = 3;
  auto Traced = std::make_shared<TracedCode>();
  Traced->Code.Registers = 7;
  Traced->Code.Steps.resize(2);
  Traced->Code.Steps[1].Moves = {{0, 5, NoRegister}};
  Traced->Code.Steps[1].Instructions = {{WarpClass::Atomic, 6, {5, 4}}};
  Traced->Places = {{{0, 1}, 2, true}, {}};
  Traced->Sites = {3, 1};
  Unit.Facts.Traced = std::move(Traced);
  return Unit;
}

TEST(CompiledUnit, SurvivesItsEncoding) {
  std::optional<CompiledUnit> Back = decode(encode(sampleUnit()));
  ASSERT_TRUE(Back.has_value());
  EXPECT_EQ(Back->Object, sampleUnit().Object);
  EXPECT_EQ(Back->Needs, sampleUnit().Needs);
  EXPECT_EQ(Back->Variables, sampleUnit().Variables);
  const KernelFacts &F = Back->Facts;
  EXPECT_EQ(F.Form, KernelForm::Fibers);
  EXPECT_EQ(F.Sites, sampleUnit().Facts.Sites);
  EXPECT_EQ(F.StaticShared, 48u);
  EXPECT_EQ(F.ArgumentBytes, 24u);
  EXPECT_EQ(F.StackBytes, 1000u);
  EXPECT_TRUE(F.DeepStack && F.MayWait);
  EXPECT_EQ(F.ReservedShared, 16u);
  EXPECT_EQ(F.StripThreads, 1024u);
  ASSERT_EQ(F.Weights.size(), 2u);
  EXPECT_EQ(F.Weights[1].Barriers, 3u);
}

TEST(CompiledUnit, TracedCodeSurvivesItsEncoding) {
  std::optional<CompiledUnit> Back = decode(encode(sampleUnit()));
  ASSERT_TRUE(Back && Back->Facts.Traced);
  const TracedCode &T = *Back->Facts.Traced;
  EXPECT_EQ(T.Code.Registers, 7u);
  ASSERT_EQ(T.Code.Steps.size(), 2u);
  ASSERT_EQ(T.Code.Steps[1].Moves.size(), 1u);
  EXPECT_EQ(T.Code.Steps[1].Moves[0].Result, 5u);
  EXPECT_EQ(T.Code.Steps[1].Moves[0].Operand, NoRegister);
  ASSERT_EQ(T.Code.Steps[1].Instructions.size(), 1u);
  EXPECT_EQ(T.Code.Steps[1].Instructions[0].Class, WarpClass::Atomic);
  EXPECT_EQ(T.Code.Steps[1].Instructions[0].Operands,
            (std::vector<uint32_t>{5, 4}));
  ASSERT_EQ(T.Places.size(), 2u);
  EXPECT_EQ(T.Places[0].Loops, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(T.Places[0].Accesses, 2u);
  EXPECT_TRUE(T.Places[0].IsEntry);
  EXPECT_EQ(T.Sites, (std::vector<uint32_t>{3, 1}));
  EXPECT_EQ(decode(encode(CompiledUnit()))->Facts.Traced, nullptr);
}

TEST(CompiledUnit, NoPartOfAnEncodingIsOne) {
  std::string Whole = encode(sampleUnit());
  for (size_t Size = 0; Size < Whole.size(); ++Size)
    EXPECT_FALSE(decode(std::string_view(Whole).substr(0, Size)).has_value());
  EXPECT_FALSE(decode(Whole + "x").has_value());
}

} // namespace
