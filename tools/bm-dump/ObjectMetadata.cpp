// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectMetadata.h"

#include "MetadataReader.h"
#include "Options.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"

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

/// Members that are not objects carry nothing and are passed over.
Error readArchive(const object::Archive &Archive, Records &Out) {
  Error Failure = Error::success();
  for (const object::Archive::Child &Member : Archive.children(Failure)) {
    Expected<std::unique_ptr<object::Binary>> Binary = Member.getAsBinary();
    if (!Binary) {
      consumeError(Binary.takeError());
      continue;
    }
    if (const auto *Object = dyn_cast<object::ObjectFile>(Binary->get()))
      if (Error Inner = readSections(*Object, Out))
        return joinErrors(std::move(Failure), std::move(Inner));
  }
  return Failure;
}

Error readBinary(const object::Binary &Binary, Records &Out) {
  if (const auto *Object = dyn_cast<object::ObjectFile>(&Binary))
    return readSections(*Object, Out);
  if (const auto *Archive = dyn_cast<object::Archive>(&Binary))
    return readArchive(*Archive, Out);
  return createStringError("not an object, an archive or a program");
}

/// Options, reading and showing; the error is the one to report.
Error show(StringRef Command, ArrayRef<const char *> Arguments,
           void (*Text)(ArrayRef<ModuleRecord>),
           void (*Json)(ArrayRef<ModuleRecord>)) {
  Expected<DumpOptions> Given = readOptions(Arguments);
  if (!Given)
    return Given.takeError();
  if (Given->Help) {
    outs() << "usage: bm-dump " << Command << " FILE [--json]\n"
           << "FILE is an object, archive, shared library or program that was "
              "compiled with -fblockmaestro.\n";
    return Error::success();
  }
  Expected<Records> Read = readObject(Given->File);
  if (!Read)
    return Read.takeError();
  (Given->Json ? Json : Text)(*Read);
  return Error::success();
}

} // namespace

Expected<std::vector<ModuleRecord>> readObject(StringRef File) {
  Expected<object::OwningBinary<object::Binary>> Binary =
      object::createBinary(File);
  if (!Binary)
    return createFileError(File, Binary.takeError());
  Records Found;
  if (Error Failure = readBinary(*Binary->getBinary(), Found))
    return createFileError(File, std::move(Failure));
  if (Found.empty())
    return createFileError(
        File,
        createStringError("no metadata; was it compiled with -fblockmaestro?"));
  return Found;
}

int showRecords(StringRef Command, ArrayRef<const char *> Arguments,
                void (*Text)(ArrayRef<ModuleRecord>),
                void (*Json)(ArrayRef<ModuleRecord>)) {
  Error Failure = show(Command, Arguments, Text, Json);
  if (!Failure)
    return 0;
  errs() << "bm-dump: error: " << toString(std::move(Failure)) << '\n';
  return 1;
}

} // namespace blockmaestro
