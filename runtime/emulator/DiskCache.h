// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: compiled code kept between runs: a folder with one file per
// entry, named by a hash of everything the code depends on.
// On the data's way: asked by KernelCache before it compiles, told after.
// Invariants: a file is either whole and checked or not used; a damaged one is
// removed. Files appear at once (written aside, then renamed), so any number of
// processes may share a folder. A folder that cannot be written, or belongs to
// somebody else, is no cache, silently. The oldest files go when the folder
// grows beyond its limit; a file that is used becomes new.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DISKCACHE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DISKCACHE_H

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace blockmaestro {

class DiskCache {
public:
  static constexpr uint64_t DefaultLimit = uint64_t(1) << 30;

  /// A cache in \p Folder, which is made when it is first written to; none
  /// where that is empty.
  explicit DiskCache(std::string Folder, uint64_t Limit = DefaultLimit)
      : Folder(std::move(Folder)), Limit(Limit) {}

  /// The folder that the environment asks for: $BLOCKMAESTRO_CACHE, nothing
  /// when that is `off`; else blockmaestro in $XDG_CACHE_HOME or ~/.cache.
  static std::string folderFromEnvironment();

  bool enabled() const { return !Folder.empty(); }
  /// What was stored under the hash of \p Key, if it still is.
  std::optional<std::string> load(std::string_view Key);
  void store(std::string_view Key, std::string_view Value);

private:
  bool makeFolder();
  void trim(uint64_t Added);

  std::string Folder;
  uint64_t Limit;
  std::atomic<unsigned> Writes{0};
  std::mutex Trimming;
  std::optional<uint64_t> Size; ///< Bytes in the folder, once counted.
};

} // namespace blockmaestro

#endif
