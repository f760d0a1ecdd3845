// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the programs of this folder and their CUDA baselines share:
// options, times of a repetition, comparison, and the one line that a program
// prints. A program is
//
//   Run.begin();
//   #pragma omp target data map(...)
//   while (Run.again()) {
//     ... fill the data again ...
//     Run.start();
//     solve(...);
//     Run.stop();
//     if (Run.keeps()) { ... update from the device ...; Run.keep(...); }
//   }
//   Run.end();
//
// Threads: one.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_RUN_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_RUN_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace tasks {

/// A size that an option changes; it is at least Least and at most Most.
struct Size {
  std::string Name;
  long long Value;
  std::string Help;
  long long Least = 1, Most = 1 << 14;
};

class Run {
public:
  /// \p Ways: the values that --way may have, the first one the default.
  Run(std::string Name, std::vector<Size> Sizes,
      std::vector<std::string> Ways = {"tasks"})
      : Name(std::move(Name)), Sizes(std::move(Sizes)), Ways(std::move(Ways)),
        Way(this->Ways[0]) {}

  /// Ends the program where an option is none (status 2), or asks for help.
  void parse(int Argc, char **Argv) {
    for (int I = 1; I < Argc; ++I) {
      std::string Option = Argv[I];
      if (Option == "--help")
        help();
      if (Option == "--check")
        Checked = true;
      else if (Option == "--check-each")
        Checked = Each = true;
      else if (I + 1 == Argc)
        wrong("no option " + Option + ", or nothing behind it");
      else
        set(Option, Argv[++I]);
    }
  }

  int operator[](const char *Size) const {
    for (const tasks::Size &One : Sizes)
      if (One.Name == Size)
        return int(One.Value);
    std::abort();
  }
  const std::string &way() const { return Way; }
  bool checks() const { return Checked; }

  /// From here to end() is the time of the whole, with data that moves.
  void begin() { Begun = Clock::now(); }
  void end() { Whole = since(Begun); }
  /// Whether a further repetition is to come.
  bool again() { return Done++ < Repeat; }
  /// Between these is the time of a repetition.
  void start() { Started = Clock::now(); }
  void stop() { Times.push_back(since(Started)); }

  /// Whether the result of each repetition is wanted on the host.
  bool keeps() const { return Each; }
  /// Holds the bytes of a repetition's result against those of the first.
  template <typename T> void keep(const std::vector<T> &Result) {
    uint64_t Now = digestOf(Result);
    if (Kept++ == 0)
      First = Now;
    else if (Now != First)
      fail("the result of a repetition is another than that of the first");
  }

  /// The program's tasks in a repetition, and the threads that run each.
  void has(long long Tasks, int Threads) {
    Count = Tasks;
    Wide = Threads;
  }

  /// Holds a result against the reference, equal to the bit.
  template <typename T>
  void compare(const char *What, const std::vector<T> &Got,
               const std::vector<T> &Want) {
    for (size_t I = 0; I < Got.size(); ++I)
      expect(What, I, double(Got[I]), double(Want[I]), 0);
  }
  /// Holds a number against another that it may be off by a bound.
  void expect(const char *What, size_t I, double Got, double Want,
              double Bound) {
    ++Compared;
    if (std::fabs(Got - Want) <= Bound)
      return;
    char Text[160];
    std::snprintf(Text, sizeof Text, "%s[%zu] is %.9g, expected %.9g +- %.3g",
                  What, I, Got, Want, Bound);
    fail(Text);
  }

  /// Prints the line. The status of the program: 0, or 1 where a result is
  /// wrong.
  template <typename T> int report(const std::vector<T> &Result) {
    bool Right = Wrong == 0;
    std::string Verdict = !Right ? "fail" : Checked ? "pass" : "not checked";
    std::string Line =
        "{\"program\": \"" + Name + "\", \"way\": \"" + Way + "\", \"size\": {";
    for (const Size &One : Sizes)
      Line += (&One == Sizes.data() ? "\"" : ", \"") + One.Name +
              "\": " + std::to_string(One.Value);
    Line += "}, \"tasks\": " + std::to_string(Count) +
            ", \"threads\": " + std::to_string(Wide) +
            ", \"whole_us\": " + number(Whole) + ", \"us\": [";
    for (size_t I = 0; I < Times.size(); ++I)
      Line += (I ? ", " : "") + number(Times[I]);
    Line += "], \"check\": \"" + Verdict +
            "\", \"compared\": " + std::to_string(Compared) +
            ", \"wrong\": " + std::to_string(Wrong) +
            ", \"kept\": " + std::to_string(Kept) + ", \"digest\": \"" +
            std::to_string(digestOf(Result)) + "\"}";
    std::printf("%s\n", Line.c_str());
    return Right ? 0 : 1;
  }

private:
  using Clock = std::chrono::steady_clock;

  static double since(Clock::time_point Then) {
    return std::chrono::duration<double, std::micro>(Clock::now() - Then)
        .count();
  }

  static std::string number(double Value) {
    char Text[40];
    std::snprintf(Text, sizeof Text, "%.7g", Value);
    return Text;
  }

  /// FNV-1a, by words, which tells whether two runs gave the same bytes.
  template <typename T> static uint64_t digestOf(const std::vector<T> &From) {
    uint64_t Digest = 0xcbf29ce484222325;
    const char *Bytes = reinterpret_cast<const char *>(From.data());
    size_t Left = From.size() * sizeof(T);
    for (; Left > 0; Left -= std::min<size_t>(Left, 8)) {
      uint64_t Word = 0;
      std::memcpy(&Word, Bytes, std::min<size_t>(Left, 8));
      Bytes += std::min<size_t>(Left, 8);
      Digest = (Digest ^ Word) * 0x100000001b3;
      Digest ^= Digest >> 29;
    }
    return Digest;
  }

  void fail(const std::string &Text) {
    if (++Wrong <= 10)
      std::fprintf(stderr, "%s: %s\n", Name.c_str(), Text.c_str());
  }

  void set(const std::string &Option, const std::string &Text) {
    if (Option == "--way") {
      for (const std::string &Known : Ways)
        if (Text == Known) {
          Way = Text;
          return;
        }
      wrong("no way '" + Text + "'");
    }
    Size Own{"repeat", 0, "", 1, 1 << 20};
    Size *To = Option == "--repeat" ? &Own : nullptr;
    for (Size &One : Sizes)
      if (Option == "--" + One.Name)
        To = &One;
    if (!To)
      wrong("no option " + Option);
    char *End = nullptr;
    long long Value = std::strtoll(Text.c_str(), &End, 10);
    if (Text.empty() || *End || Value < To->Least || Value > To->Most)
      wrong("'" + Text + "' behind " + Option + " is no number from " +
            std::to_string(To->Least) + " to " + std::to_string(To->Most));
    (To == &Own ? Repeat : To->Value) = Value;
  }

  [[noreturn]] void wrong(const std::string &Text) const {
    std::fprintf(stderr, "%s: error: %s; see --help\n", Name.c_str(),
                 Text.c_str());
    std::exit(2);
  }

  [[noreturn]] void help() const {
    std::printf("usage: %s [OPTION...]\n\n", Name.c_str());
    for (const Size &One : Sizes)
      std::printf("  --%-12s %s (%lld)\n", One.Name.c_str(), One.Help.c_str(),
                  One.Value);
    std::printf("  --%-12s repetitions, each timed (1)\n", "repeat");
    std::printf("  --%-12s check the last result against a reference\n",
                "check");
    std::printf("  --%-12s the same, and that all repetitions agree\n",
                "check-each");
    if (Ways.size() > 1) {
      std::printf("  --%-12s how tasks are issued:", "way");
      for (const std::string &One : Ways)
        std::printf(" %s", One.c_str());
      std::printf(" (%s)\n", Ways[0].c_str());
    }
    std::exit(0);
  }

  std::string Name;
  std::vector<Size> Sizes;
  std::vector<std::string> Ways;
  std::string Way;
  long long Repeat = 1, Done = 0, Count = 0;
  int Wide = 0;
  bool Checked = false, Each = false;
  Clock::time_point Begun, Started;
  double Whole = 0;
  std::vector<double> Times;
  size_t Compared = 0, Wrong = 0, Kept = 0;
  uint64_t First = 0;
};

} // namespace tasks

#endif
