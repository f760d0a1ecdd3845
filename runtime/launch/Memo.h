// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a table of bounded size from words to what was worked out for
// them. A look-up allocates nothing.
// On the data's way: inside Window.
// Invariants: equal keys only, never equal hashes. At most Entries are kept:
// half of them new, and half those that were new before; what is looked up
// counts as new again. So one entry too many costs one look-up later, never
// all. Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_MEMO_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_MEMO_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <unordered_map>
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

  /// The value of Key, made by New where there is none.
  template <typename Make>
  Value remember(std::span<const uint64_t> Key, Make New) {
    if (Half == 0)
      return New();
    if (auto Found = Young.find(Key); Found != Young.end())
      return Found->second;
    Value Mine = take(Key, New);
    if (Young.size() >= Half) {
      Old = std::move(Young);
      Young.clear();
    }
    Young.emplace(Words(Key.begin(), Key.end()), Mine);
    return Mine;
  }

  size_t size() const { return Young.size() + Old.size(); }

private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::span<const uint64_t> Key) const {
      uint64_t H = Key.size();
      for (uint64_t Word : Key) {
        H = (H ^ Word) * 0x9e3779b97f4a7c15;
        H ^= H >> 32;
      }
      return H;
    }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::span<const uint64_t> A,
                    std::span<const uint64_t> B) const {
      return std::equal(A.begin(), A.end(), B.begin(), B.end());
    }
  };
  using Table = std::unordered_map<Words, Value, Hash, Equal>;

  template <typename Make>
  Value take(std::span<const uint64_t> Key, Make &New) {
    auto Found = Old.find(Key);
    if (Found == Old.end())
      return New();
    Value Mine = std::move(Found->second);
    Old.erase(Found);
    return Mine;
  }

  size_t Half;
  Table Young, Old;
};

} // namespace blockmaestro

#endif
