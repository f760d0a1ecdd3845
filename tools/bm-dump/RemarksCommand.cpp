// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump remarks`: what the compiler said, for people, programs,
// and, as SARIF 2.1.0, editors and services that show findings in sources.

#include "Commands.h"
#include "RecordJson.h"
#include "Remarks.h"
#include "Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

using Remarks = std::vector<SavedRemark>;

/// "a.cu:3:12: ", as far as it is known.
std::string placeText(const SavedRemark &R) {
  if (R.File.empty())
    return "";
  return R.File + ":" + std::to_string(R.Line) +
         (R.Column ? ":" + std::to_string(R.Column) : "") + ": ";
}

void showRemarksText(const Remarks &All) {
  for (const SavedRemark &R : All)
    outs() << placeText(R) << R.Kind << ": " << R.Message << " [" << R.Name
           << "]\n";
}

json::Value locationJson(const SavedRemark &R) {
  if (R.File.empty())
    return nullptr;
  return json::Object{{"file", R.File}, {"line", R.Line}, {"column", R.Column}};
}

void showRemarksJson(const Remarks &All) {
  json::Array Out;
  for (const SavedRemark &R : All)
    Out.push_back(json::Object{{"kind", R.Kind},
                               {"name", R.Name},
                               {"function", R.Function},
                               {"message", R.Message},
                               {"location", locationJson(R)}});
  printJson(json::Object{{"remarks", std::move(Out)}});
}

/// A path as an URI: relative to where the compiler ran, unless it is absolute.
std::string uriOf(StringRef Path) {
  std::string Out = sys::path::is_absolute(Path) ? "file://" : "";
  for (char C : Path) {
    if (isAlnum(C) || StringRef("-._~/").contains(C))
      Out += C;
    else
      (Out += '%') += toHex(StringRef(&C, 1));
  }
  return Out;
}

json::Object sarifLocation(const SavedRemark &R) {
  json::Object Out{{"logicalLocations",
                    json::Array{json::Object{{"fullyQualifiedName", R.Function},
                                             {"kind", "function"}}}}};
  if (R.File.empty())
    return Out;
  json::Object Place{
      {"artifactLocation", json::Object{{"uri", uriOf(R.File)}}}};
  if (R.Line) {
    json::Object Region{{"startLine", R.Line}};
    if (R.Column)
      Region["startColumn"] = R.Column;
    Place["region"] = std::move(Region);
  }
  Out["physicalLocation"] = std::move(Place);
  return Out;
}

/// What is missed is a warning, all else a note.
json::Array sarifResults(const Remarks &All, ArrayRef<StringRef> Rules) {
  json::Array Out;
  for (const SavedRemark &R : All)
    Out.push_back(
        json::Object{{"ruleId", R.Name},
                     {"ruleIndex", find(Rules, R.Name) - Rules.begin()},
                     {"level", R.Kind == "missed" ? "warning" : "note"},
                     {"message", json::Object{{"text", R.Message}}},
                     {"locations", json::Array{sarifLocation(R)}},
                     {"properties", json::Object{{"kind", R.Kind}}}});
  return Out;
}

void showSarif(const Remarks &All) {
  std::vector<StringRef> Rules;
  for (const SavedRemark &R : All)
    Rules.push_back(R.Name);
  llvm::sort(Rules);
  Rules.erase(llvm::unique(Rules), Rules.end());
  json::Array RuleList;
  for (StringRef Rule : Rules)
    RuleList.push_back(json::Object{{"id", Rule}});
  json::Object Driver{{"name", "BlockMaestro"},
                      {"version", version()},
                      {"rules", std::move(RuleList)}};
  json::Object Run{{"tool", json::Object{{"driver", std::move(Driver)}}},
                   {"results", sarifResults(All, Rules)}};
  printJson(
      json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", json::Array{std::move(Run)}}});
}

} // namespace

int runRemarks(const DumpOptions &Given) {
  Expected<Remarks> All = readRemarks(Given.Files);
  if (!All)
    return fail(toString(All.takeError()));
  (Given.Sarif  ? showSarif
   : Given.Json ? showRemarksJson
                : showRemarksText)(*All);
  return 0;
}

} // namespace blockmaestro
