// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the file that a recording is written to.
// On the data's way: below Writer.h, which gives it whole chunks.
// Invariants:
//  - A recording stands under its name only when it is whole. Until then it is
//    in a file beside it, PATH.partial, and every write leaves that readable.
//  - Nothing is written over but recordings and empty files.
//  - A name that another process is writing is left to it: the file is then
//    PATH.PROCESS.
//  - What is no plain file, such as a pipe, is written to as it is.
// Ownership: the descriptor. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_RECORDINGFILE_H
#define BLOCKMAESTRO_RUNTIME_RECORD_RECORDINGFILE_H

#include "blockmaestro/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro::record {

/// Where a recording is while it is written.
std::string partialName(const std::string &Path);

class RecordingFile {
public:
  static Result<std::unique_ptr<RecordingFile>> create(const std::string &Path);
  /// Leaves what has been written where it is.
  ~RecordingFile();
  RecordingFile(const RecordingFile &) = delete;
  RecordingFile &operator=(const RecordingFile &) = delete;

  Status write(const std::vector<uint8_t> &Bytes);
  /// Nothing more comes: gives the file its name.
  Status finish();
  /// Another one that begins with all that has been written.
  Result<std::unique_ptr<RecordingFile>> copyTo(const std::string &Path) const;

  /// Where it is going to be.
  const std::string &path() const { return Path; }

private:
  RecordingFile(int File, std::string Path, bool Aside)
      : File(File), Path(std::move(Path)), Aside(Aside) {}

  static Result<std::unique_ptr<RecordingFile>>
  createAside(const std::string &Path);

  int File;
  std::string Path;
  bool Aside;
  uint64_t Written = 0;
};

} // namespace blockmaestro::record

#endif
