// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramRecords.h"

#include "ObjectMetadata.h"
#include "RecordJson.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace llvm;

namespace blockmaestro {

FoundKernel ProgramRecords::find(const std::string &Name) const {
  const auto Found = Kernels.find(Name);
  return Found == Kernels.end() ? FoundKernel() : Found->second;
}

Expected<ProgramRecords> readProgram(StringRef Given, StringRef Recorded) {
  ProgramRecords Out;
  const StringRef File = Given.empty() ? Recorded : Given;
  if (File.empty())
    return Out;
  Expected<std::vector<ModuleRecord>> Read = readObject(File);
  if (!Read && !Given.empty())
    return Read.takeError();
  if (!Read) {
    Out.Problem = utf8(toString(Read.takeError()));
    return Out;
  }
  Out.File = File.str();
  Out.Modules = std::move(*Read);
  for (const ModuleRecord &Module : Out.Modules)
    for (const KernelRecord &Kernel : Module.Kernels)
      Out.Kernels.try_emplace(Kernel.Name, FoundKernel{&Module, &Kernel});
  return Out;
}

namespace {

struct LineRange {
  size_t First, Last; ///< From 1, both inclusive.
};

} // namespace

/// What is shown around lines: so many before and behind each, and what little
/// lies between.
static std::vector<LineRange> rangesAround(const std::set<uint32_t> &Lines,
                                           size_t Count) {
  constexpr size_t Before = 6, Behind = 3, Between = 8;
  std::vector<LineRange> Out;
  for (uint32_t Line : Lines) {
    if (Line == 0 || Line > Count)
      continue;
    const LineRange Next = {Line > Before ? Line - Before : 1,
                            std::min<size_t>(Line + Behind, Count)};
    if (!Out.empty() && Next.First <= Out.back().Last + Between)
      Out.back().Last = Next.Last;
    else
      Out.push_back(Next);
  }
  return Out;
}

/// As it is named, or in the folder of the program.
static std::unique_ptr<MemoryBuffer> openSource(StringRef File,
                                                StringRef ProgramFile) {
  SmallString<128> Beside(sys::path::parent_path(ProgramFile));
  sys::path::append(Beside, File);
  for (StringRef Path : {File, StringRef(Beside)})
    if (sys::fs::is_regular_file(Path))
      if (auto Text = MemoryBuffer::getFile(Path, /*IsText=*/true))
        return std::move(*Text);
  return nullptr;
}

static void writeSource(json::OStream &Out, StringRef File, StringRef Text,
                        const std::set<uint32_t> &Wanted) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  Out.object([&] {
    Out.attribute("file", utf8(File));
    Out.attributeArray("pieces", [&] {
      for (LineRange Each : rangesAround(Wanted, Lines.size()))
        Out.object([&] {
          Out.attribute("first", Each.First);
          Out.attributeArray("lines", [&] {
            for (size_t I = Each.First; I <= Each.Last; ++I)
              Out.value(utf8(Lines[I - 1].rtrim('\r')));
          });
        });
    });
  });
}

void writeSources(json::OStream &Out, ArrayRef<const KernelRecord *> Kernels,
                  StringRef ProgramFile) {
  std::map<std::string, std::set<uint32_t>> Wanted;
  for (const KernelRecord *Kernel : Kernels)
    for (const Access &Each : Kernel->Bytes.Accesses)
      if (!Each.Where.File.empty())
        Wanted[Each.Where.File].insert(Each.Where.Line);
  Out.array([&] {
    for (const auto &[File, Lines] : Wanted)
      if (const auto Text = openSource(File, ProgramFile))
        writeSource(Out, File, Text->getBuffer(), Lines);
  });
}

} // namespace blockmaestro
