// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElfSections.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {
namespace {

using ElfHeader = ELF::Elf64_Ehdr;
using ElfSection = ELF::Elf64_Shdr;

template <typename T> T readAt(StringRef Bytes, size_t Place) {
  return support::endian::read<T, endianness::little>(Bytes.data() + Place);
}

/// Takes a file's section headers apart. All places are checked before use.
class SectionTable {
public:
  static Expected<SectionTable> create(StringRef Bytes);

  uint64_t count() const { return Count; }

  Expected<StringRef> name(uint64_t I) const;
  Expected<StringRef> contents(uint64_t I) const;

private:
  explicit SectionTable(StringRef Bytes) : Bytes(Bytes) {}

  template <typename T> T field(uint64_t I, size_t InSection) const {
    return readAt<T>(Bytes, Start + I * sizeof(ElfSection) + InSection);
  }

  StringRef Bytes;
  uint64_t Start = 0;
  uint64_t Count = 0;
  uint64_t NameTable = 0;
};

#define BM_FIELD(I, Name)                                                      \
  field<decltype(ElfSection::Name)>(I, offsetof(ElfSection, Name))

Error damagedElf(const char *What) {
  return createStringError(Twine("the ELF file is damaged: ") + What);
}

Expected<SectionTable> SectionTable::create(StringRef Bytes) {
  SectionTable Table(Bytes);
  if (Bytes.size() < sizeof(ElfHeader))
    return damagedElf("it is cut off");
  Table.Start = readAt<uint64_t>(Bytes, offsetof(ElfHeader, e_shoff));
  Table.Count = readAt<uint16_t>(Bytes, offsetof(ElfHeader, e_shnum));
  Table.NameTable = readAt<uint16_t>(Bytes, offsetof(ElfHeader, e_shstrndx));
  if (Table.Start == 0)
    return SectionTable(Bytes);
  if (readAt<uint16_t>(Bytes, offsetof(ElfHeader, e_shentsize)) !=
      sizeof(ElfSection))
    return damagedElf("its section headers have a wrong size");
  if (Table.Start > Bytes.size() ||
      (Bytes.size() - Table.Start) / sizeof(ElfSection) <
          std::max<uint64_t>(Table.Count, 1))
    return damagedElf("its section headers are cut off");
  if (Table.Count == 0)
    Table.Count = Table.BM_FIELD(0, sh_size);
  if (Table.NameTable == ELF::SHN_XINDEX)
    Table.NameTable = Table.BM_FIELD(0, sh_link);
  if ((Bytes.size() - Table.Start) / sizeof(ElfSection) < Table.Count)
    return damagedElf("its section headers are cut off");
  if (Table.NameTable >= Table.Count)
    return damagedElf("its sections have no names");
  return Table;
}

Expected<StringRef> SectionTable::contents(uint64_t I) const {
  if (BM_FIELD(I, sh_type) == ELF::SHT_NOBITS)
    return StringRef();
  if (BM_FIELD(I, sh_flags) & ELF::SHF_COMPRESSED)
    return createStringError("the section with the metadata is compressed");
  uint64_t Offset = BM_FIELD(I, sh_offset);
  uint64_t Size = BM_FIELD(I, sh_size);
  if (Offset > Bytes.size() || Size > Bytes.size() - Offset)
    return damagedElf("a section is cut off");
  return Bytes.substr(Offset, Size);
}

Expected<StringRef> SectionTable::name(uint64_t I) const {
  Expected<StringRef> Names = contents(NameTable);
  if (!Names)
    return Names.takeError();
  uint32_t Place = BM_FIELD(I, sh_name);
  size_t End = Names->find('\0', Place);
  if (End == StringRef::npos)
    return damagedElf("a section's name is cut off");
  return Names->slice(Place, End);
}

#undef BM_FIELD

bool isSupported(StringRef Bytes) {
  return Bytes.size() > ELF::EI_DATA &&
         Bytes[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
         Bytes[ELF::EI_DATA] == ELF::ELFDATA2LSB;
}

} // namespace

bool isElf(StringRef Bytes) { return Bytes.starts_with(ELF::ElfMagic); }

Expected<std::vector<StringRef>> elfSections(StringRef Bytes, StringRef Name) {
  std::vector<StringRef> Found;
  if (Bytes.size() > ELF::EI_DATA && !isSupported(Bytes))
    return Found;
  Expected<SectionTable> Table = SectionTable::create(Bytes);
  if (!Table)
    return Table.takeError();
  for (uint64_t I = 0; I < Table->count(); ++I) {
    Expected<StringRef> Its = Table->name(I);
    if (!Its)
      return Its.takeError();
    if (*Its != Name)
      continue;
    Expected<StringRef> Contents = Table->contents(I);
    if (!Contents)
      return Contents.takeError();
    Found.push_back(*Contents);
  }
  return Found;
}

} // namespace blockmaestro
