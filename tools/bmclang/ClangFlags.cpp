// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClangFlags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Flags whose value may be, or always is, the next argument.
const StringLiteral WithValue[] = {
    "--CLASSPATH",
    "--analyzer-output",
    "--assert",
    "--bootclasspath",
    "--classpath",
    "--config",
    "--define-macro",
    "--dyld-prefix",
    "--encoding",
    "--extdirs",
    "--for-linker",
    "--force-link",
    "--imacros",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--language",
    "--library-directory",
    "--mhwdiv",
    "--no-system-header-prefix",
    "--output",
    "--output-class-directory",
    "--param",
    "--prefix",
    "--resource",
    "--rtlib",
    "--serialize-diagnostics",
    "--specs",
    "--std",
    "--stdlib",
    "--sysroot",
    "--system-header-prefix",
    "--undefine-macro",
    "--vfsoverlay",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-V",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xclangas",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xpreprocessor",
    "-allowable_client",
    "-arch",
    "-b",
    "-bundle_loader",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-client_name",
    "-compatibility_version",
    "-current_version",
    "-cxx-isystem",
    "-darwin-target-variant",
    "-darwin-target-variant-triple",
    "-dependency-dot",
    "-dependency-file",
    "-dsym-dir",
    "-dumpdir",
    "-dylib_file",
    "-e",
    "-exported_symbols_list",
    "-fdebug-compilation-dir",
    "-fexperimental-openacc-macro-override",
    "-filelist",
    "-fmodules-user-build-path",
    "-fnew-alignment",
    "-force_load",
    "-framework",
    "-ftrapv-handler",
    "-gen-cdb-fragment-path",
    "-hlsl-entry",
    "-iapinotes-modules",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-image_base",
    "-imultilib",
    "-include",
    "-include-pch",
    "-init",
    "-install_name",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-lazy_framework",
    "-lazy_library",
    "-meabi",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-mthread-model",
    "-multiply_defined",
    "-multiply_defined_unused",
    "-o",
    "-object-file-name",
    "-read_only_relocs",
    "-reexport_framework",
    "-resource-dir",
    "-rpath",
    "-seg1addr",
    "-seg_addr_table",
    "-seg_addr_table_filename",
    "-segs_read_only_addr",
    "-segs_read_write_addr",
    "-serialize-diagnostics",
    "-specs",
    "-stdlib++-isystem",
    "-sub_library",
    "-sub_umbrella",
    "-target",
    "-u",
    "-umbrella",
    "-undefined",
    "-unexported_symbols_list",
    "-validator-version",
    "-vfsoverlay",
    "-weak_framework",
    "-weak_library",
    "-weak_reference_mismatches",
    "-working-directory",
    "-x",
    "-z",
};

/// The same for flags that go on with an architecture, a target or a name.
const StringLiteral WithNameAndValue[] = {"-Xarch_", "-Xoffload-linker",
                                          "-Xopenmp-target"};

/// What makes clang's last step another than linking.
const StringLiteral StopBeforeLink[] = {
    "-c",
    "--compile",
    "-S",
    "--assemble",
    "-E",
    "--preprocess",
    "-M",
    "--dependencies",
    "-MM",
    "--user-dependencies",
    "-fsyntax-only",
    "-emit-ast",
    "-emit-cir",
    "-emit-interface-stubs",
    "-extract-api",
    "-module-file-info",
    "-print-supported-cpus",
    "--print-supported-cpus",
    "-print-supported-extensions",
    "--print-supported-extensions",
    "-print-enabled-extensions",
    "--print-enabled-extensions",
    "-rewrite-objc",
    "-rewrite-legacy-objc",
    "-verify-pch",
    "--analyze",
    "--precompile",
    // No executable and no shared library: the runtime joins a later link.
    "-r",
};

const StringLiteral HeaderExtensions[] = {".h",   ".H",   ".hh",  ".hp",
                                          ".hpp", ".HPP", ".hxx", ".h++"};

} // namespace

bool takesNextArgument(StringRef Flag) {
  auto Begins = [&](StringRef Prefix) { return Flag.starts_with(Prefix); };
  return is_contained(WithValue, Flag) || any_of(WithNameAndValue, Begins);
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

bool stopsBeforeLink(StringRef Flag) {
  return is_contained(StopBeforeLink, Flag);
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
