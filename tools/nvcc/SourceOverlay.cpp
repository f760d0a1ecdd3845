// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceOverlay.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

Error writeFile(const std::string &Path, StringRef Text) {
  std::error_code Failure;
  raw_fd_ostream File(Path, Failure);
  if (Failure)
    return createFileError(Path, Failure);
  File << Text;
  return Error::success();
}

} // namespace

Expected<std::vector<std::string>>
writeOverlay(const std::map<std::string, std::string> &Texts,
             StringRef Folder) {
  json::Array Roots;
  for (const auto &[Path, Text] : Texts) {
    std::string Changed = (Folder + "/source" + Twine(Roots.size())).str();
    if (Error Failure = writeFile(Changed, Text))
      return Failure;
    Roots.push_back(json::Object{
        {"name", Path}, {"type", "file"}, {"external-contents", Changed}});
  }
  if (Roots.empty())
    return std::vector<std::string>{};
  json::Value Overlay = json::Object{{"version", 0},
                                     {"use-external-names", false},
                                     {"roots", std::move(Roots)}};
  std::string List = (Folder + "/overlay").str();
  if (Error Failure = writeFile(List, formatv("{0}", Overlay).str()))
    return Failure;
  return std::vector<std::string>{"-ivfsoverlay", List};
}

} // namespace blockmaestro::nvcc
