// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a program's rounds as target regions with tasks.

#ifndef BLOCKMAESTRO_TEST_OPENMP_RANDOM_ONDEVICE_H
#define BLOCKMAESTRO_TEST_OPENMP_RANDOM_ONDEVICE_H

#include "TaskBodies.h"

#pragma omp declare target

/// Tasks with a range or two.
static void createPlain(const Step &S, unsigned Salt, unsigned *W) {
  const Range A = S.A, B = S.B, C = S.C;
  switch (S.Kind) {
  case StepKind::Mix:
#pragma omp task firstprivate(A, B, Salt) depend(in : W[A.Begin : A.Count])    \
    depend(inout : W[B.Begin : B.Count])
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] = mixed(W[B.Begin + I], W[A.Begin + I % A.Count], Salt);
    break;
  case StepKind::ParallelMix:
#pragma omp task depend(in : W[A.Begin : A.Count], W[C.Begin : C.Count])       \
    depend(inout : W[B.Begin : B.Count])
    mixTogether(W, A, B, teamDigest(W, A, Salt) + teamDigest(W, C, Salt + 1),
                Salt);
    break;
  case StepKind::Reduce:
#pragma omp task depend(in : W[A.Begin : A.Count], W[C.Begin : C.Count])       \
    depend(out : W[B.Begin : B.Count]) firstprivate(A, B, C)
  {
    const unsigned From = teamDigest(W, A, Salt) ^ teamDigest(W, C, Salt);
#pragma omp parallel for
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] = From * unsigned(I + 1);
  } break;
  case StepKind::Team:
#pragma omp task depend(in : W[A.Begin : A.Count])                             \
    depend(inout : W[B.Begin : B.Count])
    workInTeam(W, A, B, S.Flag, Salt);
    break;
  case StepKind::MutexAdd:
#pragma omp task depend(in : W[A.Begin : A.Count])                             \
    depend(mutexinoutset : W[B.Begin : B.Count])
    addTogether(W, B, digest(W, A, Salt));
    break;
  case StepKind::SetAdd:
#pragma omp task depend(in : W[A.Begin : A.Count])                             \
    depend(inoutset : W[B.Begin : B.Count])
    addAtomically(W, B, digest(W, A, Salt));
    break;
  default:
    break;
  }
}

/// Tasks with as many ranges as the step has, and of a local.
static void createOfMany(const Step &S, unsigned Salt, const Range *R,
                         unsigned *W, unsigned *Local) {
  const Range A = S.A, B = S.B;
  switch (S.Kind) {
  case StepKind::IterateOut: {
    const Range *Mine = R + S.First;
    const int Number = S.Number;
#pragma omp task depend(in : W[A.Begin : A.Count])                             \
    depend(iterator(I = 0 : Number), inout : W[Mine[I].Begin : Mine[I].Count])
    {
      const unsigned From = digest(W, A, Salt);
      for (int I = 0; I < Number; ++I)
        mixAll(W, Mine[I], From, Salt);
    }
    break;
  }
  case StepKind::IterateIn: {
    const Range *Mine = R + S.First;
    const int Number = S.Number;
#pragma omp task depend(iterator(I = 0 : Number),                              \
                            in : W[Mine[I].Begin : Mine[I].Count])             \
    depend(inout : W[B.Begin : B.Count])
    {
      unsigned From = 0;
      for (int I = 0; I < Number; ++I)
        From += digest(W, Mine[I], Salt);
      mixTogether(W, A, B, From, Salt);
    }
    break;
  }
  default: { // LocalByAddress
    unsigned *One = Local + S.C.Begin;
#pragma omp task depend(in : W[A.Begin : A.Count]) depend(inout : One[0])
    *One = mixed(*One, digest(W, A, Salt), Salt);
  }
  }
}

/// Of the tasks that may be in a group.
static void createTask(const Step &S, unsigned Salt, const Range *R,
                       unsigned *W, unsigned *Local) {
  if (S.Kind < StepKind::IterateOut)
    createPlain(S, Salt, W);
  else
    createOfMany(S, Salt, R, W, Local);
}

struct Parts {
  unsigned First, Second, Third;
};

/// Tasks that share variables of the region.
static void createSharing(const Step &S, unsigned Salt, unsigned *W,
                          unsigned &Sum, unsigned &Known, Parts &Pair) {
  const Range A = S.A, B = S.B;
  switch (S.Kind) {
  case StepKind::SharedWrite:
#pragma omp task shared(Sum) depend(in : W[A.Begin : A.Count])                 \
    depend(inout : Sum)
    Sum = mixed(Sum, digest(W, A, Salt), Salt);
    break;
  case StepKind::SharedRead:
#pragma omp task shared(Sum) depend(in : Sum)                                  \
    depend(inout : W[B.Begin : B.Count])
    mixAll(W, B, Sum, Salt);
    break;
  case StepKind::KnownRead:
#pragma omp task shared(Known) depend(inout : W[B.Begin : B.Count])
#pragma omp parallel for
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] = mixed(W[B.Begin + I], Known + unsigned(I), Salt);
    break;
  case StepKind::Structure:
#pragma omp task shared(Pair) depend(in : W[A.Begin : A.Count])                \
    depend(inout : Pair)
    Pair.Second = mixed(Pair.Second, digest(W, A, Salt) + Pair.First, Salt);
    break;
  default:
    break;
  }
}

/// Tasks that have copies, made of what the region has seen.
static void createCopying(const Step &S, unsigned Seen, unsigned *W) {
  const Range A = S.A, B = S.B;
  const unsigned Salt = S.Salt + Seen;
  switch (S.Kind) {
  case StepKind::Copies: {
    unsigned Copy[CopiedWords];
    for (int I = 0; I < CopiedWords; ++I)
      Copy[I] = mixed(unsigned(I), Seen, S.Salt);
#pragma omp task firstprivate(Copy) depend(in : W[A.Begin : A.Count])          \
    depend(inout : W[B.Begin : B.Count])
    mixAll(W, B, digest(W, A, Salt) + copiesDigest(Copy, CopiedWords), Salt);
    break;
  }
  case StepKind::BigCopies: {
    unsigned Copy[BigWords];
    for (int I = 0; I < BigWords; ++I)
      Copy[I] = mixed(unsigned(I), Seen, S.Salt);
#pragma omp task firstprivate(Copy) depend(in : W[A.Begin : A.Count])          \
    depend(inout : W[B.Begin : B.Count])
    mixAll(W, B, digest(W, A, Salt) + copiesDigest(Copy, BigWords), Salt);
    break;
  }
  default:
    break;
  }
}

/// The others.
static void createSpecial(const Step &S, unsigned Salt, unsigned *W) {
  const Range A = S.A, B = S.B;
  switch (S.Kind) {
  case StepKind::Depobj: {
    omp_depend_t In, Out;
#pragma omp depobj(In) depend(in : W[A.Begin : A.Count])
#pragma omp depobj(Out) depend(inout : W[B.Begin : B.Count])
#pragma omp task depend(depobj : In, Out)
    mixAll(W, B, digest(W, A, Salt), Salt);
#pragma omp depobj(In) destroy
#pragma omp depobj(Out) destroy
    break;
  }
  case StepKind::Undeferred:
#pragma omp task if (S.Flag < 0) depend(in : W[A.Begin : A.Count])             \
    depend(inout : W[B.Begin : B.Count])
    mixTogether(W, A, B, digest(W, A, Salt), Salt);
    break;
  case StepKind::Final: {
    unsigned Scratch = 5;
#pragma omp task final(S.Flag % 2) untied priority(S.Flag) private(Scratch)    \
    depend(in : W[A.Begin : A.Count]) depend(inout : W[B.Begin : B.Count])
    {
      Scratch = digest(W, A, Salt);
      mixAll(W, B, Scratch, Salt);
    }
    break;
  }
  case StepKind::AllMemory:
#pragma omp task depend(inout : omp_all_memory)
    mixAll(W, B, digest(W, A, Salt), Salt);
    break;
  default:
    break;
  }
}

static void createLoop(const Step &S, unsigned Salt, unsigned *W, int Words,
                       unsigned &Known) {
  const Range B = S.B;
  switch (S.Kind) {
  case StepKind::Loop: {
#pragma omp taskwait
    if (S.Flag % 2 == 0) {
#pragma omp taskloop grainsize(S.Flag) shared(Known)
      for (int I = 0; I < B.Count; ++I)
        W[B.Begin + I] = mixed(W[B.Begin + I], unsigned(I) + Known, Salt);
    } else {
#pragma omp taskloop num_tasks(S.Flag) shared(Known) nogroup
      for (int I = 0; I < B.Count; ++I)
        W[B.Begin + I] = mixed(W[B.Begin + I], unsigned(I) + Known, Salt);
#pragma omp taskwait
    }
    break;
  }
  case StepKind::LoopAside:
#pragma omp taskloop
    for (int I = 0; I < Aside; ++I)
      W[Words + I] = mixed(W[Words + I], unsigned(I), Salt);
    break;
  default:
    break;
  }
}

/// Behind the wait the region looks at A, or writes to B, or both.
static void waitFor(const Step &S, unsigned *W, unsigned &Seen) {
  const Range A = S.A, B = S.B;
  if (S.Kind == StepKind::WaitAll) {
#pragma omp taskwait
    Seen += digest(W, A, 7);
    W[B.Begin] = mixed(W[B.Begin], Seen, S.Salt);
  } else if (S.Kind == StepKind::WaitIn) {
#pragma omp taskwait depend(in : W[A.Begin : A.Count])
    Seen += digest(W, A, 7);
  } else {
#pragma omp taskwait depend(inout : W[B.Begin : B.Count])
    W[B.Begin + B.Count - 1] ^= Seen + S.Salt;
  }
}

/// How many steps; the region sees what tasks have written.
static int toLeaveOut(const Step &S, const unsigned *W) {
#pragma omp taskwait
  return W[S.A.Begin] & 1 ? S.Number : 0;
}

/// Whether the region looks at B when it has taken the step.
static bool isLookedAt(StepKind Kind) {
  return Kind == StepKind::Undeferred || Kind == StepKind::Group ||
         Kind == StepKind::Loop;
}

/// Takes all steps in turn.
static void takeSteps(const Step *Steps, int Count, const Range *R, unsigned *W,
                      int Words) {
  unsigned Local[Locals], Seen = 1, Sum = 0, Known = 0;
  Parts Pair = {0, 0, 0};
  for (int I = 0; I < Locals; ++I)
    Local[I] = unsigned(I);
  for (int At = 0; At < Count; ++At) {
    const Step S = Steps[At];
    const unsigned Salt = S.Salt + Seen;
    switch (S.Kind) {
    case StepKind::SharedWrite:
    case StepKind::SharedRead:
    case StepKind::KnownRead:
    case StepKind::Structure:
      createSharing(S, Salt, W, Sum, Known, Pair);
      break;
    case StepKind::Copies:
    case StepKind::BigCopies:
      createCopying(S, Seen, W);
      break;
    case StepKind::Depobj:
    case StepKind::Undeferred:
    case StepKind::Final:
    case StepKind::AllMemory:
      createSpecial(S, Salt, W);
      break;
    case StepKind::Group:
#pragma omp taskgroup
      for (int I = 1; I <= S.Number; ++I)
        createTask(Steps[At + I], Steps[At + I].Salt + Seen, R, W, Local);
      At += S.Number;
      break;
    case StepKind::Loop:
    case StepKind::LoopAside:
      createLoop(S, Salt, W, Words, Known);
      break;
    case StepKind::WaitAll:
    case StepKind::WaitIn:
    case StepKind::WaitOut:
      waitFor(S, W, Seen);
      break;
    case StepKind::Choose:
      At += toLeaveOut(S, W);
      break;
    default:
      createTask(S, Salt, R, W, Local);
    }
    if (isLookedAt(S.Kind))
      Seen += digest(W, S.B, 7);
    if (S.Kind != StepKind::WaitAll)
      continue;
    Known = mixed(Known, Seen, S.Salt);
    Sum += Known;
    Pair.First = Known;
    Local[1] += Seen;
  }
#pragma omp taskwait
  for (int I = 0; I < Locals; ++I)
    W[Words + Aside + I] += Local[I];
  W[Words + Aside] += Sum + Seen + Pair.First + Pair.Second + Pair.Third;
}

/// The same for steps of which none looks at anything.
static void createAll(const Step *Steps, int Count, const Range *R,
                      unsigned *W) {
  for (int At = 0; At < Count; ++At) {
    const Step S = Steps[At];
    switch (S.Kind) {
    case StepKind::Copies:
    case StepKind::BigCopies:
      createCopying(S, 1, W);
      break;
    case StepKind::Depobj:
    case StepKind::Final:
    case StepKind::AllMemory:
      createSpecial(S, S.Salt + 1, W);
      break;
    case StepKind::Group:
#pragma omp taskgroup
      for (int I = 1; I <= S.Number; ++I)
        createTask(Steps[At + I], Steps[At + I].Salt + 1, R, W, nullptr);
      At += S.Number;
      break;
    default:
      createTask(S, S.Salt + 1, R, W, nullptr);
    }
  }
}

#pragma omp end declare target

static void runOnDevice(const Program &Of, const Program::Round &Round,
                        const Step *Steps, const Range *R, unsigned *W) {
  const int Words = Of.Words, All = Of.allWords();
  const int Count = int(Round.Steps.size());
  switch (Round.As) {
  case Form::Single:
#pragma omp target parallel num_threads(64) map(to : Steps[0 : Of.Most])       \
    map(to : R[0 : Of.Most]) map(tofrom : W[0 : All])
#pragma omp single
    takeSteps(Steps, Count, R, W, Words);
    break;
  case Form::Teams:
#pragma omp target teams num_teams(1) thread_limit(96)                         \
    map(to : Steps[0 : Of.Most]) map(to : R[0 : Of.Most])                      \
    map(tofrom : W[0 : All])
#pragma omp parallel
#pragma omp masked
    takeSteps(Steps, Count, R, W, Words);
    break;
  case Form::Quiet:
#pragma omp target parallel num_threads(40) map(to : Steps[0 : Of.Most])       \
    map(to : R[0 : Of.Most]) map(tofrom : W[0 : All])
#pragma omp single
    createAll(Steps, Count, R, W);
    break;
  }
}

#endif
