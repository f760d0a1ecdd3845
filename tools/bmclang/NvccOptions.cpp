// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvccOptions.h"

#include "ClangWords.h"
#include "Options.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"

#include <memory>

using namespace llvm;
using namespace clang::options;

namespace blockmaestro {
namespace {

/// Options of clang's that mean nothing for CUDA on this system.
constexpr StringLiteral NvccsAllTheSame[] = {"-arch", "-G", "-t", "-Xcompiler"};

/// Whether the option that Word spells is clang's too, and not only because
/// one of clang's is the beginning of it: -lineinfo is no library.
bool isClangs(StringRef Word, const opt::Arg &Read) {
  StringRef Name = Word.split('=').first;
  if (is_contained(NvccsAllTheSame, Name))
    return false;
  if (Name.starts_with("-W"))
    return true;
  return !Read.getOption().matches(OPT_UNKNOWN) &&
         Read.getSpelling().rtrim('=') == Name;
}

/// Whether the value of an option that both have is one of nvcc's.
bool hasNvccsValue(StringRef Word, StringRef Next) {
  return (Word == "-x" && Next == "cu") || Word == "-Werror=all-warnings" ||
         (Word == "-Werror" && Next == "all-warnings");
}

/// What a host's option is for besides compiling.
bool isForLinkToo(StringRef Text) {
  constexpr StringLiteral Prefixes[] = {"-fopenmp", "-pthread",
                                        "-fsanitize=", "--coverage", "-pg"};
  return any_of(Prefixes, [&](StringRef P) { return Text.starts_with(P); });
}

class Translator {
public:
  Translator(ArrayRef<const char *> Given, bool HasCuda)
      : Given(Given), All(Given.begin(), Given.end()), HasCuda(HasCuda) {}

  Expected<ClangsWords> translate() {
    const opt::OptTable &Table = clang::getDriverOptTable();
    const opt::Visibility Driver(ClangOption);
    opt::InputArgList Clang(Given.begin(), Given.end());
    for (unsigned Begin = 0; Begin < Given.size();) {
      unsigned End = Begin;
      std::unique_ptr<opt::Arg> Read = Table.ParseOneArg(Clang, End, Driver);
      Expected<size_t> Taken = takeNvccs(Begin, Read.get());
      if (!Taken)
        return Taken.takeError();
      if (*Taken)
        End = Begin + *Taken;
      else
        Out.Words.insert(Out.Words.end(), All.begin() + Begin,
                         All.begin() + End);
      Begin = End;
    }
    if (Error Failure = addArchitectures())
      return Failure;
    return std::move(Out);
  }

private:
  /// Puts clang's words in the place of an option of nvcc's: how many words it
  /// was. Read is null where clang misses a value.
  Expected<size_t> takeNvccs(unsigned Begin, const opt::Arg *Read) {
    StringRef Word = All[Begin];
    if (Read && Read->getOption().matches(OPT__DASH_DASH))
      return 0;
    const std::string Next = Begin + 1 < All.size() ? All[Begin + 1] : "";
    if (Read && isClangs(Word, *Read) && !hasNvccsValue(Word, Next))
      return 0;
    if (is_contained({"-optf", "--options-file"}, Word.split('=').first))
      return onlyBmnvccs(Word);
    nvcc::Request Option;
    Option.Gpu = Gpu;
    Expected<size_t> Taken =
        nvcc::readOption(ArrayRef(All).drop_front(Begin), Option);
    if (!Taken || !*Taken)
      return Taken;
    Gpu = Option.Gpu;
    if (Error Failure = add(Option, Word))
      return Failure;
    return Taken;
  }

  Error add(const nvcc::Request &Option, StringRef Word) {
    if (isOnlyBmnvccs(Option))
      return onlyBmnvccs(Word);
    Out.Words.push_back("--start-no-unused-arguments");
    addPhase(Option);
    for (const nvcc::Word &W : Option.Compile)
      nvcc::addWord(W, HasCuda, Out.Words);
    addOthers(Option);
    addLink(Option);
    Out.Words.push_back("--end-no-unused-arguments");
    return Error::success();
  }

  static Error onlyBmnvccs(StringRef Word) {
    return createStringError("'" + Word +
                             "' of nvcc is not supported here; bmnvcc takes "
                             "it");
  }

  static bool isOnlyBmnvccs(const nvcc::Request &R) {
    using nvcc::Phase;
    return is_contained({Phase::Fatbin, Phase::DeviceLink, Phase::Archive},
                        R.Until) ||
           R.Runs || R.NoDeviceLink || R.ListsCodes || R.ListsArchitectures ||
           !R.OutputFolder.empty() || !R.Arguments.empty() ||
           !R.Archive.empty();
  }

  void addPhase(const nvcc::Request &R) {
    using nvcc::Phase;
    if (R.Relocatable)
      Out.Words.push_back("-fgpu-rdc");
    if (R.Until == Phase::Object)
      Out.Words.push_back("-c");
    if (R.Until == Phase::Ptx || R.Until == Phase::Cubin)
      Out.Words.insert(Out.Words.end(), {"--offload-device-only",
                                         R.Until == Phase::Ptx ? "-S" : "-c"});
    if (R.Until == Phase::Preprocessed)
      Out.Words.push_back("-E");
    if (R.Until == Phase::Dependencies)
      Out.Words.push_back(R.Dependencies);
  }

  void addOthers(const nvcc::Request &R) {
    if (!R.Output.empty())
      Out.Words.insert(Out.Words.end(), {"-o", R.Output});
    if (!R.Language.empty())
      Out.Words.insert(Out.Words.end(),
                       {"-x", R.Language == "cu" ? "cuda" : R.Language});
    if (!R.Optimization.empty())
      Out.Words.push_back(R.Optimization);
    if ((R.DeviceDebug || R.OptimizesDevice) && HasCuda)
      nvcc::addDeviceOptimization(R, Out.Words);
    if (R.OnlyShows)
      Out.Words.push_back("-###");
    if (R.ShowsHelp || R.ShowsVersion)
      Out.Words.push_back(R.ShowsHelp ? "--help" : "--version");
  }

  /// A host's option that the compilations of CUDA get for their side alone is
  /// no option of the link then.
  void addLink(const nvcc::Request &R) {
    for (const std::string &Text : R.Link)
      if (isForLinkToo(Text) || none_of(R.Compile, [&](const nvcc::Word &W) {
            return W.Text == Text;
          }))
        Out.Words.push_back(Text);
    append_range(Out.Words, R.Folders);
    append_range(Out.Words, R.Libraries);
  }

  Error addArchitectures() {
    if (Error Failure = Gpu.finish())
      return Failure;
    Out.LeftOut = Gpu.leftOut();
    std::vector<std::string> Flags =
        Gpu.flags(is_contained(Out.Words, "-fgpu-rdc"));
    if (!HasCuda || Flags.empty())
      return Error::success();
    Out.Words.push_back("--start-no-unused-arguments");
    append_range(Out.Words, Flags);
    Out.Words.push_back("--end-no-unused-arguments");
    return Error::success();
  }

  ArrayRef<const char *> Given;
  std::vector<std::string> All;
  bool HasCuda;
  nvcc::Targets Gpu;
  ClangsWords Out;
};

} // namespace

Expected<ClangsWords> withoutNvccOptions(ArrayRef<const char *> Arguments,
                                         bool HasCuda) {
  return Translator(Arguments, HasCuda).translate();
}

} // namespace blockmaestro
