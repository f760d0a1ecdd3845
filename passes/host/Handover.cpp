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

constexpr StringLiteral RecordExtension = ".bmm";
constexpr StringLiteral NamesExtension = ".names";
constexpr StringLiteral TasksExtension = ".tasks";
/// In front of a name in a file of names.
constexpr StringLiteral OfferedMark = "+";
constexpr StringLiteral WantedMark = "-";

/// What the names of all files of Source begin with.
std::string prefixFor(StringRef Source) {
  return utohexstr(xxh3_64bits(Source), /*LowerCase=*/true, /*Width=*/16) + "-";
}

/// The files of Source in Folder with this extension, the newest architecture
/// first.
Expected<std::vector<std::string>> filesFor(StringRef Folder, StringRef Source,
                                            StringRef Extension) {
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

/// Calls back with the content of each of those files.
Error forEachFile(StringRef Folder, StringRef Source, StringRef Extension,
                  function_ref<void(StringRef)> Read) {
  Expected<std::vector<std::string>> Files =
      filesFor(Folder, Source, Extension);
  if (!Files)
    return Files.takeError();
  for (const std::string &File : *Files) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Bytes = MemoryBuffer::getFile(File);
    if (!Bytes)
      return createFileError(File, Bytes.getError());
    Read((*Bytes)->getBuffer());
  }
  return Error::success();
}

Error writeFile(StringRef Folder, const Twine &Name, StringRef Content) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return writeToOutput(Path, [&](raw_ostream &Stream) {
    Stream << Content;
    return Error::success();
  });
}

} // namespace

Error writeHandover(StringRef Folder, StringRef Source, StringRef Architecture,
                    ArrayRef<uint8_t> Record) {
  return writeFile(Folder, prefixFor(Source) + Architecture + RecordExtension,
                   toStringRef(Record));
}

Expected<std::vector<uint8_t>> readHandover(StringRef Folder,
                                            StringRef Source) {
  std::vector<uint8_t> Records;
  if (Error Failure =
          forEachFile(Folder, Source, RecordExtension, [&](StringRef Content) {
            Records.insert(Records.end(), Content.bytes_begin(),
                           Content.bytes_end());
          }))
    return Failure;
  return Records;
}

Error writeLinkNames(StringRef Folder, StringRef Source, StringRef Architecture,
                     ArrayRef<std::string> Offered,
                     ArrayRef<std::string> Wanted) {
  std::string Lines;
  for (const std::string &Name : Offered)
    Lines += (OfferedMark + Name + "\n").str();
  for (const std::string &Name : Wanted)
    Lines += (WantedMark + Name + "\n").str();
  return writeFile(Folder, prefixFor(Source) + Architecture + NamesExtension,
                   Lines);
}

Expected<LinkNames> readLinkNames(StringRef Folder, StringRef Source) {
  LinkNames Names;
  auto Read = [&](StringRef Content) {
    for (StringRef Line : split(Content, '\n'))
      if (Line.consume_front(OfferedMark))
        Names.Offered.insert(Line.str());
      else if (Line.consume_front(WantedMark))
        Names.Wanted.insert(Line.str());
  };
  if (Error Failure = forEachFile(Folder, Source, NamesExtension, Read))
    return Failure;
  return Names;
}

Error writeTaskLayout(StringRef Folder, StringRef Source,
                      StringRef Architecture, StringRef Text) {
  return writeFile(Folder, prefixFor(Source) + Architecture + TasksExtension,
                   Text);
}

Expected<std::vector<std::string>> readTaskLayouts(StringRef Folder,
                                                   StringRef Source) {
  std::vector<std::string> Layouts;
  if (Error Failure =
          forEachFile(Folder, Source, TasksExtension, [&](StringRef Content) {
            Layouts.push_back(Content.str());
          }))
    return Failure;
  return Layouts;
}

} // namespace blockmaestro
