// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskLayout.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// As in the host's runtime: shareds behind the task, copies for any type.
constexpr uint64_t SharedsAlignment = 8;
constexpr uint64_t CopyAlignment = 16;

/// The numbers of a line, in order.
class Numbers {
public:
  explicit Numbers(StringRef Line) : Left(Line) {}

  template <typename T> void read(T &Into) {
    Left = Left.ltrim();
    Failed |= Left.consumeInteger(10, Into);
  }
  bool failed() const { return Failed; }

private:
  StringRef Left;
  bool Failed = false;
};

} // namespace

void KindLayout::layOut() {
  uint64_t End = alignTo(Site.TaskBytes, SharedsAlignment);
  SharedsOffset = uint32_t(End);
  End += Site.SharedsBytes;
  for (CopiedVariable &Copy : Copies) {
    End = alignTo(End, CopyAlignment);
    Copy.Offset = uint32_t(End);
    End += Copy.Bytes;
  }
  RecordBytes = uint32_t(End);
}

std::string toText(const FileLayout &Layout) {
  std::string Text = Layout.BlocksKernel + "\n" + Layout.WorkersKernel + "\n" +
                     std::to_string(Layout.Threads) + "\n" +
                     toHex(Layout.Footprints) + "\n";
  raw_string_ostream Out(Text);
  for (const KindLayout &Kind : Layout.Kinds) {
    Out << Kind.Site.Line << ' ' << Kind.Site.Column << ' '
        << Kind.Site.TaskBytes << ' ' << Kind.Site.SharedsBytes << ' '
        << Kind.Copies.size();
    for (const CopiedVariable &Copy : Kind.Copies)
      Out << ' ' << Copy.Field << ' ' << Copy.Bytes;
    Out << ' ' << Kind.Site.Fields.size();
    for (const TaskField &Field : Kind.Site.Fields)
      Out << ' ' << Field.Type << ' ' << Field.Offset;
    Out << '\n';
  }
  return Text;
}

Expected<FileLayout> readLayout(StringRef Text) {
  FileLayout Layout;
  SmallVector<StringRef> Lines;
  Text.rtrim('\n').split(Lines, '\n');
  if (Lines.size() < 4 || Lines[2].getAsInteger(10, Layout.Threads))
    return createStringError("OpenMP: the device said nothing of its tasks");
  Layout.BlocksKernel = Lines[0].str();
  Layout.WorkersKernel = Lines[1].str();
  std::string Footprints;
  if (!tryGetFromHex(Lines[3], Footprints))
    return createStringError("OpenMP: cannot read what the device said of what "
                             "its tasks touch");
  Layout.Footprints.assign(Footprints.begin(), Footprints.end());
  for (StringRef Line : drop_begin(Lines, 4)) {
    KindLayout Kind;
    Numbers From(Line);
    size_t Copies = 0;
    From.read(Kind.Site.Line);
    From.read(Kind.Site.Column);
    From.read(Kind.Site.TaskBytes);
    From.read(Kind.Site.SharedsBytes);
    From.read(Copies);
    for (size_t I = 0; I < Copies && !From.failed(); ++I) {
      CopiedVariable Copy;
      From.read(Copy.Field);
      From.read(Copy.Bytes);
      Kind.Copies.push_back(Copy);
    }
    size_t Fields = 0;
    From.read(Fields);
    for (size_t I = 0; I < Fields && !From.failed(); ++I) {
      TaskField Field;
      From.read(Field.Type);
      From.read(Field.Offset);
      Kind.Site.Fields.push_back(Field);
    }
    if (From.failed())
      return createStringError("OpenMP: cannot read what the device said of "
                               "its tasks");
    Kind.layOut();
    Layout.Kinds.push_back(std::move(Kind));
  }
  return Layout;
}

} // namespace blockmaestro
