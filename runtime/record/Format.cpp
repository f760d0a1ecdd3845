// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Format.h"

namespace blockmaestro::record {

void ByteWriter::word(uint32_t Value) {
  for (int I = 0; I < 4; ++I)
    byte(uint8_t(Value >> (8 * I)));
}

void ByteWriter::number(uint64_t Value) {
  for (; Value >= 0x80; Value >>= 7)
    byte(uint8_t(Value | 0x80));
  byte(uint8_t(Value));
}

void ByteWriter::text(const std::string &Value) {
  number(Value.size());
  Bytes.insert(Bytes.end(), Value.begin(), Value.end());
}

uint8_t ByteReader::byte() { return atEnd() ? uint8_t(fail()) : *Next++; }

bool ByteReader::flag() {
  uint8_t Value = byte();
  return Value > 1 ? fail() : Value;
}

uint32_t ByteReader::word() {
  uint32_t Value = 0;
  for (int I = 0; I < 4; ++I)
    Value |= uint32_t(byte()) << (8 * I);
  return Value;
}

uint64_t ByteReader::number() {
  uint64_t Value = 0;
  for (int Shift = 0; Shift < 64; Shift += 7) {
    uint8_t Part = byte();
    if (Shift == 63 && Part > 1)
      return fail();
    Value |= uint64_t(Part & 0x7f) << Shift;
    if (!(Part & 0x80))
      return Value;
  }
  return fail();
}

uint64_t ByteReader::numberUpTo(uint64_t Limit) {
  uint64_t Value = number();
  return Value > Limit ? fail() : Value;
}

size_t ByteReader::count() {
  uint64_t Value = number();
  return Value > left() ? fail() : Value;
}

std::string ByteReader::text() {
  size_t Bytes = count();
  std::string Value(Next, Next + Bytes);
  Next += Bytes;
  return Value;
}

} // namespace blockmaestro::record
