// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The readers of ELF files and archives against files made by hand, so that
// each field can be wrong on its own.

#include "ArchiveMembers.h"
#include "ElfSections.h"

#include "llvm/BinaryFormat/ELF.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

using namespace blockmaestro;

namespace {

std::string header(const std::string &Name, size_t Size) {
  std::string Text(60, ' ');
  Text.replace(0, Name.size(), Name);
  std::string Digits = std::to_string(Size);
  Text.replace(48, Digits.size(), Digits);
  Text.replace(58, 2, "`\n");
  return Text;
}

std::string member(const std::string &Name, const std::string &Bytes) {
  return header(Name, Bytes.size()) + Bytes + (Bytes.size() % 2 ? "\n" : "");
}

/// "name=bytes" of each member, or the error.
std::string read(const std::string &Archive) {
  auto Members = archiveMembers(Archive);
  if (!Members)
    return llvm::toString(Members.takeError());
  std::string Text;
  for (const ArchiveMember &M : *Members)
    Text += (Text.empty() ? "" : ",") + M.Name.str() + "=" + M.Bytes.str();
  return Text;
}

const std::string Start = "!<arch>\n";
const std::string ThinStart = "!<thin>\n";

TEST(ArchiveMembers, NamesOfEveryKind) {
  std::string Archive = Start + member("/", "symbols") +
                        member("//", "a long name.o/\nanother long.o/\n") +
                        member("short.o/", "abc") + member("/0", "de") +
                        member("/15", "") + member("bsd.o", "f") +
                        member("#1/8", std::string("far.o\0\0\0gh", 10)) +
                        member("#1/9", "__.SYMDEFxyz");
  EXPECT_EQ(read(Archive), "short.o=abc,a long name.o=de,another long.o=,"
                           "bsd.o=f,far.o=gh");
  EXPECT_EQ(read(Start), "");
}

TEST(ArchiveMembers, ThinOnesHaveNamesOnly) {
  std::string Archive = ThinStart + member("//", "in/a/folder.o/\n/b.o/\n") +
                        header("/0", 1000) + header("/15", 2000) +
                        header("c.o/", 7);
  EXPECT_EQ(read(Archive), "in/a/folder.o=,/b.o=,c.o=");
}

TEST(ArchiveMembers, DamageIsNamed) {
  EXPECT_EQ(read(Start + member("a/", "bc") + "x"),
            "the archive is damaged: it is cut off");
  EXPECT_EQ(read(Start + header("a/", 9) + "bc"),
            "the archive is damaged: a member is cut off");
  EXPECT_EQ(read(Start + member("/4", "bc")),
            "the archive is damaged: a name is not there");
  EXPECT_EQ(read(Start + member("/x", "bc")),
            "the archive is damaged: a name is not there");
  EXPECT_EQ(read(Start + member("#1/3", "bc")),
            "the archive is damaged: a name is cut off");
  std::string NoEnd = Start + member("a/", "bc");
  NoEnd[Start.size() + 58] = ' ';
  EXPECT_EQ(read(NoEnd),
            "the archive is damaged: a member's header is not one");
  std::string NoSize = Start + member("a/", "bc");
  NoSize[Start.size() + 48] = '-';
  EXPECT_EQ(read(NoSize),
            "the archive is damaged: a member's header is not one");
}

TEST(ArchiveMembers, Kinds) {
  EXPECT_TRUE(isArchive(Start));
  EXPECT_TRUE(isArchive(ThinStart));
  EXPECT_FALSE(isThinArchive(Start));
  EXPECT_FALSE(isArchive("!<arch>"));
}

/// A file of two sections called ".it", one called ".other" and the names.
struct ElfFile {
  llvm::ELF::Elf64_Ehdr Header{};
  llvm::ELF::Elf64_Shdr Sections[5]{};
  char Bytes[32]{};

  ElfFile() {
    std::memcpy(Header.e_ident, llvm::ELF::ElfMagic, 4);
    Header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
    Header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
    Header.e_shoff = sizeof(Header);
    Header.e_shentsize = sizeof(Sections[0]);
    Header.e_shnum = 5;
    Header.e_shstrndx = 4;
    std::memcpy(Bytes, "one2three\0.it\0.other", 20);
    size_t At = offsetof(ElfFile, Bytes);
    set(1, 10, At, 3);
    set(2, 14, At + 3, 1);
    set(3, 10, At + 4, 5);
    set(4, 9, At, 32);
  }

  void set(int I, uint32_t Name, uint64_t Offset, uint64_t Size) {
    Sections[I].sh_name = Name;
    Sections[I].sh_type = llvm::ELF::SHT_PROGBITS;
    Sections[I].sh_offset = Offset;
    Sections[I].sh_size = Size;
  }

  llvm::StringRef bytes() const {
    return {reinterpret_cast<const char *>(this), sizeof(*this)};
  }
};

std::string read(llvm::StringRef File) {
  auto Found = elfSections(File, ".it");
  if (!Found)
    return llvm::toString(Found.takeError());
  std::string Text;
  for (llvm::StringRef Each : *Found)
    Text += (Text.empty() ? "" : ",") + Each.str();
  return Text;
}

TEST(ElfSections, AllOfTheName) {
  ElfFile File;
  EXPECT_TRUE(isElf(File.bytes()));
  EXPECT_EQ(read(File.bytes()), "one,three");
  File.Sections[1].sh_type = llvm::ELF::SHT_NOBITS;
  EXPECT_EQ(read(File.bytes()), "three");
}

TEST(ElfSections, NumbersThatDoNotFitTheHeader) {
  ElfFile File;
  File.Header.e_shnum = 0;
  File.Sections[0].sh_size = 5;
  File.Header.e_shstrndx = llvm::ELF::SHN_XINDEX;
  File.Sections[0].sh_link = 4;
  EXPECT_EQ(read(File.bytes()), "one,three");
}

TEST(ElfSections, OthersHaveNone) {
  ElfFile File;
  File.Header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS32;
  EXPECT_EQ(read(File.bytes()), "");
  ElfFile Bare;
  Bare.Header.e_shoff = 0;
  EXPECT_EQ(read(Bare.bytes()), "");
}

TEST(ElfSections, DamageIsNamed) {
  struct {
    std::function<void(ElfFile &)> Break;
    const char *Message;
  } Cases[] = {
      {[](ElfFile &F) { F.Header.e_shentsize = 40; },
       "its section headers have a wrong size"},
      {[](ElfFile &F) { F.Header.e_shoff = sizeof(ElfFile) + 1; },
       "its section headers are cut off"},
      {[](ElfFile &F) { F.Header.e_shoff = UINT64_MAX - 10; },
       "its section headers are cut off"},
      {[](ElfFile &F) { F.Header.e_shnum = 6; },
       "its section headers are cut off"},
      {[](ElfFile &F) {
         F.Header.e_shnum = 0;
         F.Sections[0].sh_size = UINT64_MAX;
       },
       "its section headers are cut off"},
      {[](ElfFile &F) { F.Header.e_shstrndx = 5; },
       "its sections have no names"},
      {[](ElfFile &F) { F.Sections[1].sh_offset = UINT64_MAX; },
       "a section is cut off"},
      {[](ElfFile &F) { F.Sections[3].sh_size = UINT64_MAX; },
       "a section is cut off"},
      {[](ElfFile &F) { F.Sections[4].sh_size = 16; },
       "a section's name is cut off"},
      {[](ElfFile &F) { F.Sections[1].sh_name = 100; },
       "a section's name is cut off"},
  };
  for (const auto &Case : Cases) {
    ElfFile File;
    Case.Break(File);
    EXPECT_EQ(read(File.bytes()),
              std::string("the ELF file is damaged: ") + Case.Message);
  }
  ElfFile Packed;
  Packed.Sections[1].sh_flags = llvm::ELF::SHF_COMPRESSED;
  EXPECT_EQ(read(Packed.bytes()),
            "the section with the metadata is compressed");
}

TEST(ElfSections, EveryCutIsAnError) {
  ElfFile File;
  for (size_t Bytes = 6; Bytes < offsetof(ElfFile, Bytes) + 20; ++Bytes)
    EXPECT_NE(read(File.bytes().take_front(Bytes)), "one,three") << Bytes;
}

} // namespace
