// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Input.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {
namespace {

const StringLiteral HeaderExtensions[] = {".h",   ".H",   ".hh",  ".hp",
                                          ".hpp", ".HPP", ".hxx", ".h++"};

} // namespace

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

bool namesCudaRuntime(StringRef Argument) {
  StringRef Library = sys::path::filename(Argument);
  if (Argument.consume_front("-l"))
    return Argument == "cudart" || Argument == "cudart_static" ||
           Argument.starts_with(":libcudart");
  return Library.starts_with("libcudart") &&
         (Library.contains(".so") || Library.ends_with(".a"));
}

} // namespace blockmaestro
