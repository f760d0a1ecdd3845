// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MachineCode.h"

#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>

// Note [Attributes of machine code]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Machine code is an ELF file. Its section .nv.info, of the first type that
// ELF leaves to processors, is a list of attributes: a byte for the form, a
// byte for the attribute, and two bytes that are the value or, in form 4, how
// many bytes follow. Attribute 0x2f has there the index of a kernel's symbol
// and how many registers its threads have. That holds for ptxas 11 to 13, which
// prints the same numbers with -v; the upper byte of a code section's sh_info
// has it up to 12 only.

namespace blockmaestro {
namespace {

constexpr uint32_t InfoSection = SHT_LOPROC;
constexpr uint8_t SizedForm = 4;
constexpr uint8_t RegisterCount = 0x2f;

struct Attribute {
  uint8_t Form;
  uint8_t Kind;
  uint16_t Size;
};

struct SymbolRegisters {
  uint32_t Symbol;
  uint32_t Registers;
};

/// What is at Offset, where all of it is.
template <typename T>
std::optional<T> valueAt(CodeBytes Bytes, uint64_t Offset) {
  T Out;
  if (Bytes.size() < sizeof(T) || Offset > Bytes.size() - sizeof(T))
    return std::nullopt;
  std::memcpy(&Out, Bytes.data() + Offset, sizeof(T));
  return Out;
}

/// The text that ends with a zero byte; empty where it does not end.
std::string_view textAt(CodeBytes Bytes, uint64_t Offset) {
  if (Offset >= Bytes.size())
    return {};
  const std::string_view Rest(
      reinterpret_cast<const char *>(Bytes.data() + Offset),
      Bytes.size() - Offset);
  const size_t End = Rest.find('\0');
  return End == Rest.npos ? std::string_view() : Rest.substr(0, End);
}

class Elf {
public:
  explicit Elf(CodeBytes Bytes) : Bytes(Bytes) {
    const auto Read = valueAt<Elf64_Ehdr>(Bytes, 0);
    if (Read && std::memcmp(Read->e_ident, ELFMAG, SELFMAG) == 0 &&
        Read->e_ident[EI_CLASS] == ELFCLASS64 &&
        Read->e_shentsize == sizeof(Elf64_Shdr))
      Header = *Read;
  }

  unsigned sections() const { return Header.e_shnum; }

  std::optional<Elf64_Shdr> section(unsigned Number) const {
    if (Number >= sections() || Header.e_shoff > Bytes.size())
      return std::nullopt;
    return valueAt<Elf64_Shdr>(Bytes, Header.e_shoff + uint64_t(Number) *
                                                           sizeof(Elf64_Shdr));
  }

  CodeBytes contents(const Elf64_Shdr &Of) const {
    if (Of.sh_type == SHT_NOBITS || Of.sh_offset > Bytes.size() ||
        Of.sh_size > Bytes.size() - Of.sh_offset)
      return {};
    return Bytes.subspan(Of.sh_offset, Of.sh_size);
  }

  /// The name of a symbol of the table.
  std::string_view symbolName(const Elf64_Shdr &Table, uint64_t Index) const {
    const auto Found =
        valueAt<Elf64_Sym>(contents(Table), Index * sizeof(Elf64_Sym));
    const auto Names = section(Table.sh_link);
    return Found && Names ? textAt(contents(*Names), Found->st_name)
                          : std::string_view();
  }

private:
  const CodeBytes Bytes;
  Elf64_Ehdr Header = {};
};

/// Calls Each(symbol, registers) for what the attributes say of registers.
template <typename F> void forEachCount(CodeBytes Attributes, F Each) {
  for (uint64_t At = 0; const auto Next = valueAt<Attribute>(Attributes, At);) {
    At += sizeof(Attribute);
    if (Next->Form != SizedForm)
      continue;
    const auto Said = valueAt<SymbolRegisters>(Attributes, At);
    if (Next->Kind == RegisterCount && Next->Size == sizeof(*Said) && Said)
      Each(Said->Symbol, Said->Registers);
    At += Next->Size;
  }
}

} // namespace

uint32_t registersOf(const std::string &Kernel, CodeBytes Code) {
  const Elf File(Code);
  uint32_t Out = 0;
  for (unsigned I = 0; I < File.sections(); ++I) {
    const auto Info = File.section(I);
    const auto Symbols = Info ? File.section(Info->sh_link) : std::nullopt;
    if (!Symbols || Info->sh_type != InfoSection ||
        Symbols->sh_type != SHT_SYMTAB)
      continue;
    forEachCount(File.contents(*Info), [&](uint64_t Symbol, uint32_t Count) {
      if (File.symbolName(*Symbols, Symbol) == Kernel)
        Out = Count;
    });
  }
  return Out;
}

} // namespace blockmaestro
