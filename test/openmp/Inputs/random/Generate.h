// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the program that a number stands for.

#ifndef BLOCKMAESTRO_TEST_OPENMP_RANDOM_GENERATE_H
#define BLOCKMAESTRO_TEST_OPENMP_RANDOM_GENERATE_H

#include "Program.h"

#include <random>

class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  Program make() {
    Out.Words = number(20, 400);
    Tile = number(1, std::max(1, Out.Words / 4));
    Overlap = number(0, 2);
    Out.Mapped = chance(2);
    for (int I = 0; I < Out.allWords(); ++I)
      Out.Start.push_back(unsigned(Random()));
    add(round(number(3, 50)));
    while (chance(2) || chance(3))
      add(changed(Out.Rounds.back()));
    return Out;
  }

private:
  int number(int Least, int Most) {
    return Least + int(Random() % unsigned(Most - Least + 1));
  }
  bool chance(int OneIn) { return number(1, OneIn) == 1; }

  /// A region that only creates tasks is known when it comes for the third
  /// time.
  void add(const Program::Round &New) {
    const int Times = New.As == Form::Quiet && chance(2) ? number(3, 5) : 1;
    Out.Rounds.insert(Out.Rounds.end(), size_t(Times), New);
  }

  /// A whole tile, or any bytes.
  Range range() {
    if (Overlap == 0 || (Overlap == 1 && !chance(4))) {
      const int Place = number(0, Out.Words / Tile - 1);
      return {Place * Tile, Tile};
    }
    const int Begin = number(0, Out.Words - 1);
    return {Begin, number(1, std::min(Out.Words - Begin, 2 * Tile))};
  }

  /// How many ranges have been added.
  int addAny(Program::Round &To) {
    const int Number = number(0, 5);
    for (int I = 0; I < Number; ++I)
      To.Ranges.push_back(range());
    return Number;
  }

  /// The same, of rows that stand one below the other: of a tile, or of a
  /// triangle of one.
  int addRows(Program::Round &To) {
    constexpr int Number = 8;
    const int Pitch = Out.Words / (Number + 1);
    const int Width = std::max(1, Pitch / 2), Column = number(0, 1) * Width;
    const int Shape = Pitch < Number ? 2 : number(0, 3);
    for (int I = 0; I < Number; ++I) {
      const int Row = I * Pitch + Column;
      if (Shape == 0)
        To.Ranges.push_back({Row, I + 1});
      else if (Shape == 1)
        To.Ranges.push_back({Row + I, Number - I});
      else
        To.Ranges.push_back({Row, Width});
    }
    return Number;
  }

  Step step(StepKind Kind, Program::Round &Of) {
    Step S = {Kind, range(), range(),      range(),
              0,    0,       number(1, 9), unsigned(Random())};
    if (Kind == StepKind::LocalByAddress)
      S.C = {number(0, Locals - 1), 1};
    if (Kind == StepKind::IterateOut || Kind == StepKind::IterateIn) {
      S.First = int(Of.Ranges.size());
      const bool Room = S.First < Program::Most / 2;
      S.Number = Room && chance(2) ? addRows(Of) : addAny(Of);
    }
    if (Kind == StepKind::Undeferred)
      S.Flag = 1;
    return S;
  }

  StepKind kind(StepKind Last) { return StepKind(number(0, int(Last))); }

  Program::Round round(int Length) {
    Program::Round New;
    New.As = Form(number(0, int(Form::Last)));
    const int Waits = number(1, 4);
    while (int(New.Steps.size()) < Length)
      addSteps(New, Waits);
    settleGroups(New);
    return New;
  }

  void addGroup(Program::Round &To, StepKind Last) {
    const size_t At = To.Steps.size();
    To.Steps.push_back(step(StepKind::Group, To));
    To.Steps[At].Number = number(1, 8);
    for (int I = 0; I < To.Steps[At].Number; ++I)
      To.Steps.push_back(step(kind(Last), To));
  }

  void addQuietSteps(Program::Round &To) {
    constexpr StepKind Special[] = {StepKind::Depobj, StepKind::Copies,
                                    StepKind::BigCopies, StepKind::Final,
                                    StepKind::AllMemory};
    if (chance(10))
      addGroup(To, StepKind::IterateIn);
    else if (chance(3))
      To.Steps.push_back(step(Special[number(0, 4)], To));
    else
      To.Steps.push_back(step(kind(StepKind::IterateIn), To));
  }

  /// One, with those that belong to it.
  void addSteps(Program::Round &To, int Waits) {
    if (To.As == Form::Quiet)
      return addQuietSteps(To);
    if (number(0, 11) >= Waits) {
      To.Steps.push_back(step(chance(2) ? kind(StepKind::LastInGroup)
                                        : kind(StepKind::AllMemory),
                              To));
      return;
    }
    const StepKind Kind =
        StepKind(number(int(StepKind::Group), int(StepKind::Choose)));
    if (Kind == StepKind::Group)
      return addGroup(To, StepKind::LastInGroup);
    Step S = step(Kind, To);
    if (Kind == StepKind::Choose)
      S.Number = number(1, 4);
    To.Steps.push_back(S);
    for (int I = 0; Kind == StepKind::Choose && I < S.Number; ++I)
      To.Steps.push_back(step(kind(StepKind::AllMemory), To));
  }

  /// What nobody changes any more when a group of the step has come to its end:
  /// tasks of sets may have others beside them that the group does not wait
  /// for.
  static Range settled(const Step &S) {
    switch (S.Kind) {
    case StepKind::MutexAdd:
    case StepKind::SetAdd:
    case StepKind::IterateOut:
    case StepKind::LocalByAddress:
      return S.A;
    default:
      return S.B;
    }
  }

  static void settleGroups(Program::Round &Of) {
    for (size_t I = 0; I < Of.Steps.size(); ++I)
      if (Of.Steps[I].Kind == StepKind::Group)
        Of.Steps[I].B = settled(Of.Steps[I + 1]);
  }

  /// The next round: the same, with other data, or partly or wholly another.
  Program::Round changed(const Program::Round &Last) {
    Program::Round New = Last;
    switch (number(0, 4)) {
    case 0:
      break;
    case 1:
      for (Step &S : New.Steps)
        S.Salt += 1;
      break;
    case 2: {
      New.Steps[size_t(number(0, int(New.Steps.size()) - 1))].A = range();
      settleGroups(New);
      break;
    }
    case 3:
      for (int I = number(1, 3); I > 0; --I)
        addSteps(New, 4);
      settleGroups(New);
      break;
    default:
      New = round(number(3, 50));
    }
    return New;
  }

  std::mt19937 Random;
  Program Out;
  int Tile = 1, Overlap = 0;
};

#endif
