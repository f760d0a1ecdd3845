// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a table of bounded size from words to what was worked out for
// them. A look-up allocates nothing.
// On the data's way: inside Window.
// Invariants: equal keys only, never equal hashes. At most Entries are kept:
// half of them new, and half those that were new before; what is looked up
// counts as new again. So one entry too many costs one look-up later, never
// all. Nor is much let go at once: of a half that is forgotten, one value with
// each new one, which mostly takes its memory. Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_MEMO_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_MEMO_H

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace blockmaestro {

using Words = std::vector<uint64_t>;

/// Appends Bytes, filled up with zeros to whole words.
inline void appendBytes(Words &Key, const void *Bytes, size_t Count) {
  const size_t At = Key.size();
  Key.resize(At + (Count + 7) / 8);
  if (Count > 0)
    std::memcpy(Key.data() + At, Bytes, Count);
}

template <typename Value> class Memo {
public:
  /// None keeps nothing.
  explicit Memo(size_t Entries) : Half(Entries / 2 + Entries % 2) {}

  /// The value of Key, made by New where there is none, until the next call.
  /// New may ask this memo for other keys.
  template <typename Make>
  const Value &remember(std::span<const uint64_t> Key, Make New) {
    if (Half == 0)
      return Unkept = New();
    const uint64_t Hash = hashOf(Key);
    if (const Value *Found = Young.find(Key, Hash))
      return *Found;
    const Value *Before = Old.find(Key, Hash);
    if (Before)
      return add(Key, Hash, *Before);
    const Words Kept(Key.begin(), Key.end());
    return add(Kept, Hash, New());
  }

  size_t size() const { return Young.size() + Old.size(); }

private:
  /// Both halves of the product, one upon the other.
  static uint64_t mix(uint64_t A, uint64_t B) {
    const auto Product = static_cast<unsigned __int128>(A) * B;
    return uint64_t(Product) ^ uint64_t(Product >> 64);
  }

  /// Four words at a time, two and two, which do not wait for each other.
  static uint64_t hashOf(std::span<const uint64_t> Key) {
    constexpr uint64_t Odd = 0x9e3779b97f4a7c15, Other = 0xe7037ed1a0b428db;
    const size_t Count = Key.size();
    uint64_t Left = Odd ^ Count, Right = Other;
    size_t I = 0;
    for (; I + 4 <= Count; I += 4) {
      Left = mix(Key[I] ^ Odd, Key[I + 1] ^ Left);
      Right = mix(Key[I + 2] ^ Other, Key[I + 3] ^ Right);
    }
    for (; I < Count; ++I)
      Left = mix(Key[I] ^ Odd, Left ^ Other);
    return mix(Left ^ Odd, Right);
  }

  struct Entry {
    uint64_t Hash;
    std::ptrdiff_t Begin; ///< In Keys.
    size_t Count;
    Value What;
  };

  /// Keys one after the other, found by open addressing.
  class Table {
  public:
    const Value *find(std::span<const uint64_t> Key, uint64_t Hash) const {
      if (Places.empty())
        return nullptr;
      for (size_t At = Hash;; ++At) {
        const uint32_t Place = Places[At & (Places.size() - 1)];
        if (Place == 0)
          return nullptr;
        const Entry &E = Entries[Place - 1];
        if (E.Hash == Hash && E.Count == Key.size() &&
            std::equal(Key.begin(), Key.end(), Keys.begin() + E.Begin))
          return &E.What;
      }
    }

    /// Key is not in it, and it has fewer than Most entries.
    const Value &add(std::span<const uint64_t> Key, uint64_t Hash, Value What,
                     size_t Most) {
      if (Places.empty())
        Places.resize(std::bit_ceil(2 * Most));
      size_t At = Hash;
      while (Places[At & (Places.size() - 1)] != 0)
        ++At;
      Entries.push_back(
          {Hash, std::ptrdiff_t(Keys.size()), Key.size(), std::move(What)});
      Keys.insert(Keys.end(), Key.begin(), Key.end());
      Places[At & (Places.size() - 1)] = uint32_t(Entries.size());
      return Entries.back().What;
    }

    /// Forgets all; the entries are then in To, which was empty.
    void clear(std::vector<Entry> &To) {
      std::fill(Places.begin(), Places.end(), 0);
      Entries.swap(To);
      Keys.clear();
    }

    size_t size() const { return Entries.size(); }

  private:
    std::vector<uint32_t> Places; ///< One more than the entry; 0 is none.
    std::vector<Entry> Entries;
    Words Keys;
  };

  const Value &add(std::span<const uint64_t> Key, uint64_t Hash, Value What) {
    if (!Forgotten.empty())
      Forgotten.pop_back();
    if (Young.size() >= Half) {
      std::swap(Young, Old);
      Young.clear(Forgotten);
    }
    return Young.add(Key, Hash, std::move(What), Half);
  }

  size_t Half;
  Table Young, Old;
  std::vector<Entry> Forgotten; ///< Not more than there will be new ones.
  Value Unkept = {};
};

} // namespace blockmaestro

#endif
