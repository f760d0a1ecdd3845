// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangFlags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/Path.h"

#include <string>

// Of libclang-cpp, whose headers are not needed for anything else.
namespace clang {
const llvm::opt::OptTable &getDriverOptTable();
} // namespace clang

using namespace llvm;

namespace blockmaestro {
namespace {

/// Of the options, those that the driver clang has.
const opt::Visibility OfClang(opt::DefaultVis);

/// What makes clang's last step another than linking.
const StringLiteral StopBeforeLink[] = {
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-ast", "-emit-cir",
    "-emit-interface-stubs", "-extract-api", "-module-file-info",
    "--print-supported-cpus", "--print-supported-extensions",
    "--print-enabled-extensions", "-rewrite-objc", "-rewrite-legacy-objc",
    "-verify-pch", "--analyze", "--precompile",
    // No executable and no shared library: the runtime joins a later link.
    "-r"};

const StringLiteral HeaderExtensions[] = {".h",   ".H",   ".hh",  ".hp",
                                          ".hpp", ".HPP", ".hxx", ".h++"};

} // namespace

ClangArgument ClangArguments::at(size_t At) const {
  ClangArgument Out;
  unsigned Next = static_cast<unsigned>(At);
  const std::unique_ptr<opt::Arg> Read =
      clang::getDriverOptTable().ParseOneArg(All, Next, OfClang);
  if (!Read) // A value is missing, which clang says itself.
    return Out;
  const opt::Option Of = Read->getOption();
  Out.Input = Of.getKind() == opt::Option::InputClass;
  if (!Out.Input && Of.getKind() != opt::Option::UnknownClass)
    Out.Option = Of.getID();
  if (Read->getNumValues() > 0)
    Out.Value = Read->getValue();
  Out.Words = Next - At;
  return Out;
}

unsigned clangOption(StringRef Spelling) {
  const std::string Text = Spelling.str();
  const char *Words[] = {Text.c_str(), "value"};
  return ClangArguments(Words).at(0).Option;
}

InputKind kindOfInput(StringRef Name, StringRef Language) {
  StringRef Extension = sys::path::extension(Name);
  bool ByName = Language.empty();
  if (Language == "cuda" || Language == "cuda-cpp-output" ||
      (ByName && (Extension == ".cu" || Extension == ".cui")))
    return InputKind::Cuda;
  if (Language.ends_with("header") ||
      (ByName && is_contained(HeaderExtensions, Extension)))
    return InputKind::Header;
  return InputKind::Other;
}

ArrayRef<StringLiteral> stoppingFlags() { return StopBeforeLink; }

bool stopsBeforeLink(unsigned Option) {
  static const SmallVector<unsigned> Stopping =
      map_to_vector(stoppingFlags(), clangOption);
  return is_contained(Stopping, Option);
}

bool namesCudaRuntime(StringRef Argument) {
  StringRef Library = sys::path::filename(Argument);
  if (Argument.consume_front("-l"))
    return Argument == "cudart" || Argument == "cudart_static" ||
           Argument.starts_with(":libcudart");
  return Library.starts_with("libcudart") &&
         (Library.contains(".so") || Library.ends_with(".a"));
}

} // namespace blockmaestro
