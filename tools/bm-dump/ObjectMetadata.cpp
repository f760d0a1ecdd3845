// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectMetadata.h"

#include "MetadataReader.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace blockmaestro {
namespace {

using Records = std::vector<ModuleRecord>;

Error readSection(StringRef Bytes, Records &Out) {
  Result<Records> Read = readMetadata(Bytes.bytes_begin(), Bytes.size());
  if (!Read.ok())
    return createStringError(Read.status().message());
  std::move(Read->begin(), Read->end(), std::back_inserter(Out));
  return Error::success();
}

Error readSections(const object::ObjectFile &Object, Records &Out) {
  for (const object::SectionRef &Section : Object.sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != MetadataSection)
      continue;
    Expected<StringRef> Bytes = Section.getContents();
    if (!Bytes)
      return Bytes.takeError();
    if (Error Failure = readSection(*Bytes, Out))
      return Failure;
  }
  return Error::success();
}

Error readElf(MemoryBufferRef Bytes, Records &Out) {
  Expected<std::unique_ptr<object::ObjectFile>> Object =
      object::ObjectFile::createELFObjectFile(Bytes);
  if (!Object)
    return Object.takeError();
  return readSections(**Object, Out);
}

bool isElf(file_magic Magic) {
  return Magic == file_magic::elf || Magic == file_magic::elf_relocatable ||
         Magic == file_magic::elf_executable ||
         Magic == file_magic::elf_shared_object ||
         Magic == file_magic::elf_core;
}

/// Members that are not ELF objects carry nothing and are passed over. The
/// bytes of a thin archive's members lie in files of their own.
Error readMember(const object::Archive::Child &Member, Records &Out) {
  Expected<MemoryBufferRef> Bytes = Member.getMemoryBufferRef();
  if (!Bytes)
    return Bytes.takeError();
  if (!isElf(identify_magic(Bytes->getBuffer())))
    return Error::success();
  if (Error Failure = readElf(*Bytes, Out))
    return createFileError(Bytes->getBufferIdentifier(), std::move(Failure));
  return Error::success();
}

Error readArchive(MemoryBufferRef Bytes, Records &Out) {
  Expected<std::unique_ptr<object::Archive>> Archive =
      object::Archive::create(Bytes);
  if (!Archive)
    return Archive.takeError();
  Error Failure = Error::success();
  for (const object::Archive::Child &Member : (*Archive)->children(Failure))
    if (Error Inner = readMember(Member, Out))
      return joinErrors(std::move(Failure), std::move(Inner));
  return Failure;
}

Error readBinary(MemoryBufferRef Bytes, Records &Out) {
  file_magic Magic = identify_magic(Bytes.getBuffer());
  if (isElf(Magic))
    return readElf(Bytes, Out);
  if (Magic == file_magic::archive)
    return readArchive(Bytes, Out);
  if (Bytes.getBufferSize() == 0)
    return createStringError("the file is empty");
  if (Magic == file_magic::bitcode)
    return createStringError("LLVM bitcode, not an object; link it first");
  return createStringError("not an ELF object, archive, library or program");
}

/// Only regular files: what a directory or a device has is not a program.
Expected<std::unique_ptr<MemoryBuffer>> openFile(StringRef File) {
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
