// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: clang as a child process, and the private folder it works with.
// On the data's way: Job's last step.
// Invariants: once a folder exists it is removed however the child ends, also
// when this process is interrupted (SIGINT, SIGTERM, SIGHUP): the signal goes
// to the child, then to those of its children that it has left behind; when
// all of them have ended, the folder goes and the signal is let through.
// Threads: one; one child at a time.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_CHILD_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_CHILD_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// While one exists, signals that end a process wait for it to be destroyed.
class SignalGuard {
public:
  SignalGuard();
  /// Ends this process by the signal that has come meanwhile, if any.
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;
};

/// A folder that lives as long as this.
class PrivateFolder {
public:
  static llvm::Expected<PrivateFolder> make();
  PrivateFolder(PrivateFolder &&Other);
  ~PrivateFolder();
  /// The path of a file in it.
  std::string path(llvm::StringRef Name) const;
  const std::string &path() const { return Path; }

private:
  explicit PrivateFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

/// Starts the program and waits: its exit code, or 128 + the signal that ended
/// it. Inside a SignalGuard.
llvm::Expected<int> runAndWait(const std::string &Program,
                               const std::vector<std::string> &Arguments);

/// Replaces this process by the program; returns only when that failed.
llvm::Error become(const std::string &Program,
                   const std::vector<std::string> &Arguments);

} // namespace blockmaestro

#endif
