// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-report: makes a page for the browser of recordings, or prints
// the data of one.

#include "HelpText.h"
#include "MachineFile.h"
#include "Options.h"
#include "Page.h"
#include "Reader.h"
#include "RecordJson.h"
#include "Report.h"
#include "ToolErrors.h"
#include "Version.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace llvm;
using namespace blockmaestro;

namespace {

/// A line on a terminal, which the next one takes the place of.
void tell(const Twine &What) {
  if (errs().is_displayed())
    errs() << "\r\033[K" << What;
}

Expected<sim::Machine> machineOf(const Options &Given, const char *Argument0) {
  return readMachine(Given.Machine, Given.MachineKeys,
                     machineFolder(Argument0));
}

std::string titleOf(const Options &Given) {
  if (!Given.Title.empty())
    return Given.Title;
  std::string Out;
  for (const std::string &Each : Given.Files)
    Out += (Out.empty() ? "" : ", ") + sys::path::filename(Each).str();
  return Out;
}

Error addRecording(json::OStream &Out, const std::string &File,
                   const Options &Given, const ReportChoices &How) {
  tell("reading " + Twine(File));
  Result<Recording> What = readRecording(File);
  if (!What.ok())
    return createStringError(What.status().message());
  Expected<ProgramRecords> Program = readProgram(Given.Program, What->Program);
  if (!Program)
    return Program.takeError();
  tell("simulating " + Twine(File));
  return writeRecording(Out, File, *What, *Program, How);
}

/// The page's data.
Expected<std::string> dataOf(const Options &Given, const char *Argument0) {
  Expected<sim::Machine> On = machineOf(Given, Argument0);
  if (!On)
    return On.takeError();
  const ReportChoices How = {std::move(*On), Given.Schedulers, Given.Launches,
                             Given.MostBlocks};
  std::string Text;
  raw_string_ostream To(Text);
  json::OStream Out(To);
  Error Wrong = Error::success();
  Out.object([&] {
    Out.attribute("schema", ReportSchema);
    Out.attribute("tool", versionLine("bm-report"));
    Out.attribute("title", utf8(titleOf(Given)));
    Out.attributeArray("recordings", [&] {
      for (const std::string &File : Given.Files)
        if (!Wrong)
          Wrong = addRecording(Out, File, Given, How);
    });
  });
  tell("");
  if (Wrong)
    return std::move(Wrong);
  return Text;
}

std::string outputOf(const Options &Given) {
  if (!Given.Output.empty())
    return Given.Output;
  SmallString<128> Path(Given.Files.front());
  sys::path::replace_extension(Path, "html");
  return std::string(Path);
}

/// Written aside and renamed, so that there is all of it or what was there.
Error writeFile(StringRef File, StringRef Text) {
  return writeToOutput(File, [&](raw_ostream &Out) {
    Out << Text;
    return Error::success();
  });
}

Error printData(StringRef Data) {
  outs() << Data << '\n';
  return writingError(outs(), "standard output");
}

Error makeReport(const Options &Given, const char *Argument0) {
  Expected<std::string> Data = dataOf(Given, Argument0);
  if (!Data)
    return Data.takeError();
  if (Given.Json)
    return Given.Output.empty() ? printData(*Data)
                                : writeFile(Given.Output, *Data + "\n");
  tell("writing " + Twine(outputOf(Given)));
  Expected<std::string> Page = makePage(pageFolder(Argument0), *Data);
  tell("");
  if (!Page)
    return Page.takeError();
  return writeFile(outputOf(Given), *Page);
}

Error run(const Options &Given, const char *Argument0) {
  if (Given.Help) {
    outs() << helpText(manual());
    return Error::success();
  }
  if (Given.Version) {
    outs() << versionLine("bm-report") << '\n';
    return Error::success();
  }
  return makeReport(Given, Argument0);
}

} // namespace

int main(int Count, const char **Arguments) {
  Expected<Options> Given =
      readOptions(ArrayRef(Arguments + 1, static_cast<size_t>(Count - 1)));
  Error Failure = Given ? run(*Given, Arguments[0]) : Given.takeError();
  if (!Failure)
    return 0;
  errs() << "bm-report: error: " << toString(std::move(Failure)) << '\n';
  return 1;
}
