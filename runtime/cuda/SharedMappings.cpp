// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMappings.h"

#include <algorithm>
#include <sstream>

namespace blockmaestro {
namespace {

/// One line of /proc/self/maps: "7f00-8f00 rw-s 00001000 00:01 1024 /path".
struct MappedRange {
  uint64_t Begin = 0, End = 0, Offset = 0;
  std::string Rights, Device, Inode;
};

bool readRange(const std::string &Line, MappedRange &Out) {
  std::istringstream In(Line);
  char Dash = 0;
  In >> std::hex >> Out.Begin >> Dash >> Out.End >> Out.Rights >> Out.Offset >>
      Out.Device >> Out.Inode;
  return !In.fail() && Dash == '-';
}

bool meet(const FilePiece &A, const FilePiece &B) {
  return A.File == B.File && A.Begin < B.End && B.Begin < A.End;
}

} // namespace

std::vector<FilePiece> sharedPieces(const std::string &Maps, uint64_t Address,
                                    uint64_t Bytes) {
  std::vector<FilePiece> Found;
  std::istringstream Lines(Maps);
  for (std::string Line; std::getline(Lines, Line);) {
    MappedRange Range;
    if (!readRange(Line, Range) || Range.Rights.find('s') == std::string::npos)
      continue;
    const uint64_t Begin = std::max(Range.Begin, Address);
    const uint64_t End = std::min(Range.End, Address + Bytes);
    if (Begin < End)
      Found.push_back({Range.Device + ' ' + Range.Inode,
                       Range.Offset + (Begin - Range.Begin),
                       Range.Offset + (End - Range.Begin)});
  }
  return Found;
}

std::vector<uint64_t> SharedMappings::add(uint64_t Address,
                                          std::vector<FilePiece> Of) {
  std::vector<uint64_t> Others;
  const auto MeetsMine = [&](const FilePiece &Theirs) {
    return std::any_of(Of.begin(), Of.end(), [&](const FilePiece &Mine) {
      return meet(Mine, Theirs);
    });
  };
  for (const auto &[Where, Pieces] : Known)
    if (Where != Address &&
        std::any_of(Pieces.begin(), Pieces.end(), MeetsMine))
      Others.push_back(Where);
  if (!Of.empty())
    Known[Address] = std::move(Of);
  return Others;
}

} // namespace blockmaestro
