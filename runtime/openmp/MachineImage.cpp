// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineImage.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <string_view>
#include <vector>

namespace blockmaestro::openmp {
namespace {

constexpr uint16_t CudaMachine = 190;
/// Where the architecture's number is in the header's flags since this version
/// of the ABI, and before it.
constexpr uint8_t ShiftedNumberVersion = 8;

/// Nothing where it is not all within Image.
template <typename T> std::optional<T> read(ImageBytes Image, uint64_t Offset) {
  if (Offset > Image.size() || sizeof(T) > Image.size() - Offset)
    return std::nullopt;
  T Out;
  std::memcpy(&Out, Image.data() + Offset, sizeof(T));
  return Out;
}

std::optional<Elf64_Ehdr> headerOf(ImageBytes Image) {
  const auto Header = read<Elf64_Ehdr>(Image, 0);
  if (!Header || std::memcmp(Header->e_ident, ELFMAG, SELFMAG) != 0 ||
      Header->e_ident[EI_CLASS] != ELFCLASS64 ||
      Header->e_machine != CudaMachine)
    return std::nullopt;
  return Header;
}

std::vector<Elf64_Shdr> sectionsOf(ImageBytes Image) {
  std::vector<Elf64_Shdr> Out;
  const auto Header = headerOf(Image);
  for (unsigned I = 0; Header && I < Header->e_shnum; ++I) {
    const auto Next =
        read<Elf64_Shdr>(Image, Header->e_shoff + I * sizeof(Elf64_Shdr));
    if (!Next)
      return {};
    Out.push_back(*Next);
  }
  return Out;
}

/// Empty where it is not all within Image.
ImageBytes part(ImageBytes Image, uint64_t Offset, uint64_t Bytes) {
  if (Offset > Image.size() || Bytes > Image.size() - Offset)
    return {};
  return Image.subspan(Offset, Bytes);
}

ImageBytes bytesOf(ImageBytes Image, const Elf64_Shdr &Section) {
  return Section.sh_type == SHT_NOBITS
             ? ImageBytes()
             : part(Image, Section.sh_offset, Section.sh_size);
}

std::string_view stringAt(ImageBytes Strings, uint64_t Offset) {
  if (Offset >= Strings.size())
    return {};
  const auto *Text = reinterpret_cast<const char *>(Strings.data()) + Offset;
  return {Text, strnlen(Text, Strings.size() - Offset)};
}

struct FoundSymbol {
  Elf64_Sym Symbol;
  std::vector<Elf64_Shdr> Sections;
};

std::optional<FoundSymbol> findSymbol(ImageBytes Image,
                                      const std::string &Name) {
  std::vector<Elf64_Shdr> Sections = sectionsOf(Image);
  for (const Elf64_Shdr &Table : Sections) {
    if (Table.sh_type != SHT_SYMTAB || Table.sh_link >= Sections.size())
      continue;
    const ImageBytes Symbols = bytesOf(Image, Table);
    const ImageBytes Strings = bytesOf(Image, Sections[Table.sh_link]);
    for (uint64_t At = 0; At + sizeof(Elf64_Sym) <= Symbols.size();
         At += sizeof(Elf64_Sym)) {
      const auto Symbol = read<Elf64_Sym>(Symbols, At);
      if (Symbol && Symbol->st_shndx != SHN_UNDEF &&
          stringAt(Strings, Symbol->st_name) == Name)
        return FoundSymbol{*Symbol, std::move(Sections)};
    }
  }
  return std::nullopt;
}

/// The letter behind the number in the options of the tool that made Image,
/// which only its note keeps.
char scopeOf(ImageBytes Image, const std::string &Number) {
  const std::string_view All(reinterpret_cast<const char *>(Image.data()),
                             Image.size());
  const std::string Option = "-arch sm_" + Number;
  const size_t Found = All.find(Option);
  if (Found == std::string_view::npos)
    return 0;
  const char Next = All[Found + Option.size()];
  return Next == 'a' || Next == 'f' ? Next : 0;
}

} // namespace

std::optional<ImageArchitecture> architectureOf(ImageBytes Image) {
  const auto Header = headerOf(Image);
  if (!Header)
    return std::nullopt;
  const bool Shifted = Header->e_ident[EI_ABIVERSION] >= ShiftedNumberVersion;
  ImageArchitecture Out;
  Out.Number = (Shifted ? Header->e_flags >> 8 : Header->e_flags) & 0xff;
  for (const Elf64_Shdr &Each : sectionsOf(Image))
    if (Each.sh_type == SHT_NOTE && Out.Scope == 0)
      Out.Scope = scopeOf(bytesOf(Image, Each), std::to_string(Out.Number));
  return Out;
}

bool hasSymbol(ImageBytes Image, const std::string &Symbol) {
  return findSymbol(Image, Symbol).has_value();
}

ImageBytes contentOf(ImageBytes Image, const std::string &Symbol) {
  const auto Found = findSymbol(Image, Symbol);
  if (!Found || Found->Symbol.st_shndx >= Found->Sections.size())
    return {};
  const Elf64_Shdr &Section = Found->Sections[Found->Symbol.st_shndx];
  if (Found->Symbol.st_value < Section.sh_addr)
    return {};
  return part(bytesOf(Image, Section), Found->Symbol.st_value - Section.sh_addr,
              Found->Symbol.st_size);
}

std::optional<KernelEnvironment> environmentOf(ImageBytes Image,
                                               const std::string &Kernel) {
  return read<KernelEnvironment>(
      contentOf(Image, Kernel + "_kernel_environment"), 0);
}

} // namespace blockmaestro::openmp
