// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchingLibraries.h"

#include <algorithm>
#include <iterator>
#include <link.h>
#include <string_view>

namespace blockmaestro {
namespace {

constexpr std::string_view Launching[] = {
    "libcublas",   "libcudnn",    "libcufft",    "libcurand",
    "libcusolver", "libcusparse", "libcutensor", "libnccl",
    "libnpp",      "libnvjpeg",   "libnvrtc",    "libnvinfer"};

int countOnly(dl_phdr_info *Info, size_t, void *Out) {
  *static_cast<unsigned long long *>(Out) = Info->dlpi_adds;
  return 1;
}

int findOne(dl_phdr_info *Info, size_t, void *Out) {
  std::string Path = Info->dlpi_name;
  if (!launchesKernels(Path))
    return 0;
  *static_cast<std::string *>(Out) = Path.substr(Path.rfind('/') + 1);
  return 1;
}

} // namespace

bool launchesKernels(const std::string &Path) {
  std::string_view Name = Path;
  Name.remove_prefix(Name.rfind('/') + 1);
  return std::any_of(std::begin(Launching), std::end(Launching),
                     [&](std::string_view Prefix) {
                       return Name.substr(0, Prefix.size()) == Prefix;
                     });
}

const std::string &LaunchingLibraries::loaded() {
  unsigned long long Now = 0;
  dl_iterate_phdr(countOnly, &Now);
  if (Now != Seen) {
    Seen = Now;
    Found.clear();
    dl_iterate_phdr(findOne, &Found);
  }
  return Found;
}

} // namespace blockmaestro
