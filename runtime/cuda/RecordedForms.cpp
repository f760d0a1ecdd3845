// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordedForms.h"

#include "HostClock.h"

#include <algorithm>

namespace blockmaestro {

std::vector<std::string> reasonsOf(const LaunchAccesses &Touched) {
  std::vector<std::string> Out;
  for (const BlockAccess &Each : Touched.Accesses)
    if (!Each.Exact)
      Out.push_back(Each.Reason);
  return Out;
}

RecordedLaunch recordedForm(const Launch &What, const LaunchAccesses &Touched,
                            LaunchRegisters Registers) {
  RecordedLaunch Out;
  Out.Id = What.Id;
  Out.Kernel = What.Kernel->Name;
  Out.Grid = What.Grid;
  Out.Block = What.Block;
  Out.SharedBytes = What.Kernel->StaticSharedBytes + What.DynamicSharedBytes;
  Out.Registers = Registers.Own;
  Out.RegistersAsRun = Registers.AsRun;
  Out.Degraded = reasonsOf(Touched);
  Out.Asked = HostClock::now();
  return Out;
}

RecordedCopy recordedForm(const char *Call, uint64_t Number,
                          const PreparedWork &What) {
  RecordedCopy Out;
  Out.Id = Number;
  Out.Call = Call;
  Out.From = What.From;
  Out.To = What.To;
  Out.Asked = HostClock::now();
  for (const TouchedBox &Each : What.Touches) {
    Out.HostWaits |= What.HostWaits && Each.HostSees;
    Out.Bytes = std::max<uint64_t>(Out.Bytes, Each.bytes());
    Out.Ranges.push_back({Each.Address, Each.span(), Each.Writes});
  }
  return Out;
}

RecordedRelation recordedForm(const Need &What, NodeName Producer,
                              NodeName Consumer) {
  const Relation &Known = What.How->What;
  const Encoding &Form = What.How->Form;
  RecordedRelation Out;
  Out.Producer = Producer.Number;
  Out.ProducerIsCopy = Producer.IsCopy;
  Out.Consumer = Consumer.Number;
  Out.ConsumerIsCopy = Consumer.IsCopy;
  Out.Hazards = Known.Hazards;
  Out.Exact = Known.Exact;
  Out.Implied = What.Implied;
  Out.Header = Form.Header;
  Out.Pieces = Form.Pieces;
  for (size_t I = 0; I < Form.Pieces.size(); ++I)
    Out.PieceHazards.push_back(Known.Pieces[I].Hazards);
  Out.List = Form.List;
  Out.Reason = Known.Reason;
  return Out;
}

} // namespace blockmaestro
