// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingFile.h"

#include "Format.h"
#include "blockmaestro/Recording.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace blockmaestro::record {

namespace {

Status cannotCreate(const std::string &Path, const std::string &Why) {
  return {StatusCode::Io, "cannot create recording " + Path + ": " + Why};
}

Status notOurs(const std::string &Path) {
  return cannotCreate(Path, "there is a file of this name that is none");
}

/// A recording, or nothing at all.
bool mayBeReplaced(int File) {
  uint8_t Bytes[4] = {};
  const ssize_t Count = ::pread(File, Bytes, sizeof Bytes, 0);
  ByteWriter Magic;
  Magic.word(RecordingMagic);
  return Count == 0 ||
         (Count == sizeof Bytes && std::ranges::equal(Bytes, Magic.Bytes));
}

/// The same for a name, which may be of no file.
bool mayBeReplaced(const std::string &Path) {
  const int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return errno == ENOENT;
  const bool May = mayBeReplaced(File);
  ::close(File);
  return May;
}

enum class Taking { Ours, Theirs, Gone };

/// Makes the open file this process's. Locks of a process are not its
/// children's, and where a file system has none, nobody is asked.
Taking take(int File, const std::string &Name) {
  struct flock Whole = {};
  Whole.l_type = F_WRLCK;
  Whole.l_whence = SEEK_SET;
  if (::fcntl(File, F_SETLK, &Whole) != 0 &&
      (errno == EAGAIN || errno == EACCES))
    return Taking::Theirs;
  struct stat Open = {}, Named = {};
  const bool Same = ::fstat(File, &Open) == 0 &&
                    ::stat(Name.c_str(), &Named) == 0 &&
                    Open.st_dev == Named.st_dev && Open.st_ino == Named.st_ino;
  return Same ? Taking::Ours : Taking::Gone;
}

/// Where a link leads, so that it stays one, and whole, so that the program may
/// change its folder.
std::string resolved(const std::string &Path) {
  std::error_code Unknown;
  const std::filesystem::path Real = std::filesystem::canonical(Path, Unknown);
  return Unknown ? std::filesystem::absolute(Path, Unknown) : Real;
}

bool isPlainOrNew(const std::string &Path) {
  struct stat Now = {};
  return ::stat(Path.c_str(), &Now) != 0 || S_ISREG(Now.st_mode);
}

std::string ofProcess(const std::string &Path) {
  return Path + "." + std::to_string(::getpid());
}

} // namespace

std::string partialName(const std::string &Path) { return Path + ".partial"; }

/// Null where another process writes it.
Result<std::unique_ptr<RecordingFile>>
RecordingFile::createAside(const std::string &Path) {
  const std::string Name = partialName(Path);
  while (true) {
    const int File = ::open(Name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (File < 0)
      return cannotCreate(Path, std::strerror(errno));
    std::unique_ptr<RecordingFile> Out(new RecordingFile(File, Path, true));
    const Taking How = take(File, Name);
    if (How == Taking::Theirs)
      return std::unique_ptr<RecordingFile>();
    if (How == Taking::Gone)
      continue;
    if (!mayBeReplaced(File))
      return notOurs(Name);
    if (::ftruncate(File, 0) != 0)
      return cannotCreate(Path, std::strerror(errno));
    return Out;
  }
}

Result<std::unique_ptr<RecordingFile>>
RecordingFile::create(const std::string &Path) {
  if (!isPlainOrNew(Path)) {
    const int File = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
    if (File < 0)
      return cannotCreate(Path, std::strerror(errno));
    return std::unique_ptr<RecordingFile>(new RecordingFile(File, Path, false));
  }
  const std::string Final = resolved(Path);
  if (!mayBeReplaced(Final))
    return notOurs(Path);
  Result<std::unique_ptr<RecordingFile>> Out = createAside(Final);
  if (!Out.ok() || *Out)
    return Out;
  const std::string Own = ofProcess(Final);
  if (!mayBeReplaced(Own))
    return notOurs(Own);
  Out = createAside(Own);
  if (Out.ok() && !*Out)
    return cannotCreate(Own, "another process is writing it");
  return Out;
}

RecordingFile::~RecordingFile() {
  if (File >= 0)
    ::close(File);
}

Status RecordingFile::write(const std::vector<uint8_t> &Bytes) {
  for (size_t Done = 0; Done < Bytes.size();) {
    const ssize_t Count =
        ::write(File, Bytes.data() + Done, Bytes.size() - Done);
    if (Count < 0 && errno != EINTR)
      return {StatusCode::Io,
              std::string("cannot write recording: ") + std::strerror(errno) +
                  (Aside && Written ? "; its beginning is " + partialName(Path)
                                    : std::string())};
    Done += size_t(std::max<ssize_t>(Count, 0));
  }
  Written += Bytes.size();
  return {};
}

Status RecordingFile::finish() {
  const std::string Name = partialName(Path);
  Status Out;
  if (Aside && !mayBeReplaced(Path))
    Out = {StatusCode::Io,
           notOurs(Path).message() + "; the recording is " + Name};
  else if (Aside && std::rename(Name.c_str(), Path.c_str()) != 0)
    Out = {StatusCode::Io,
           "cannot rename recording " + Name + ": " + std::strerror(errno)};
  if (::close(std::exchange(File, -1)) != 0 && Out.ok())
    Out = {StatusCode::Io,
           std::string("cannot close recording: ") + std::strerror(errno)};
  return Out;
}

Result<std::unique_ptr<RecordingFile>>
RecordingFile::copyTo(const std::string &To) const {
  if (!Aside)
    return cannotCreate(To, "the process it was forked from writes to no file");
  Result<std::unique_ptr<RecordingFile>> Out = create(To);
  std::vector<uint8_t> Part;
  for (uint64_t At = 0; Out.ok() && At < Written; At += Part.size()) {
    Part.resize(std::min<uint64_t>(Written - At, uint64_t(1) << 20));
    const ssize_t Count = ::pread(File, Part.data(), Part.size(), off_t(At));
    if (Count <= 0)
      return cannotCreate(To, "what it begins with cannot be read");
    Part.resize(size_t(Count));
    if (Status Done = (*Out)->write(Part); !Done.ok())
      return Done;
  }
  return Out;
}

} // namespace blockmaestro::record
