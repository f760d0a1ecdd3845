// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Level 1: vectors.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <cmath>

namespace blockmaestro::blas {
namespace {

/// Where element I of a vector of N is; a negative increment begins at its end.
template <typename T> T *element(T *P, int64_t N, int64_t Step, int64_t I) {
  return P + (Step < 0 ? (I - N + 1) * Step : I * Step);
}

template <typename T> Real<T> sizeOf(const T &Value) {
  if constexpr (IsComplex<T>)
    return std::abs(Value.real()) + std::abs(Value.imag());
  else
    return std::abs(Value);
}

/// The number, from 1 on, of the first element for which nothing is Better; 0
/// without any.
template <typename T, typename Compare>
int64_t firstBest(const T *X, int64_t N, int64_t Step, Compare Better) {
  if (N <= 0 || Step <= 0)
    return 0;
  int64_t Best = 0;
  for (int64_t I = 1; I < N; ++I)
    if (Better(sizeOf(X[I * Step]), sizeOf(X[Best * Step])))
      Best = I;
  return Best + 1;
}

struct Larger {
  static constexpr Literal Stem = "amax";
  template <typename R> bool operator()(R A, R B) const { return A > B; }
};
struct Smaller {
  static constexpr Literal Stem = "amin";
  template <typename R> bool operator()(R A, R B) const { return A < B; }
};

template <typename C, typename Compare, typename I>
cublasStatus_t best(cublasHandle_t H, I N, const C *X, I Step, I *Out) {
  if (cublasStatus_t Bad = refusal(H, Out))
    return Bad;
  BlasCall Call(H, callName<C, Compare::Stem>());
  Call.reads(BlasCall::vector(X, N, Step));
  Call.gives(Out);
  return Call.issue(
      [=, X = native(X)] { *Out = I(firstBest(X, N, Step, Compare())); });
}
template <typename C, typename I>
cublasStatus_t amax(cublasHandle_t H, I N, const C *X, I Step, I *Out) {
  return best<C, Larger>(H, N, X, Step, Out);
}
template <typename C, typename I>
cublasStatus_t amin(cublasHandle_t H, I N, const C *X, I Step, I *Out) {
  return best<C, Smaller>(H, N, X, Step, Out);
}

template <typename C, auto Function, Literal Stem, typename I>
cublasStatus_t anyNorm(cublasHandle_t H, I N, const C *X, I Step,
                       Real<Native<C>> *Out) {
  if (cublasStatus_t Bad = refusal(H, Out, fitInt(N, Step)))
    return Bad;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::vector(X, N, Step));
  Call.gives(Out);
  return Call.issue([=, X = native(X)] {
    *Out = N <= 0 || Step <= 0
               ? 0
               : (cblas<Native<C>>().*Function)(int(N), X, int(Step));
  });
}
template <typename C, typename I>
cublasStatus_t nrm2(cublasHandle_t H, I N, const C *X, I Step,
                    Real<Native<C>> *Out) {
  return anyNorm<C, &Cblas<Native<C>>::Nrm2, "nrm2">(H, N, X, Step, Out);
}
template <typename C, typename I>
cublasStatus_t asum(cublasHandle_t H, I N, const C *X, I Step,
                    Real<Native<C>> *Out) {
  return anyNorm<C, &Cblas<Native<C>>::Asum, "asum">(H, N, X, Step, Out);
}

/// The sum of products; the first factors are conjugated where that is asked.
template <bool Conjugates, typename T>
T product(const T *X, int64_t StepX, const T *Y, int64_t StepY, int64_t N) {
  T Sum = T();
  for (int64_t I = 0; I < N; ++I) {
    T A = *element(X, N, StepX, I);
    if constexpr (Conjugates && IsComplex<T>)
      A = std::conj(A);
    Sum += A * *element(Y, N, StepY, I);
  }
  return Sum;
}

template <typename C, bool Conjugates, Literal Stem, typename I>
cublasStatus_t anyDot(cublasHandle_t H, I N, const C *X, I StepX, const C *Y,
                      I StepY, C *Out) {
  if (cublasStatus_t Bad = refusal(H, Out))
    return Bad;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.reads(BlasCall::vector(Y, N, StepY));
  Call.gives(Out);
  return Call.issue([=, X = native(X), Y = native(Y), Out = native(Out)] {
    *Out = product<Conjugates>(X, StepX, Y, StepY, N);
  });
}
template <typename C, typename I>
cublasStatus_t dot(cublasHandle_t H, I N, const C *X, I StepX, const C *Y,
                   I StepY, C *Out) {
  return anyDot<C, false, "dot">(H, N, X, StepX, Y, StepY, Out);
}
template <typename C, typename I>
cublasStatus_t dotu(cublasHandle_t H, I N, const C *X, I StepX, const C *Y,
                    I StepY, C *Out) {
  return anyDot<C, false, "dotu">(H, N, X, StepX, Y, StepY, Out);
}
template <typename C, typename I>
cublasStatus_t dotc(cublasHandle_t H, I N, const C *X, I StepX, const C *Y,
                    I StepY, C *Out) {
  return anyDot<C, true, "dotc">(H, N, X, StepX, Y, StepY, Out);
}

/// By a number of the vector's type, or by a real one.
template <typename C, typename F, Literal Stem, typename I>
cublasStatus_t anyScal(cublasHandle_t H, I N, const F *Alpha, C *X, I Step) {
  if (cublasStatus_t Bad = refusal(H, Alpha))
    return Bad;
  BlasCall Call(H, callName<C, Stem>());
  if (Step <= 0)
    N = 0;
  Call.updates(BlasCall::vector(X, N, Step));
  return Call.issue([=, By = Call.scalar(native(Alpha)), X = native(X)] {
    for (I At = 0; At < N; ++At)
      X[At * Step] *= By.get();
  });
}
template <typename C, typename I>
cublasStatus_t scal(cublasHandle_t H, I N, const C *Alpha, C *X, I Step) {
  return anyScal<C, C, "scal">(H, N, Alpha, X, Step);
}
template <typename C, typename I>
cublasStatus_t scalReal(cublasHandle_t H, I N, const Real<Native<C>> *Alpha,
                        C *X, I Step) {
  return anyScal<C, Real<Native<C>>, "sscal">(H, N, Alpha, X, Step);
}

template <typename C, typename I>
cublasStatus_t axpy(cublasHandle_t H, I N, const C *Alpha, const C *X, I StepX,
                    C *Y, I StepY) {
  if (cublasStatus_t Bad = refusal(H, Alpha, fitInt(N, StepX, StepY)))
    return Bad;
  BlasCall Call(H, callName<C, "axpy">());
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  return Call.issue(
      [=, By = Call.scalar(native(Alpha)), X = native(X), Y = native(Y)] {
        cblas<Native<C>>().Axpy(int(N), forCblas(By.get()), X, int(StepX), Y,
                                int(StepY));
      });
}

template <typename C, typename I>
cublasStatus_t copy(cublasHandle_t H, I N, const C *X, I StepX, C *Y, I StepY) {
  if (cublasStatus_t Bad = refusal(H, true, fitInt(N, StepX, StepY)))
    return Bad;
  BlasCall Call(H, callName<C, "copy">());
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.writes(BlasCall::vector(Y, N, StepY));
  return Call.issue([=, X = native(X), Y = native(Y)] {
    cblas<Native<C>>().Copy(int(N), X, int(StepX), Y, int(StepY));
  });
}

template <typename C, typename I>
cublasStatus_t swap(cublasHandle_t H, I N, C *X, I StepX, C *Y, I StepY) {
  if (cublasStatus_t Bad = refusal(H, true, fitInt(N, StepX, StepY)))
    return Bad;
  BlasCall Call(H, callName<C, "swap">());
  Call.updates(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  return Call.issue([=, X = native(X), Y = native(Y)] {
    cblas<Native<C>>().Swap(int(N), X, int(StepX), Y, int(StepY));
  });
}

template <typename T> T conjugate(const T &Value) {
  if constexpr (IsComplex<T>)
    return std::conj(Value);
  else
    return Value;
}

/// The rotation by a real cosine and a sine of type S.
template <typename C, typename S, Literal Stem, typename I>
cublasStatus_t anyRot(cublasHandle_t H, I N, C *X, I StepX, C *Y, I StepY,
                      const Real<Native<C>> *Cosine, const S *Sine) {
  if (cublasStatus_t Bad = refusal(H, Cosine && Sine))
    return Bad;
  BlasCall Call(H, callName<C, Stem>());
  Call.updates(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  return Call.issue([=, By = Call.scalar(Cosine),
                     With = Call.scalar(native(Sine)), X = native(X),
                     Y = native(Y)] {
    for (I At = 0; At < N; ++At) {
      auto *A = element(X, N, StepX, At);
      auto *B = element(Y, N, StepY, At);
      const auto Was = *A;
      *A = By.get() * Was + With.get() * *B;
      *B = By.get() * *B - conjugate(With.get()) * Was;
    }
  });
}
template <typename C, typename I>
cublasStatus_t rot(cublasHandle_t H, I N, C *X, I StepX, C *Y, I StepY,
                   const Real<Native<C>> *Cosine, const C *Sine) {
  return anyRot<C, C, "rot">(H, N, X, StepX, Y, StepY, Cosine, Sine);
}
template <typename C, typename I>
cublasStatus_t rotReal(cublasHandle_t H, I N, C *X, I StepX, C *Y, I StepY,
                       const Real<Native<C>> *Cosine,
                       const Real<Native<C>> *Sine) {
  using R = Real<Native<C>>;
  return anyRot<C, R, "srot">(H, N, X, StepX, Y, StepY, Cosine, Sine);
}

/// What rotg makes of its first two numbers: the rotation that makes the second
/// zero. As the reference BLAS has it.
template <typename R> void rotateReal(R &A, R &B, R &Cosine, R &Sine) {
  const R Roe = std::abs(A) > std::abs(B) ? A : B;
  const R Scale = std::abs(A) + std::abs(B);
  if (Scale == 0) {
    Cosine = 1;
    Sine = A = B = 0;
    return;
  }
  const R Length = std::copysign(Scale * std::hypot(A / Scale, B / Scale), Roe);
  Cosine = A / Length;
  Sine = B / Length;
  R Both = 1;
  if (std::abs(A) > std::abs(B))
    Both = Sine;
  else if (Cosine != 0)
    Both = 1 / Cosine;
  A = Length;
  B = Both;
}
template <typename R> void rotate(R &A, R &B, R &Cosine, R &Sine) {
  rotateReal(A, B, Cosine, Sine);
}
template <typename R>
void rotate(std::complex<R> &A, std::complex<R> &B, R &Cosine,
            std::complex<R> &Sine) {
  const R Size = std::abs(A);
  if (Size == 0) {
    Cosine = 0;
    Sine = 1;
    A = B;
    return;
  }
  const R Length = std::hypot(Size, std::abs(B));
  const std::complex<R> Direction = A / Size;
  Cosine = Size / Length;
  Sine = Direction * std::conj(B) / Length;
  A = Direction * Length;
}

/// All four lie where the handle's numbers do; the host waits for its own.
template <typename C>
cublasStatus_t rotg(cublasHandle_t H, C *A, C *B, Real<Native<C>> *Cosine,
                    C *Sine) {
  if (cublasStatus_t Bad = refusal(H, A && B && Cosine && Sine))
    return Bad;
  if (H->Pointers == CUBLAS_POINTER_MODE_HOST) {
    rotate(*native(A), *native(B), *Cosine, *native(Sine));
    return CUBLAS_STATUS_SUCCESS;
  }
  BlasCall Call(H, callName<C, "rotg">());
  Call.updates(BlasCall::vector(A, 1, 1));
  Call.updates(BlasCall::vector(B, 1, 1));
  Call.writes(BlasCall::vector(Cosine, 1, 1));
  Call.writes(BlasCall::vector(Sine, 1, 1));
  return Call.issue([=, A = native(A), B = native(B), Sine = native(Sine)] {
    rotate(*A, *B, *Cosine, *Sine);
  });
}

/// The four numbers of a modified rotation's matrix, by its flag.
template <typename R> struct Modified {
  R H11 = 1, H21 = 0, H12 = 0, H22 = 1;
  explicit Modified(const R *P) {
    if (P[0] == -1 || P[0] == 1) {
      H11 = P[1];
      H22 = P[4];
    }
    if (P[0] == -1 || P[0] == 0) {
      H21 = P[2];
      H12 = P[3];
    } else if (P[0] == 1) {
      H21 = -1;
      H12 = 1;
    }
  }
};

template <typename R> struct Five {
  R Values[5];
};

template <typename R, typename I>
cublasStatus_t rotm(cublasHandle_t H, I N, R *X, I StepX, R *Y, I StepY,
                    const R *Parameters) {
  if (cublasStatus_t Bad = refusal(H, Parameters))
    return Bad;
  BlasCall Call(H, callName<R, "rotm">());
  Call.updates(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  const auto *All = reinterpret_cast<const Five<R> *>(Parameters);
  return Call.issue([=, By = Call.scalar(All)] {
    const Five<R> Now = By.get();
    const Modified<R> M(Now.Values);
    for (I At = 0; At < N; ++At) {
      R &A = *element(X, N, StepX, At), &B = *element(Y, N, StepY, At);
      const R Was = A;
      A = M.H11 * Was + M.H12 * B;
      B = M.H21 * Was + M.H22 * B;
    }
  });
}

/// The modified rotation that makes the second of a pair zero, as the reference
/// BLAS has it, with its rescaling.
template <typename R> class ModifiedRotation {
public:
  ModifiedRotation(R &D1, R &D2, R &X1, R Y1) : D1(D1), D2(D2), X1(X1) {
    make(Y1);
  }

  void store(R *P) const {
    P[0] = Flag;
    if (Flag == -1 || Flag == 1) {
      P[1] = H11;
      P[4] = H22;
    }
    if (Flag == -1 || Flag == 0) {
      P[2] = H21;
      P[3] = H12;
    }
  }

private:
  void make(R Y1) {
    if (D1 < 0)
      return vanish();
    const R P2 = D2 * Y1;
    if (P2 == 0) {
      Flag = -2;
      return;
    }
    const R P1 = D1 * X1, Q2 = P2 * Y1, Q1 = P1 * X1;
    if (std::abs(Q1) > std::abs(Q2))
      byFirst(P1, P2, Y1);
    else if (Q2 < 0)
      return vanish();
    else
      bySecond(P1, P2, Y1);
    if (Flag != -1 || D1 != 0)
      rescale();
  }

  void vanish() {
    Flag = -1;
    H11 = H12 = H21 = H22 = 0;
    D1 = D2 = X1 = 0;
  }
  void byFirst(R P1, R P2, R Y1) {
    H21 = -Y1 / X1;
    H12 = P2 / P1;
    const R U = 1 - H12 * H21;
    if (U <= 0)
      return vanish();
    Flag = 0;
    D1 /= U;
    D2 /= U;
    X1 *= U;
  }
  void bySecond(R P1, R P2, R Y1) {
    Flag = 1;
    H11 = P1 / P2;
    H22 = X1 / Y1;
    const R U = 1 + H11 * H22;
    const R Was = D2 / U;
    D2 = D1 / U;
    D1 = Was;
    X1 = Y1 * U;
  }
  /// All four numbers of the matrix count from here on.
  void spell() {
    if (Flag == 0)
      H11 = H22 = 1;
    else if (Flag == 1) {
      H21 = -1;
      H12 = 1;
    }
    Flag = -1;
  }
  void rescale() {
    constexpr R Gamma = 4096, Most = Gamma * Gamma, Least = 1 / Most;
    while (D1 != 0 && (D1 <= Least || D1 >= Most)) {
      spell();
      const R By = D1 <= Least ? Gamma : 1 / Gamma;
      D1 *= By * By;
      X1 /= By;
      H11 /= By;
      H12 /= By;
    }
    while (D2 != 0 && (std::abs(D2) <= Least || std::abs(D2) >= Most)) {
      spell();
      const R By = std::abs(D2) <= Least ? Gamma : 1 / Gamma;
      D2 *= By * By;
      H21 /= By;
      H22 /= By;
    }
  }

  R &D1, &D2, &X1;
  R Flag = 0, H11 = 0, H12 = 0, H21 = 0, H22 = 0;
};

template <typename R>
cublasStatus_t rotmg(cublasHandle_t H, R *D1, R *D2, R *X1, const R *Y1,
                     R *Parameters) {
  if (cublasStatus_t Bad = refusal(H, D1 && D2 && X1 && Y1 && Parameters))
    return Bad;
  auto Run = [=] { ModifiedRotation<R>(*D1, *D2, *X1, *Y1).store(Parameters); };
  if (H->Pointers == CUBLAS_POINTER_MODE_HOST) {
    Run();
    return CUBLAS_STATUS_SUCCESS;
  }
  BlasCall Call(H, callName<R, "rotmg">());
  for (R *Each : {D1, D2, X1})
    Call.updates(BlasCall::vector(Each, 1, 1));
  Call.reads(BlasCall::vector(Y1, 1, 1));
  Call.updates(BlasCall::vector(Parameters, 5, 1));
  return Call.issue(Run);
}

} // namespace

Rows vectorRows() {
  return {
      BM_REAL(nrm2, _v2, nrm2),
      BM_BOTH(cublasScnrm2, _v2, nrm2, cuComplex),
      BM_BOTH(cublasDznrm2, _v2, nrm2, cuDoubleComplex),
      BM_REAL(asum, _v2, asum),
      BM_BOTH(cublasScasum, _v2, asum, cuComplex),
      BM_BOTH(cublasDzasum, _v2, asum, cuDoubleComplex),
      BM_BOTH(cublasIsamax, _v2, amax, float),
      BM_BOTH(cublasIdamax, _v2, amax, double),
      BM_BOTH(cublasIcamax, _v2, amax, cuComplex),
      BM_BOTH(cublasIzamax, _v2, amax, cuDoubleComplex),
      BM_BOTH(cublasIsamin, _v2, amin, float),
      BM_BOTH(cublasIdamin, _v2, amin, double),
      BM_BOTH(cublasIcamin, _v2, amin, cuComplex),
      BM_BOTH(cublasIzamin, _v2, amin, cuDoubleComplex),
      BM_REAL(dot, _v2, dot),
      BM_COMPLEX(dotu, _v2, dotu),
      BM_COMPLEX(dotc, _v2, dotc),
      BM_ALL(scal, _v2, scal),
      BM_BOTH(cublasCsscal, _v2, scalReal, cuComplex),
      BM_BOTH(cublasZdscal, _v2, scalReal, cuDoubleComplex),
      BM_ALL(axpy, _v2, axpy),
      BM_ALL(copy, _v2, copy),
      BM_ALL(swap, _v2, swap),
      BM_ALL(rot, _v2, rot),
      BM_BOTH(cublasCsrot, _v2, rotReal, cuComplex),
      BM_BOTH(cublasZdrot, _v2, rotReal, cuDoubleComplex),
      BM_STAND_IN(cublasSrotg_v2, rotg<float>),
      BM_STAND_IN(cublasDrotg_v2, rotg<double>),
      BM_STAND_IN(cublasCrotg_v2, rotg<cuComplex>),
      BM_STAND_IN(cublasZrotg_v2, rotg<cuDoubleComplex>),
      BM_REAL(rotm, _v2, rotm),
      BM_STAND_IN(cublasSrotmg_v2, rotmg<float>),
      BM_STAND_IN(cublasDrotmg_v2, rotmg<double>),
  };
}

} // namespace blockmaestro::blas
