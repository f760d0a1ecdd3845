// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DriverUsers.h"

#include "LaunchingLibraries.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <link.h>
#include <new>
#include <string_view>

namespace blockmaestro {
namespace {

/// Parts of CUDA below our calls, and libraries that look up other functions
/// by name.
constexpr std::string_view Harmless[] = {
    "libcudart.so", "libcuda.so", "libnvidia-", "libgomp.so", "libomp.so",
    "libstdc++.so", "libc.so",    "libdl.so",   "ld-linux",   "libclang_rt."};
/// Libraries whose functions reach the GPU.
constexpr std::string_view Doors[] = {"libcuda.so", "libcudart"};
/// Functions that find others by name.
constexpr std::string_view Finders[] = {"dlsym", "dlvsym"};

template <size_t N>
bool anyBegins(const std::string_view (&Among)[N], std::string_view Name) {
  return std::any_of(std::begin(Among), std::end(Among), [&](auto Each) {
    return Name.substr(0, Each.size()) == Each;
  });
}

/// What an object says to the loader.
class LoadedObject {
public:
  explicit LoadedObject(const dl_phdr_info &Info) : Base(Info.dlpi_addr) {
    for (unsigned I = 0; I < Info.dlpi_phnum; ++I)
      if (Info.dlpi_phdr[I].p_type == PT_DYNAMIC)
        Dynamic = reinterpret_cast<const ElfW(Dyn) *>(
            Base + Info.dlpi_phdr[I].p_vaddr);
    if (!Dynamic)
      return;
    Names = at<char>(DT_STRTAB);
    Symbols = at<ElfW(Sym)>(DT_SYMTAB);
    if (const auto *Hash = at<uint32_t>(DT_GNU_HASH))
      Imported = Hash[1];
    else if (const auto *Old = at<uint32_t>(DT_HASH))
      Imported = Old[1];
  }

  bool readable() const { return Names && Symbols && Imported; }

  template <typename F> bool anyNeeded(F Is) const {
    for (const ElfW(Dyn) *Each = Dynamic; Each->d_tag != DT_NULL; ++Each)
      if (Each->d_tag == DT_NEEDED && Is(Names + Each->d_un.d_val))
        return true;
    return false;
  }
  template <typename F> bool anyImported(F Is) const {
    for (uint32_t I = 1; I < Imported; ++I)
      if (Symbols[I].st_shndx == SHN_UNDEF && Is(Names + Symbols[I].st_name))
        return true;
    return false;
  }

private:
  /// The loader has made addresses of most, but not of all.
  template <typename T> const T *at(ElfW(Sxword) Tag) const {
    for (const ElfW(Dyn) *Each = Dynamic; Each->d_tag != DT_NULL; ++Each)
      if (Each->d_tag == Tag) {
        const ElfW(Addr) Where = Each->d_un.d_ptr;
        return reinterpret_cast<const T *>(Where < Base ? Base + Where : Where);
      }
    return nullptr;
  }

  const ElfW(Addr) Base;
  const ElfW(Dyn) *Dynamic = nullptr;
  const char *Names = nullptr;
  const ElfW(Sym) *Symbols = nullptr;
  uint32_t Imported = 0; ///< Of the symbols; the others are its own.
};

/// Whether this function is part of the object.
bool isOurs(const dl_phdr_info &Info) {
  const auto Here = reinterpret_cast<ElfW(Addr)>(&isOurs) - Info.dlpi_addr;
  return std::any_of(
      Info.dlpi_phdr, Info.dlpi_phdr + Info.dlpi_phnum, [&](const auto &Each) {
        return Each.p_type == PT_LOAD && Here - Each.p_vaddr < Each.p_memsz;
      });
}

/// What the object may do, as the end of a sentence; empty: nothing.
std::string doubtOf(const dl_phdr_info &Info) {
  if (launchesKernels(Info.dlpi_name))
    return "launches kernels";
  const LoadedObject Object(Info);
  if (!Object.readable())
    return "cannot be looked into";
  if (Object.anyNeeded([](const char *Name) { return anyBegins(Doors, Name); }))
    return "is linked with CUDA's own libraries";
  if (Object.anyImported([](const char *Name) {
        return std::find(std::begin(Finders), std::end(Finders), Name) !=
               std::end(Finders);
      }))
    return "looks functions up by name";
  return "";
}

/// No exception may go through the loader.
int findDriverUser(dl_phdr_info *Info, size_t, void *Out) {
  try {
    const std::string_view Name = fileName(Info->dlpi_name);
    const bool Kernel = Name.substr(0, 10) == "linux-vdso";
    if (Kernel || isOurs(*Info) || anyBegins(Harmless, Name))
      return 0;
    const std::string Doubt = doubtOf(*Info);
    if (Doubt.empty())
      return 0;
    *static_cast<std::string *>(Out) =
        (Name.empty() ? "the program" : std::string(Name)) + " " + Doubt;
    return 1;
  } catch (const std::bad_alloc &) {
    return 1;
  }
}

} // namespace

const std::string &DriverUsers::found() {
  const unsigned long long Now = everLoaded();
  if (Now != Seen) {
    Seen = Now;
    Sentence.clear();
    dl_iterate_phdr(findDriverUser, &Sentence);
  }
  return Sentence;
}

} // namespace blockmaestro
