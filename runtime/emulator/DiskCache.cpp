// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DiskCache.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace blockmaestro {

namespace {

namespace fs = std::filesystem;

constexpr const char *Extension = ".bmcode";

/// What every file begins with.
struct FileHeader {
  char Magic[8] = {'B', 'M', 'C', 'O', 'D', 'E', '0', '1'};
  uint64_t Key[2] = {};
  uint64_t Bytes = 0;
  uint64_t Checksum = 0;
};

llvm::ArrayRef<uint8_t> bytesOf(std::string_view Text) {
  return {reinterpret_cast<const uint8_t *>(Text.data()), Text.size()};
}

FileHeader headerFor(std::string_view Key, std::string_view Value) {
  llvm::XXH128_hash_t Hash = llvm::xxh3_128bits(bytesOf(Key));
  FileHeader Header;
  Header.Key[0] = Hash.high64;
  Header.Key[1] = Hash.low64;
  Header.Bytes = Value.size();
  Header.Checksum = llvm::xxh3_64bits(bytesOf(Value));
  return Header;
}

std::string fileName(const FileHeader &Header) {
  return llvm::utohexstr(Header.Key[0], true, 16) +
         llvm::utohexstr(Header.Key[1], true, 16) + Extension;
}

/// The value in \p File, if it is whole and the one for \p Key.
std::optional<std::string> readChecked(const fs::path &File,
                                       std::string_view Key) {
  std::ifstream In(File, std::ios::binary);
  std::string All((std::istreambuf_iterator<char>(In)), {});
  FileHeader Found;
  if (All.size() < sizeof Found)
    return std::nullopt;
  std::memcpy(&Found, All.data(), sizeof Found);
  std::string Value = All.substr(sizeof Found);
  FileHeader Expected = headerFor(Key, Value);
  if (std::memcmp(&Found, &Expected, sizeof Found) != 0)
    return std::nullopt;
  return Value;
}

/// Writes \p Header and \p Value to \p File; whether all of it was written.
bool writeAll(const fs::path &File, const FileHeader &Header,
              std::string_view Value) {
  std::ofstream Out(File, std::ios::binary | std::ios::trunc);
  Out.write(reinterpret_cast<const char *>(&Header), sizeof Header);
  Out.write(Value.data(), Value.size());
  Out.close();
  return bool(Out);
}

/// One file of the folder.
struct CachedFile {
  fs::path Path;
  fs::file_time_type Used;
  uint64_t Bytes;
};

std::vector<CachedFile> filesIn(const std::string &Folder) {
  std::vector<CachedFile> Files;
  std::error_code Ignored;
  for (const fs::directory_entry &E : fs::directory_iterator(Folder, Ignored)) {
    std::error_code Gone;
    CachedFile File{E.path(), E.last_write_time(Gone), 0};
    File.Bytes = Gone ? 0 : E.file_size(Gone);
    if (!Gone && E.is_regular_file(Gone))
      Files.push_back(File);
  }
  return Files;
}

} // namespace

std::string DiskCache::folderFromEnvironment() {
  if (const char *Asked = std::getenv("BLOCKMAESTRO_CACHE"))
    return std::string_view(Asked) == "off" ? "" : Asked;
  if (const char *Base = std::getenv("XDG_CACHE_HOME"); Base && *Base == '/')
    return std::string(Base) + "/blockmaestro";
  if (const char *Home = std::getenv("HOME"); Home && *Home == '/')
    return std::string(Home) + "/.cache/blockmaestro";
  return "";
}

std::optional<std::string> DiskCache::load(std::string_view Key) {
  if (!enabled())
    return std::nullopt;
  struct stat About;
  if (stat(Folder.c_str(), &About) != 0 || About.st_uid != geteuid())
    return std::nullopt;
  fs::path File = fs::path(Folder) / fileName(headerFor(Key, ""));
  std::error_code Ignored;
  if (!fs::exists(File, Ignored))
    return std::nullopt;
  std::optional<std::string> Value = readChecked(File, Key);
  if (Value)
    utimensat(AT_FDCWD, File.c_str(), nullptr, 0);
  else
    fs::remove(File, Ignored);
  return Value;
}

/// Makes the folder where there is none; whether it is ours to write to.
bool DiskCache::makeFolder() {
  std::error_code Failed;
  fs::create_directories(fs::path(Folder).parent_path(), Failed);
  mkdir(Folder.c_str(), S_IRWXU);
  struct stat About;
  return stat(Folder.c_str(), &About) == 0 && S_ISDIR(About.st_mode) &&
         About.st_uid == geteuid() && access(Folder.c_str(), W_OK) == 0;
}

void DiskCache::store(std::string_view Key, std::string_view Value) {
  if (!enabled() || !makeFolder())
    return;
  FileHeader Header = headerFor(Key, Value);
  std::string Name = fileName(Header);
  fs::path Aside =
      fs::path(Folder) / ("." + Name + "." + std::to_string(getpid()) + "." +
                          std::to_string(Writes++));
  std::error_code Failed;
  if (writeAll(Aside, Header, Value))
    fs::rename(Aside, fs::path(Folder) / Name, Failed);
  else
    Failed = std::make_error_code(std::errc::io_error);
  if (!Failed) {
    trim(sizeof Header + Value.size());
    return;
  }
  std::error_code Ignored;
  fs::remove(Aside, Ignored);
}

/// Removes the oldest files until the rest, with \p Added new bytes, is a
/// quarter below the limit; counts only when it has to.
void DiskCache::trim(uint64_t Added) {
  std::lock_guard<std::mutex> Guard(Trimming);
  if (Size && (*Size += Added) <= Limit)
    return;
  std::vector<CachedFile> Files = filesIn(Folder);
  uint64_t Sum = 0;
  for (const CachedFile &File : Files)
    Sum += File.Bytes;
  if (Sum > Limit) {
    std::sort(Files.begin(), Files.end(),
              [](const CachedFile &A, const CachedFile &B) {
                return A.Used < B.Used;
              });
    for (const CachedFile &File : Files) {
      std::error_code Ignored;
      if (Sum <= Limit - Limit / 4)
        break;
      if (fs::remove(File.Path, Ignored))
        Sum -= File.Bytes;
    }
  }
  Size = Sum;
}

} // namespace blockmaestro
