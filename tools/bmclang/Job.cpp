// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Job.h"

#include "Child.h"
#include "ClangWords.h"
#include "Cuda.h"
#include "LocalGpu.h"
#include "OpenMP.h"
#include "RemovedMembers.h"
#include "SourceFiles.h"
#include "SourceOverlay.h"
#include "Toolchain.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <iostream>
#include <map>

using namespace llvm;

namespace blockmaestro {
namespace {

/// Asks for remarks of no pass: clang then knows source lines in the IR without
/// writing debug information.
constexpr StringLiteral KeepsLines = "-Rpass=^$";

/// Has clang link the device code of objects; by itself it does so only where
/// it also compiles CUDA.
constexpr StringLiteral LinksDeviceCode = "--offload-link";

/// Where CUDA 13 keeps Thrust, CUB and libcu++ within a toolkit; nvcc looks
/// there by itself, clang does not.
constexpr StringLiteral CoreLibraries = "include/cccl";

/// The toolkit that the command line names, else the first that is found.
std::optional<std::string> toolkitOf(const CommandLine &Command) {
  return Command.CudaPath ? Command.CudaPath
                          : findCuda(cudaPlaces(!Command.IgnoresEnvironment));
}

/// The same for what cannot do without, and says which folder is none.
Expected<std::string> neededToolkitOf(const CommandLine &Command) {
  const std::string Wrong = wrongToolkitMessage(
      Command.CudaPath, cudaPlaces(!Command.IgnoresEnvironment));
  if (!Wrong.empty())
    return createStringError(Wrong);
  if (std::optional<std::string> Root = toolkitOf(Command))
    return *Root;
  return createStringError(noCudaMessage());
}

/// What CUDA 13 removed, and with -fblockmaestro-cuda-compat what nvcc takes
/// and clang alone does not.
void addHeaders(const CommandLine &Command, const std::string &Toolkit,
                std::vector<std::string> &Out) {
  nvcc::addHeaderFolders(installationRoot(), Toolkit, /*IsCuda=*/true,
                         Command.CudaCompat, Out);
  if (!Command.CudaCompat)
    return;
  nvcc::tolerateSource(/*IsC=*/false, Out);
  nvcc::includeSourceHeaders(Out);
}

/// --cuda-path, unless given, and the toolkit's core libraries behind all other
/// headers; an error when there is no toolkit and the job cannot do without.
Error addCudaPath(const CommandLine &Command, std::vector<std::string> &Out) {
  if (Command.NeedsHeaders)
    if (Error Wrong = neededToolkitOf(Command).takeError())
      return Wrong;
  std::optional<std::string> Root = toolkitOf(Command);
  if (!Root)
    return Error::success();
  if (!Command.CudaPath)
    Out.push_back("--cuda-path=" + *Root);
  if (Command.NeedsHeaders && Command.HasCuda)
    addHeaders(Command, *Root, Out);
  SmallString<128> Headers(*Root);
  sys::path::append(Headers, CoreLibraries);
  if (Command.NeedsHeaders && sys::fs::is_directory(Headers))
    Out.insert(Out.end(), {"-idirafter", Headers.str().str()});
  return Error::success();
}

/// Where the machine keeps temporary files; what clang writes for a bug report
/// must not go with the private folder.
std::string temporaryFolder() {
  SmallString<128> Path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Path);
  return Path.str().str();
}

/// A header of ours for every file, beside those of bmnvcc; a system header,
/// so that rules for make do not name it.
void addOwnHeader(StringRef Name, std::vector<std::string> &Out) {
  SmallString<128> Folder(installationRoot());
  sys::path::append(Folder, "nvcc/clang/every");
  Out.insert(Out.end(), {"-isystem", Folder.str().str(), "-include",
                         ("blockmaestro/" + Name).str()});
}

/// What the compilations of a file with code for the device get, in front of
/// the program's own flags so that they win.
Error addPassFlags(const CommandLine &Command, std::vector<std::string> &Out) {
  Expected<std::string> Plugin = findLibrary("BlockMaestroPasses.so");
  if (!Plugin)
    return Plugin.takeError();
  Out.push_back("-fpass-plugin=" + *Plugin);
  Out.push_back("-Wno-unknown-cuda-version");
  Out.push_back("-fcrash-diagnostics-dir=" + temporaryFolder());
  if (Command.Dump || !Command.HasCuda)
    Out.push_back(KeepsLines.str());
  if (!Command.DeviceRemarks.empty())
    Out.insert(Out.end(), {"-Xarch_device", "-foptimization-record-file=" +
                                                Command.DeviceRemarks});
  return Error::success();
}

/// What those of a CUDA file get.
Error addCompileFlags(const CommandLine &Command,
                      std::vector<std::string> &Out) {
  if (Error Failure = addPassFlags(Command, Out))
    return Failure;
  Out.push_back("-DBLOCKMAESTRO_PASSES");
  if (Command.NeedsHeaders)
    addOwnHeader("clusters.h", Out);
  if (!Command.HasArchitecture)
    Out.push_back("--offload-arch=" + defaultArchitecture());
  return Error::success();
}

/// Whether the link gets our runtime; not where clang's own libraries have the
/// calls of target regions to answer.
bool linksOurRuntime(const CommandLine &Command) {
  return Command.links() &&
         (!Command.hasTargetRegions() || Command.HasNvidiaTarget);
}

/// The runtime, in front of every other library so that it answers the CUDA
/// calls, and kept although no object has asked for it yet. The library is a
/// word for the linker and no input: where a step ends as ptxas does, which
/// clang takes for a crash, clang preprocesses every input whose type it does
/// not know, and the library takes it 20 seconds.
Error addLinkFlags(std::vector<std::string> &Out) {
  Expected<std::string> Runtime = findLibrary("libblockmaestro.so");
  if (!Runtime)
    return Runtime.takeError();
  std::string Folder = sys::path::parent_path(*Runtime).str();
  Out.insert(Out.end(),
             {"-Wl,--push-state,--no-as-needed", "-Xlinker", *Runtime,
              "-Wl,--pop-state", "-Xlinker", "-rpath", "-Xlinker", Folder});
  return Error::success();
}

/// What files of C and C++ get where their target regions are for the device,
/// and a link of such.
Error addOpenMPFlags(const CommandLine &Command,
                     std::vector<std::string> &Out) {
  if (Command.HasCxx)
    if (Error Failure = addPassFlags(Command, Out))
      return Failure;
  if (Command.HasCxx)
    if (Error Wrong = neededToolkitOf(Command).takeError())
      return Wrong;
  std::optional<std::string> Toolkit = toolkitOf(Command);
  if (Toolkit && !Command.CudaPath)
    Out.push_back("--cuda-path=" + *Toolkit);
  return addTargetRegions(Command, Out);
}

/// The code of OpenMP for devices that is in the files of a link: all of it is
/// linked, also where the link has no flag of OpenMP's.
void addLinkedRegions(const CommandLine &Command,
                      std::vector<std::string> &Out) {
  const std::set<std::string> Architectures = linkedRegions(Command);
  if (Architectures.empty())
    return;
  takeFromArchives(Architectures, Out);
  if (Command.hasTargetRegions())
    return;
  if (std::optional<std::string> Toolkit = toolkitOf(Command);
      Toolkit && !Command.CudaPath && !Command.HasCuda)
    Out.push_back("--cuda-path=" + *Toolkit);
  linkRegions(Out);
}

/// Everything in front of the program's own arguments.
Error addOwnFlags(const CommandLine &Command, std::vector<std::string> &Out) {
  Out.push_back("--start-no-unused-arguments");
  if (Command.HasCuda)
    if (Error Failure = addCompileFlags(Command, Out))
      return Failure;
  if (Command.HasCuda || (Command.Relocatable && Command.links()))
    if (Error Failure = addCudaPath(Command, Out))
      return Failure;
  if (Command.Relocatable && Command.links() && !Command.HasCuda)
    Out.push_back(LinksDeviceCode.str());
  if (Command.ownsTargetRegions())
    if (Error Failure = addOpenMPFlags(Command, Out))
      return Failure;
  if (linksOurRuntime(Command)) {
    addLinkedRegions(Command, Out);
    if (Error Failure = addLinkFlags(Out))
      return Failure;
  }
  Out.push_back("--end-no-unused-arguments");
  return Error::success();
}

/// Sets a variable of the environment, or removes it.
void setVariable(const char *Name, const std::string &Value) {
  if (Value.empty())
    unsetenv(Name);
  else
    setenv(Name, Value.c_str(), 1);
}

/// The folder of the device runtime of target regions; empty where a command
/// has none.
std::string deviceRuntimeFolder(const CommandLine &Command) {
  SmallString<128> Folder;
  if (Command.Enabled && Command.ownsTargetRegions()) {
    Folder = installationRoot();
    sys::path::append(Folder, "lib");
  }
  return Folder.str().str();
}

/// What the plugin reads; docs/bmclang.md lists the variables. And clang's
/// temporary files, which it leaves behind when interrupted, go into the
/// folder.
void setEnvironment(const CommandLine &Command, const PrivateFolder &Folder) {
  setVariable("TMPDIR", Folder.path());
  setVariable("BLOCKMAESTRO_HANDOVER", Folder.path());
  setVariable("BLOCKMAESTRO_DUMP", Command.Dump.value_or(""));
  setVariable("BLOCKMAESTRO_DEVICE_CODE",
              Command.HasCuda && !Command.Relocatable ? "whole" : "");
  setVariable("BLOCKMAESTRO_OPENMP", deviceRuntimeFolder(Command));
  setVariable("BLOCKMAESTRO_INFER_DEPEND", Command.InferDepend ? "1" : "");
}

/// A program on standard input is read for host and device, so it is kept in a
/// file, which calls itself what clang calls standard input.
Error keepStdin(CommandLine &Command, const PrivateFolder &Folder) {
  std::string Path = Folder.path("-");
  std::error_code Failure;
  raw_fd_ostream File(Path, Failure);
  if (Failure)
    return createFileError(Path, Failure);
  File << "# 1 \"<stdin>\"\n";
  for (std::string Line; std::getline(std::cin, Line);)
    File << Line << '\n';
  for (CommandLine::Argument &Each : Command.Rest)
    if (Each.Input && Each.Text == "-")
      Each.Text = Path;
  return Error::success();
}

/// As clang reads them back from a response file.
std::string quoted(StringRef Argument) {
  std::string Out = "\"";
  for (char C : Argument) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + "\"\n";
}

/// One response file instead of arguments the system would not take.
Error shorten(std::vector<std::string> &Arguments,
              const PrivateFolder &Folder) {
  std::string Path = Folder.path("arguments");
  std::error_code Failure;
  raw_fd_ostream File(Path, Failure);
  if (Failure)
    return createFileError(Path, Failure);
  for (const std::string &Argument : Arguments)
    File << quoted(Argument);
  Arguments = {"@" + Path};
  return Error::success();
}

bool fits(const std::string &Clang, ArrayRef<std::string> Arguments) {
  SmallVector<StringRef> Texts(Arguments.begin(), Arguments.end());
  return sys::commandLineFitsWithinSystemLimits(Clang, Texts);
}

Expected<std::vector<std::string>> clangArguments(const CommandLine &Command) {
  std::vector<std::string> Arguments;
  if (Command.Enabled && Command.HasInput)
    if (Error Failure = addOwnFlags(Command, Arguments))
      return Failure;
  bool Replaced = Command.Enabled && linksOurRuntime(Command);
  for (const CommandLine::Argument &Each : Command.Rest)
    if (!Replaced || !Each.CudaRuntime)
      Arguments.push_back(Each.Text);
  return Arguments;
}

/// The files that clang would not take as they are, as it takes them.
std::map<std::string, std::string> changedTexts(const CommandLine &Command) {
  std::optional<std::string> Toolkit = toolkitOf(Command);
  if (!Toolkit || !Command.NeedsHeaders)
    return {};
  std::map<std::string, std::string> Texts = nvcc::changedHeaders(*Toolkit);
  if (!Command.CudaCompat)
    return Texts;
  std::vector<std::string> Inputs, Folders;
  for (const CommandLine::Argument &Each : Command.Rest) {
    StringRef Text = Each.Text;
    if (Each.Input)
      Inputs.push_back(Each.Text);
    else if (Text.consume_front("-I") && !Text.empty())
      Folders.push_back(Text.str());
  }
  Texts.merge(nvcc::rewrittenFiles(Inputs, Folders));
  return Texts;
}

/// Whether a file is compiled for host and device, between which files go.
bool compilesForDevice(const CommandLine &Command) {
  return Command.HasCuda || (Command.HasCxx && Command.ownsTargetRegions());
}

/// With the files that have to last until clang has ended.
Expected<int> runWithFolder(const std::string &Clang, CommandLine Command) {
  SignalGuard Guard;
  Expected<PrivateFolder> Folder = PrivateFolder::make();
  if (!Folder)
    return Folder.takeError();
  if (Command.Enabled && Command.SourceStdin && compilesForDevice(Command))
    if (Error Failure = keepStdin(Command, *Folder))
      return Failure;
  Expected<std::vector<std::string>> Arguments = clangArguments(Command);
  if (!Arguments)
    return Arguments.takeError();
  if (Command.Enabled && Command.HasCuda) {
    Expected<std::vector<std::string>> Overlay =
        nvcc::writeOverlay(changedTexts(Command), Folder->path());
    if (!Overlay)
      return Overlay.takeError();
    Arguments->insert(Arguments->begin(), Overlay->begin(), Overlay->end());
  }
  if (!fits(Clang, *Arguments))
    if (Error Failure = shorten(*Arguments, *Folder))
      return Failure;
  setEnvironment(Command, *Folder);
  return runAndWait(Clang, *Arguments);
}

/// Says what keeps target regions from being ours, and fails where no OpenMP
/// can be linked.
Error checkOpenMP(const CommandLine &Command, StringRef Clang) {
  if (!Command.Enabled || !Command.hasTargetRegions())
    return Error::success();
  if (!Command.HasNvidiaTarget)
    errs() << "bmclang: warning: no target of OpenMP is an NVIDIA GPU; "
              "'-fblockmaestro' leaves target regions to clang\n";
  if (!Command.links() || !Command.HasNvidiaTarget ||
      Command.OpenMPRuntimeElsewhere)
    return Error::success();
  return checkOpenMPRuntime(openMPFolders(Command, Clang));
}

} // namespace

Expected<int> runClang(const std::string &Clang, const CommandLine &Command) {
  if (Error Failure = checkOpenMP(Command, Clang))
    return Failure;
  if (Command.Enabled && compilesForDevice(Command) && !Command.OnlyShows)
    return runWithFolder(Clang, Command);
  Expected<std::vector<std::string>> Arguments = clangArguments(Command);
  if (!Arguments)
    return Arguments.takeError();
  if (fits(Clang, *Arguments))
    return become(Clang, *Arguments);
  return runWithFolder(Clang, Command);
}

} // namespace blockmaestro
