// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cuRAND's host API. A generator of the device keeps its state in memory of the
// device as far as others can tell: a few bytes that each of its calls reads
// and writes, so that calls come one after the other.

#include "LibraryCall.h"
#include "Process.h"
#include "Sources.h"
#include "StandIn.h"

#include <curand.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <variant>

namespace blockmaestro::random {

using Source = std::variant<Interleaved<Xorwow>, Interleaved<Mrg32k3a>,
                            Interleaved<Mersenne>, PhiloxSource, SobolSource>;

/// What a generator has been told, as far as its numbers depend on it.
struct Settings {
  curandRngType_t Type = CURAND_RNG_PSEUDO_XORWOW;
  uint64_t Seed = 0;
  uint64_t Offset = 0;
  bool Legacy = false;
  unsigned Dimensions = 1;

  bool quasi() const { return Type >= CURAND_RNG_QUASI_DEFAULT; }
  bool wide() const {
    return Type == CURAND_RNG_QUASI_SOBOL64 ||
           Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  bool scrambled() const {
    return Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
           Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  /// Whether normal numbers come in pairs only.
  bool pairs() const {
    return Type == CURAND_RNG_PSEUDO_XORWOW ||
           Type == CURAND_RNG_PSEUDO_MRG32K3A;
  }
};

Source sourceOf(const Settings &S) {
  switch (S.Type) {
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return Interleaved<Mrg32k3a>(S.Seed, S.Offset, S.Legacy ? 4096 : 81920);
  case CURAND_RNG_PSEUDO_MT19937:
    return Interleaved<Mersenne>(S.Seed, 0, 1);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return PhiloxSource(S.Seed, S.Offset);
  case CURAND_RNG_PSEUDO_XORWOW:
    return Interleaved<Xorwow>(S.Seed, S.Offset, 4096);
  default:
    return SobolSource(S.Dimensions, S.wide(), S.scrambled(), S.Offset);
  }
}

/// What runs of a generator share; kept by work in flight.
struct State {
  std::mutex Lock;
  std::optional<Source> Now; ///< Made when first needed.
};

} // namespace blockmaestro::random

struct curandGenerator_st {
  blockmaestro::random::Settings Told;
  bool OnHost = false;
  cudaStream_t Stream = nullptr;
  void *Token = nullptr; ///< Stands for the state among memory of the device.
  /// Another one after each change of what it is told.
  std::shared_ptr<blockmaestro::random::State> Its;
};

namespace blockmaestro::random {
namespace {

constexpr size_t TokenBytes = 64;

curandStatus_t statusOf(cudaError_t Error) {
  if (Error == cudaSuccess)
    return CURAND_STATUS_SUCCESS;
  return Error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED
                                            : CURAND_STATUS_LAUNCH_FAILURE;
}

/// The generator's number sequence begins anew.
curandStatus_t restart(curandGenerator_t G) {
  G->Its = std::make_shared<State>();
  return CURAND_STATUS_SUCCESS;
}

bool isType(curandRngType_t Type) {
  switch (Type) {
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_MT19937:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return true;
  default:
    return false;
  }
}

/// The kinds that are named by two names.
curandRngType_t resolved(curandRngType_t Type) {
  if (Type == CURAND_RNG_PSEUDO_DEFAULT)
    return CURAND_RNG_PSEUDO_XORWOW;
  return Type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32 : Type;
}

curandStatus_t make(curandGenerator_t *Out, curandRngType_t Type, bool OnHost) {
  if (!Out)
    return CURAND_STATUS_OUT_OF_RANGE;
  Type = resolved(Type);
  if (Type == CURAND_RNG_PSEUDO_MTGP32)
    sayFailure("cuRAND's generator MTGP32 is not on the emulated device");
  if (!isType(Type))
    return CURAND_STATUS_TYPE_ERROR;
  std::unique_ptr<curandGenerator_st> Made(new (std::nothrow)
                                               curandGenerator_st);
  if (!Made)
    return CURAND_STATUS_ALLOCATION_FAILED;
  Made->Told.Type = Type;
  Made->OnHost = OnHost;
  if (!OnHost && cudaMalloc(&Made->Token, TokenBytes) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  restart(Made.get());
  *Out = Made.release();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t create(curandGenerator_t *Out, curandRngType_t Type) {
  return make(Out, Type, false);
}
curandStatus_t createHost(curandGenerator_t *Out, curandRngType_t Type) {
  return make(Out, Type, true);
}

curandStatus_t destroy(curandGenerator_t G) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  const cudaError_t Error = G->OnHost ? cudaSuccess : cudaFree(G->Token);
  delete G;
  return statusOf(Error);
}

curandStatus_t setStream(curandGenerator_t G, cudaStream_t Stream) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  G->Stream = Stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t setSeed(curandGenerator_t G, unsigned long long Seed) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (G->Told.quasi())
    return CURAND_STATUS_TYPE_ERROR;
  G->Told.Seed = Seed;
  return restart(G);
}

curandStatus_t setOffset(curandGenerator_t G, unsigned long long Offset) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (G->Told.Type == CURAND_RNG_PSEUDO_MT19937)
    return CURAND_STATUS_TYPE_ERROR;
  G->Told.Offset = Offset;
  return restart(G);
}

bool mayBe(const Settings &Told, curandOrdering_t Order) {
  if (Told.quasi())
    return Order == CURAND_ORDERING_QUASI_DEFAULT;
  if (Order == CURAND_ORDERING_PSEUDO_SEEDED)
    return Told.Type == CURAND_RNG_PSEUDO_XORWOW;
  return Order >= CURAND_ORDERING_PSEUDO_BEST &&
         Order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
}

curandStatus_t setOrdering(curandGenerator_t G, curandOrdering_t Order) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!mayBe(G->Told, Order))
    return CURAND_STATUS_OUT_OF_RANGE;
  G->Told.Legacy = Order == CURAND_ORDERING_PSEUDO_LEGACY;
  return restart(G);
}

curandStatus_t setDimensions(curandGenerator_t G, unsigned Count) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!G->Told.quasi())
    return CURAND_STATUS_TYPE_ERROR;
  if (Count == 0 || Count > 20000)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (Count > SobolSource::MostDimensions) {
    sayFailure("cuRAND's Sobol generators have up to 128 dimensions on the "
               "emulated device");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  G->Told.Dimensions = Count;
  return CURAND_STATUS_SUCCESS;
}

/// Gives the work of Fill(source) to the device, or does it for the host.
template <typename T, typename Body>
curandStatus_t issue(const char *Name, curandGenerator_t G, T *Out, size_t N,
                     Body Fill) {
  if (N == 0)
    return CURAND_STATUS_SUCCESS;
  auto Run = [Its = G->Its, Told = G->Told, Fill] {
    std::lock_guard<std::mutex> Held(Its->Lock);
    if (!Its->Now)
      Its->Now.emplace(sourceOf(Told));
    if (auto *Points = std::get_if<SobolSource>(&*Its->Now))
      Points->haveDimensions(Told.Dimensions);
    std::visit(Fill, *Its->Now);
  };
  if (G->OnHost) {
    Run();
    return CURAND_STATUS_SUCCESS;
  }
  LibraryCall Call(Name, G->Stream);
  Call.writes(rowsOf(Out, N * sizeof(T), 1, 0));
  Call.updates(rowsOf(G->Token, TokenBytes, 1, 0));
  return statusOf(Call.issue([Run](const MayTouch &) {
    Run();
    return Status();
  }));
}

/// What all calls say to the generator and the count.
curandStatus_t refusal(curandGenerator_t G, size_t N, bool Wide = false) {
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (Wide)
    return CURAND_STATUS_TYPE_ERROR;
  return G->Told.quasi() && N % G->Told.Dimensions
             ? CURAND_STATUS_LENGTH_NOT_MULTIPLE
             : CURAND_STATUS_SUCCESS;
}

curandStatus_t generate(curandGenerator_t G, unsigned *Out, size_t N) {
  if (curandStatus_t Bad = refusal(G, N, G && G->Told.wide()))
    return Bad;
  return issue("curandGenerate", G, Out, N,
               [=](auto &From) { From.bits(Out, N); });
}

template <typename From> constexpr bool IsSobol = false;
template <> constexpr bool IsSobol<SobolSource> = true;

curandStatus_t generateLong(curandGenerator_t G, unsigned long long *Out,
                            size_t N) {
  if (curandStatus_t Bad = refusal(G, N, G && !G->Told.wide()))
    return Bad;
  return issue("curandGenerateLongLong", G, Out, N, [=](auto &From) {
    if constexpr (IsSobol<std::remove_reference_t<decltype(From)>>)
      From.longBits(reinterpret_cast<uint64_t *>(Out), N);
  });
}

template <typename R>
curandStatus_t generateUniform(curandGenerator_t G, R *Out, size_t N) {
  if (curandStatus_t Bad = refusal(G, N))
    return Bad;
  return issue(sizeof(R) == 4 ? "curandGenerateUniform"
                              : "curandGenerateUniformDouble",
               G, Out, N, [=](auto &From) { From.uniform(Out, N); });
}

template <typename R, typename Last>
curandStatus_t normals(const char *Name, curandGenerator_t G, R *Out, size_t N,
                       R Mean, R Deviation, Last Finish) {
  if (curandStatus_t Bad = refusal(G, N))
    return Bad;
  if (G->Told.pairs() && N % 2)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return issue(Name, G, Out, N, [=](auto &From) {
    From.normal(Out, N);
    for (size_t I = 0; I < N; ++I)
      Out[I] = Finish(Mean + Deviation * Out[I]);
  });
}

template <typename R>
curandStatus_t generateNormal(curandGenerator_t G, R *Out, size_t N, R Mean,
                              R Deviation) {
  return normals(sizeof(R) == 4 ? "curandGenerateNormal"
                                : "curandGenerateNormalDouble",
                 G, Out, N, Mean, Deviation, [](R Value) { return Value; });
}

template <typename R>
curandStatus_t generateLogNormal(curandGenerator_t G, R *Out, size_t N, R Mean,
                                 R Deviation) {
  return normals(sizeof(R) == 4 ? "curandGenerateLogNormal"
                                : "curandGenerateLogNormalDouble",
                 G, Out, N, Mean, Deviation,
                 [](R Value) { return std::exp(Value); });
}

/// A distribution of the standard library: not NVIDIA's numbers, but their
/// distribution.
template <typename Distribution>
curandStatus_t generateIntegers(const char *Name, curandGenerator_t G,
                                unsigned *Out, size_t N,
                                const Distribution &By) {
  if (curandStatus_t Bad = refusal(G, N))
    return Bad;
  if (G->Told.quasi()) {
    sayFailure(std::string(Name) +
               " of a Sobol generator is not on the emulated device");
    return CURAND_STATUS_INTERNAL_ERROR;
  }
  return issue(Name, G, Out, N, [=](auto &From) {
    if constexpr (!IsSobol<std::remove_reference_t<decltype(From)>>)
      From.integers(Out, N, By);
  });
}

curandStatus_t generatePoisson(curandGenerator_t G, unsigned *Out, size_t N,
                               double Lambda) {
  if (G && !(Lambda > 0 && Lambda <= 400000))
    return CURAND_STATUS_OUT_OF_RANGE;
  return generateIntegers("curandGeneratePoisson", G, Out, N,
                          std::poisson_distribution<unsigned>(Lambda));
}
curandStatus_t generatePoissonBy(curandGenerator_t G, unsigned *Out, size_t N,
                                 double Lambda, curandMethod_t) {
  return generatePoisson(G, Out, N, Lambda);
}

curandStatus_t generateBinomial(curandGenerator_t G, unsigned *Out, size_t N,
                                unsigned Trials, double P) {
  if (G && !(P >= 0 && P <= 1 && Trials <= INT32_MAX))
    return CURAND_STATUS_OUT_OF_RANGE;
  return generateIntegers("curandGenerateBinomial", G, Out, N,
                          std::binomial_distribution<int>(int(Trials), P));
}
curandStatus_t generateBinomialBy(curandGenerator_t G, unsigned *Out, size_t N,
                                  unsigned Trials, double P, curandMethod_t) {
  return generateBinomial(G, Out, N, Trials, P);
}

/// Seeds are ready when they are needed.
curandStatus_t generateSeeds(curandGenerator_t G) {
  return G ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t version(int *Out) {
  if (!Out)
    return CURAND_STATUS_OUT_OF_RANGE;
  *Out = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t property(libraryPropertyType Which, int *Out) {
  constexpr int Values[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR,
                            CURAND_VER_PATCH};
  if (!Out || Which < MAJOR_VERSION || Which > PATCH_LEVEL)
    return CURAND_STATUS_OUT_OF_RANGE;
  *Out = Values[Which];
  return CURAND_STATUS_SUCCESS;
}

} // namespace
} // namespace blockmaestro::random

namespace blockmaestro {

std::span<const LibraryFunction> curandFunctions() {
  using namespace random;
  static const LibraryFunction All[] = {
      BM_STAND_IN(curandCreateGenerator, create),
      BM_STAND_IN(curandCreateGeneratorHost, createHost),
      BM_STAND_IN(curandDestroyGenerator, destroy),
      BM_STAND_IN(curandSetStream, setStream),
      BM_STAND_IN(curandSetPseudoRandomGeneratorSeed, setSeed),
      BM_STAND_IN(curandSetGeneratorOffset, setOffset),
      BM_STAND_IN(curandSetGeneratorOrdering, setOrdering),
      BM_STAND_IN(curandSetQuasiRandomGeneratorDimensions, setDimensions),
      BM_STAND_IN(curandGenerate, generate),
      BM_STAND_IN(curandGenerateLongLong, generateLong),
      BM_STAND_IN(curandGenerateUniform, generateUniform<float>),
      BM_STAND_IN(curandGenerateUniformDouble, generateUniform<double>),
      BM_STAND_IN(curandGenerateNormal, generateNormal<float>),
      BM_STAND_IN(curandGenerateNormalDouble, generateNormal<double>),
      BM_STAND_IN(curandGenerateLogNormal, generateLogNormal<float>),
      BM_STAND_IN(curandGenerateLogNormalDouble, generateLogNormal<double>),
      BM_STAND_IN(curandGeneratePoisson, generatePoisson),
      BM_STAND_IN(curandGeneratePoissonMethod, generatePoissonBy),
      BM_STAND_IN(curandGenerateBinomial, generateBinomial),
      BM_STAND_IN(curandGenerateBinomialMethod, generateBinomialBy),
      BM_STAND_IN(curandGenerateSeeds, generateSeeds),
      BM_STAND_IN(curandGetVersion, version),
      BM_STAND_IN(curandGetProperty, property)};
  return All;
}

} // namespace blockmaestro
