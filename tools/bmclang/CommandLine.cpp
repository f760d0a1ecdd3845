// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {
namespace {

enum class Match { Whole, Prefix };

/// A flag we take out, and what it does.
struct OwnFlag {
  StringLiteral Text;
  Match How;
  void (*Apply)(CommandLine &, StringRef Value);
  StringLiteral Help;
};

const OwnFlag OwnFlags[] = {
    {"-fblockmaestro", Match::Whole,
     [](CommandLine &C, StringRef) { C.Enabled = true; },
     "  -fblockmaestro          Run thread blocks as soon as the blocks they "
     "need have finished\n"},
    {"-fno-blockmaestro", Match::Whole,
     [](CommandLine &C, StringRef) { C.Enabled = false; },
     "  -fno-blockmaestro       Compile as clang does (default)\n"},
    {"-fblockmaestro-dump=", Match::Prefix,
     [](CommandLine &C, StringRef Value) { C.Dump = Value.str(); },
     "  -fblockmaestro-dump=footprints\n"
     "                          Print the bytes that each kernel reads and "
     "writes\n"},
};

/// A flag of clang's that says something we need. Clang gets it all the same.
struct ClangFlag {
  StringLiteral Text;
  Match How;
  void (*Apply)(CommandLine &);
};

constexpr auto StopsBeforeLink = [](CommandLine &C) { C.Links = false; };
constexpr auto NamesArchitecture = [](CommandLine &C) {
  C.HasArchitecture = true;
};

const ClangFlag ClangFlags[] = {
    {"-c", Match::Whole, StopsBeforeLink},
    {"-S", Match::Whole, StopsBeforeLink},
    {"-E", Match::Whole, StopsBeforeLink},
    {"-M", Match::Whole, StopsBeforeLink},
    {"-MM", Match::Whole, StopsBeforeLink},
    {"-r", Match::Whole, StopsBeforeLink},
    {"-fsyntax-only", Match::Whole, StopsBeforeLink},
    {"-emit-ast", Match::Whole, StopsBeforeLink},
    {"--precompile", Match::Whole, StopsBeforeLink},
    {"--cuda-device-only", Match::Whole, StopsBeforeLink},
    {"--offload-device-only", Match::Whole, StopsBeforeLink},
    {"--offload-arch=", Match::Prefix, NamesArchitecture},
    {"--cuda-gpu-arch=", Match::Prefix, NamesArchitecture},
    {"-static", Match::Whole, [](CommandLine &C) { C.Static = true; }},
    {"--cuda-path=", Match::Prefix,
     [](CommandLine &C) { C.HasCudaPath = true; }},
    {"--help", Match::Whole, [](CommandLine &C) { C.Help = true; }},
};

/// Flags of clang's whose value is the next argument, so that the value is not
/// taken for a file.
const StringLiteral FlagsWithValue[] = {
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-F",
    "-B",
    "-T",
    "-u",
    "-z",
    "-e",
    "-G",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-target",
    "-arch",
    "-mllvm",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xarch_host",
    "-Xarch_device",
    "-Xcuda-ptxas",
    "-Xcuda-fatbinary",
    "-Xoffload-linker",
    "-Xpreprocessor",
    "-rpath",
    "-soname",
    "--param",
    "--sysroot",
    "-dumpdir",
    "--config",
    "-working-directory",
    "-serialize-diagnostics",
};

bool matches(StringRef Argument, StringRef Text, Match How) {
  return How == Match::Whole ? Argument == Text : Argument.starts_with(Text);
}

/// Takes Argument when it is ours; an error when it only looks like it.
Expected<bool> readOwnFlag(CommandLine &C, StringRef Argument) {
  for (const OwnFlag &Flag : OwnFlags) {
    if (!matches(Argument, Flag.Text, Flag.How))
      continue;
    Flag.Apply(C, Argument.drop_front(Flag.Text.size()));
    return true;
  }
  if (Argument.starts_with("-fblockmaestro") ||
      Argument.starts_with("-fno-blockmaestro"))
    return createStringError("unknown argument: '" + Argument + "'");
  return false;
}

/// Walks over clang's arguments and keeps the language that -x has set.
class ClangArguments {
public:
  explicit ClangArguments(CommandLine &C) : C(C) {}

  void read(StringRef Argument) {
    if (ExpectsLanguage)
      setLanguage(Argument);
    else if (ExpectsValue)
      ExpectsValue = false;
    else if (OnlyFiles || Argument == "-" || !Argument.starts_with("-"))
      addFile(Argument);
    else
      readFlag(Argument);
  }

private:
  void setLanguage(StringRef Name) {
    ExpectsLanguage = false;
    Language = Name == "none" ? "" : Name.str();
  }

  void addFile(StringRef Name) {
    C.HasInput = true;
    C.HasCuda |= Language.empty() ? sys::path::extension(Name) == ".cu"
                                  : Language == "cuda";
  }

  void readFlag(StringRef Flag) {
    if (Flag == "--")
      OnlyFiles = true;
    else if (Flag == "-x")
      ExpectsLanguage = true;
    else if (Flag.starts_with("-x"))
      setLanguage(Flag.drop_front(2));
    ExpectsValue = is_contained(FlagsWithValue, Flag);
    C.HasInput |= Flag.starts_with("-l");
    for (const ClangFlag &Known : ClangFlags)
      if (matches(Flag, Known.Text, Known.How))
        Known.Apply(C);
  }

  CommandLine &C;
  std::string Language;
  bool ExpectsLanguage = false;
  bool ExpectsValue = false;
  bool OnlyFiles = false;
};

Error checkTogether(const CommandLine &C) {
  if (!C.Dump.empty() && C.Dump != "footprints")
    return createStringError("invalid value '" + C.Dump +
                             "' in '-fblockmaestro-dump=" + C.Dump +
                             "', expected 'footprints'");
  if (C.Enabled && C.Static && C.Links)
    return createStringError("'-static' cannot be combined with "
                             "'-fblockmaestro', whose runtime is a shared "
                             "library");
  return Error::success();
}

} // namespace

Expected<CommandLine> readCommandLine(ArrayRef<const char *> Arguments) {
  CommandLine C;
  ClangArguments Clang(C);
  for (StringRef Argument : Arguments) {
    Expected<bool> Own = readOwnFlag(C, Argument);
    if (!Own)
      return Own.takeError();
    if (*Own)
      continue;
    C.Rest.push_back(Argument.str());
    Clang.read(Argument);
  }
  if (Error Wrong = checkTogether(C))
    return Wrong;
  return C;
}

std::string flagHelp() {
  std::string Text = "BLOCKMAESTRO OPTIONS:\n";
  for (const OwnFlag &Flag : OwnFlags)
    Text += Flag.Help;
  return Text + "\n";
}

} // namespace blockmaestro
