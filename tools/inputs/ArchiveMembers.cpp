// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArchiveMembers.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral Magic = "!<arch>\n";
constexpr StringLiteral ThinMagic = "!<thin>\n";

/// Where the fields of a member's header lie.
struct Field {
  size_t Start, Bytes;
};
constexpr Field NameField = {0, 16};
constexpr Field SizeField = {48, 10};
constexpr Field EndField = {58, 2};
constexpr size_t HeaderBytes = 60;

constexpr StringLiteral LongNames = "//";
constexpr StringLiteral SymbolTables[] = {"/", "/SYM64/", "__.SYMDEF",
                                          "__.SYMDEF SORTED", "__.SYMDEF_64"};

Error damagedArchive(const char *What) {
  return createStringError(Twine("the archive is damaged: ") + What);
}

StringRef take(StringRef &From, size_t Bytes) {
  StringRef Front = From.take_front(Bytes);
  From = From.drop_front(Front.size());
  return Front;
}

/// Goes through the archive from header to header.
class Walk {
public:
  explicit Walk(StringRef Archive)
      : Thin(isThinArchive(Archive)), Left(Archive.drop_front(Magic.size())) {}

  bool atEnd() const { return Left.empty(); }
  Error next(std::vector<ArchiveMember> &Out);

private:
  Expected<StringRef> longName(StringRef Place) const;
  Error setName(StringRef Given, ArchiveMember &Member) const;

  bool Thin;
  StringRef Left;
  StringRef Names;
};

/// "/18" stands for the name at byte 18 of the table, up to a slash and a line
/// break.
Expected<StringRef> Walk::longName(StringRef Place) const {
  size_t At = 0;
  if (Place.getAsInteger(10, At) || At >= Names.size())
    return damagedArchive("a name is not there");
  return Names.drop_front(At).split('\n').first;
}

/// Names end in a slash, or with spaces (BSD), or lie before the bytes (BSD).
Error Walk::setName(StringRef Given, ArchiveMember &Member) const {
  if (Given.consume_front("#1/")) {
    size_t Bytes = 0;
    if (Given.getAsInteger(10, Bytes) || Bytes > Member.Bytes.size())
      return damagedArchive("a name is cut off");
    Member.Name = take(Member.Bytes, Bytes).rtrim('\0');
    return Error::success();
  }
  if (Given.consume_front("/")) {
    Expected<StringRef> Name = longName(Given);
    if (!Name)
      return Name.takeError();
    Given = *Name;
  }
  Given.consume_back("/");
  Member.Name = Given;
  return Error::success();
}

Error Walk::next(std::vector<ArchiveMember> &Out) {
  if (Left.size() < HeaderBytes)
    return damagedArchive("it is cut off");
  StringRef Header = take(Left, HeaderBytes);
  auto Text = [&](Field F) { return Header.substr(F.Start, F.Bytes); };
  StringRef Name = Text(NameField).rtrim(' ');
  uint64_t Size = 0;
  if (Text(EndField) != "`\n" ||
      Text(SizeField).rtrim(' ').getAsInteger(10, Size))
    return damagedArchive("a member's header is not one");
  bool IsTable = Name == LongNames || is_contained(SymbolTables, Name);
  ArchiveMember Member;
  if (!Thin || IsTable) {
    if (Size > Left.size())
      return damagedArchive("a member is cut off");
    Member.Bytes = take(Left, Size);
    take(Left, Size % 2);
  }
  if (Name == LongNames)
    Names = Member.Bytes;
  if (IsTable)
    return Error::success();
  if (Error Failure = setName(Name, Member))
    return Failure;
  if (!is_contained(SymbolTables, Member.Name))
    Out.push_back(Member);
  return Error::success();
}

} // namespace

bool isThinArchive(StringRef Bytes) { return Bytes.starts_with(ThinMagic); }

bool isArchive(StringRef Bytes) {
  return Bytes.starts_with(Magic) || isThinArchive(Bytes);
}

Expected<std::vector<ArchiveMember>> archiveMembers(StringRef Archive) {
  std::vector<ArchiveMember> Members;
  Walk Rest(Archive);
  while (!Rest.atEnd())
    if (Error Failure = Rest.next(Members))
      return Failure;
  return Members;
}

} // namespace blockmaestro
