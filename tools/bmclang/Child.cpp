// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Child.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

extern char **environ;

namespace blockmaestro {
namespace {

constexpr int Ending[] = {SIGINT, SIGTERM, SIGHUP};

volatile sig_atomic_t Caught = 0;
volatile sig_atomic_t Child = 0;

void forwardSignal(int Signal) {
  Caught = Signal;
  if (Child > 0)
    kill(Child, Signal);
}

/// Installs the handler unless the signal is ignored, as under nohup. Calls
/// that wait, for a child or for standard input, end when it comes.
void handle(int Signal) {
  struct sigaction Old = {}, New = {};
  New.sa_handler = forwardSignal;
  if (sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
    sigaction(Signal, &New, nullptr);
}

/// Ends what an interrupted child has left running: such processes have become
/// children of this one.
void endOrphans() {
  std::ifstream Listed("/proc/self/task/" + std::to_string(getpid()) +
                       "/children");
  for (pid_t Orphan = 0; Listed >> Orphan;)
    kill(Orphan, SIGTERM);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR)
    ;
}

std::vector<char *> asArgv(const std::string &Program,
                           const std::vector<std::string> &Arguments) {
  std::vector<char *> Argv{const_cast<char *>(Program.c_str())};
  for (const std::string &Argument : Arguments)
    Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  return Argv;
}

Error cannotRun(const std::string &Program, int Failure) {
  return createStringError(std::error_code(Failure, std::generic_category()),
                           "cannot run " + Program);
}

} // namespace

SignalGuard::SignalGuard() {
  for (int Signal : Ending)
    handle(Signal);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

SignalGuard::~SignalGuard() {
  if (!Caught)
    return;
  std::signal(Caught, SIG_DFL);
  std::raise(Caught);
}

Expected<PrivateFolder> PrivateFolder::make() {
  SmallString<128> Path;
  if (std::error_code Failure =
          sys::fs::createUniqueDirectory("blockmaestro", Path))
    return createStringError(Failure, "cannot make a temporary folder");
  return PrivateFolder(Path.str().str());
}

PrivateFolder::PrivateFolder(PrivateFolder &&Other)
    : Path(std::exchange(Other.Path, {})) {}

PrivateFolder::~PrivateFolder() {
  if (!Path.empty())
    sys::fs::remove_directories(Path);
}

std::string PrivateFolder::path(StringRef Name) const {
  return Path + "/" + Name.str();
}

Expected<int> runAndWait(const std::string &Program,
                         const std::vector<std::string> &Arguments) {
  std::vector<char *> Argv = asArgv(Program, Arguments);
  pid_t Started = 0;
  if (int Failure = posix_spawn(&Started, Program.c_str(), nullptr, nullptr,
                                Argv.data(), environ))
    return cannotRun(Program, Failure);
  Child = Started;
  if (Caught)
    kill(Started, Caught);
  int Ended = 0;
  while (waitpid(Started, &Ended, 0) < 0)
    if (errno != EINTR)
      return createStringError("lost the process of " + Program);
  Child = 0;
  if (Caught)
    endOrphans();
  return WIFSIGNALED(Ended) ? 128 + WTERMSIG(Ended) : WEXITSTATUS(Ended);
}

Error become(const std::string &Program,
             const std::vector<std::string> &Arguments) {
  std::vector<char *> Argv = asArgv(Program, Arguments);
  execv(Program.c_str(), Argv.data());
  return cannotRun(Program, errno);
}

} // namespace blockmaestro
