// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handover.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral Extension = ".bmm";

/// What the names of all files of Source begin with.
std::string prefixFor(StringRef Source) {
  return utohexstr(xxh3_64bits(Source), /*LowerCase=*/true, /*Width=*/16) + "-";
}

/// The files of Source in Folder, the newest architecture first.
Expected<std::vector<std::string>> filesFor(StringRef Folder,
                                            StringRef Source) {
  std::string Prefix = prefixFor(Source);
  std::vector<std::string> Files;
  std::error_code Failure;
  for (sys::fs::directory_iterator Entry(Folder, Failure), End;
       Entry != End && !Failure; Entry.increment(Failure)) {
    StringRef Name = sys::path::filename(Entry->path());
    if (Name.starts_with(Prefix) && Name.ends_with(Extension))
      Files.push_back(Entry->path());
  }
  if (Failure)
    return createFileError(Folder, Failure);
  std::sort(Files.begin(), Files.end(),
            [](StringRef A, StringRef B) { return A.compare_numeric(B) > 0; });
  return Files;
}

} // namespace

Error writeHandover(StringRef Folder, StringRef Source, StringRef Architecture,
                    ArrayRef<uint8_t> Record) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, prefixFor(Source) + Architecture + Extension);
  return writeToOutput(Path, [&](raw_ostream &Stream) {
    Stream.write(reinterpret_cast<const char *>(Record.data()), Record.size());
    return Error::success();
  });
}

Expected<std::vector<uint8_t>> readHandover(StringRef Folder,
                                            StringRef Source) {
  Expected<std::vector<std::string>> Files = filesFor(Folder, Source);
  if (!Files)
    return Files.takeError();
  std::vector<uint8_t> Records;
  for (const std::string &File : *Files) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Bytes = MemoryBuffer::getFile(File);
    if (!Bytes)
      return createFileError(File, Bytes.getError());
    Records.insert(Records.end(), (*Bytes)->getBufferStart(),
                   (*Bytes)->getBufferEnd());
  }
  return Records;
}

} // namespace blockmaestro
