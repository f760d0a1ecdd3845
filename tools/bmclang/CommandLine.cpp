// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "ClangFlags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

enum class Match { Whole, Prefix };

/// A flag we take out, and what it does.
struct OwnFlag {
  StringLiteral Text;
  Match How;
  void (*Apply)(CommandLine &, StringRef Value);
  StringLiteral Spelling; ///< As a mistake is told to write it.
  StringLiteral Help;
};

const OwnFlag OwnFlags[] = {
    {"-fblockmaestro", Match::Whole,
     [](CommandLine &C, StringRef) { C.Enabled = true; }, "-fblockmaestro",
     "Run thread blocks as soon as the blocks they need have finished"},
    {"-fno-blockmaestro", Match::Whole,
     [](CommandLine &C, StringRef) { C.Enabled = false; }, "-fno-blockmaestro",
     "Compile as clang does (default)"},
    {"-fblockmaestro-dump=", Match::Prefix,
     [](CommandLine &C, StringRef Value) { C.Dump = Value.str(); },
     "-fblockmaestro-dump=footprints",
     "Print the bytes that each kernel reads and writes"},
};

/// An option of clang's that says something we need. Clang gets it all the
/// same.
struct ClangFlag {
  StringLiteral Spelling; ///< One of them.
  void (*Apply)(CommandLine &, StringRef Value);
};

constexpr auto AsksForHelp = [](CommandLine &C, StringRef) { C.Help = true; };
constexpr auto NamesArchitecture = [](CommandLine &C, StringRef) {
  C.HasArchitecture = true;
};
constexpr auto LinksStatically = [](CommandLine &C, StringRef) {
  C.Static = true;
};
constexpr auto NotOnlyDevice = [](CommandLine &C, StringRef) {
  C.DeviceOnly = false;
};
constexpr auto LinksDeviceCode = [](CommandLine &C, StringRef) {
  C.Relocatable = true;
};

const ClangFlag ClangFlags[] = {
    {"--help", AsksForHelp},
    {"--help-hidden", AsksForHelp},
    {"-###", [](CommandLine &C, StringRef) { C.OnlyShows = true; }},
    {"--offload-device-only",
     [](CommandLine &C, StringRef) { C.DeviceOnly = true; }},
    {"--offload-host-only", NotOnlyDevice},
    {"--offload-host-device", NotOnlyDevice},
    {"-fgpu-rdc", LinksDeviceCode},
    {"-fno-gpu-rdc", [](CommandLine &C, StringRef) { C.Relocatable = false; }},
    {"--offload-link", LinksDeviceCode},
    {"-foffload-lto", LinksDeviceCode},
    {"-foffload-lto=", LinksDeviceCode},
    {"--offload-arch=", NamesArchitecture},
    {"--cuda-path=",
     [](CommandLine &C, StringRef Value) { C.CudaPath = Value.str(); }},
    {"--cuda-path-ignore-env",
     [](CommandLine &C, StringRef) { C.IgnoresEnvironment = true; }},
    {"-nogpuinc", [](CommandLine &C, StringRef) { C.NeedsHeaders = false; }},
    {"-static", LinksStatically},
    {"-static-pie", LinksStatically},
    {"-l", [](CommandLine &C, StringRef) { C.HasInput = true; }},
};

/// What the option does; null for most.
const ClangFlag *flagOf(unsigned Option) {
  static const auto Options =
      map_to_vector(ClangFlags, [](const ClangFlag &Each) {
        return clangOption(Each.Spelling);
      });
  const auto *Found = find(Options, Option);
  return Option == 0 || Found == Options.end()
             ? nullptr
             : &ClangFlags[Found - Options.begin()];
}

bool matches(StringRef Argument, StringRef Text, Match How) {
  return How == Match::Whole ? Argument == Text : Argument.starts_with(Text);
}

/// Our flag that is nearest to Argument in spelling; Most mistakes at most.
const OwnFlag *nearest(StringRef Argument, unsigned Most) {
  const OwnFlag *Best = nullptr;
  unsigned Distance = Most + 1;
  StringRef Given = Argument.split('=').first;
  for (const OwnFlag &Flag : OwnFlags) {
    StringRef Text = Flag.Text.rtrim('=');
    unsigned Mistakes = Given.edit_distance(Text, true, Distance);
    if (Mistakes < Distance) {
      Best = &Flag;
      Distance = Mistakes;
    }
  }
  return Best;
}

/// Takes Argument when it is ours; an error when it only looks like it.
Expected<bool> readOwnFlag(CommandLine &C, StringRef Argument) {
  for (const OwnFlag &Flag : OwnFlags) {
    if (!matches(Argument, Flag.Text, Flag.How))
      continue;
    C.HasOwn = true;
    Flag.Apply(C, Argument.drop_front(Flag.Text.size()));
    return true;
  }
  constexpr unsigned Typos = 2;
  bool Ours = Argument.starts_with("-fblockmaestro") ||
              Argument.starts_with("-fno-blockmaestro");
  const OwnFlag *Meant =
      nearest(Argument, Ours ? unsigned(Argument.size()) : Typos);
  if (!Ours && !Meant)
    return false;
  return createStringError("unknown argument '" + Argument +
                           "'; did you mean '" + Meant->Spelling + "'?");
}

/// Walks over the arguments and keeps the language that -x has set.
class Reader {
public:
  Reader(ArrayRef<const char *> All, CommandLine &C)
      : All(All), Clang(All), C(C) {}

  Error read() {
    for (size_t At = 0; At < All.size();) {
      Expected<size_t> Words = readAt(At);
      if (!Words)
        return Words.takeError();
      At += *Words;
    }
    return Error::success();
  }

private:
  /// How many words it is.
  Expected<size_t> readAt(size_t At) {
    const StringRef Word = All[At];
    if (OnlyFiles) {
      addFile(Word);
      return 1;
    }
    Expected<bool> Own = Word.starts_with("-") ? readOwnFlag(C, Word) : false;
    if (!Own || *Own)
      return Own ? Expected<size_t>(1) : Own.takeError();
    if (Word == "--") {
      OnlyFiles = true;
      C.Rest.push_back({Word.str()});
      return 1;
    }
    const ClangArgument Argument = Clang.at(At);
    if (Argument.Input)
      addFile(Word);
    else
      addOption(Argument, All.slice(At, Argument.Words));
    return Argument.Words;
  }

  void addFile(StringRef Name) {
    InputKind Kind = kindOfInput(Name, Language);
    C.HasInput |= Kind != InputKind::Header;
    C.HasCuda |= Kind == InputKind::Cuda;
    C.CudaStdin |= Kind == InputKind::Cuda && Name == "-";
    C.Rest.push_back({Name.str(), true, namesCudaRuntime(Name)});
  }

  void addOption(const ClangArgument &What, ArrayRef<const char *> Words) {
    static const unsigned Language = clangOption("-x"),
                          Library = clangOption("-l");
    const bool Runtime = What.Option == Library
                             ? namesCudaRuntime("-l" + What.Value)
                             : Words.size() == 1 && namesCudaRuntime(Words[0]);
    for (StringRef Each : Words)
      C.Rest.push_back({Each.str(), false, Runtime});
    if (What.Option == Language)
      this->Language = What.Value == "none" ? "" : What.Value;
    C.Links &= !stopsBeforeLink(What.Option);
    if (const ClangFlag *Known = flagOf(What.Option))
      Known->Apply(C, What.Value);
  }

  ArrayRef<const char *> All;
  const ClangArguments Clang;
  CommandLine &C;
  std::string Language;
  bool OnlyFiles = false;
};

Error checkTogether(const CommandLine &C) {
  if (C.Dump && *C.Dump != "footprints")
    return createStringError("invalid value '" + *C.Dump +
                             "' in '-fblockmaestro-dump=" + *C.Dump +
                             "', expected 'footprints'");
  if (C.Enabled && C.Static && C.links())
    return createStringError("'-static' cannot be combined with "
                             "'-fblockmaestro', whose runtime is a shared "
                             "library");
  return Error::success();
}

} // namespace

Expected<CommandLine> readCommandLine(ArrayRef<const char *> Arguments) {
  CommandLine C;
  if (Error Wrong = Reader(Arguments, C).read())
    return Wrong;
  if (Error Wrong = checkTogether(C))
    return Wrong;
  return C;
}

std::string flagHelp() {
  constexpr size_t Column = 26;
  std::string Text = "BLOCKMAESTRO OPTIONS:\n";
  for (const OwnFlag &Flag : OwnFlags) {
    std::string Line = "  " + Flag.Spelling.str();
    Line += Line.size() < Column ? "" : "\n";
    size_t Begins = Line.rfind('\n') + 1;
    Line.append(Column - (Line.size() - Begins), ' ');
    Text += Line + Flag.Help.str() + "\n";
  }
  return Text + "\n";
}

} // namespace blockmaestro
