// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dram.h"

#include <algorithm>

namespace blockmaestro::sim {

DramChannel::DramChannel(const WarpNumbers &Of)
    : On(Of), Banks(Of.DramBanks), GroupCommand(Of.DramBankGroups, LongAgo) {}

/// Closes the row that is open and opens another; when that was.
int64_t DramChannel::open(BankState &Of, uint64_t Row, int64_t At) {
  const MemoryTiming &T = On.Dram;
  int64_t Open = std::max({At, Of.Opened + T.Rc, LastOpened + T.Rrd});
  if (Of.Row != NoRow) {
    const int64_t Close = std::max(
        {At, Of.Opened + T.Ras, Of.LastRead + T.Rtp, Of.LastWritten + T.Wr});
    Open = std::max(Open, Close + T.Rp);
  }
  Of.Row = Row;
  Of.Opened = LastOpened = Open;
  return Open;
}

/// One command and its data; when these end.
int64_t DramChannel::burst(uint32_t Bank, bool Writes, int64_t At) {
  const MemoryTiming &T = On.Dram;
  BankState &B = Banks[Bank];
  int64_t &Group = GroupCommand[Bank / (On.DramBanks / On.DramBankGroups)];
  const int64_t Wait = Writes ? T.Wl : T.Cl;
  int64_t Command = std::max({At, B.Opened + T.Rcd, LastCommand + T.Ccd,
                              Group + T.CcdL, DataFree - Wait});
  if (!Writes)
    Command = std::max(Command, LastWritten + T.Cdlr);
  LastCommand = Group = Command;
  DataFree = Command + Wait + T.Ccd;
  if (Writes)
    B.LastWritten = LastWritten = DataFree;
  else
    B.LastRead = Command;
  return DataFree;
}

int64_t DramChannel::access(uint32_t Bank, uint64_t Row, uint32_t Bursts,
                            bool Writes, int64_t At, bool &Hit) {
  BankState &B = Banks[Bank];
  Hit = B.Row == Row;
  if (!Hit)
    open(B, Row, At);
  int64_t Done = At;
  for (uint32_t I = 0; I < Bursts; ++I)
    Done = burst(Bank, Writes, At);
  return Done;
}

Dram::Dram(const Machine &Of, uint32_t Applications)
    : On(Of), Bursts((Of.Warps.CacheSectorBytes + Of.Warps.DramBurstBytes - 1) /
                     Of.Warps.DramBurstBytes),
      SectorsOfChannel(Of.Warps.L2SliceBytes / Of.Warps.CacheSectorBytes),
      Parts{Of.Warps.DramChannels, SectorsOfChannel, 1,
            Of.Warps.DramChannels == Of.Warps.L2Slices ? Of.Warps.L2Window : 0},
      SectorsOfRow(Of.Warps.DramRowBytes / Of.Warps.CacheSectorBytes),
      Queues(Of.Warps.DramChannels, Queue(Of.Warps)), Counted(Applications) {}

int64_t Dram::inDram(uint64_t Cycles) const {
  return int64_t((Cycles * On.Warps.DramClockMHz + On.ClockMHz - 1) /
                 On.ClockMHz);
}

uint64_t Dram::inCycles(int64_t Clocks) const {
  return (uint64_t(Clocks) * On.ClockMHz + On.Warps.DramClockMHz - 1) /
         On.Warps.DramClockMHz;
}

uint32_t Dram::bankOf(uint64_t Row) const {
  return uint32_t(spread(Row, On.Warps.DramBanks));
}

int64_t Dram::serve(Queue &Q, uint64_t Row, bool Writes, int64_t At,
                    DramCounts &C) {
  bool Hit = false;
  const int64_t Out =
      Q.Channel.access(bankOf(Row), Row, Bursts, Writes, At, Hit);
  C.RowHits += Hit;
  return Out;
}

Served Dram::queue(Queue &Q, uint64_t Row, bool Writes, uint64_t At,
                   DramCounts &C) {
  int64_t &End = Q.Ends[Q.Next];
  Q.Next = Q.Next + 1 == Q.Ends.size() ? 0 : Q.Next + 1;
  const int64_t Taken = std::max(inDram(At), End);
  End = serve(Q, Row, Writes, Taken, C);
  return {std::max(At, inCycles(Taken)), inCycles(End + On.Warps.DramLatency)};
}

/// When the bank of a row was opened; long ago where it is open with this row.
int64_t DramChannel::openedFor(uint32_t Bank, uint64_t Row) const {
  const BankState &B = Banks[Bank];
  return B.Row == Row ? LongAgo : B.Opened;
}

/// Writes what was gathered row by row: next that whose bank was opened least
/// recently, so that neighbours in one bank do not wait for each other. When
/// the last one is done.
int64_t Dram::writeGathered(Queue &Q, int64_t At, DramCounts &C) {
  int64_t Done = At;
  std::sort(Q.Gathered.begin(), Q.Gathered.end());
  const auto FirstOpened = [&](uint64_t A, uint64_t B) {
    return Q.Channel.openedFor(bankOf(A), A) <
           Q.Channel.openedFor(bankOf(B), B);
  };
  while (!Q.Gathered.empty()) {
    const uint64_t Row =
        *std::min_element(Q.Gathered.begin(), Q.Gathered.end(), FirstOpened);
    const auto [First, End] =
        std::equal_range(Q.Gathered.begin(), Q.Gathered.end(), Row);
    for (auto Left = End - First; Left > 0; --Left)
      Done = serve(Q, Row, true, At, C);
    Q.Gathered.erase(First, End);
  }
  return Done;
}

/// A write is done when it is taken. While writes are written the next ones are
/// gathered, and their rows are opened.
Served Dram::gather(Queue &Q, uint64_t Row, uint64_t At, DramCounts &C) {
  Q.Gathered.push_back(Row);
  if (Q.Gathered.size() < On.Warps.DramWrites)
    return {At, At};
  const int64_t Taken = std::max(inDram(At), Q.WrittenBefore);
  Q.WrittenBefore = Q.Written;
  Q.Written = writeGathered(Q, Taken, C);
  const uint64_t Done = std::max(At, inCycles(Taken));
  return {Done, Done};
}

Served Dram::access(uint64_t Sector, bool Writes, uint64_t At,
                    uint32_t Application) {
  const WarpNumbers &W = On.Warps;
  const uint64_t Part = Sector / SectorsOfChannel;
  const uint64_t Within =
      Part / W.DramChannels * SectorsOfChannel + Sector % SectorsOfChannel;
  const uint64_t Row = Within / SectorsOfRow;
  Queue &Q = Queues[Parts.sliceOf(Part)];
  DramCounts &C = Counted[Application];
  ++(Writes ? C.Writes : C.Reads);
  return Writes && W.DramWrites > 1 ? gather(Q, Row, At, C)
                                    : queue(Q, Row, Writes, At, C);
}

} // namespace blockmaestro::sim
