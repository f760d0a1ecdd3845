// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordsCommand.h"

#include "ObjectMetadata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Reading and showing; the error is the one to report.
Error showSelectedRecords(const RecordsView &View, const DumpOptions &Given) {
  Expected<std::vector<ModuleRecord>> Read = readObject(Given.File);
  if (!Read)
    return Read.takeError();
  if (!Given.Kernel.empty())
    if (Error Failure = selectKernel(*Read, Given.Kernel))
      return createFileError(Given.File, std::move(Failure));
  (Given.Json ? View.Json : View.Text)(*Read);
  return Error::success();
}

/// "void (anonymous namespace)::scale<float>(float*)" as "scale<float>".
std::string plainName(StringRef Whole) {
  std::string Name = Whole.str();
  static constexpr StringLiteral Hidden = "(anonymous namespace)::";
  for (size_t At; (At = Name.find(Hidden)) != std::string::npos;)
    Name.erase(At, Hidden.size());
  Name.resize(std::min(Name.find('('), Name.size()));
  size_t ReturnType = StringRef(Name).take_front(Name.find('<')).rfind(' ');
  return ReturnType == StringRef::npos ? Name : Name.substr(ReturnType + 1);
}

bool isCalled(const KernelRecord &K, StringRef Name) {
  std::string Plain = plainName(K.Name);
  return Name == K.Symbol || Name == K.Name || Name == Plain ||
         Name == StringRef(Plain).take_front(Plain.find('<'));
}

} // namespace

Error selectKernel(std::vector<ModuleRecord> &Records, StringRef Name) {
  for (ModuleRecord &Module : Records)
    erase_if(Module.Kernels,
             [&](const KernelRecord &K) { return !isCalled(K, Name); });
  erase_if(Records,
           [](const ModuleRecord &Module) { return Module.Kernels.empty(); });
  if (Records.empty())
    return createStringError("no kernel '" + Name + "'");
  return Error::success();
}

int showRecords(const RecordsView &View, const DumpOptions &Given) {
  Error Failure = showSelectedRecords(View, Given);
  return Failure ? fail(toString(std::move(Failure))) : 0;
}

} // namespace blockmaestro
