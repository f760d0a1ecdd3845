// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-make-recording: writes a recording that a test describes in a
// few lines, so that tests of the tools do not depend on the compiler.
// Usage: bm-make-recording TEXT RECORDING. The lines of TEXT:
//   run PROGRAM WINDOW [WARPS_ONE_IN]
//   cost ARITHMETIC READS WRITES SHARED BARRIERS OTHER NS
//       of every block of the launches that follow; NS is the event's length;
//       accesses are of whole lines and without conflicts
//   registers COUNT [COUNT AS RUN]
//       of the launches that follow
//   places FROM TO
//       of the copies that follow: unknown, none, device, pinned, pageable or
//       managed
//   host NS [THREAD]
//       what follows is asked for by this thread of the host, the first of it
//       after the thread has computed for so long since what it asked for last
//   launch KERNEL GRIDX GRIDY GRIDZ BLOCKX BLOCKY BLOCKZ SHARED
//   degraded REASON...
//   needs PRODUCER HAZARDS full REASON...
//   needs PRODUCER HAZARDS delta XLOW XHIGH YLOW YHIGH
//   needs PRODUCER HAZARDS transpose
//   needs PRODUCER HAZARDS list C FIRST LAST [C FIRST LAST ...]
//       of the launch or copy above; HAZARDS is a sum of 1 RAW, 2 WAR, 4 WAW;
//       two lines with one producer are two pieces of one relation; PRODUCER is
//       a launch, or a copy when it is written c0, c1, ...; a list gives blocks
//       C, ascending, the runs of producers FIRST to LAST
//   copy CALL BYTES WAITS [ADDRESS BYTES WRITES ...]
//       WAITS and WRITES are 0 or 1
//   observe PRODUCER CONSUMER TRUE MISSING
//   barrier NAME, fence NAME
//       the host waits, or the device keeps the order
//   wait NAME UNTIL
//       the host waits for the first UNTIL launches and copies
//   code, step, move, do, trace, warp, visit, again
//       what warps did: TraceLines.h
//   unfinished
//       leaves the end mark out; the last line

#include "TraceLines.h"
#include "Writer.h"
#include "blockmaestro/BlockGraph.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

using namespace blockmaestro;

namespace {

class Maker {
public:
  explicit Maker(std::string Path) : Path(std::move(Path)) {}

  /// False when the line is not understood.
  bool line(const std::string &Text);
  Status finish();

private:
  bool run(std::istringstream &In);
  bool registers(std::istringstream &In);
  bool launch(std::istringstream &In);
  bool copy(std::istringstream &In);
  bool needs(std::istringstream &In);
  bool piece(std::istringstream &In, RecordedRelation &R,
             const std::string &Kind, uint8_t Hazards);
  bool list(std::istringstream &In, RecordedRelation &R, uint8_t Hazards);
  bool cost(std::istringstream &In);
  bool places(std::istringstream &In);
  bool host(std::istringstream &In);
  bool wait(std::istringstream &In);
  bool observe(std::istringstream &In);
  RecordedRelation &relationTo(uint64_t Producer, bool IsCopy);
  Dim3 consumerGrid() const;
  void writeWaiting();

  std::string Path;
  std::unique_ptr<RecordingWriter> Writer;
  std::vector<RecordedLaunch> Launches;
  std::vector<RecordedCopy> Copies;
  std::vector<RecordedRelation> Needs;
  /// What the `needs` lines that follow are of.
  enum class Waiting { Nothing, Launch, Copy } Pending = Waiting::Nothing;
  bool Unfinished = false;
  BlockCost Cost;
  uint32_t Registers = 0, RegistersAsRun = 0;
  MemoryPlace From = MemoryPlace::Unknown, To = MemoryPlace::Unknown;
  HostTime Asked;
  std::map<uint32_t, uint64_t> HostNs; ///< Of each thread.
  uint64_t Ns = 100;
  uint64_t Clock = 0;
  TraceLines Traces;
};

std::string rest(std::istringstream &In) {
  std::string Text;
  std::getline(In >> std::ws, Text);
  return Text;
}

EncodedPiece everywhere(Dim3 Producer, Dim3 Consumer) {
  EncodedPiece P{};
  for (unsigned J = 0; J < 3; ++J) {
    P.ConsumerHigh[J] = int32_t(Consumer[J]) - 1;
    P.ProducerHigh[J] = int32_t(Producer[J]) - 1;
    P.Rows[J] = {{0, 0, 0}, 1, 0, P.ProducerHigh[J]};
  }
  return P;
}

} // namespace

bool Maker::run(std::istringstream &In) {
  RecordingInfo Info;
  In >> Info.Program >> Info.Window >> Info.WarpsOneIn;
  Info.Device = "emulated";
  Info.Executor = "serial";
  auto Opened = RecordingWriter::open(Path, Info);
  if (Opened.ok())
    Writer = std::move(*Opened);
  return Opened.ok();
}

bool Maker::cost(std::istringstream &In) {
  In >> Cost.Integer >> Cost.GlobalReads >> Cost.GlobalWrites >>
      Cost.SharedReads >> Cost.Barriers >> Cost.Other >> Ns;
  Cost.GlobalReadSectors = 4 * Cost.GlobalReads;
  Cost.GlobalWriteSectors = 4 * Cost.GlobalWrites;
  Cost.SharedWavefronts = Cost.SharedReads;
  return bool(In);
}

static bool readPlace(std::istringstream &In, MemoryPlace &Out) {
  std::string Name;
  In >> Name;
  const auto Found = std::ranges::find(MemoryPlaceNames, Name);
  Out = MemoryPlace(Found - std::begin(MemoryPlaceNames));
  return Found != std::end(MemoryPlaceNames);
}

bool Maker::places(std::istringstream &In) {
  return readPlace(In, From) && readPlace(In, To);
}

bool Maker::host(std::istringstream &In) {
  uint64_t More = 0;
  if (!(In >> More))
    return false;
  Asked.Thread = 0;
  In >> Asked.Thread;
  Asked.Ns = HostNs[Asked.Thread] += More;
  return true;
}

bool Maker::wait(std::istringstream &In) {
  std::string Name;
  uint64_t Until = 0;
  if (!(In >> Name >> Until) || Until > Launches.size() + Copies.size())
    return false;
  Writer->wait(Name, Until, Asked);
  return true;
}

bool Maker::registers(std::istringstream &In) {
  const bool Own = bool(In >> Registers);
  if (!(In >> RegistersAsRun))
    RegistersAsRun = 0;
  return Own;
}

bool Maker::launch(std::istringstream &In) {
  RecordedLaunch L;
  L.Id = Launches.size();
  In >> L.Kernel >> L.Grid.X >> L.Grid.Y >> L.Grid.Z >> L.Block.X >>
      L.Block.Y >> L.Block.Z >> L.SharedBytes;
  L.Registers = Registers;
  L.RegistersAsRun = RegistersAsRun;
  L.Asked = Asked;
  Launches.push_back(L);
  Pending = Waiting::Launch;
  return bool(In);
}

bool Maker::copy(std::istringstream &In) {
  RecordedCopy C;
  C.Id = Copies.size();
  if (!(In >> C.Call >> C.Bytes >> C.HostWaits))
    return false;
  C.From = From;
  C.To = To;
  C.Asked = Asked;
  RecordedRange R;
  while (In >> R.Address >> R.Bytes >> R.Writes)
    C.Ranges.push_back(R);
  Copies.push_back(C);
  Pending = Waiting::Copy;
  return true;
}

bool Maker::observe(std::istringstream &In) {
  RecordedObservation O;
  In >> O.Producer >> O.Consumer >> O.TrueEdges >> O.Missing;
  if (In)
    Writer->observe(O);
  return bool(In);
}

/// Of what is pending.
Dim3 Maker::consumerGrid() const {
  return Pending == Waiting::Copy ? Dim3{1, 1, 1} : Launches.back().Grid;
}

RecordedRelation &Maker::relationTo(uint64_t Producer, bool IsCopy) {
  for (RecordedRelation &R : Needs)
    if (R.Producer == Producer && R.ProducerIsCopy == IsCopy)
      return R;
  RecordedRelation R;
  R.Producer = Producer;
  R.ProducerIsCopy = IsCopy;
  R.ConsumerIsCopy = Pending == Waiting::Copy;
  R.Exact = true;
  Dim3 Grid = IsCopy ? Dim3{1, 1, 1} : Launches[Producer].Grid;
  R.Header = {uint32_t(RelationKind::Closed), 0, {Grid.X, Grid.Y, Grid.Z}};
  Needs.push_back(R);
  return Needs.back();
}

bool Maker::piece(std::istringstream &In, RecordedRelation &R,
                  const std::string &Kind, uint8_t Hazards) {
  const uint32_t *Grid = R.Header.ProducerGrid;
  EncodedPiece P = everywhere({Grid[0], Grid[1], Grid[2]}, consumerGrid());
  if (Kind == "transpose") {
    P.Rows[0] = {{0, 1, 0}, 1, 0, 0};
    P.Rows[1] = {{1, 0, 0}, 1, 0, 0};
  } else if (Kind == "delta") {
    P.Rows[0].A[0] = P.Rows[1].A[1] = 1;
    In >> P.Rows[0].Low >> P.Rows[0].High >> P.Rows[1].Low >> P.Rows[1].High;
  } else {
    return false;
  }
  R.Pieces.push_back(P);
  R.PieceHazards.push_back(Hazards);
  ++R.Header.PieceCount;
  return bool(In);
}

bool Maker::list(std::istringstream &In, RecordedRelation &R, uint8_t Hazards) {
  auto List = std::make_shared<BlockList>();
  uint64_t C = 0;
  BlockRun Run{};
  while (In >> C >> Run.First >> Run.Last) {
    List->Begin.resize(C + 1, uint32_t(List->Runs.size()));
    List->Runs.push_back(Run);
    List->Hazards.push_back(Hazards);
  }
  List->Begin.resize(consumerGrid().count() + 1, uint32_t(List->Runs.size()));
  R.Header.Kind = uint32_t(RelationKind::Listed);
  R.List = std::move(List);
  return In.eof();
}

bool Maker::needs(std::istringstream &In) {
  std::string Producer;
  unsigned Hazards = 0;
  std::string Kind;
  if (!(In >> Producer >> Hazards >> Kind) || Pending == Waiting::Nothing)
    return false;
  bool IsCopy = Producer[0] == 'c';
  uint64_t Number = std::strtoull(Producer.c_str() + IsCopy, nullptr, 10);
  uint64_t Known = IsCopy ? Copies.size() - (Pending == Waiting::Copy)
                          : Launches.size() - (Pending == Waiting::Launch);
  if (Number >= Known)
    return false;
  RecordedRelation &R = relationTo(Number, IsCopy);
  R.Hazards |= uint8_t(Hazards);
  if (Kind == "list")
    return list(In, R, uint8_t(Hazards));
  if (Kind != "full")
    return piece(In, R, Kind, uint8_t(Hazards));
  R.Header.Kind = uint32_t(RelationKind::Full);
  R.Reason = rest(In);
  R.Exact = R.Reason.empty();
  return true;
}

void Maker::writeWaiting() {
  Waiting What = std::exchange(Pending, Waiting::Nothing);
  if (What == Waiting::Copy)
    Writer->copy(Copies.back(), Needs);
  if (What == Waiting::Launch)
    Writer->launch(Launches.back(), Needs);
  Needs.clear();
  if (What != Waiting::Launch)
    return;
  const RecordedLaunch &L = Launches.back();
  for (uint64_t B = 0; B < L.Grid.count(); ++B, Clock += Ns)
    Writer->blockRan({L.Id, B, Clock, Clock + Ns, 0}, &Cost);
}

bool Maker::line(const std::string &Text) {
  std::istringstream In(Text);
  std::string Verb;
  if (!(In >> Verb))
    return true;
  if (!Writer)
    return Verb == "run" && run(In);
  if (Verb == "needs")
    return needs(In);
  if (Verb == "degraded" && Pending == Waiting::Launch) {
    Launches.back().Degraded.push_back(rest(In));
    return true;
  }
  writeWaiting();
  if (TraceLines::takes(Verb))
    return Traces.line(Verb, In, *Writer);
  Traces.flush(*Writer);
  if (Verb == "launch")
    return launch(In);
  if (Verb == "copy")
    return copy(In);
  if (Verb == "observe")
    return observe(In);
  if (Verb == "cost")
    return cost(In);
  if (Verb == "places")
    return places(In);
  if (Verb == "host")
    return host(In);
  if (Verb == "registers")
    return registers(In);
  if (Verb == "wait")
    return wait(In);
  const bool Waits = Verb == "barrier";
  if (Waits || Verb == "fence")
    Writer->barrier(rest(In), Waits, Asked);
  else
    Unfinished = Verb == "unfinished";
  return Waits || Verb == "fence" || Unfinished;
}

Status Maker::finish() {
  if (!Writer)
    return Status(StatusCode::InvalidArgument, "no run line");
  writeWaiting();
  Traces.flush(*Writer);
  return Unfinished ? Writer->flush() : Writer->close();
}

int main(int Count, char **Arguments) {
  if (Count != 3) {
    std::fprintf(stderr, "usage: bm-make-recording TEXT RECORDING\n");
    return 1;
  }
  std::ifstream In(Arguments[1]);
  Maker Make(Arguments[2]);
  std::string Line;
  while (std::getline(In, Line))
    if (!Make.line(Line)) {
      std::fprintf(stderr, "bm-make-recording: error: %s\n", Line.c_str());
      return 1;
    }
  Status Done = Make.finish();
  if (!Done.ok())
    std::fprintf(stderr, "bm-make-recording: error: %s\n",
                 Done.message().c_str());
  return Done.ok() ? 0 : 1;
}
