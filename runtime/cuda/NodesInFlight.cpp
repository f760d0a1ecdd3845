// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodesInFlight.h"

#include <algorithm>
#include <ranges>

namespace blockmaestro {

/// Of each memo of the window.
static constexpr size_t MemoEntries = 1024;

NodesInFlight::NodesInFlight(unsigned Depth, HazardChoice Hazards)
    : Depth(Depth), Related(Depth, MemoEntries, Hazards) {}

/// Sets Unordered for what is issued on the stream next.
void NodesInFlight::findUnordered(cudaStream_t Stream) {
  Unordered.clear();
  Order.arrive(Stream);
  if (Order.isTotal())
    return;
  Unordered = where([&](const FlightNode &Each) {
    return !Order.isBefore(Each.Number, Each.Stream, Stream);
  });
}

Admission NodesInFlight::admit(const Launch &What, const AllocationMap &Known,
                               cudaStream_t Stream, bool WithImplied) {
  findUnordered(Stream);
  return Related.admit(Next, What, Known, {Unordered, WithImplied});
}

Admission NodesInFlight::admit(const LaunchAccesses &Touched,
                               cudaStream_t Stream, bool WithImplied) {
  findUnordered(Stream);
  return Related.admit(Next, Touched, {Unordered, WithImplied});
}

Admission NodesInFlight::admitBehindAll(const LaunchAccesses &Touched,
                                        bool WithImplied) {
  Unordered.clear();
  return Related.admit(Next, Touched, {{}, WithImplied});
}

const FlightNode &NodesInFlight::find(uint64_t Number) const {
  return *std::ranges::lower_bound(Nodes, Number, {}, &FlightNode::Number);
}

void NodesInFlight::enter(FlightNode Mine) {
  Works += !Mine.IsEvent;
  Order.issued(Next, Mine.Stream, Works);
  Mine.Number = Next++;
  Events += Mine.IsEvent;
  Nodes.push_back(std::move(Mine));
  dropCompleted();
}

void NodesInFlight::dropCompleted() {
  const uint64_t Most = uint64_t(Depth) + 1;
  if (Events > 0)
    Events -= std::erase_if(Nodes, [&](const FlightNode &Each) {
      return Each.IsEvent && Each.Number + Most < Next;
    });
  if (Nodes.size() - Events > Most)
    Nodes.erase(std::ranges::find(Nodes, false, &FlightNode::IsEvent));
}

std::vector<uint64_t> NodesInFlight::beside() const {
  std::vector<uint64_t> Out =
      where([](const FlightNode &Each) { return !Each.IsEvent; });
  if (Out.size() > Depth)
    Out.erase(Out.begin());
  return Out;
}

/// Records of one event keep their order, whatever streams they are on.
std::vector<Dependence> NodesInFlight::admitRecord(cudaEvent_t Event,
                                                   cudaStream_t Stream) {
  const std::optional<uint64_t> Before = recordOf(Event);
  findUnordered(Stream);
  std::vector<Dependence> Out;
  for (const FlightNode &Each : Nodes) {
    if (Each.Number < Fence ||
        (std::ranges::binary_search(Unordered, Each.Number) &&
         Each.Number != Before))
      continue;
    Dependence All;
    All.Producer = Each.Number;
    All.Header = {uint32_t(RelationKind::Full),
                  0,
                  {Each.Grid.X, Each.Grid.Y, Each.Grid.Z}};
    Out.push_back(std::move(All));
  }
  Records[Event] = Next;
  return Out;
}

std::optional<uint64_t> NodesInFlight::recordOf(cudaEvent_t Event) const {
  auto Found = Records.find(Event);
  return Found != Records.end() && Found->second + Depth + 1 >= Next
             ? std::optional(Found->second)
             : std::nullopt;
}

void NodesInFlight::forget(cudaEvent_t Event) {
  Records.erase(Event);
  Order.forget(Event);
}

void NodesInFlight::clear() {
  Related.clear();
  Order.clear();
  Nodes.clear();
  Events = 0;
  Records.clear();
}

void NodesInFlight::hostHasSeen() {
  for (FlightNode &Each : Nodes)
    Each.HostSees = false;
}

Dependence dependenceOn(const Need &Of) {
  const Encoding &Form = Of.How->Form;
  return {Of.Producer, Form.Header, Form.Pieces, Form.List};
}

std::vector<Dependence>
NodesInFlight::dependences(const Admission &Entry) const {
  std::vector<Dependence> Out;
  for (const Need &Each : Entry.Needs)
    if (!Each.Implied && Each.Producer >= Fence)
      Out.push_back(dependenceOn(Each));
  return Out;
}

std::vector<RecordedRelation> NodesInFlight::recorded(const Admission &Entry,
                                                      NodeName Consumer) const {
  std::vector<RecordedRelation> Out;
  for (const Need &Each : Entry.Needs)
    Out.push_back(recordedForm(Each, find(Each.Producer).Name, Consumer));
  return Out;
}

} // namespace blockmaestro
