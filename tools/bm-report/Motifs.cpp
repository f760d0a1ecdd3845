// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Motifs.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace llvm;

namespace blockmaestro {
namespace {

/// What a part of the sequence is: a launch, or a loop. Equal parts have equal
/// numbers.
struct Part {
  std::vector<uint32_t> Body; ///< Of a loop the parts of one round.
  uint32_t Count = 1;
  uint64_t Launches = 1; ///< In all rounds.
};

class Folder {
public:
  explicit Folder(ArrayRef<uint32_t> Kinds) {
    for (uint32_t Each : Kinds) {
      push(launch(Each));
      while (foldOnce()) {
      }
    }
  }

  std::vector<MotifNode> nodes() const;

private:
  static constexpr uint64_t Base = 0x9e3779b97f4a7c15;

  uint32_t launch(uint32_t Kind);
  uint32_t loop(std::vector<uint32_t> Body, uint32_t Count);
  void push(uint32_t Number);
  void pop(size_t Count);
  bool foldOnce();
  bool addRound(size_t Length);
  bool makeLoop(size_t Length);
  bool areEqual(size_t A, size_t B, size_t Length) const;
  uint64_t hashOf(size_t At, size_t Length) const;
  uint64_t power(size_t Of) const { return Powers[Of]; }
  void addNodes(uint32_t Number, uint64_t First,
                std::vector<MotifNode> &To) const;

  std::vector<Part> Parts;
  std::map<uint32_t, uint32_t> Launches; ///< By kind.
  std::map<std::pair<std::vector<uint32_t>, uint32_t>, uint32_t> Loops;
  std::vector<uint32_t> Stack;
  std::vector<uint64_t> Hashes = {0}; ///< Of all below each place.
  std::vector<uint64_t> Powers = {1};
};

} // namespace

uint32_t Folder::launch(uint32_t Kind) {
  const auto [Where, New] = Launches.try_emplace(Kind, uint32_t(Parts.size()));
  if (New)
    Parts.emplace_back();
  return Where->second;
}

uint32_t Folder::loop(std::vector<uint32_t> Body, uint32_t Count) {
  const auto [Where, New] =
      Loops.try_emplace({Body, Count}, uint32_t(Parts.size()));
  if (New) {
    uint64_t Round = 0;
    for (uint32_t Each : Body)
      Round += Parts[Each].Launches;
    Parts.push_back({std::move(Body), Count, Round * Count});
  }
  return Where->second;
}

void Folder::push(uint32_t Number) {
  Stack.push_back(Number);
  Hashes.push_back(Hashes.back() * Base + Number + 1);
  if (Powers.size() <= Stack.size())
    Powers.push_back(Powers.back() * Base);
}

void Folder::pop(size_t Count) {
  Stack.resize(Stack.size() - Count);
  Hashes.resize(Hashes.size() - Count);
}

uint64_t Folder::hashOf(size_t At, size_t Length) const {
  return Hashes[At + Length] - Hashes[At] * power(Length);
}

bool Folder::areEqual(size_t A, size_t B, size_t Length) const {
  return hashOf(A, Length) == hashOf(B, Length) &&
         std::equal(Stack.begin() + ptrdiff_t(A),
                    Stack.begin() + ptrdiff_t(A + Length),
                    Stack.begin() + ptrdiff_t(B));
}

/// The last Length parts are one more round of the loop below them.
bool Folder::addRound(size_t Length) {
  if (Stack.size() <= Length)
    return false;
  const Part &Below = Parts[Stack[Stack.size() - Length - 1]];
  if (Below.Body.size() != Length || Below.Body.back() != Stack.back() ||
      !std::equal(Below.Body.begin(), Below.Body.end(),
                  Stack.end() - ptrdiff_t(Length)))
    return false;
  const uint32_t Longer = loop(Below.Body, Below.Count + 1);
  pop(Length + 1);
  push(Longer);
  return true;
}

/// The last Length parts are the same as those before them.
bool Folder::makeLoop(size_t Length) {
  const size_t Size = Stack.size();
  if (Size < 2 * Length || Stack[Size - 1] != Stack[Size - 1 - Length] ||
      !areEqual(Size - Length, Size - 2 * Length, Length))
    return false;
  const uint32_t Loop = loop({Stack.end() - ptrdiff_t(Length), Stack.end()}, 2);
  pop(2 * Length);
  push(Loop);
  return true;
}

bool Folder::foldOnce() {
  for (size_t Length = 1; Length <= std::min(MostBody, Stack.size()); ++Length)
    if (addRound(Length) || makeLoop(Length))
      return true;
  return false;
}

void Folder::addNodes(uint32_t Number, uint64_t First,
                      std::vector<MotifNode> &To) const {
  const Part &Of = Parts[Number];
  To.push_back({Of.Count, uint32_t(Of.Body.size()), uint32_t(First)});
  for (uint32_t Each : Of.Body) {
    addNodes(Each, First, To);
    First += Parts[Each].Launches;
  }
}

std::vector<MotifNode> Folder::nodes() const {
  std::vector<MotifNode> Out = {{1, uint32_t(Stack.size()), 0}};
  uint64_t First = 0;
  for (uint32_t Each : Stack) {
    addNodes(Each, First, Out);
    First += Parts[Each].Launches;
  }
  return Out;
}

std::vector<MotifNode> findMotifs(ArrayRef<uint32_t> Kinds) {
  return Folder(Kinds).nodes();
}

/// Appends those of the node at Number, and returns the number behind it.
static uint32_t addPositions(ArrayRef<MotifNode> Nodes, uint32_t Number,
                             std::vector<uint32_t> &To) {
  const MotifNode &Of = Nodes[Number];
  if (Of.Children == 0) {
    To.push_back(Number);
    return Number + 1;
  }
  const size_t Begin = To.size();
  uint32_t Next = Number + 1;
  for (uint32_t I = 0; I < Of.Children; ++I)
    Next = addPositions(Nodes, Next, To);
  const size_t Round = To.size() - Begin;
  To.reserve(Begin + Round * Of.Count);
  for (uint32_t I = 1; I < Of.Count; ++I)
    std::copy_n(To.begin() + ptrdiff_t(Begin), Round, std::back_inserter(To));
  return Next;
}

std::vector<uint32_t> motifPositions(ArrayRef<MotifNode> Nodes) {
  std::vector<uint32_t> Out;
  if (Nodes.front().Children > 0)
    addPositions(Nodes, 0, Out);
  return Out;
}

} // namespace blockmaestro
