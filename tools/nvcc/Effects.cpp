// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Effects.h"

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace blockmaestro::nvcc {
namespace {

/// The words of a row, with the value in the place of {}.
std::vector<std::string> filled(StringRef Words, StringRef Value) {
  std::vector<std::string> Out;
  SmallVector<StringRef> Parts;
  Words.split(Parts, ' ');
  for (StringRef Part : Parts) {
    auto [Before, After] = Part.split("{}");
    bool Whole = Before.size() == Part.size();
    Out.push_back(Whole ? Part.str() : (Before + Value + After).str());
  }
  return Out;
}

Effect words(Side For, StringRef Words) {
  return [=](Request &R, StringRef Value) {
    for (std::string &Text : filled(Words, Value))
      R.Compile.push_back({For, std::move(Text)});
    return Error::success();
  };
}

Effect appendTo(std::vector<std::string> Request::*List, StringRef Words) {
  return [=](Request &R, StringRef Value) {
    append_range(R.*List, filled(Words, Value));
    return Error::success();
  };
}

/// A value that is several words for a tool.
Effect wordsTo(std::vector<std::string> Request::*List, StringRef Before) {
  return [=](Request &R, StringRef Value) {
    for (std::string &Text : splitWords(Value)) {
      if (!Before.empty())
        (R.*List).push_back(Before.str());
      (R.*List).push_back(std::move(Text));
    }
    return Error::success();
  };
}

/// What device code must see as well, as it does with nvcc.
bool isForPreprocessor(StringRef Text) {
  constexpr StringLiteral Prefixes[] = {"-D", "-U", "-I", "-i"};
  return any_of(Prefixes, [&](StringRef P) { return Text.starts_with(P); });
}

/// Whether the next word is the value of this one.
bool wantsValue(StringRef Text) {
  constexpr StringLiteral Flags[] = {"-D",       "-U",         "-I",
                                     "-isystem", "-idirafter", "-iquote",
                                     "-include", "-imacros"};
  return is_contained(Flags, Text);
}

bool isForLinker(StringRef Text) {
  return Text.starts_with("-Wl,") || Text == "-rdynamic";
}

} // namespace

Effect nothing() {
  return [](Request &, StringRef) { return Error::success(); };
}

Effect until(Phase Last) {
  return [=](Request &R, StringRef) {
    R.Until = Last;
    return Error::success();
  };
}

Effect dependencies(StringRef Flag) {
  return [=](Request &R, StringRef) {
    R.Until = Phase::Dependencies;
    R.Dependencies = Flag.str();
    return Error::success();
  };
}

Effect relocatableObject(bool Relocatable) {
  return [=](Request &R, StringRef) {
    R.Until = Phase::Object;
    R.Relocatable = Relocatable;
    return Error::success();
  };
}

Effect set(bool Request::*Member) {
  return [=](Request &R, StringRef) {
    R.*Member = true;
    return Error::success();
  };
}

Effect store(std::string Request::*Member) {
  return [=](Request &R, StringRef Value) {
    R.*Member = Value.str();
    return Error::success();
  };
}

Effect choice(StringRef Values) {
  return [=](Request &, StringRef Value) {
    SmallVector<StringRef> Allowed;
    Values.split(Allowed, ' ');
    return is_contained(Allowed, Value)
               ? Error::success()
               : createStringError("value '" + Value +
                                   "' is none of: " + Values);
  };
}

Effect compile(StringRef Words) { return words(Side::Both, Words); }
Effect cuda(StringRef Words) { return words(Side::Cuda, Words); }
Effect host(StringRef Words) { return words(Side::Host, Words); }
Effect device(StringRef Words) { return words(Side::Device, Words); }
Effect link(StringRef Words) { return appendTo(&Request::Link, Words); }

Effect hostAndLink(StringRef Words) {
  return [=](Request &R, StringRef Value) {
    R.Link.push_back(Words.str());
    return host(Words)(R, Value);
  };
}

Effect library(StringRef Words) { return appendTo(&Request::Libraries, Words); }
Effect folder(StringRef Words) { return appendTo(&Request::Folders, Words); }

Effect whether(StringRef True, StringRef False) {
  return [=](Request &R, StringRef Value) {
    return device(Value == "true" ? True : False)(R, Value);
  };
}

Effect language() {
  return [](Request &R, StringRef Value) {
    if (Error Failure = choice("c c++ cu")(R, Value))
      return Failure;
    return store(&Request::Language)(R, Value);
  };
}

Effect optimize() {
  return [](Request &R, StringRef Value) -> Error {
    unsigned Level = 0;
    if (Value.getAsInteger(10, Level))
      return createStringError("'" + Value + "': expected a number");
    R.Optimization = ("-O" + Twine(std::min(Level, 3u))).str();
    return Error::success();
  };
}

Effect optimizeDevice() {
  return [](Request &R, StringRef Value) {
    R.OptimizesDevice = true;
    return choice("on")(R, Value);
  };
}

Effect fastMath() {
  return cuda("-fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero "
              "-Xarch_device -mllvm=-nvptx-prec-divf32=1 "
              "-Xarch_device -mllvm=-nvptx-prec-sqrtf32=0");
}

void addHostWord(Request &R, StringRef Text) {
  bool IsValue = !R.Compile.empty() && wantsValue(R.Compile.back().Text);
  if (isForLinker(Text))
    R.Link.push_back(Text.str());
  else if (IsValue || isForPreprocessor(Text))
    R.Compile.push_back({Side::Both, Text.str()});
  else
    R.Compile.push_back({Side::Host, Text.str()});
}

/// nvcc gives them to the link too: -fopenmp, -pthread, -fsanitize=address.
Effect hostOptions() {
  return [](Request &R, StringRef Value) {
    for (const std::string &Text : splitWords(Value)) {
      addHostWord(R, Text);
      if (!isForLinker(Text) && R.Compile.back().For == Side::Host)
        R.Link.push_back(Text);
    }
    return Error::success();
  };
}

Effect linkerOptions() { return wordsTo(&Request::Link, "-Xlinker"); }
Effect archiveOptions() { return wordsTo(&Request::Archive, ""); }
Effect ptxasOptions() {
  return [](Request &R, StringRef Value) {
    for (std::string &Text : splitWords(Value)) {
      R.Compile.push_back({Side::Cuda, "-Xcuda-ptxas"});
      R.Compile.push_back({Side::Cuda, std::move(Text)});
    }
    return Error::success();
  };
}

Effect programArgument() { return appendTo(&Request::Arguments, "{}"); }

Effect forwardUnknown() {
  return [](Request &R, StringRef) {
    R.ForwardsToCompiler = R.ForwardsToLinker = true;
    return Error::success();
  };
}

Effect architecture() {
  return
      [](Request &R, StringRef Value) { return R.Gpu.addArchitecture(Value); };
}

Effect codes() {
  return [](Request &R, StringRef Value) { return R.Gpu.addCodes(Value); };
}

Effect generateCode() {
  return
      [](Request &R, StringRef Value) { return R.Gpu.addSpecification(Value); };
}

Effect relocatable() {
  return [](Request &R, StringRef Value) {
    R.Relocatable = Value == "true";
    return Error::success();
  };
}

Effect defaultStream() {
  return [](Request &R, StringRef Value) {
    if (Error Failure = choice("legacy null per-thread")(R, Value))
      return Failure;
    StringRef Stream = Value == "per-thread" ? Value : "legacy";
    return cuda("-fgpu-default-stream={}")(R, Stream);
  };
}

Effect warningsAsErrors() {
  return [](Request &R, StringRef Kind) -> Error {
    if (Error Failure = choice("all-warnings cross-execution-space-call "
                               "default-stream-launch deprecated-declarations "
                               "ext-lambda-captures-this "
                               "missing-launch-bounds reorder")(R, Kind))
      return Failure;
    StringRef Flag =
        StringSwitch<StringRef>(Kind)
            .Case("all-warnings", "-Werror")
            .Cases({"reorder", "deprecated-declarations"}, "-Werror={}")
            .Default("");
    return Flag.empty() ? Error::success() : compile(Flag)(R, Kind);
  };
}

Effect optionsFile() { return nothing(); }

} // namespace blockmaestro::nvcc
