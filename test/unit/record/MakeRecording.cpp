// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-make-recording: writes a recording that a test describes in a
// few lines, so that tests of the tools do not depend on the compiler.
// Usage: bm-make-recording TEXT RECORDING. The lines of TEXT:
//   run PROGRAM WINDOW
//   cost ARITHMETIC READS WRITES SHARED BARRIERS OTHER NS
//       of every block of the launches that follow; NS is the event's length
//   launch KERNEL GRIDX GRIDY GRIDZ BLOCKX BLOCKY BLOCKZ SHARED
//   degraded REASON...
//   needs PRODUCER HAZARDS full REASON...
//   needs PRODUCER HAZARDS delta XLOW XHIGH YLOW YHIGH
//   needs PRODUCER HAZARDS transpose
//       of the launch above; HAZARDS is a sum of 1 RAW, 2 WAR, 4 WAW; two
//       lines with one producer are two pieces of one relation
//   barrier NAME
//   unfinished
//       leaves the end mark out; the last line

#include "Writer.h"
#include "blockmaestro/BlockGraph.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

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
  bool launch(std::istringstream &In);
  bool needs(std::istringstream &In);
  bool cost(std::istringstream &In);
  RecordedRelation &relationTo(uint64_t Producer);
  void writeLaunch();

  std::string Path;
  std::unique_ptr<RecordingWriter> Writer;
  std::vector<RecordedLaunch> Launches;
  std::vector<RecordedRelation> Needs;
  bool Pending = false;
  bool Unfinished = false;
  BlockCost Cost;
  uint64_t Ns = 100;
  uint64_t Clock = 0;
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
  In >> Info.Program >> Info.Window;
  Info.Device = "emulated";
  Info.Executor = "serial";
  auto Opened = RecordingWriter::open(Path, Info);
  if (Opened.ok())
    Writer = std::move(*Opened);
  return Opened.ok();
}

bool Maker::cost(std::istringstream &In) {
  In >> Cost.Arithmetic >> Cost.GlobalReads >> Cost.GlobalWrites >>
      Cost.SharedAccesses >> Cost.Barriers >> Cost.Other >> Ns;
  return bool(In);
}

bool Maker::launch(std::istringstream &In) {
  RecordedLaunch L;
  L.Id = Launches.size();
  In >> L.Kernel >> L.Grid.X >> L.Grid.Y >> L.Grid.Z >> L.Block.X >>
      L.Block.Y >> L.Block.Z >> L.SharedBytes;
  Launches.push_back(L);
  Pending = true;
  return bool(In);
}

RecordedRelation &Maker::relationTo(uint64_t Producer) {
  for (RecordedRelation &R : Needs)
    if (R.Producer == Producer)
      return R;
  RecordedRelation R;
  R.Producer = Producer;
  R.Consumer = Launches.back().Id;
  R.Exact = true;
  Dim3 Grid = Launches[Producer].Grid;
  R.Header = {uint32_t(RelationKind::Closed), 0, {Grid.X, Grid.Y, Grid.Z}};
  Needs.push_back(R);
  return Needs.back();
}

bool Maker::needs(std::istringstream &In) {
  uint64_t Producer = 0;
  unsigned Hazards = 0;
  std::string Kind;
  if (!(In >> Producer >> Hazards >> Kind) || !Pending ||
      Producer >= Launches.back().Id)
    return false;
  RecordedRelation &R = relationTo(Producer);
  R.Hazards |= uint8_t(Hazards);
  if (Kind == "full") {
    R.Header.Kind = uint32_t(RelationKind::Full);
    R.Reason = rest(In);
    R.Exact = R.Reason.empty();
    return true;
  }
  EncodedPiece P = everywhere(Launches[Producer].Grid, Launches.back().Grid);
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
  R.PieceHazards.push_back(uint8_t(Hazards));
  ++R.Header.PieceCount;
  return bool(In);
}

void Maker::writeLaunch() {
  if (!Pending)
    return;
  Pending = false;
  const RecordedLaunch &L = Launches.back();
  Writer->launch(L, Needs);
  Needs.clear();
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
  if (Verb == "degraded" && Pending) {
    Launches.back().Degraded.push_back(rest(In));
    return true;
  }
  writeLaunch();
  if (Verb == "launch")
    return launch(In);
  if (Verb == "cost")
    return cost(In);
  if (Verb == "barrier")
    Writer->barrier(rest(In));
  else
    Unfinished = Verb == "unfinished";
  return Verb == "barrier" || Unfinished;
}

Status Maker::finish() {
  if (!Writer)
    return Status(StatusCode::InvalidArgument, "no run line");
  writeLaunch();
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
