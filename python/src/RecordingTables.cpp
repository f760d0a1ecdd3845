// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingTables.h"

namespace blockmaestro::python {
namespace {

constexpr const char *AxisNames[] = {"x", "y", "z"};

void addGrid(Table &To, const std::string &Name,
             const std::vector<RecordedLaunch> &Of,
             Dim3 RecordedLaunch::*Size) {
  for (unsigned J = 0; J < 3; ++J)
    To.add(Name + "_" + AxisNames[J],
           collected<uint32_t>(
               Of, [&](const RecordedLaunch &L) { return (L.*Size)[J]; }));
}

/// When the host asked for each.
template <typename T> void addAsked(Table &To, const std::vector<T> &Of) {
  To.add("host_thread",
         collected<uint32_t>(Of, [](const T &X) { return X.Asked.Thread; }));
  To.add("host_ns",
         collected<uint64_t>(Of, [](const T &X) { return X.Asked.Ns; }));
}

void addReasons(Table &To, const std::vector<RecordedLaunch> &Of) {
  Words Known;
  std::vector<int32_t> Offsets = {0}, Values;
  for (const RecordedLaunch &L : Of) {
    for (const std::string &Reason : L.Degraded)
      Values.push_back(Known.numberOf(Reason));
    Offsets.push_back(int32_t(Values.size()));
  }
  To.addLists("not_exact", std::move(Offsets), std::move(Values), Known);
}

void addPlace(Table &To, const char *Name, const std::vector<RecordedCopy> &Of,
              MemoryPlace RecordedCopy::*Place) {
  addWords(To, Name, Of, [&](const RecordedCopy &C) {
    return std::string(MemoryPlaceNames[size_t(C.*Place)]);
  });
}

/// What barriers and waits both have.
template <typename T> void addPoints(Table &To, const std::vector<T> &Of) {
  To.add("before_launch",
         collected<uint64_t>(Of, [](const T &X) { return X.BeforeLaunch; }));
  To.add("before_copy",
         collected<uint64_t>(Of, [](const T &X) { return X.BeforeCopy; }));
  addWords(To, "what", Of, [](const T &X) { return X.What; });
}

} // namespace

Table launchesOf(const Recording &Of) {
  const std::vector<RecordedLaunch> &All = Of.Launches;
  using Launch = RecordedLaunch;
  Table Out;
  Out.add("launch",
          collected<uint64_t>(All, [](const Launch &L) { return L.Id; }));
  addWords(Out, "kernel", All, [](const Launch &L) { return L.Kernel; });
  addGrid(Out, "grid", All, &Launch::Grid);
  addGrid(Out, "block", All, &Launch::Block);
  Out.add("blocks", collected<uint64_t>(
                        All, [](const Launch &L) { return L.Grid.count(); }));
  Out.add("shared_bytes", collected<uint32_t>(All, [](const Launch &L) {
            return L.SharedBytes;
          }));
  Out.add("registers", collected<uint32_t>(
                           All, [](const Launch &L) { return L.Registers; }));
  Out.add("registers_as_run", collected<uint32_t>(All, [](const Launch &L) {
            return L.RegistersAsRun;
          }));
  addReasons(Out, All);
  addAsked(Out, All);
  return Out;
}

Table copiesOf(const Recording &Of) {
  const std::vector<RecordedCopy> &All = Of.Copies;
  using Copy = RecordedCopy;
  Table Out;
  Out.add("copy", collected<uint64_t>(All, [](const Copy &C) { return C.Id; }));
  Out.add("before_launch",
          collected<uint64_t>(All, [](const Copy &C) { return C.Before; }));
  addWords(Out, "call", All, [](const Copy &C) { return C.Call; });
  Out.add("bytes",
          collected<uint64_t>(All, [](const Copy &C) { return C.Bytes; }));
  Out.addBools("host_waits", collected<uint8_t>(All, [](const Copy &C) {
                 return C.HostWaits;
               }));
  addPlace(Out, "from", All, &Copy::From);
  addPlace(Out, "to", All, &Copy::To);
  addAsked(Out, All);
  return Out;
}

Table rangesOf(const Recording &Of) {
  std::vector<uint64_t> Copies, Addresses, Bytes;
  std::vector<uint8_t> Writes;
  for (const RecordedCopy &C : Of.Copies)
    for (const RecordedRange &R : C.Ranges) {
      Copies.push_back(C.Id);
      Addresses.push_back(R.Address);
      Bytes.push_back(R.Bytes);
      Writes.push_back(R.Writes);
    }
  Table Out;
  Out.add("copy", std::move(Copies));
  Out.add("address", std::move(Addresses));
  Out.add("bytes", std::move(Bytes));
  Out.addBools("writes", std::move(Writes));
  return Out;
}

Table barriersOf(const Recording &Of) {
  Table Out;
  addPoints(Out, Of.Barriers);
  Out.addBools("host_waits",
               collected<uint8_t>(Of.Barriers, [](const RecordedBarrier &B) {
                 return B.HostWaits;
               }));
  addAsked(Out, Of.Barriers);
  return Out;
}

Table waitsOf(const Recording &Of) {
  Table Out;
  addPoints(Out, Of.Waits);
  Out.add("until", collected<uint64_t>(Of.Waits, [](const RecordedWait &W) {
            return W.Until;
          }));
  addAsked(Out, Of.Waits);
  return Out;
}

Table observationsOf(const Recording &Of) {
  const std::vector<RecordedObservation> &All = Of.Observations;
  const auto Column = [&](uint64_t RecordedObservation::*Number) {
    return collected<uint64_t>(
        All, [&](const RecordedObservation &O) { return O.*Number; });
  };
  Table Out;
  Out.add("producer", Column(&RecordedObservation::Producer));
  Out.add("consumer", Column(&RecordedObservation::Consumer));
  Out.add("true_edges", Column(&RecordedObservation::TrueEdges));
  Out.add("missing", Column(&RecordedObservation::Missing));
  return Out;
}

} // namespace blockmaestro::python
