// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Page.h"

#include "ShareFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <zlib.h>

using namespace llvm;

namespace blockmaestro {

std::string pageFolder(const char *Argument0) {
  return shareFolder(Argument0, "report");
}

std::string gzip(StringRef Text) {
  constexpr int GzipWindow = 15 + 16, Memory = 8;
  z_stream Stream = {};
  if (deflateInit2(&Stream, Z_BEST_COMPRESSION, Z_DEFLATED, GzipWindow, Memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    report_bad_alloc_error("zlib has no memory");
  std::string Out(deflateBound(&Stream, Text.size()), '\0');
  Stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Text.data()));
  Stream.avail_in = uInt(Text.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Out.data());
  Stream.avail_out = uInt(Out.size());
  deflate(&Stream, Z_FINISH);
  Out.resize(Stream.total_out);
  deflateEnd(&Stream);
  return Out;
}

static Expected<std::string> readPart(StringRef Folder, StringRef Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createFileError(Path, Text.getError());
  return (*Text)->getBuffer().str();
}

/// All that scripts.txt lists, in its order.
static Expected<std::string> readScripts(StringRef Folder) {
  Expected<std::string> Names = readPart(Folder, "scripts.txt");
  if (!Names)
    return Names;
  SmallVector<StringRef, 16> Each;
  StringRef(*Names).split(Each, '\n', -1, /*KeepEmpty=*/false);
  std::string Out;
  for (StringRef Name : Each) {
    Expected<std::string> Script = readPart(Folder, Name);
    if (!Script)
      return Script;
    Out += *Script + "\n";
  }
  return Out;
}

namespace {

struct PagePart {
  StringRef Place;
  std::string Text;
};

} // namespace

/// Each place of the page, in its order, once.
static Expected<std::string> putInto(StringRef Page, ArrayRef<PagePart> Parts) {
  std::string Out;
  for (const PagePart &Each : Parts) {
    const auto [Before, Behind] = Page.split(Each.Place);
    if (Before.size() == Page.size())
      return createStringError("the page has no place " + Each.Place +
                               " behind the one before it");
    Out += Before.str() + Each.Text;
    Page = Behind;
  }
  return Out + Page.str();
}

Expected<std::string> makePage(StringRef Folder, StringRef Data) {
  Expected<std::string> Page = readPart(Folder, "report.html");
  if (!Page)
    return Page;
  Expected<std::string> Style = readPart(Folder, "report.css");
  if (!Style)
    return Style;
  Expected<std::string> Scripts = readScripts(Folder);
  if (!Scripts)
    return Scripts;
  PagePart Parts[] = {{"@BM_REPORT_CSS@", std::move(*Style)},
                      {"@BM_REPORT_SCRIPT@", std::move(*Scripts)},
                      {"@BM_REPORT_DATA@", encodeBase64(gzip(Data))}};
  sort(Parts, [&](const PagePart &A, const PagePart &B) {
    return StringRef(*Page).find(A.Place) < StringRef(*Page).find(B.Place);
  });
  return putInto(*Page, Parts);
}

} // namespace blockmaestro
