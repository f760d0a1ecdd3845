// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: host memory that a program registered and that is part of a file
// or of other memory mapped shared, which may be mapped at several addresses.
// On the data's way: asked by Runtime before registered memory counts as an
// allocation of its own.
// Ownership: values. Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_SHAREDMAPPINGS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_SHAREDMAPPINGS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace blockmaestro {

/// Bytes of one file, of shared memory too.
struct FilePiece {
  std::string File; ///< Device and inode.
  uint64_t Begin = 0;
  uint64_t End = 0;
};

/// What of the process's memory from Address on is mapped shared. Maps is in
/// the form of /proc/self/maps.
std::vector<FilePiece> sharedPieces(const std::string &Maps, uint64_t Address,
                                    uint64_t Bytes);

class SharedMappings {
public:
  /// Notes memory of pieces Of, from Address on. Returns where memory begins
  /// that was noted before and has a byte in common with it.
  std::vector<uint64_t> add(uint64_t Address, std::vector<FilePiece> Of);
  void remove(uint64_t Address) { Known.erase(Address); }
  void clear() { Known.clear(); }

private:
  std::map<uint64_t, std::vector<FilePiece>> Known;
};

} // namespace blockmaestro

#endif
