// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "ClangFlags.h"

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

/// A flag of clang's that says something we need. Clang gets it all the same.
struct ClangFlag {
  StringLiteral Text;
  Match How;
  void (*Apply)(CommandLine &, StringRef Value);
};

constexpr auto AsksForHelp = [](CommandLine &C, StringRef) { C.Help = true; };
constexpr auto NamesArchitecture = [](CommandLine &C, StringRef) {
  C.HasArchitecture = true;
};
constexpr auto LinksStatically = [](CommandLine &C, StringRef) {
  C.Static = true;
};
constexpr auto OnlyDevice = [](CommandLine &C, StringRef) {
  C.DeviceOnly = true;
};
constexpr auto NotOnlyDevice = [](CommandLine &C, StringRef) {
  C.DeviceOnly = false;
};
constexpr auto LinksDeviceCode = [](CommandLine &C, StringRef) {
  C.Relocatable = true;
};
constexpr auto SeparateDeviceCode = [](CommandLine &C, StringRef) {
  C.Relocatable = false;
};

const ClangFlag ClangFlags[] = {
    {"--help", Match::Whole, AsksForHelp},
    {"-help", Match::Whole, AsksForHelp},
    {"--help-hidden", Match::Whole, AsksForHelp},
    {"-###", Match::Whole,
     [](CommandLine &C, StringRef) { C.OnlyShows = true; }},
    {"--cuda-device-only", Match::Whole, OnlyDevice},
    {"--offload-device-only", Match::Whole, OnlyDevice},
    {"--cuda-host-only", Match::Whole, NotOnlyDevice},
    {"--offload-host-only", Match::Whole, NotOnlyDevice},
    {"--cuda-compile-host-device", Match::Whole, NotOnlyDevice},
    {"--offload-host-device", Match::Whole, NotOnlyDevice},
    {"-fgpu-rdc", Match::Whole, LinksDeviceCode},
    {"-fcuda-rdc", Match::Whole, LinksDeviceCode},
    {"-fno-gpu-rdc", Match::Whole, SeparateDeviceCode},
    {"-fno-cuda-rdc", Match::Whole, SeparateDeviceCode},
    {"--offload-link", Match::Whole, LinksDeviceCode},
    {"-foffload-lto", Match::Prefix, LinksDeviceCode},
    {"--offload-arch=", Match::Prefix, NamesArchitecture},
    {"--cuda-gpu-arch=", Match::Prefix, NamesArchitecture},
    {"--cuda-path=", Match::Prefix,
     [](CommandLine &C, StringRef Value) { C.CudaPath = Value.str(); }},
    {"--cuda-path-ignore-env", Match::Whole,
     [](CommandLine &C, StringRef) { C.IgnoresEnvironment = true; }},
    {"-nocudainc", Match::Whole,
     [](CommandLine &C, StringRef) { C.NeedsHeaders = false; }},
    {"-nogpuinc", Match::Whole,
     [](CommandLine &C, StringRef) { C.NeedsHeaders = false; }},
    {"-static", Match::Whole, LinksStatically},
    {"--static", Match::Whole, LinksStatically},
    {"-static-pie", Match::Whole, LinksStatically},
};

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
  explicit Reader(CommandLine &C) : C(C) {}

  Error read(StringRef Argument) {
    if (Next != Value::None || OnlyFiles || Argument == "-" ||
        !Argument.starts_with("-")) {
      readValue(Argument);
      return Error::success();
    }
    Expected<bool> Own = readOwnFlag(C, Argument);
    if (!Own)
      return Own.takeError();
    if (!*Own)
      readFlag(Argument);
    return Error::success();
  }

private:
  /// What the next argument is for.
  enum class Value { None, Language, Library, Any };

  void readValue(StringRef Argument) {
    Value For = std::exchange(Next, Value::None);
    bool File = For == Value::None;
    bool Runtime = For == Value::Library
                       ? namesCudaRuntime(("-l" + Argument).str())
                       : File && namesCudaRuntime(Argument);
    if (For == Value::Language)
      setLanguage(Argument);
    else if (File)
      addFile(Argument);
    if (Runtime && For == Value::Library)
      C.Rest.back().CudaRuntime = true;
    C.Rest.push_back({Argument.str(), File, Runtime});
  }

  void setLanguage(StringRef Name) {
    Language = Name == "none" ? "" : Name.str();
  }

  void addFile(StringRef Name) {
    InputKind Kind = kindOfInput(Name, Language);
    C.HasInput |= Kind != InputKind::Header;
    C.HasCuda |= Kind == InputKind::Cuda;
    C.CudaStdin |= Kind == InputKind::Cuda && Name == "-";
  }

  void readFlag(StringRef Flag) {
    C.Rest.push_back({Flag.str(), false, namesCudaRuntime(Flag)});
    if (Flag == "--") {
      OnlyFiles = true;
      return;
    }
    Next = valueOf(Flag);
    if (Next == Value::None && Flag.starts_with("-x"))
      setLanguage(Flag.drop_front(StringRef("-x").size()));
    C.HasInput |= Flag.starts_with("-l");
    C.Links &= !stopsBeforeLink(Flag);
    for (const ClangFlag &Known : ClangFlags)
      if (matches(Flag, Known.Text, Known.How))
        Known.Apply(C, Flag.drop_front(Known.Text.size()));
  }

  static Value valueOf(StringRef Flag) {
    if (Flag == "-x" || Flag == "--language")
      return Value::Language;
    if (Flag == "-l")
      return Value::Library;
    return takesNextArgument(Flag) ? Value::Any : Value::None;
  }

  CommandLine &C;
  std::string Language;
  Value Next = Value::None;
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
  Reader Clang(C);
  for (StringRef Argument : Arguments)
    if (Error Wrong = Clang.read(Argument))
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
