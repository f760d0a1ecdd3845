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

const StringLiteral CxxExtensions[] = {".c",   ".i",    ".C",   ".cc",  ".cp",
                                       ".cpp", ".CPP",  ".cxx", ".c++", ".C++",
                                       ".CXX", ".cppm", ".ixx", ".ii"};

/// What -x calls C and C++.
const StringLiteral CxxLanguages[] = {"c", "cpp-output", "c++",
                                      "c++-cpp-output", "c++-module"};

/// NVIDIA's libraries whose functions our runtime has.
const StringLiteral Ours[] = {"cudart", "cublas", "cublasLt", "cufft",
                              "curand"};

bool hasOurs(StringRef Name) {
  Name.consume_back("_nocallback");
  Name.consume_back("_static");
  return is_contained(Ours, Name);
}

/// Of a file's name: libcudart.so.13, libcublas_static.a.
bool isOurs(StringRef File) {
  auto [Name, Rest] = File.split('.');
  return Name.consume_front("lib") && hasOurs(Name) &&
         (Rest == "a" || Rest.starts_with("so"));
}

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
  if (is_contained(CxxLanguages, Language) ||
      (ByName && is_contained(CxxExtensions, Extension)))
    return InputKind::Cxx;
  return InputKind::Other;
}

bool namesCudaRuntime(StringRef Argument) {
  if (!Argument.consume_front("-l"))
    return isOurs(sys::path::filename(Argument));
  return Argument.consume_front(":") ? isOurs(Argument) : hasOurs(Argument);
}

} // namespace blockmaestro
