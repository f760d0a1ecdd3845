// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkedCode.h"

#include "SymbolText.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {
namespace {

/// Every form of code for every architecture that a record names.
std::vector<CodeImage>
possibleImages(const std::vector<const ModuleRecord *> &All) {
  std::vector<CodeImage> Out;
  for (const ModuleRecord *Each : All)
    if (std::optional<Architecture> For = parseArchitecture(Each->Architecture))
      for (CodeImage::Form Kind :
           {CodeImage::Form::Machine, CodeImage::Form::Ptx})
        Out.push_back({Kind, *For});
  return Out;
}

/// Those of All that are for this architecture, or for none in particular.
std::vector<const ModuleRecord *>
recordsFor(const Architecture &For,
           const std::vector<const ModuleRecord *> &All) {
  std::vector<const ModuleRecord *> Out;
  std::copy_if(All.begin(), All.end(), std::back_inserter(Out),
               [&](const ModuleRecord *Each) {
                 return Each->Architecture.empty() ||
                        parseArchitecture(Each->Architecture) == For;
               });
  return Out;
}

size_t architecturesIn(const std::vector<CodeImage> &Images) {
  std::vector<Architecture> Seen;
  for (const CodeImage &Each : Images)
    if (std::find(Seen.begin(), Seen.end(), Each.For) == Seen.end())
      Seen.push_back(Each.For);
  return Seen.size();
}

std::string differentCode(const std::string &Symbol, const ModuleRecord &A,
                          const ModuleRecord &B) {
  return A.Source + " and " + B.Source + ", linked together, have different " +
         demangled(Symbol);
}

} // namespace

ChosenRecords chooseRecords(const CodeTarget &Target,
                            const std::optional<std::vector<CodeImage>> &Images,
                            const std::vector<const ModuleRecord *> &All) {
  ChosenRecords Out;
  if (All.empty())
    return Out;
  const std::vector<CodeImage> Known = Images ? *Images : possibleImages(All);
  const std::vector<CodeImage> Run = chooseImages(Target, Known);
  if (Run.empty())
    Out.Doubt = "its file was compiled for no architecture of this device";
  else if (architecturesIn(Run) > 1)
    Out.Doubt = "the driver may run its code for " + toText(Run[0].For) +
                " or that for " + toText(Run[1].For);
  else if (!Images && architecturesIn(Known) > 1)
    Out.Doubt = "its fat binary has a form that is not known";
  else
    Out.Records = recordsFor(Run.front().For, All);
  return Out;
}

LinkedCode::LinkedCode(std::vector<const ModuleRecord *> Linked)
    : Modules(std::move(Linked)) {
  for (const ModuleRecord *Module : Modules)
    for (const KernelRecord &Each : Module->Kernels)
      Kernels.emplace(Each.Symbol, FoundKernel{&Each, Module, {}});
  findBrokenPromises();
}

/// All kernels of modules whose inline functions differ are in doubt: of each
/// the linker kept one.
void LinkedCode::findBrokenPromises() {
  std::map<std::string, std::pair<uint64_t, const ModuleRecord *>> First;
  for (const ModuleRecord *Module : Modules)
    for (const SharedCode &Each : Module->Shared) {
      auto [Known, New] =
          First.try_emplace(Each.Symbol, std::pair{Each.Code, Module});
      auto [Code, Other] = Known->second;
      if (New || (Code == Each.Code && Code != 0))
        continue;
      const std::string Why = differentCode(Each.Symbol, *Other, *Module);
      Doubts.try_emplace(Other, Why);
      Doubts.try_emplace(Module, Why);
    }
}

FoundKernel LinkedCode::find(const std::string &Symbol) const {
  FoundKernel Out;
  auto [Next, End] = Kernels.equal_range(Symbol);
  for (; Next != End; ++Next) {
    const FoundKernel &Each = Next->second;
    const bool First = !Out.Record;
    if (First || (Out.Record->Replaceable && !Each.Record->Replaceable))
      Out = Each;
    else if (!Each.Record->Replaceable && !sameCode(*Out.Record, *Each.Record))
      Out.Doubt = differentCode(Symbol, *Out.Module, *Each.Module);
  }
  if (auto Known = Doubts.find(Out.Module);
      Known != Doubts.end() && Out.Doubt.empty())
    Out.Doubt = Known->second;
  return Out;
}

bool sameCode(const KernelRecord &A, const KernelRecord &B) {
  return A.Code == B.Code && A.Code != 0;
}

} // namespace blockmaestro
