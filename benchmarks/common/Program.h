// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what every program of this folder has in common: its options, its
// repetitions and their times, the count of its launches, the comparison with
// its reference, and the one JSON line at the end. Plain CUDA.
//
//   bench::Program Run("hotspot", "heat of a chip, step by step",
//                      {{"n", 1024, "cells on a side"}, {"steps", 10, "..."}});
//   Run.parse(Argc, Argv);
//   if (Run.checksReference()) { Run.compare(...); return Run.report(); }
//   Run.measure([&] { upload }, [&] {
//     step<<<Grid, Block>>>(...);
//     Run.launched("step", Grid, Block);
//   });
//   Run.compare("temperature", Got, Want);
//   return Run.report();
//
// Exit status: 0 right, 1 a wrong result, 2 a bad option, 3 a CUDA error.

#ifndef BLOCKMAESTRO_BENCHMARKS_PROGRAM_H
#define BLOCKMAESTRO_BENCHMARKS_PROGRAM_H

#include "ByHand.h"
#include "Device.h"
#include "Graph.h"
#include "Host.h"
#include "Rounded.h"

#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

namespace bench {

/// A number that makes the work larger or smaller.
struct Size {
  std::string Name;
  long long Value;
  std::string Help;
  long long Least = 1;
};

class Program {
  struct KernelCount;

public:
  /// How the work is issued.
  enum class Way {
    Stream,     ///< launch by launch
    Graph,      ///< --graph: as graphs that are captured
    FixedGraph, ///< --fixed-graph: as one graph that never changes
    GraphPdl,   ///< --graph-pdl: captured launches of kernels that wait
    Cooperative ///< --cooperative: as one grid
  };

  /// Launches, by kernel.
  using Counts = std::vector<KernelCount>;

  Program(std::string Name, std::string Sentence, std::vector<Size> Sizes)
      : Name(std::move(Name)), Sentence(std::move(Sentence)),
        Sizes(std::move(Sizes)) {}

  /// That Work launches graphs by itself where way() asks for them, since it
  /// cannot be captured as a whole: measure() leaves it alone, and there is
  /// --fixed-graph. To be said before parse().
  void launchesGraphs() { OwnGraphs = true; }

  /// That Work launches Waiting kernels where waits() says so, and with
  /// cooperates() one grid (launchWhole). To be said before parse().
  void placedByHand() { ByHand = true; }

  /// Reads the options; ends the program after --help or a bad one.
  void parse(int Argc, char **Argv) {
    for (int I = 1; I < Argc; ++I) {
      std::string Option = Argv[I];
      if (Option == "--help" || Option == "-h")
        help();
      if (Option == "--reference") {
        Reference = true;
        continue;
      }
      if (chooses(Option))
        continue;
      size_t Equals = Option.find('=');
      if (Equals != std::string::npos)
        set(Option.substr(0, Equals), Option.substr(Equals + 1));
      else if (++I < Argc)
        set(Option, Argv[I]);
      else
        wrong("no number after " + Option);
    }
  }

  /// The size of this name.
  long long operator[](const char *Which) const {
    for (const Size &Each : Sizes)
      if (Each.Name == Which)
        return Each.Value;
    wrong(std::string("no size ") + Which);
  }
  uint64_t seed() const { return uint64_t(Seed); }
  /// Ends the program where sizes do not fit each other.
  void require(bool Holds, const std::string &Rule) const {
    if (!Holds)
      wrong(Rule);
  }
  /// Whether to check the reference against another way of computing it,
  /// instead of running anything on the device.
  bool checksReference() const { return Reference; }
  /// How Work is to be issued; Work has to care only after launchesGraphs().
  Way way() const { return Chosen; }
  /// Whether Work is to launch kernels that wait (ByHand.h).
  bool waits() const { return HasByHand && Chosen == Way::GraphPdl; }
  /// Whether Work is to be one cooperative grid (ByHand.h).
  bool cooperates() const { return HasByHand && Chosen == Way::Cooperative; }

  /// Runs Prepare, then Work between two events, as often as asked; with
  /// --graph and --graph-pdl Work is captured once and replayed, but after
  /// launchesGraphs(). The grid of --cooperative has as many blocks as are the
  /// fastest, tried before.
  template <typename P, typename W> void measure(P Prepare, W Work) {
    cudaGraphExec_t Replayed = nullptr;
    if (cooperates())
      tune(Prepare, Work);
    for (int I = 0; I < Repetitions; ++I) {
      Prepare();
      CUDA_CHECK(cudaDeviceSynchronize());
      if ((Chosen == Way::Graph && !OwnGraphs) || waits())
        capture(Work, Replayed);
      Times.push_back(timed([&] {
        if (Replayed) {
          CUDA_CHECK(cudaGraphLaunch(Replayed, cudaStreamPerThread));
        } else {
          Kernels.clear();
          Work();
        }
      }));
    }
    if (Replayed)
      CUDA_CHECK(cudaGraphExecDestroy(Replayed));
  }

  /// Counts a launch, right after it, and ends the program where it failed.
  void launched(const char *Kernel, dim3 Grid, dim3 Block) {
    checkCall(cudaGetLastError(), Kernel);
    long long Blocks = 1ll * Grid.x * Grid.y * Grid.z;
    long long Threads = 1ll * Block.x * Block.y * Block.z;
    count(Kernel, 1, Blocks, Blocks, Threads);
  }

  /// Launches one cooperative grid that does all of Work (launchWhole), and
  /// counts it. Its blocks may be fewer than fit: with many, a barrier is slow.
  template <typename F>
  void launchWhole(const F &Work, dim3 Widest, dim3 Block) {
    unsigned Blocks = bench::launchWhole(Work, Widest, Block, Held);
    launched("whole", Blocks, Block);
  }

  /// The launches that Body captures, which are none yet.
  template <typename F> Counts captured(F Body) {
    Counts Before;
    std::swap(Before, Kernels);
    Body();
    std::swap(Before, Kernels);
    return Before;
  }
  /// Counts the launches of a graph, whenever it is launched.
  void launched(const Counts &Graph) {
    for (const KernelCount &Each : Graph)
      count(Each.Name.c_str(), Each.Launches, Each.Least, Each.Most,
            Each.Threads);
  }

  /// Whether every element is within the bound of the reference's.
  template <typename T>
  void compare(const char *What, const std::vector<T> &Got,
               const std::vector<Rounded<T>> &Want) {
    digest(Got.data(), Got.size() * sizeof(T));
    compareBy(What, Got.size(), Want.size(), [&](size_t I) {
      auto Value = builtIn(Got[I]);
      return Pair{double(Value), double(Want[I].value()),
                  double(std::fabs(Value - Want[I].value())),
                  double(Want[I].error())};
    });
  }

  /// Whether every element is the reference's.
  template <typename T>
  void compare(const char *What, const std::vector<T> &Got,
               const std::vector<T> &Want) {
    digest(Got.data(), Got.size() * sizeof(T));
    compareBy(What, Got.size(), Want.size(), [&](size_t I) {
      double A = double(builtIn(Got[I])), B = double(builtIn(Want[I]));
      bool Same = builtIn(Got[I]) == builtIn(Want[I]);
      return Pair{A, B, Same ? 0 : std::max(std::fabs(A - B), 1e-300), 0};
    });
  }

  /// Whether two ways of computing a reference give the same within both their
  /// bounds.
  template <typename T>
  void compare(const char *What, const std::vector<Rounded<T>> &One,
               const std::vector<Rounded<T>> &Other) {
    compareBy(What, One.size(), Other.size(), [&](size_t I) {
      return Pair{double(One[I].value()), double(Other[I].value()),
                  double(std::fabs(One[I].value() - Other[I].value())),
                  double(One[I].error() + Other[I].error())};
    });
  }

  /// Whether something else holds of the result.
  void expect(bool Holds, const std::string &What) {
    ++Compared;
    if (Holds)
      return;
    ++Wrong;
    std::fprintf(stderr, "%s: wrong: %s\n", Name.c_str(), What.c_str());
  }

  /// Prints the JSON line; the program's exit status. Nothing compared is
  /// wrong too.
  int report() const {
    bool Right = Wrong == 0 && Compared > 0;
    std::string Line = "{\"program\": \"" + Name + "\", \"size\": {";
    for (const Size &Each : Sizes)
      Line += (&Each == Sizes.data() ? "\"" : ", \"") + Each.Name +
              "\": " + std::to_string(Each.Value);
    Line += "}, \"seed\": " + std::to_string(Seed);
    const char *Verdict = Right ? "pass" : "fail";
    if (Reference)
      Line += ", \"reference\": \"" + std::string(Verdict) + "\"";
    else
      Line += ", " + work() + ", \"check\": \"" + Verdict + "\"";
    Line += ", \"compared\": " + std::to_string(Compared) +
            ", \"wrong\": " + std::to_string(Wrong) +
            ", \"error\": " + number(Worst) +
            ", \"tolerance\": " + number(Largest > 0 ? Widest / Largest : 0);
    if (!Reference)
      Line += ", \"digest\": \"" + std::to_string(Digest) + "\"";
    std::printf("%s}\n", Line.c_str());
    return Right ? 0 : 1;
  }

private:
  struct KernelCount {
    std::string Name;
    long long Launches, Least, Most, Threads;
  };
  struct Pair {
    double Got, Want, Distance, Bound;
  };

  /// Microseconds between an event before and one after what Work issues.
  template <typename W> double timed(W Work) {
    cudaEvent_t Begin, End;
    CUDA_CHECK(cudaEventCreate(&Begin));
    CUDA_CHECK(cudaEventCreate(&End));
    CUDA_CHECK(cudaEventRecord(Begin));
    Work();
    CUDA_CHECK(cudaEventRecord(End));
    CUDA_CHECK(cudaEventSynchronize(End));
    float Milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&Milliseconds, Begin, End));
    CUDA_CHECK(cudaEventDestroy(Begin));
    CUDA_CHECK(cudaEventDestroy(End));
    return Milliseconds * 1000;
  }

  /// Finds how many blocks of a cooperative grid a multiprocessor should have.
  template <typename P, typename W> void tune(P Prepare, W Work) {
    int Best = Held;
    double Least = 0;
    for (int Limit : {32, 8, 4, 2, 1}) {
      Held = Limit;
      for (int Turn = 0; Turn < 3; ++Turn) {
        Prepare();
        CUDA_CHECK(cudaDeviceSynchronize());
        double Time = timed(Work);
        if (Turn > 0 && (Least == 0 || Time < Least))
          Least = Time, Best = Limit;
      }
    }
    Held = Best;
  }

  /// Whether an option says how the work is issued. Ends the program where it
  /// has no such way.
  bool chooses(const std::string &Option) {
    struct {
      const char *Option;
      Way Named;
      bool Known;
    } const Ways[] = {{"--graph", Way::Graph, true},
                      {"--fixed-graph", Way::FixedGraph, OwnGraphs},
                      {"--graph-pdl", Way::GraphPdl, ByHand && HasByHand},
                      {"--cooperative", Way::Cooperative, ByHand && HasByHand}};
    for (const auto &Each : Ways)
      if (Option == Each.Option) {
        if (!Each.Known)
          wrong("no " + Option + " in this build of the program");
        Chosen = Each.Named;
        return true;
      }
    return false;
  }

  /// Adds launches to a kernel's.
  void count(const char *Kernel, long long Launches, long long Least,
             long long Most, long long Threads) {
    for (KernelCount &Each : Kernels)
      if (Each.Name == Kernel) {
        Each.Launches += Launches;
        Each.Least = std::min(Each.Least, Least);
        Each.Most = std::max(Each.Most, Most);
        Each.Threads = std::max(Each.Threads, Threads);
        return;
      }
    Kernels.push_back({Kernel, Launches, Least, Most, Threads});
  }

  /// Makes Into, where it is null, of what Work launches on the default stream,
  /// which has to be the thread's own (-fgpu-default-stream=per-thread): the
  /// legacy one cannot be captured. Work is called in any case, since it may
  /// swap pointers of the host.
  template <typename W> void capture(W Work, cudaGraphExec_t &Into) {
    Kernels.clear();
    cudaGraph_t Made = capturedGraph(cudaStreamPerThread, Work);
    if (!Into)
      CUDA_CHECK(cudaGraphInstantiate(&Into, Made, 0));
    CUDA_CHECK(cudaGraphDestroy(Made));
  }

  [[noreturn]] void wrong(const std::string &Text) const {
    std::fprintf(stderr, "%s: error: %s; see --help\n", Name.c_str(),
                 Text.c_str());
    std::exit(2);
  }

  [[noreturn]] void help() const {
    std::printf("usage: %s [OPTION...]\n%s\n\n", Name.c_str(),
                Sentence.c_str());
    auto Row = [](const std::string &Option, long long Value,
                  const std::string &Text) {
      std::printf("  --%-16s %s (%lld)\n", Option.c_str(), Text.c_str(), Value);
    };
    for (const Size &Each : Sizes)
      Row(Each.Name + " N", Each.Value, Each.Help);
    Row("repetitions N", Repetitions, "runs that are timed");
    Row("seed N", Seed, "decides every input");
    std::printf("  --%-16s check the reference against a second way\n",
                "reference");
    std::printf("  --%-16s time %s\n", "graph",
                OwnGraphs ? "the work as CUDA graphs that are updated"
                          : "a CUDA graph of the work; needs "
                            "-fgpu-default-stream=per-thread");
    if (OwnGraphs)
      std::printf("  --%-16s time the work as one CUDA graph that is never "
                  "changed\n",
                  "fixed-graph");
    if (ByHand && HasByHand)
      std::printf("  --%-16s time a CUDA graph of kernels that wait for each "
                  "other (PDL)\n  --%-16s time one cooperative grid\n",
                  "graph-pdl", "cooperative");
    std::exit(0);
  }

  void set(const std::string &Option, const std::string &Text) {
    char *End = nullptr;
    errno = 0;
    long long Value = std::strtoll(Text.c_str(), &End, 10);
    if (Text.empty() || *End || errno)
      wrong("'" + Text + "' after " + Option + " is no number");
    if (Option == "--seed") {
      Seed = Value;
      return;
    }
    Size Own{"repetitions", 0, ""};
    Size *To = Option == "--repetitions" ? &Own : nullptr;
    for (Size &Each : Sizes)
      if (Option == "--" + Each.Name)
        To = &Each;
    if (!To)
      wrong("no option " + Option);
    if (Value < To->Least || Value > 0x7fffffff)
      wrong(Option + " is at least " + std::to_string(To->Least) +
            " and at most 2147483647");
    (To == &Own ? Repetitions : To->Value) = Value;
  }

  /// Adds a result to the digest (FNV-1a), which tells whether two runs gave
  /// the same bytes.
  void digest(const void *Bytes, size_t Count) {
    for (size_t I = 0; I < Count; ++I)
      Digest = (Digest ^ static_cast<const unsigned char *>(Bytes)[I]) *
               0x100000001b3;
  }

  template <typename F>
  void compareBy(const char *What, size_t Got, size_t Want, F At) {
    if (Got != Want) {
      expect(false, std::string(What) + " has another size");
      return;
    }
    for (size_t I = 0; I < Got; ++I) {
      Pair Each = At(I);
      ++Compared;
      Widest = std::max(Widest, Each.Bound);
      Largest = std::max(Largest, std::fabs(Each.Want));
      Worst = std::max(Worst, Each.Distance);
      if (Each.Distance <= Each.Bound && std::isfinite(Each.Bound))
        continue;
      if (++Wrong <= 10)
        std::fprintf(stderr, "%s: %s[%zu] is %.9g, expected %.9g +- %.3g\n",
                     Name.c_str(), What, I, Each.Got, Each.Want, Each.Bound);
    }
  }

  /// What ran on the device, as members of the JSON object.
  std::string work() const {
    long long Launches = 0;
    std::string List;
    for (const KernelCount &Each : Kernels) {
      Launches += Each.Launches;
      List += (List.empty() ? "" : ", ") +
              ("{\"name\": \"" + Each.Name + "\"") +
              ", \"launches\": " + std::to_string(Each.Launches) +
              ", \"blocks\": [" + std::to_string(Each.Least) + ", " +
              std::to_string(Each.Most) +
              "], \"threads\": " + std::to_string(Each.Threads) + "}";
    }
    std::string Samples;
    for (double Each : Times)
      Samples += (Samples.empty() ? "" : ", ") + number(Each);
    cudaDeviceProp Device = properties();
    return "\"device\": \"" + std::string(Device.name) +
           "\", \"repetitions\": " + std::to_string(Repetitions) +
           ", \"launches\": " + std::to_string(Launches) + ", \"kernels\": [" +
           List + "], \"waves\": " + number(waves(Device)) +
           ", \"kernel_us\": [" + Samples + "]";
  }

  /// The widest launch over what the device holds at once, by threads alone.
  double waves(const cudaDeviceProp &Device) const {
    double Most = 0;
    for (const KernelCount &Each : Kernels) {
      long long Warps = (Each.Threads + 31) / 32;
      long long Held =
          std::min<long long>(Device.maxBlocksPerMultiProcessor,
                              Device.maxThreadsPerMultiProcessor / 32 / Warps);
      Most = std::max(Most, double(Each.Most) /
                                double(Held * Device.multiProcessorCount));
    }
    return Most;
  }

  static cudaDeviceProp properties() {
    int Device = 0;
    cudaDeviceProp Result;
    CUDA_CHECK(cudaGetDevice(&Device));
    CUDA_CHECK(cudaGetDeviceProperties(&Result, Device));
    return Result;
  }

  static std::string number(double Value) {
    char Text[40];
    std::snprintf(Text, sizeof Text, "%.6g", Value);
    return std::isfinite(Value) ? Text : "null";
  }

  std::string Name, Sentence;
  std::vector<Size> Sizes;
  long long Repetitions = 1, Seed = 1;
  int Held = 32; // blocks of a cooperative grid on a multiprocessor, at most
  bool Reference = false, OwnGraphs = false, ByHand = false;
  Way Chosen = Way::Stream;
  std::vector<KernelCount> Kernels;
  std::vector<double> Times;
  size_t Compared = 0, Wrong = 0;
  uint64_t Digest = 0xcbf29ce484222325;
  double Worst = 0, Widest = 0, Largest = 0;
};

} // namespace bench

#endif
