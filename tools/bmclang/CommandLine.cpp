// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "Input.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Path.h"

#include <memory>

using namespace llvm;
using namespace clang::options;

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
     "Run thread blocks as soon as the blocks they need have finished; with "
     "-fopenmp also tasks of target regions"},
    {"-fno-blockmaestro", Match::Whole,
     [](CommandLine &C, StringRef) { C.Enabled = false; }, "-fno-blockmaestro",
     "Compile as clang does (default)"},
    {"-fblockmaestro-dump=", Match::Prefix,
     [](CommandLine &C, StringRef Value) { C.Dump = Value.str(); },
     "-fblockmaestro-dump=footprints",
     "Print the bytes that each kernel reads and writes"},
    {"-fblockmaestro-infer-depend", Match::Whole,
     [](CommandLine &C, StringRef) { C.InferDepend = true; },
     "-fblockmaestro-infer-depend",
     "Order OpenMP tasks without depend clauses by what they touch"},
    {"-fno-blockmaestro-infer-depend", Match::Whole,
     [](CommandLine &C, StringRef) { C.InferDepend = false; },
     "-fno-blockmaestro-infer-depend",
     "Order OpenMP tasks as their depend clauses say (default)"},
    {"-fblockmaestro-cuda-compat", Match::Whole,
     [](CommandLine &C, StringRef) { C.CudaCompat = true; },
     "-fblockmaestro-cuda-compat",
     "Take source as nvcc does, with what CUDA 13 removed"},
    {"-fno-blockmaestro-cuda-compat", Match::Whole,
     [](CommandLine &C, StringRef) { C.CudaCompat = false; },
     "-fno-blockmaestro-cuda-compat", "Take source as clang does (default)"},
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

/// Whether clang's last step is another than linking. An archive and what -r
/// makes are no programs: the runtime joins a later link.
bool stopsBeforeLink(const opt::ArgList &Clang) {
  return Clang.hasArg(
      OPT_E, OPT_M, OPT_MM, OPT_S, OPT_c, OPT_r, OPT__analyze, OPT__precompile,
      OPT_emit_ast, OPT_emit_cir, OPT_emit_static_lib, OPT_extract_api,
      OPT_fmodule_header, OPT_fmodule_header_EQ, OPT_fsyntax_only,
      OPT_module_file_info, OPT_print_enabled_extensions,
      OPT_print_supported_cpus, OPT_print_supported_extensions,
      OPT_rewrite_legacy_objc, OPT_rewrite_objc, OPT_verify_pch);
}

/// Whether OpenMP is on, with the runtime that knows devices.
bool isOpenMP(const opt::ArgList &Clang) {
  const opt::Arg *Last =
      Clang.getLastArg(OPT_fopenmp, OPT_fopenmp_EQ, OPT_fno_openmp);
  if (!Last || Last->getOption().matches(OPT_fno_openmp))
    return false;
  return Last->getOption().matches(OPT_fopenmp) ||
         StringRef(Last->getValue()) == "libomp";
}

/// Whether devices are NVIDIA's by their targets or, without, architectures.
bool namesNvidia(const opt::ArgList &Clang) {
  std::vector<std::string> Targets =
      Clang.getAllArgValues(OPT_offload_targets_EQ);
  if (!Targets.empty())
    return any_of(Targets,
                  [](StringRef T) { return T.starts_with("nvptx64"); });
  std::vector<std::string> Architectures =
      Clang.getAllArgValues(OPT_offload_arch_EQ);
  return Architectures.empty() || any_of(Architectures, [](StringRef A) {
           return A.starts_with("sm_") || A == "native";
         });
}

/// Whether -Xopenmp-target says the architecture.
bool hasTargetArchitecture(const opt::ArgList &Clang) {
  auto IsArchitecture = [](StringRef Option) {
    return Option.starts_with("-march=") ||
           Option.starts_with("--offload-arch=");
  };
  return any_of(Clang.getAllArgValues(OPT_Xopenmp_target), IsArchitecture) ||
         any_of(Clang.getAllArgValues(OPT_Xopenmp_target_EQ), IsArchitecture);
}

/// What concerns OpenMP's target regions.
void readOpenMP(CommandLine &C, const opt::ArgList &Clang) {
  C.OpenMP = isOpenMP(Clang);
  C.OpenMPRuntimeElsewhere = Clang.hasArg(OPT_nostdlib, OPT_nodefaultlibs,
                                          OPT__sysroot_EQ, OPT_isysroot);
  C.OffloadTargets = Clang.getAllArgValues(OPT_offload_targets_EQ);
  C.HasNvidiaTarget = namesNvidia(Clang);
  C.HasTargetArchitecture = hasTargetArchitecture(Clang);
  C.LibraryFolders = Clang.getAllArgValues(OPT_L);
}

/// What is asked of clang by options that hold wherever they stand.
/// See CommandLine::DeviceRemarks: clang names both files by -o.
std::string deviceRemarks(const opt::ArgList &Clang) {
  const opt::Arg *Saves = Clang.getLastArg(OPT_fsave_optimization_record,
                                           OPT_fsave_optimization_record_EQ,
                                           OPT_fno_save_optimization_record);
  const opt::Arg *Output = Clang.getLastArg(OPT_o);
  if (!Saves || !Output || !Clang.hasArg(OPT_c, OPT_S) ||
      Saves->getOption().matches(OPT_fno_save_optimization_record) ||
      Clang.hasArg(OPT_foptimization_record_file_EQ) ||
      StringRef(Output->getValue()) == "-")
    return "";
  SmallString<128> Path(Output->getValue());
  sys::path::replace_extension(Path, "");
  const bool HasFormat =
      Saves->getOption().matches(OPT_fsave_optimization_record_EQ);
  return (Path + "-device.opt." + (HasFormat ? Saves->getValue() : "yaml"))
      .str();
}

void readOptions(CommandLine &C, const opt::ArgList &Clang) {
  const opt::Arg *Sides = Clang.getLastArg(
      OPT_offload_device_only, OPT_offload_host_only, OPT_offload_host_device);
  const opt::Arg *DeviceLink = Clang.getLastArg(
      OPT_fgpu_rdc, OPT_fno_gpu_rdc, OPT_offload_link, OPT_foffload_lto_EQ);
  C.Help = Clang.hasArg(OPT_help, OPT__help_hidden);
  C.Version = Clang.hasArg(OPT__version) && !C.Help &&
              !Clang.hasArg(OPT_dumpmachine, OPT_dumpversion,
                            OPT__print_diagnostic_categories);
  C.OnlyShows = Clang.hasArg(OPT__HASH_HASH_HASH);
  C.Links = !stopsBeforeLink(Clang);
  C.DeviceOnly = Sides && Sides->getOption().matches(OPT_offload_device_only);
  C.HostOnly = Sides && Sides->getOption().matches(OPT_offload_host_only);
  C.Static = Clang.hasArg(OPT_static, OPT_static_pie);
  C.Relocatable =
      DeviceLink && !DeviceLink->getOption().matches(OPT_fno_gpu_rdc);
  C.HasArchitecture = Clang.hasArg(OPT_offload_arch_EQ);
  if (const opt::Arg *Path = Clang.getLastArg(OPT_cuda_path_EQ))
    C.CudaPath = Path->getValue();
  C.IgnoresEnvironment = Clang.hasArg(OPT_cuda_path_ignore_env);
  C.DeviceRemarks = deviceRemarks(Clang);
  C.NeedsHeaders = Clang.hasFlag(OPT_offload_inc, OPT_no_offload_inc, true);
  readOpenMP(C, Clang);
}

/// Whether the linker gets NVIDIA's runtime by it: -lcudart, -Wl,<path>.
bool linksCudaRuntime(const opt::Arg &Argument) {
  if (Argument.getOption().matches(OPT_l))
    return namesCudaRuntime((Twine("-l") + Argument.getValue()).str());
  return Argument.getOption().matches(OPT_Wl_COMMA) &&
         Argument.getNumValues() == 1 && namesCudaRuntime(Argument.getValue());
}

/// Walks over the words as clang does, by clang's own table: it knows which are
/// values of others.
class Reader {
public:
  Reader(ArrayRef<const char *> Words, CommandLine &C)
      : Words(Words), Clang(Words.begin(), Words.end()), C(C) {}

  Error read() {
    const opt::OptTable &Table = clang::getDriverOptTable();
    const opt::Visibility Driver(ClangOption);
    for (unsigned Begin = 0, End = 0; Begin < Words.size(); Begin = End) {
      std::unique_ptr<opt::Arg> Read = Table.ParseOneArg(Clang, End, Driver);
      ArrayRef<const char *> Given = Words.slice(Begin).take_front(End - Begin);
      if (Error Failure = readArgument(Given, Read.get()))
        return Failure;
      if (Read)
        Clang.append(Read.release());
    }
    readOptions(C, Clang);
    return Error::success();
  }

private:
  /// Argument is null where a value is missing, which clang will say.
  Error readArgument(ArrayRef<const char *> Given, const opt::Arg *Argument) {
    if (!Argument) {
      keep(Given);
      return Error::success();
    }
    if (Argument->getOption().matches(OPT_INPUT)) {
      addFile(Given.front());
      return Error::success();
    }
    Expected<bool> Own = readOwnFlag(C, Given.front());
    if (!Own)
      return Own.takeError();
    if (!*Own)
      readOption(Given, *Argument);
    return Error::success();
  }

  void readOption(ArrayRef<const char *> Given, const opt::Arg &Argument) {
    const opt::Option &Option = Argument.getOption();
    if (Option.matches(OPT__DASH_DASH)) {
      keep(Given.take_front());
      for (const char *Name : Given.drop_front())
        addFile(Name);
      return;
    }
    if (Option.matches(OPT_x))
      setLanguage(Argument.getValue());
    C.HasInput |= Option.hasFlag(LinkerInput);
    keep(Given, linksCudaRuntime(Argument));
  }

  void setLanguage(StringRef Name) {
    Language = Name == "none" ? "" : Name.str();
  }

  void addFile(StringRef Name) {
    InputKind Kind = kindOfInput(Name, Language);
    C.HasInput |= Kind != InputKind::Header;
    C.HasCuda |= Kind == InputKind::Cuda;
    C.HasCxx |= Kind == InputKind::Cxx;
    C.SourceStdin |=
        (Kind == InputKind::Cuda || Kind == InputKind::Cxx) && Name == "-";
    C.Rest.push_back({Name.str(), true, namesCudaRuntime(Name)});
  }

  void keep(ArrayRef<const char *> Given, bool CudaRuntime = false) {
    for (StringRef Word : Given)
      C.Rest.push_back({Word.str(), false, CudaRuntime});
  }

  ArrayRef<const char *> Words;
  opt::InputArgList Clang;
  CommandLine &C;
  std::string Language;
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
  if (Error Failure = Reader(Arguments, C).read())
    return Failure;
  if (Error Failure = checkTogether(C))
    return Failure;
  return C;
}

ManualGroup flagGroup() {
  ManualGroup Group{"BLOCKMAESTRO OPTIONS", {}};
  for (const OwnFlag &Flag : OwnFlags)
    Group.Options.push_back(
        {{Flag.Spelling.str()}, "", Flag.Help.str(), {}, false});
  return Group;
}

} // namespace blockmaestro
