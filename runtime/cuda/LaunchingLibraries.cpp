// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchingLibraries.h"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <new>
#include <string_view>

namespace blockmaestro {
namespace {

struct LibraryRow {
  std::string_view Prefix;
  bool HasKernels; ///< Its own; otherwise those the program gives it.
  /// A function of it that our runtime also has; null: none.
  const char *Ours = nullptr;
};

constexpr LibraryRow Launching[] = {
    {"libcublas", true, "cublasCreate_v2"},
    {"libcudnn", true},
    {"libcufft", true, "cufftCreate"},
    {"libcurand", true, "curandCreateGenerator"},
    {"libcusolver", true},
    {"libcusparse", true},
    {"libcutensor", true},
    {"libnccl", true},
    {"libnpp", true},
    {"libnvjpeg", true},
    {"libnvrtc", false},
    {"libnvinfer", true}};

const LibraryRow *rowOf(std::string_view File) {
  auto Found = std::find_if(
      std::begin(Launching), std::end(Launching), [&](const LibraryRow &Each) {
        return File.substr(0, Each.Prefix.size()) == Each.Prefix;
      });
  return Found == std::end(Launching) ? nullptr : Found;
}

/// Whether the program's own calls of the library come to our runtime.
bool callsOurs(const LibraryRow &Row) {
  void *Called = Row.Ours ? dlsym(RTLD_DEFAULT, Row.Ours) : nullptr;
  Dl_info Theirs{}, Mine{};
  return Called && dladdr(Called, &Theirs) &&
         dladdr(reinterpret_cast<void *>(&everLoaded), &Mine) &&
         Theirs.dli_fbase == Mine.dli_fbase;
}

int countOnly(dl_phdr_info *Info, size_t, void *Out) {
  *static_cast<unsigned long long *>(Out) = Info->dlpi_adds;
  return 1;
}

int findLaunching(dl_phdr_info *Info, size_t, void *Out) {
  std::string Path = Info->dlpi_name;
  if (!launchesKernels(Path))
    return 0;
  *static_cast<std::string *>(Out) = fileName(Path);
  return 1;
}

/// No exception may go through the loader.
int addClosed(dl_phdr_info *Info, size_t, void *Out) {
  try {
    const std::string File(fileName(Info->dlpi_name));
    const LibraryRow *Row = rowOf(File);
    if (Row && Row->HasKernels && !callsOurs(*Row))
      static_cast<std::set<std::string> *>(Out)->insert(File);
    return 0;
  } catch (const std::bad_alloc &) {
    return 1;
  }
}

} // namespace

unsigned long long everLoaded() {
  unsigned long long Now = 0;
  dl_iterate_phdr(countOnly, &Now);
  return Now;
}

std::string_view fileName(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

bool launchesKernels(const std::string &Path) { return rowOf(fileName(Path)); }

const std::string &LaunchingLibraries::loaded() {
  unsigned long long Now = everLoaded();
  if (Now != Seen) {
    Seen = Now;
    Found.clear();
    dl_iterate_phdr(findLaunching, &Found);
  }
  return Found;
}

std::string ClosedLibraries::sentence() {
  unsigned long long Now = everLoaded();
  if (Now == Seen)
    return "";
  Seen = Now;
  std::set<std::string> Loaded;
  dl_iterate_phdr(addClosed, &Loaded);
  std::string New;
  for (const std::string &Each : Loaded)
    if (Named.insert(Each).second)
      New += (New.empty() ? "" : ", ") + Each;
  if (New.empty())
    return "";
  return New + ": the code of its kernels is closed and cannot run on the "
               "emulated device; its calls fail";
}

} // namespace blockmaestro
