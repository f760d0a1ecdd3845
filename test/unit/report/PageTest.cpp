// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Columns in the shortest form, and the parts of a page where it names them.

#include "Page.h"
#include "Column.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <zlib.h>

using namespace blockmaestro;

namespace {

std::string textOf(const Column &Numbers) {
  std::string Text;
  llvm::raw_string_ostream To(Text);
  llvm::json::OStream Out(To);
  writeColumn(Out, Numbers);
  return Text;
}

std::string unzipped(const std::string &Bytes) {
  z_stream Stream = {};
  inflateInit2(&Stream, 15 + 16);
  std::string Out(1000, '\0');
  std::string In = Bytes;
  Stream.next_in = reinterpret_cast<Bytef *>(In.data());
  Stream.avail_in = uInt(In.size());
  Stream.next_out = reinterpret_cast<Bytef *>(Out.data());
  Stream.avail_out = uInt(Out.size());
  EXPECT_EQ(inflate(&Stream, Z_FINISH), Z_STREAM_END);
  Out.resize(Stream.total_out);
  inflateEnd(&Stream);
  return Out;
}

/// A folder with the parts of a page, for one test.
class PageParts : public ::testing::Test {
protected:
  PageParts() {
    char Name[] = "/tmp/page-XXXXXX";
    Folder = ::mkdtemp(Name);
    put("report.css", "CSS");
    put("scripts.txt", "a.js\nb.js\n");
    put("a.js", "A @BM_REPORT_DATA@");
    put("b.js", "B");
  }
  ~PageParts() override { std::filesystem::remove_all(Folder); }

  void put(const std::string &Name, const std::string &Text) {
    std::ofstream(Folder + "/" + Name) << Text;
  }

  std::string errorOfPage() {
    auto Page = makePage(Folder, "");
    return Page ? "" : llvm::toString(Page.takeError());
  }

  std::string Folder;
};

} // namespace

TEST(Columns, NumbersThatFollowNoRuleAreAList) {
  EXPECT_EQ(textOf({3, 1, 4}), R"({"list":[3,1,4]})");
  EXPECT_EQ(textOf({}), R"({"list":[]})");
}

TEST(Columns, LargeNumbersAreDifferences) {
  EXPECT_EQ(textOf({1000000, 1000007, 1000009}), R"({"deltas":[1000000,7,2]})");
}

TEST(Columns, NumbersThatStayAreRuns) {
  EXPECT_EQ(textOf({7, 7, 7, 7, -1, -1, -1}), R"({"runs":[7,4,-1,3]})");
}

TEST(Columns, NumbersThatRiseEvenlyAreSteps) {
  EXPECT_EQ(textOf({10, 20, 30, 40, 50, 60}), R"({"steps":[10,6]})");
}

TEST(Gzip, TheTextComesBackAndTheBytesAreTheSame) {
  EXPECT_EQ(unzipped(gzip("a text")), "a text");
  EXPECT_EQ(gzip("a text"), gzip("a text"));
}

TEST_F(PageParts, StandWhereThePageNamesThem) {
  put("report.html", "<@BM_REPORT_SCRIPT@|@BM_REPORT_CSS@|@BM_REPORT_DATA@>");
  auto Page = makePage(Folder, "data");
  ASSERT_TRUE(bool(Page));
  EXPECT_EQ(Page->find("<A @BM_REPORT_DATA@\nB\n|CSS|H4sI"), 0u) << *Page;
}

TEST_F(PageParts, ThatAreMissingAreNamed) {
  put("report.html", "@BM_REPORT_CSS@ @BM_REPORT_SCRIPT@");
  EXPECT_NE(errorOfPage().find("no place @BM_REPORT_DATA@"), std::string::npos);
  put("scripts.txt", "c.js\n");
  EXPECT_NE(errorOfPage().find("c.js"), std::string::npos);
}
