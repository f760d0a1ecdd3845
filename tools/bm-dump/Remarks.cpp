// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

/// As -Rpass= names it.
constexpr StringLiteral OwnPass = "blockmaestro";

SavedRemark savedRemark(const remarks::Remark &Of) {
  SavedRemark Out;
  if (Of.Loc) {
    Out.File = Of.Loc->SourceFilePath.str();
    Out.Line = Of.Loc->SourceLine;
    Out.Column = Of.Loc->SourceColumn;
  }
  Out.Kind = remarks::typeToStr(Of.RemarkType).lower();
  Out.Name = Of.RemarkName.str();
  Out.Function = Of.FunctionName.str();
  Out.Message = Of.getArgsAsMsg();
  return Out;
}

/// LLVM's message has the line itself, and a mark below it, behind the first.
Error wrongRemarks(StringRef File, Error Wrong) {
  const std::string Why = toString(std::move(Wrong));
  return createStringError("'" + File + "': no optimization record: " +
                           StringRef(Why).trim().split('\n').first);
}

Error readInto(const std::string &File, std::vector<SavedRemark> &Out) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Read = MemoryBuffer::getFile(File);
  if (!Read)
    return createFileError(File, Read.getError());
  const StringRef Text = (*Read)->getBuffer();
  if (Text.trim().empty())
    return Error::success();
  const bool IsBits = Text.starts_with("RMRK");
  auto Parser = remarks::createRemarkParserFromMeta(
      IsBits ? remarks::Format::Bitstream : remarks::Format::YAML, Text);
  if (!Parser)
    return wrongRemarks(File, Parser.takeError());
  for (;;) {
    Expected<std::unique_ptr<remarks::Remark>> Next = (*Parser)->next();
    if (Next) {
      if ((*Next)->PassName == OwnPass)
        Out.push_back(savedRemark(**Next));
      continue;
    }
    Error Wrong = Next.takeError();
    if (!Wrong.isA<remarks::EndOfFileError>())
      return wrongRemarks(File, std::move(Wrong));
    consumeError(std::move(Wrong));
    return IsBits || Text.ends_with("...\n")
               ? Error::success()
               : wrongRemarks(File, createStringError("it is cut off"));
  }
}

} // namespace

Expected<std::vector<SavedRemark>> readRemarks(ArrayRef<std::string> Files) {
  std::vector<SavedRemark> Out;
  for (const std::string &File : Files)
    if (Error Wrong = readInto(File, Out))
      return std::move(Wrong);
  llvm::sort(Out);
  Out.erase(std::unique(Out.begin(), Out.end()), Out.end());
  return Out;
}

} // namespace blockmaestro
