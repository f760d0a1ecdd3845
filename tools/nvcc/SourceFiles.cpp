// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceFiles.h"

#include "AssemblySyntax.h"
#include "IndexSyntax.h"
#include "LaunchSyntax.h"
#include "SharedObjects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <iterator>
#include <set>
#include <vector>

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

struct Include {
  std::string Name;
  bool InQuotes;
};

std::vector<Include> includesOf(StringRef Source) {
  std::vector<Include> Found;
  SmallVector<StringRef> Lines;
  Source.split(Lines, '\n');
  for (StringRef Line : Lines) {
    Line = Line.ltrim();
    if (!Line.consume_front("#") ||
        !(Line = Line.ltrim()).consume_front("include"))
      continue;
    Line = Line.ltrim();
    const bool InQuotes = Line.consume_front("\"");
    if (InQuotes || Line.consume_front("<"))
      Found.push_back(
          {Line.take_until([](char C) { return C == '"' || C == '>'; }).str(),
           InQuotes});
  }
  return Found;
}

std::string rewrite(StringRef Source) {
  return rewriteSharedObjects(
      rewriteAssembly(rewriteIndices(rewriteLaunches(Source))));
}

/// Whether Folder is CUDA's own, whose headers clang takes.
bool isToolkit(const std::string &Folder) {
  return sys::fs::exists(Folder + "/cuda_runtime_api.h");
}

class Files {
public:
  explicit Files(ArrayRef<std::string> All) {
    copy_if(All, std::back_inserter(Folders),
            [](const std::string &Each) { return !isToolkit(Each); });
  }

  void add(StringRef Path) {
    SmallString<256> Absolute(Path);
    if (sys::fs::make_absolute(Absolute))
      return;
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    if (!Seen.insert(Absolute.str().str()).second)
      return;
    ErrorOr<std::unique_ptr<MemoryBuffer>> File =
        MemoryBuffer::getFile(Absolute);
    if (!File)
      return;
    StringRef Source = (*File)->getBuffer();
    if (std::string Changed = rewrite(Source); Changed != Source)
      Out[Absolute.str().str()] = Changed;
    for (const Include &Each : includesOf(Source))
      addIncluded(sys::path::parent_path(Absolute), Each);
  }

  std::map<std::string, std::string> Out;

private:
  void addIncluded(StringRef Folder, const Include &What) {
    std::vector<std::string> Places;
    if (What.InQuotes)
      Places.push_back(Folder.str());
    Places.insert(Places.end(), Folders.begin(), Folders.end());
    for (const std::string &Place : Places) {
      SmallString<256> Path(Place);
      sys::path::append(Path, What.Name);
      if (sys::fs::exists(Path))
        return add(Path);
    }
  }

  std::vector<std::string> Folders;
  std::set<std::string> Seen;
};

} // namespace

std::map<std::string, std::string>
rewrittenFiles(ArrayRef<std::string> Names, ArrayRef<std::string> Folders) {
  Files Found(Folders);
  for (const std::string &Name : Names)
    Found.add(Name);
  return std::move(Found.Out);
}

} // namespace blockmaestro::nvcc
