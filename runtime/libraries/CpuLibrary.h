// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a library for the processor that one of ours stands on, as
// OpenBLAS, opened when it is first needed.
// On the data's way: below blas and fft.
// Invariants: where it cannot be opened that is said once, with the package of
// Debian and Ubuntu that brings it. Never closed. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_CPULIBRARY_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_CPULIBRARY_H

namespace blockmaestro {

struct CpuLibraryName {
  const char *User;    ///< "cuBLAS"
  const char *Product; ///< "OpenBLAS"
  const char *File;    ///< "libopenblas.so.0"
  const char *Package; ///< "libopenblas0-pthread"
};

/// Null, and said, where it is not there.
void *openCpuLibrary(const CpuLibraryName &Which);

/// Finds functions in one, and remembers whether all were there.
class FunctionFinder {
public:
  explicit FunctionFinder(void *Library) : Library(Library) {}
  template <typename Pointer> void find(Pointer &Into, const char *Name) {
    Into = reinterpret_cast<Pointer>(symbol(Name));
  }
  bool complete() const { return Complete; }

private:
  void *symbol(const char *Name);

  void *Library;
  bool Complete = true;
};

} // namespace blockmaestro

#endif
