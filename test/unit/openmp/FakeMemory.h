// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A device whose memory is the test's, and lists of map clauses as clang makes
// them.

#ifndef BLOCKMAESTRO_TEST_UNIT_OPENMP_FAKEMEMORY_H
#define BLOCKMAESTRO_TEST_UNIT_OPENMP_FAKEMEMORY_H

#include "DeviceData.h"

#include <cstring>
#include <map>
#include <memory>
#include <vector>

namespace blockmaestro::openmp {

class FakeMemory final : public DeviceMemory {
public:
  Result<DeviceAddress> allocate(size_t Bytes) override {
    if (Bytes > Most)
      return Status(StatusCode::OutOfMemory, "out of memory");
    auto Made = std::make_unique<std::vector<uint8_t>>(Bytes + 256, 0xee);
    const uint64_t Begin =
        (reinterpret_cast<uint64_t>(Made->data()) + 255) & ~uint64_t(255);
    All[Begin] = std::move(Made);
    return Begin;
  }
  Status release(DeviceAddress Where) override {
    return All.erase(Where) ? Status()
                            : Status(StatusCode::InvalidArgument, "not ours");
  }
  Status toDevice(DeviceAddress To, const void *From, size_t Bytes) override {
    std::memcpy(reinterpret_cast<void *>(To), From, Bytes);
    BytesTo += Bytes;
    return {};
  }
  Status fromDevice(void *To, DeviceAddress From, size_t Bytes) override {
    std::memcpy(To, reinterpret_cast<const void *>(From), Bytes);
    BytesFrom += Bytes;
    return {};
  }

  std::map<DeviceAddress, std::unique_ptr<std::vector<uint8_t>>> All;
  size_t BytesTo = 0;
  size_t BytesFrom = 0;
  size_t Most = 1 << 20;
};

/// The arrays of a MapList; an item is a base, a beginning, bytes and a type.
struct Clauses {
  Clauses &add(const void *Base, const void *Begin, int64_t Bytes,
               uint64_t Type, void *Mapper = nullptr,
               const char *Name = nullptr) {
    Bases.push_back(const_cast<void *>(Base));
    Begins.push_back(const_cast<void *>(Begin));
    Sizes.push_back(Bytes);
    Types.push_back(int64_t(Type));
    Mappers.push_back(Mapper);
    Names.push_back(const_cast<char *>(Name));
    return *this;
  }
  template <typename T> Clauses &add(const T &Variable, uint64_t Type) {
    return add(&Variable, &Variable, sizeof(T), Type);
  }
  operator MapList() {
    return {uint32_t(Bases.size()), Bases.data(), Begins.data(), Sizes.data(),
            Types.data(),           Names.data(), Mappers.data()};
  }

  std::vector<void *> Bases;
  std::vector<void *> Begins;
  std::vector<int64_t> Sizes;
  std::vector<int64_t> Types;
  std::vector<void *> Mappers;
  std::vector<void *> Names;
};

/// The flags of a part of the item at Index.
constexpr uint64_t memberOf(uint64_t Index) { return (Index + 1) << 48; }

} // namespace blockmaestro::openmp

#endif
