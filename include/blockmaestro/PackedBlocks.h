// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a recording has of each block, in a few bytes: the numbers
// that differ from those of the block before, as differences.
// On the data's way: filled by the reader, gone through from the first to the
// last by the simulator and bm-dump.
// Invariants: what comes out is what was put in, in that order. A block that
// follows its neighbour and has the same numbers takes one byte.
// Ownership and threads: plain value; any number may go through it at once.

#ifndef BLOCKMAESTRO_PACKEDBLOCKS_H
#define BLOCKMAESTRO_PACKEDBLOCKS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace blockmaestro {

/// All that a T holds as numbers: their Count; of() and set(), from and to an
/// array of so many. The first two are the launch's and the block's.
template <typename T> struct NumbersOf;

template <typename T> class PackedBlocks {
  static constexpr size_t Numbers = NumbersOf<T>::Count;
  using Row = std::array<uint64_t, Numbers>;
  static_assert(Numbers <= 64, "a bit says which numbers differ");
  static constexpr size_t PieceBytes = size_t(1) << 16;
  static constexpr size_t MostBytes = 10 * (Numbers + 1); ///< Of one block.

public:
  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = ptrdiff_t;
    using pointer = const T *;
    using reference = const T &;

    const T &operator*() const { return Current; }
    const T *operator->() const { return &Current; }
    Iterator &operator++() {
      if (--Left > 0)
        read();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const Iterator &To) const { return Left == To.Left; }
    bool operator!=(const Iterator &To) const { return Left != To.Left; }

  private:
    friend class PackedBlocks;

    Iterator(const PackedBlocks *Of, size_t Left) : Of(Of), Left(Left) {
      if (Left > 0)
        read();
    }

    void read() {
      if (At == Of->Pieces[Piece].size()) {
        ++Piece;
        At = 0;
      }
      expectNext(Last);
      const uint64_t Differs = number();
      for (size_t I = 0; I < Numbers; ++I)
        if (Differs >> I & 1)
          Last[I] += fromSigned(number());
      NumbersOf<T>::set(Current, Last);
    }

    uint64_t number() {
      const std::vector<uint8_t> &Bytes = Of->Pieces[Piece];
      uint64_t Out = 0;
      for (unsigned Shift = 0;; Shift += 7) {
        const uint8_t Next = Bytes[At++];
        Out |= uint64_t(Next & 0x7f) << Shift;
        if (Next < 0x80)
          return Out;
      }
    }

    const PackedBlocks *Of;
    size_t Left; ///< This one and those behind it.
    size_t Piece = 0, At = 0;
    Row Last = {};
    T Current{};
  };

  PackedBlocks() = default;
  PackedBlocks(const std::vector<T> &Each) {
    for (const T &One : Each)
      add(One);
  }

  void add(const T &Next) {
    const Row Mine = NumbersOf<T>::of(Next);
    expectNext(Last);
    uint64_t Differs = 0;
    for (size_t I = 0; I < Numbers; ++I)
      Differs |= uint64_t(Mine[I] != Last[I]) << I;
    startPiece();
    addNumber(Differs);
    for (size_t I = 0; I < Numbers; ++I)
      if (Differs >> I & 1)
        addNumber(toSigned(Mine[I] - Last[I]));
    Last = Mine;
    ++Count;
  }

  size_t size() const { return Count; }
  bool empty() const { return Count == 0; }
  /// That the blocks take of memory.
  size_t bytes() const {
    size_t Out = 0;
    for (const std::vector<uint8_t> &Each : Pieces)
      Out += Each.capacity();
    return Out;
  }
  Iterator begin() const { return {this, Count}; }
  Iterator end() const { return {this, 0}; }
  std::vector<T> all() const { return {begin(), end()}; }

private:
  /// The next block of the same launch.
  static void expectNext(Row &After) { ++After[1]; }

  /// Small numbers for small differences, whichever way.
  static uint64_t toSigned(uint64_t Difference) {
    return Difference << 1 ^ (0 - (Difference >> 63));
  }
  static uint64_t fromSigned(uint64_t Number) {
    return Number >> 1 ^ (0 - (Number & 1));
  }

  /// Makes room for one block: none is in two pieces.
  void startPiece() {
    if (!Pieces.empty() && Pieces.back().size() + MostBytes <= PieceBytes)
      return;
    if (!Pieces.empty())
      Pieces.back().shrink_to_fit();
    Pieces.emplace_back().reserve(Pieces.size() == 1 ? 0 : PieceBytes);
  }

  void addNumber(uint64_t Number) {
    for (; Number >= 0x80; Number >>= 7)
      Pieces.back().push_back(uint8_t(Number | 0x80));
    Pieces.back().push_back(uint8_t(Number));
  }

  std::vector<std::vector<uint8_t>> Pieces;
  Row Last = {};
  size_t Count = 0;
};

} // namespace blockmaestro

#endif
