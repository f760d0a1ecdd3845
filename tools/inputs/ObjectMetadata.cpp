// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectMetadata.h"

#include "ArchiveMembers.h"
#include "ElfSections.h"
#include "MetadataReader.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral BitcodeMagic = "BC\xc0\xde";

using Records = std::vector<ModuleRecord>;

Error readSection(StringRef Bytes, Records &Out) {
  Result<Records> Read = readMetadata(Bytes.bytes_begin(), Bytes.size());
  if (!Read.ok())
    return createStringError(Read.status().message());
  std::move(Read->begin(), Read->end(), std::back_inserter(Out));
  return Error::success();
}

Error readElf(StringRef Bytes, Records &Out) {
  Expected<std::vector<StringRef>> Sections =
      elfSections(Bytes, MetadataSection);
  if (!Sections)
    return Sections.takeError();
  for (StringRef Section : *Sections)
    if (Error Failure = readSection(Section, Out))
      return Failure;
  return Error::success();
}

/// Only regular files: what a directory or a device has is not a program.
Expected<std::unique_ptr<MemoryBuffer>> openFile(const Twine &File) {
  sys::fs::file_status Status;
  if (std::error_code Failure = sys::fs::status(File, Status))
    return errorCodeToError(Failure);
  if (Status.type() == sys::fs::file_type::directory_file)
    return createStringError("Is a directory");
  if (Status.type() != sys::fs::file_type::regular_file)
    return createStringError("not a regular file");
  return errorOrToExpected(MemoryBuffer::getFile(
      File, /*IsText=*/false, /*RequiresNullTerminator=*/false));
}

/// Members that are not ELF objects carry nothing and are passed over.
Error readMember(StringRef Bytes, Records &Out) {
  return isElf(Bytes) ? readElf(Bytes, Out) : Error::success();
}

/// A member of a thin archive lies in a file of its own.
Error readThinMember(StringRef Archive, StringRef Name, Records &Out) {
  SmallString<128> Path;
  if (!sys::path::is_absolute(Name))
    Path = sys::path::parent_path(Archive);
  sys::path::append(Path, Name);
  Expected<std::unique_ptr<MemoryBuffer>> Bytes = openFile(Path);
  if (!Bytes)
    return Bytes.takeError();
  return readMember((*Bytes)->getBuffer(), Out);
}

Error readArchive(MemoryBufferRef Bytes, Records &Out) {
  Expected<std::vector<ArchiveMember>> Members =
      archiveMembers(Bytes.getBuffer());
  if (!Members)
    return Members.takeError();
  bool Thin = isThinArchive(Bytes.getBuffer());
  for (const ArchiveMember &Member : *Members)
    if (Error Failure =
            Thin ? readThinMember(Bytes.getBufferIdentifier(), Member.Name, Out)
                 : readMember(Member.Bytes, Out))
      return createFileError(Member.Name, std::move(Failure));
  return Error::success();
}

Error readBinary(MemoryBufferRef Bytes, Records &Out) {
  StringRef Whole = Bytes.getBuffer();
  if (isElf(Whole))
    return readElf(Whole, Out);
  if (isArchive(Whole))
    return readArchive(Bytes, Out);
  if (Whole.empty())
    return createStringError("the file is empty");
  if (Whole.starts_with(BitcodeMagic))
    return createStringError("LLVM bitcode, not an object; link it first");
  return createStringError("not an ELF object, archive, library or program");
}

} // namespace

Expected<Records> readObject(MemoryBufferRef Bytes) {
  Records Found;
  if (Error Failure = readBinary(Bytes, Found))
    return createFileError(Bytes.getBufferIdentifier(), std::move(Failure));
  if (Found.empty())
    return createFileError(
        Bytes.getBufferIdentifier(),
        createStringError("no metadata; was it compiled with -fblockmaestro?"));
  return Found;
}

Expected<Records> readObject(StringRef File) {
  Expected<std::unique_ptr<MemoryBuffer>> Bytes = openFile(File);
  if (!Bytes)
    return createFileError(File, Bytes.takeError());
  return readObject(MemoryBufferRef((*Bytes)->getBuffer(), File));
}

} // namespace blockmaestro
