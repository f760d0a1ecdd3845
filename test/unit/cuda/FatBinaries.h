// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: fat binaries as compilers register them, with headers as
// NVIDIA's fatbinary writes them and no code, for tests.

#ifndef BLOCKMAESTRO_TEST_UNIT_CUDA_FATBINARIES_H
#define BLOCKMAESTRO_TEST_UNIT_CUDA_FATBINARIES_H

#include "CodeImages.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace blockmaestro {

class FatBinary {
public:
  explicit FatBinary(const std::vector<CodeImage> &Images) {
    for (const CodeImage &Each : Images)
      addEntry(Each);
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
  static constexpr uint32_t CodeBytes = 24;

  void addEntry(const CodeImage &Image) {
    const bool Ptx = Image.Kind == CodeImage::Form::Ptx;
    const uint32_t Header = Ptx ? 80 : 64;
    uint32_t Words[20] = {0x01010000u | (Ptx ? 1 : 2), Header, CodeBytes};
    Words[6] = Ptx ? 0x00080008 : 0x00010008;
    Words[7] = Image.For.Number;
    Words[10] = Ptx ? 0x8011 : 0x11;
    if (Image.For.For == Architecture::Scope::Alone)
      Words[10] |= 0x00100000;
    if (Image.For.For == Architecture::Scope::Family)
      Words[10] |= 0x01200000;
    const size_t Start = Bytes.size();
    Bytes.resize(Start + Header + CodeBytes, 0xcc);
    std::memcpy(Bytes.data() + Start, Words, Header);
  }

  struct {
    uint32_t Magic = 0x466243b1;
    uint32_t Version = 1;
    const uint8_t *Container = nullptr;
    void *Unused = nullptr;
  } Wrapper;
};

} // namespace blockmaestro

#endif
