// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs the device passes, as the plugin does, over device modules changed at
// random: none may crash, hang, or leave what is not valid. Each module has a
// number, which alone says what it is; a process of its own runs some hundred
// of them, and another takes over behind one that fails.
//
//   DeviceFuzzer [--modules N] [--seed FIRST] [--jobs N] [--timeout SECONDS]
//                [--keep FOLDER] INPUT.bc...

#include "BlockVariants.h"
#include "FootprintText.h"
#include "Footprints.h"
#include "MetadataReader.h"
#include "MetadataWriter.h"
#include "ModuleMutator.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace blockmaestro;

namespace {

cl::opt<uint64_t> Modules("modules", cl::init(200),
                          cl::desc("How many modules"));
cl::opt<uint64_t> First("seed", cl::init(1), cl::desc("Of the first module"));
cl::opt<unsigned> Jobs("jobs", cl::init(1), cl::desc("Processes at a time"));
cl::opt<unsigned> Timeout("timeout", cl::init(20),
                          cl::desc("Seconds of CPU time for one module"));
cl::opt<std::string> Keep("keep",
                          cl::desc("A folder for the modules that fail"));
cl::list<std::string> Inputs(cl::Positional, cl::OneOrMore,
                             cl::desc("INPUT.bc..."));

using Clock = std::chrono::steady_clock;

/// Modules that one process runs.
constexpr uint64_t Batch = 200;

/// What a process says of itself, in memory that both see.
struct Progress {
  uint64_t Seed; ///< The module at hand.
};

/// Ends this process with SIGPROF when it has run that long.
void limitTime(unsigned Seconds) {
  itimerval Limit = {};
  Limit.it_value.tv_sec = Seconds;
  setitimer(ITIMER_PROF, &Limit, nullptr);
}

uint64_t now() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                   Clock::now().time_since_epoch())
                                   .count());
}

[[noreturn]] void fail(const Twine &Why) {
  errs() << "DeviceFuzzer: " << Why << "\n";
  _exit(1);
}

std::unique_ptr<Module> load(uint64_t Seed, LLVMContext &C) {
  const std::string &Path = Inputs[Seed % Inputs.size()];
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    fail(Path + ": " + Buffer.getError().message());
  auto M = parseBitcodeFile(**Buffer, C);
  if (!M)
    fail(Path + ": " + toString(M.takeError()));
  test::mutate(*M, Seed);
  return std::move(*M);
}

void requireValid(const Module &M, const char *After) {
  std::string Text;
  raw_string_ostream Stream(Text);
  if (verifyModule(M, &Stream))
    fail(Twine("not valid after ") + After + ": " + Text);
}

/// What runOnDevice() of the plugin does, and what the runtime reads of it.
void runPasses(Module &M, bool Relocatable) {
  Expected<ModuleRecord> Record = analyzeDeviceModule(M, Relocatable);
  if (!Record)
    fail(toString(Record.takeError()));
  requireValid(M, "the analysis");
  emitRemarks(M, *Record);
  for (const KernelRecord &Kernel : Record->Kernels)
    if (toText(Kernel).empty())
      fail("a kernel without text");
  addBlockVariants(M, *Record);
  emitVariantRemarks(M, *Record);
  requireValid(M, "adding variants");
  const std::vector<uint8_t> Bytes = serialize(*Record);
  if (auto Read = readMetadata(Bytes.data(), Bytes.size()); !Read.ok())
    fail("the record cannot be read: " + Read.status().message());
  finishBlockVariants(M);
  requireValid(M, "finishing variants");
}

void runOne(uint64_t Seed) {
  LLVMContext C;
  C.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {}, nullptr,
                                 false);
  std::unique_ptr<Module> M = load(Seed, C);
  runPasses(*M, Seed % 2 == 0);
}

/// The module of a seed as it is given to the passes.
void keep(uint64_t Seed) {
  LLVMContext C;
  std::unique_ptr<Module> M = load(Seed, C);
  std::error_code Failed;
  raw_fd_ostream File(Keep + "/" + std::to_string(Seed) + ".bc", Failed);
  if (!Failed)
    WriteBitcodeToFile(*M, File);
}

/// One process at a time that runs every Jobs-th module.
class Worker {
public:
  Worker(uint64_t Next, uint64_t End, Progress *Shared)
      : Next(Next), End(End), Shared(Shared) {}

  bool isDone() const { return Process < 0 && Next >= End; }
  void poll(std::vector<uint64_t> &Failed);

private:
  void start();

  uint64_t Next;
  uint64_t End;
  Progress *Shared;
  pid_t Process = -1;
};

void Worker::start() {
  *Shared = {Next};
  Process = fork();
  if (Process != 0)
    return;
  for (uint64_t Seed = Next, Count = 0; Seed < End && Count < Batch;
       Seed += Jobs, ++Count) {
    *Shared = {Seed};
    limitTime(Timeout);
    runOne(Seed);
  }
  Shared->Seed += Jobs;
  _exit(0);
}

void Worker::poll(std::vector<uint64_t> &Failed) {
  if (Process < 0) {
    if (Next < End)
      start();
    return;
  }
  int Status = 0;
  if (waitpid(Process, &Status, WNOHANG) == 0)
    return;
  Process = -1;
  Next = Shared->Seed;
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == 0)
    return;
  outs() << "FAILED " << Next << " of " << Inputs[Next % Inputs.size()] << ": "
         << (!WIFSIGNALED(Status)          ? "see above"
             : WTERMSIG(Status) == SIGPROF ? "hangs"
                                           : strsignal(WTERMSIG(Status)))
         << "\n";
  outs().flush();
  Failed.push_back(Next);
  Next += Jobs;
}

} // namespace

int main(int Count, char **Arguments) {
  cl::ParseCommandLineOptions(Count, Arguments);
  const uint64_t End = First + Modules;
  auto *Shared = static_cast<Progress *>(
      mmap(nullptr, sizeof(Progress) * Jobs, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (Shared == MAP_FAILED)
    fail("no memory");
  std::vector<Worker> Workers;
  for (unsigned I = 0; I < Jobs; ++I)
    Workers.emplace_back(First + I, End, Shared + I);
  std::vector<uint64_t> Failed;
  uint64_t Said = now();
  while (!all_of(Workers, [](const Worker &W) { return W.isDone(); })) {
    for (Worker &W : Workers)
      W.poll(Failed);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (now() >= Said + 60) {
      Said = now();
      outs() << "at module " << Shared[0].Seed << ", " << Failed.size()
             << " failed\n";
      outs().flush();
    }
  }
  outs() << "modules " << First << ".." << End - 1 << ": " << Failed.size()
         << " failed\n";
  if (!Keep.empty())
    for (uint64_t Seed : Failed)
      keep(Seed);
  return Failed.empty() ? 0 : 1;
}
