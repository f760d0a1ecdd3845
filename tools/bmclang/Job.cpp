// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Job.h"

#include "Toolchain.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

extern char **environ;

namespace blockmaestro {
namespace {

constexpr StringLiteral DefaultArchitecture = "sm_90";

/// What every compilation gets, in front of the program's own flags so that
/// they win.
Error addCompileFlags(const CommandLine &Command,
                      std::vector<std::string> &Out) {
  Expected<std::string> Plugin = findLibrary("BlockMaestroPasses.so");
  if (!Plugin)
    return Plugin.takeError();
  Out.push_back("--start-no-unused-arguments");
  Out.push_back("-fpass-plugin=" + *Plugin);
  Out.push_back("-Wno-unknown-cuda-version");
  if (Command.HasCuda) {
    std::string Cuda = Command.HasCudaPath ? "" : findCuda();
    if (!Cuda.empty())
      Out.push_back("--cuda-path=" + Cuda);
    if (!Command.HasArchitecture)
      Out.push_back(("--offload-arch=" + DefaultArchitecture).str());
  }
  Out.push_back("--end-no-unused-arguments");
  return Error::success();
}

/// The runtime, in front of every other library so that it answers the CUDA
/// calls, and kept although no object has asked for it yet.
Error addLinkFlags(std::vector<std::string> &Out) {
  Expected<std::string> Runtime = findLibrary("libblockmaestro.so");
  if (!Runtime)
    return Runtime.takeError();
  std::string Folder = sys::path::parent_path(*Runtime).str();
  Out.insert(Out.end(),
             {"-L" + Folder, "-Wl,--push-state,--no-as-needed",
              "-lblockmaestro", "-Wl,--pop-state", "-Wl,-rpath," + Folder});
  return Error::success();
}

std::vector<char *> asArgv(const std::string &Program,
                           const std::vector<std::string> &Arguments) {
  std::vector<char *> Argv{const_cast<char *>(Program.c_str())};
  for (const std::string &Argument : Arguments)
    Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  return Argv;
}

/// The child that signals sent to the driver go to.
volatile sig_atomic_t Child = 0;

void forwardSignal(int Signal) {
  if (Child > 0)
    kill(Child, Signal);
}

/// A folder that lives as long as this.
class PrivateFolder {
public:
  static Expected<PrivateFolder> make() {
    SmallString<128> Path;
    if (std::error_code Failure =
            sys::fs::createUniqueDirectory("blockmaestro", Path))
      return createStringError(Failure, "cannot make a temporary folder");
    return PrivateFolder(Path.str().str());
  }
  PrivateFolder(PrivateFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  ~PrivateFolder() {
    if (!Path.empty())
      sys::fs::remove_directories(Path);
  }
  const std::string &path() const { return Path; }

private:
  explicit PrivateFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

/// Starts the program and waits; 128 + signal when a signal ended it.
Expected<int> runAndWait(const std::string &Program,
                         const std::vector<std::string> &Arguments) {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(Signal, forwardSignal);
  std::vector<char *> Argv = asArgv(Program, Arguments);
  pid_t Started = 0;
  if (int Failure = posix_spawn(&Started, Program.c_str(), nullptr, nullptr,
                                Argv.data(), environ))
    return createStringError(std::error_code(Failure, std::generic_category()),
                             "cannot run " + Program);
  Child = Started;
  int Ended = 0;
  while (waitpid(Started, &Ended, 0) < 0)
    if (errno != EINTR)
      return createStringError("lost the process of " + Program);
  return WIFSIGNALED(Ended) ? 128 + WTERMSIG(Ended) : WEXITSTATUS(Ended);
}

} // namespace

Expected<std::vector<std::string>> clangArguments(const CommandLine &Command) {
  std::vector<std::string> Arguments;
  if (Command.Enabled && Command.HasInput) {
    if (Error Failure = addCompileFlags(Command, Arguments))
      return Failure;
    if (Command.Links)
      if (Error Failure = addLinkFlags(Arguments))
        return Failure;
  }
  Arguments.insert(Arguments.end(), Command.Rest.begin(), Command.Rest.end());
  return Arguments;
}

Error becomeClang(const std::string &Clang,
                  const std::vector<std::string> &Arguments) {
  std::vector<char *> Argv = asArgv(Clang, Arguments);
  execv(Clang.c_str(), Argv.data());
  return createStringError(std::error_code(errno, std::generic_category()),
                           "cannot run " + Clang);
}

Expected<int> runClang(const std::string &Clang,
                       const std::vector<std::string> &Arguments,
                       const CommandLine &Command) {
  Expected<PrivateFolder> Folder = PrivateFolder::make();
  if (!Folder)
    return Folder.takeError();
  setenv("BLOCKMAESTRO_HANDOVER", Folder->path().c_str(), 1);
  if (!Command.Dump.empty())
    setenv("BLOCKMAESTRO_DUMP", Command.Dump.c_str(), 1);
  return runAndWait(Clang, Arguments);
}

} // namespace blockmaestro
