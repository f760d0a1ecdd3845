// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: fat binaries as compilers register them, with headers as
// NVIDIA's fatbinary writes them, and machine code that says of its kernels
// what ptxas says and has none of their instructions, for tests.

#ifndef BLOCKMAESTRO_TEST_UNIT_CUDA_FATBINARIES_H
#define BLOCKMAESTRO_TEST_UNIT_CUDA_FATBINARIES_H

#include "CodeImages.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace blockmaestro {

class FatBinary {
public:
  /// All images have the same code.
  explicit FatBinary(
      const std::vector<CodeImage> &Images,
      const std::vector<uint8_t> &Code = std::vector<uint8_t>(24, 0xcc)) {
    for (const CodeImage &Each : Images)
      addEntry(Each, Code);
    const uint64_t Entries = Bytes.size();
    const uint32_t Head[4] = {0xba55ed50, 0x00100001, uint32_t(Entries),
                              uint32_t(Entries >> 32)};
    Bytes.insert(Bytes.begin(), reinterpret_cast<const uint8_t *>(Head),
                 reinterpret_cast<const uint8_t *>(Head + 4));
    Wrapper.Container = Bytes.data();
  }
  FatBinary(const FatBinary &) = delete;
  FatBinary &operator=(const FatBinary &) = delete;

  /// The argument of __cudaRegisterFatBinary.
  void *registered() { return &Wrapper; }
  /// The container.
  std::vector<uint8_t> Bytes;

private:
  void addEntry(const CodeImage &Image, const std::vector<uint8_t> &Code) {
    const bool Ptx = Image.Kind == CodeImage::Form::Ptx;
    const uint32_t Header = Ptx ? 80 : 64;
    uint32_t Words[20] = {0x01010000u | (Ptx ? 1 : 2), Header,
                          uint32_t(Code.size())};
    Words[6] = Ptx ? 0x00080008 : 0x00010008;
    Words[7] = Image.For.Number;
    Words[10] = Ptx ? 0x8011 : 0x11;
    if (Image.For.For == Architecture::Scope::Alone)
      Words[10] |= 0x00100000;
    if (Image.For.For == Architecture::Scope::Family)
      Words[10] |= 0x01200000;
    const size_t Start = Bytes.size();
    Bytes.resize(Start + Header);
    std::memcpy(Bytes.data() + Start, Words, Header);
    Bytes.insert(Bytes.end(), Code.begin(), Code.end());
  }

  struct {
    uint32_t Magic = 0x466243b1;
    uint32_t Version = 1;
    const uint8_t *Container = nullptr;
    void *Unused = nullptr;
  } Wrapper;
};

/// An ELF file as ptxas writes it, of kernels without code; Names[I] has
/// Registers[I].
class MachineCode {
public:
  MachineCode(const std::vector<std::string> &Names,
              const std::vector<uint32_t> &Registers) {
    std::string Text(1, '\0');
    std::vector<Elf64_Sym> Symbols(1);
    for (const std::string &Each : Names) {
      Elf64_Sym &Symbol = Symbols.emplace_back();
      Symbol.st_name = uint32_t(Text.size());
      Symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      Text += Each + '\0';
    }
    // A value of a byte, a stack size, and the number of registers.
    std::vector<uint32_t> Info = {0x00ff1b03};
    for (uint32_t I = 0; I < Registers.size(); ++I)
      Info.insert(Info.end(),
                  {0x00081204, I + 1, 0, 0x00082f04, I + 1, Registers[I]});
    Bytes.resize(sizeof(Elf64_Ehdr));
    add(SHT_NULL, 0, nullptr, 0);
    add(SHT_STRTAB, 0, Text.data(), Text.size());
    add(SHT_SYMTAB, 1, Symbols.data(), Symbols.size() * sizeof(Elf64_Sym));
    add(SHT_LOPROC, 2, Info.data(), Info.size() * sizeof(uint32_t));
    finish();
  }

  std::vector<uint8_t> Bytes;

private:
  void add(uint32_t Type, uint32_t Link, const void *Data, size_t Count) {
    Elf64_Shdr &Section = Sections.emplace_back();
    Section.sh_type = Type;
    Section.sh_link = Link;
    Section.sh_offset = Bytes.size();
    Section.sh_size = Count;
    append(Data, Count);
  }

  void append(const void *Data, size_t Count) {
    const auto *Begin = static_cast<const uint8_t *>(Data);
    Bytes.insert(Bytes.end(), Begin, Begin + Count);
  }

  void finish() {
    Elf64_Ehdr Header = {};
    std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
    Header.e_ident[EI_CLASS] = ELFCLASS64;
    Header.e_shoff = Bytes.size();
    Header.e_shentsize = sizeof(Elf64_Shdr);
    Header.e_shnum = uint16_t(Sections.size());
    append(Sections.data(), Sections.size() * sizeof(Elf64_Shdr));
    std::memcpy(Bytes.data(), &Header, sizeof(Header));
  }

  std::vector<Elf64_Shdr> Sections;
};

} // namespace blockmaestro

#endif
