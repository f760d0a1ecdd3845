// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writes random sequences of launches as one CUDA source, for the script
// `sequences`, which compiles and runs it.
//
//   bm-sequences [--first-seed N] [--programs N] [--affine] [--relocatable]
//   bm-sequences --seed N [--affine] [--relocatable] [--edits I,J,...]
//                [--smaller FROM COUNT]
//
// The second form writes one sequence after some steps of making it smaller,
// each by its number among all that are possible; with --smaller instead up to
// COUNT defined ones that are a step smaller still, from number FROM on. A
// program is called by its seed, or by the number of its step. With
// --relocatable a line "// second file" divides two files, which are linked.

#include "Sequence.h"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>

using namespace blockmaestro::soundness;

namespace {

struct Options {
  uint32_t FirstSeed = 1;
  uint32_t Programs = 1;
  bool Affine = false;
  bool Relocatable = false;
  std::vector<size_t> Edits;
  bool Smaller = false;
  size_t From = 0;
  size_t Count = 0;
};

bool parse(int Count, char **Given, Options &Out) {
  auto Number = [&](int &I) -> size_t {
    return I + 1 < Count ? std::strtoull(Given[++I], nullptr, 10) : 0;
  };
  for (int I = 1; I < Count; ++I) {
    const std::string Name = Given[I];
    if (Name == "--first-seed" || Name == "--seed") {
      Out.FirstSeed = Number(I);
    } else if (Name == "--programs") {
      Out.Programs = Number(I);
    } else if (Name == "--affine") {
      Out.Affine = true;
    } else if (Name == "--relocatable") {
      Out.Relocatable = true;
    } else if (Name == "--edits" && I + 1 < Count) {
      std::istringstream List(Given[++I]);
      for (std::string Each; std::getline(List, Each, ',');)
        Out.Edits.push_back(std::strtoull(Each.c_str(), nullptr, 10));
    } else if (Name == "--smaller") {
      Out.Smaller = true;
      Out.From = Number(I);
      Out.Count = Number(I);
    } else {
      std::cerr << "bm-sequences: unknown argument " << Name << "\n";
      return false;
    }
  }
  return true;
}

class Writer {
public:
  explicit Writer(const Options &Asked) : Asked(Asked) {}

  void write(const Sequence &S, uint32_t Label, bool Deterministic);
  void writeSmaller(const Sequence &S);
  void finish();

private:
  const Options &Asked;
  std::string Calls, Second;
};

/// The sequence's source behind a line that says what it is.
void Writer::write(const Sequence &S, uint32_t Label, bool Deterministic) {
  std::cout << "// program " << Label << " kernels " << S.Kernels.size()
            << " deterministic " << Deterministic << "\n"
            << print(S, Label, Asked.Relocatable);
  if (Asked.Relocatable)
    Second += printStrong(S, Label);
  const std::string Text = std::to_string(Label);
  Calls += "  if (wanted(" + Text + "))\n    program" + Text + "();\n";
}

void Writer::writeSmaller(const Sequence &S) {
  const std::vector<Sequence> All = smaller(S);
  size_t Written = 0;
  for (size_t I = Asked.From; I < All.size() && Written < Asked.Count; ++I)
    if (const Judgement How = judge(All[I]); How.Undefined.empty()) {
      write(All[I], I, How.Deterministic);
      ++Written;
    }
}

void Writer::finish() {
  std::cout << "void programs() {\n" << Calls << "}\n";
  if (Asked.Relocatable)
    std::cout << "// second file\n#include \"SequenceProgram.h\"\n" << Second;
}

} // namespace

int main(int Count, char **Given) {
  Options Asked;
  if (!parse(Count, Given, Asked))
    return 2;
  Writer To(Asked);
  std::cout << "#include \"SequenceProgram.h\"\n";
  for (uint32_t I = 0; I < Asked.Programs; ++I) {
    Sequence S = makeSequence(Asked.FirstSeed + I, Asked.Affine);
    for (size_t Each : Asked.Edits)
      S = smaller(S).at(Each);
    if (Asked.Smaller)
      To.writeSmaller(S);
    else
      To.write(S, S.Seed,
               Asked.Edits.empty() ? S.Deterministic : judge(S).Deterministic);
  }
  To.finish();
  return 0;
}
