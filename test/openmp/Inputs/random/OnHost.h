// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a program's tasks do, one after the other and without
// OpenMP.

#ifndef BLOCKMAESTRO_TEST_OPENMP_RANDOM_ONHOST_H
#define BLOCKMAESTRO_TEST_OPENMP_RANDOM_ONHOST_H

#include "Program.h"

class OnHost {
public:
  OnHost(const Program &Of, std::vector<unsigned> &W) : Of(Of), W(W) {}

  /// Tasks that were created.
  long run(const Program::Round &Round) {
    Now = &Round;
    Seen = 1;
    Sum = Known = 0;
    Pair[0] = Pair[1] = Pair[2] = 0;
    for (int I = 0; I < Locals; ++I)
      Local[I] = I;
    const int Count = int(Round.Steps.size());
    for (int I = 0; I < Count; I += 1 + take(Round.Steps[I], I))
      ;
    if (Round.As == Form::Quiet)
      return Tasks;
    for (int I = 0; I < Locals; ++I)
      W[Of.Words + Aside + I] += Local[I];
    W[Of.Words + Aside] += Sum + Seen + Pair[0] + Pair[1] + Pair[2];
    return Tasks;
  }

private:
  unsigned digest(Range A, unsigned Salt) const {
    unsigned Out = Salt;
    for (int I = 0; I < A.Count; ++I)
      Out += mixed(W[A.Begin + I], unsigned(I), Salt);
    return Out;
  }
  void mixAll(Range B, unsigned From, unsigned Salt) {
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] = mixed(W[B.Begin + I], From + unsigned(I), Salt);
  }
  void addAll(Range B, unsigned From) {
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] += From + unsigned(I);
  }

  /// How many of the following steps are left out.
  int take(const Step &S, int At) {
    if (S.Kind <= StepKind::AllMemory) {
      task(S);
      return 0;
    }
    if (S.Kind == StepKind::Group)
      for (int I = 1; I <= S.Number; ++I)
        task(Now->Steps[At + I]);
    return wait(S);
  }

  void task(const Step &S) {
    const unsigned Salt = S.Salt + Seen;
    ++Tasks;
    switch (S.Kind) {
    case StepKind::Mix:
      for (int I = 0; I < S.B.Count; ++I)
        W[S.B.Begin + I] =
            mixed(W[S.B.Begin + I], W[S.A.Begin + I % S.A.Count], Salt);
      break;
    case StepKind::ParallelMix:
      mixAll(S.B, digest(S.A, Salt) + digest(S.C, Salt + 1), Salt);
      break;
    case StepKind::Reduce: {
      const unsigned From = digest(S.A, Salt) ^ digest(S.C, Salt);
      for (int I = 0; I < S.B.Count; ++I)
        W[S.B.Begin + I] = From * unsigned(I + 1);
      break;
    }
    case StepKind::MutexAdd:
    case StepKind::SetAdd:
      addAll(S.B, digest(S.A, Salt));
      break;
    case StepKind::IterateOut: {
      const unsigned From = digest(S.A, Salt);
      for (int I = 0; I < S.Number; ++I)
        mixAll(Now->Ranges[S.First + I], From, Salt);
      break;
    }
    case StepKind::IterateIn: {
      unsigned From = 0;
      for (int I = 0; I < S.Number; ++I)
        From += digest(Now->Ranges[S.First + I], Salt);
      mixAll(S.B, From, Salt);
      break;
    }
    default:
      taskOfRegion(S, Salt);
    }
  }

  /// The others.
  void taskOfRegion(const Step &S, unsigned Salt) {
    switch (S.Kind) {
    case StepKind::LocalByAddress: {
      unsigned &One = Local[S.C.Begin];
      One = mixed(One, digest(S.A, Salt), Salt);
      break;
    }
    case StepKind::SharedWrite:
      Sum = mixed(Sum, digest(S.A, Salt), Salt);
      break;
    case StepKind::SharedRead:
      mixAll(S.B, Sum, Salt);
      break;
    case StepKind::KnownRead:
      mixAll(S.B, Known, Salt);
      break;
    case StepKind::Structure:
      Pair[1] = mixed(Pair[1], digest(S.A, Salt) + Pair[0], Salt);
      break;
    case StepKind::Copies:
      copies(S, CopiedWords, Salt);
      break;
    case StepKind::BigCopies:
      copies(S, BigWords, Salt);
      break;
    case StepKind::Undeferred:
      mixAll(S.B, digest(S.A, Salt), Salt);
      Seen += digest(S.B, 7);
      break;
    default: // Team, Depobj, Final, AllMemory
      mixAll(S.B, digest(S.A, Salt), Salt);
    }
  }

  void copies(const Step &S, int Count, unsigned Salt) {
    unsigned From = digest(S.A, Salt);
    for (int I = 0; I < Count; ++I)
      From += mixed(unsigned(I), Seen, S.Salt) * unsigned(I + 1);
    mixAll(S.B, From, Salt);
  }

  int wait(const Step &S) {
    switch (S.Kind) {
    case StepKind::Group:
      Seen += Now->As == Form::Quiet ? 0 : digest(S.B, 7);
      return S.Number;
    case StepKind::Loop:
      for (int I = 0; I < S.B.Count; ++I)
        W[S.B.Begin + I] =
            mixed(W[S.B.Begin + I], unsigned(I) + Known, S.Salt + Seen);
      Seen += digest(S.B, 7);
      return 0;
    case StepKind::LoopAside:
      for (int I = 0; I < Aside; ++I)
        W[Of.Words + I] = mixed(W[Of.Words + I], unsigned(I), S.Salt + Seen);
      return 0;
    case StepKind::WaitAll:
      Seen += digest(S.A, 7);
      W[S.B.Begin] = mixed(W[S.B.Begin], Seen, S.Salt);
      Known = mixed(Known, Seen, S.Salt);
      Sum += Known;
      Pair[0] = Known;
      Local[1] += Seen;
      return 0;
    case StepKind::WaitIn:
      Seen += digest(S.A, 7);
      return 0;
    case StepKind::WaitOut:
      W[S.B.Begin + S.B.Count - 1] ^= Seen + S.Salt;
      return 0;
    default: // Choose
      return W[S.A.Begin] & 1 ? S.Number : 0;
    }
  }

  const Program &Of;
  std::vector<unsigned> &W;
  const Program::Round *Now = nullptr;
  unsigned Local[Locals] = {}, Seen = 0, Sum = 0, Known = 0, Pair[3] = {};
  long Tasks = 0;
};

#endif
