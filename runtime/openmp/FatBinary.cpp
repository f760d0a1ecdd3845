// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FatBinary.h"

#include <cstring>

namespace blockmaestro::openmp {
namespace {

constexpr uint32_t WrapperMagic = 0x466243b1;
constexpr uint32_t ContainerMagic = 0xba55ed50;

struct ContainerHeader {
  uint32_t Magic;
  uint16_t Version;
  uint16_t HeaderBytes;
  uint64_t Bytes;
};

struct EntryHeader {
  uint16_t Kind;
  uint16_t Version;
  uint32_t HeaderBytes;
  uint64_t Bytes;
  uint32_t CompressedBytes;
  uint32_t OptionsOffset;
  uint16_t FormatMinor;
  uint16_t FormatMajor;
  uint32_t Number;
  uint32_t NameOffset;
  uint32_t NameBytes;
  uint64_t Flags;
  uint64_t Unused;
  uint64_t ExpandedBytes;
};
static_assert(sizeof(ContainerHeader) == 16 && sizeof(EntryHeader) == 64);

constexpr uint16_t MachineEntry = 2;
constexpr uint64_t PlainFlags = 0x11; ///< 64 bits, Linux
constexpr uint64_t AloneFlag = 0x100000;
constexpr uint64_t FamilyFlag = 0x200000;

size_t wordsOf(size_t Bytes) { return (Bytes + 7) / 8; }

uint64_t flagsOf(ImageArchitecture For) {
  if (For.Scope == 'a')
    return PlainFlags | AloneFlag;
  return For.Scope == 'f' ? PlainFlags | FamilyFlag : PlainFlags;
}

} // namespace

FatBinary::FatBinary(const std::vector<ImageBytes> &Images) {
  Words.resize(wordsOf(sizeof(ContainerHeader)));
  for (const ImageBytes &Each : Images)
    if (const auto For = architectureOf(Each))
      add(Each, *For);
  const ContainerHeader Header = {ContainerMagic, 1, sizeof(ContainerHeader),
                                  Words.size() * sizeof(uint64_t) -
                                      sizeof(ContainerHeader)};
  std::memcpy(Words.data(), &Header, sizeof(Header));
  Outer = {WrapperMagic, 1, Words.data(), nullptr};
}

void FatBinary::add(ImageBytes Image, ImageArchitecture For) {
  EntryHeader Header = {};
  Header.Kind = MachineEntry;
  Header.Version = 0x101;
  Header.HeaderBytes = sizeof(EntryHeader);
  Header.Bytes = wordsOf(Image.size()) * sizeof(uint64_t);
  Header.FormatMinor = 8;
  Header.FormatMajor = 1;
  Header.Number = For.Number;
  Header.Flags = flagsOf(For);
  const size_t Begin = Words.size();
  Words.resize(Begin + wordsOf(sizeof(Header)) + wordsOf(Image.size()));
  std::memcpy(Words.data() + Begin, &Header, sizeof(Header));
  std::memcpy(Words.data() + Begin + wordsOf(sizeof(Header)), Image.data(),
              Image.size());
  ++Count;
}

} // namespace blockmaestro::openmp
