// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A language model that writes, at batch 1: for every token all decoder blocks
// and the logits, whose largest the host takes as the next token. So the host
// waits once per token, and the work cannot be captured as a whole. --graph
// captures each token into a graph and updates it; --fixed-graph launches one
// graph for all, whose kernels find token and position in device memory.
//
// A first run is timed. A second one on the stream waits after every launch,
// checks every step of some tokens from what the device gave it before, and
// must end with the first one's results, bit by bit.

#include "../transformer/Fetched.h"
#include "Kernels.h"
#include "Reference.h"

#include <memory>

using namespace bench;

/// A model, and the buffers that every token uses again.
class Decoder {
public:
  Decoder(Program &Run, const Shape &Of, uint64_t Seed)
      : Run(Run), Of(Of), Table(Of.Words, Of.Dim, Spread::unit(Seed)),
        Classes(Layer::matrix(Seed + 1, Of.Words, Of.Dim)),
        Last(1, Of.Dim, Spread::aroundOne(Seed + 2)), State(Of.Dim),
        Normal(Of.Dim), Projected(Of.Dim + 2 * Of.width()), Mixed(Of.Dim),
        Change(Of.Dim), Open(2 * Of.Inner), Gated(Of.Inner),
        Scores(size_t(Of.Heads) * Of.Context), Logits(Of.Words), Current(2),
        Next(2), Results(size_t(Of.Tokens) * Of.Words) {
    for (int I = 0; I < Of.Layers; ++I)
      Layers.push_back(std::make_unique<Layer>(Seed + 100 * (I + 1), Of));
    CUDA_CHECK(cudaStreamCreate(&Stream));
    First = int(Random(Seed).below(Of.Words));
  }
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;
  ~Decoder() { cudaStreamDestroy(Stream); }

  /// Empties the caches; with --fixed-graph the graph is there afterwards.
  void prepare() {
    for (auto &Each : Layers) {
      Each->Keys.clear();
      Each->Values.clear();
    }
    if (Run.way() == Program::Way::FixedGraph && Captured.empty())
      InGraph = Run.captured([&] { captureFixed(); });
  }

  /// All tokens, each the best after the one before it.
  void decode() {
    int Token = First;
    for (int Position = 0; Position < Of.Tokens; ++Position) {
      issue(Token, Position);
      Token = best(Position);
    }
  }

  /// The same on the stream, with checks.
  void check() {
    Again = true;
    int Token = First;
    for (int Position = 0; Position < Of.Tokens; ++Position) {
      Checking = isChecked(Of, Position);
      step(Token, Position);
      Token = best(Position);
    }
  }

  std::vector<float> results() const { return Results.copy(); }
  /// The keys and values of all layers.
  std::vector<std::vector<__half>> caches() const {
    std::vector<std::vector<__half>> All;
    for (auto &Each : Layers) {
      All.push_back(Each->Keys.download());
      All.push_back(Each->Values.download());
    }
    return All;
  }

private:
  /// One token, in the way that was asked for.
  void issue(int Token, int Position) {
    if (Run.way() == Program::Way::Stream) {
      step(Token, Position);
      return;
    }
    if (Run.way() == Program::Way::Graph) {
      Captured.capture(Stream, [&] { step(Token, Position); });
    } else {
      Next[0] = Token;
      Next[1] = Position;
      Run.launched(InGraph);
    }
    Captured.launch(Stream);
  }

  void captureFixed() {
    Captured.capture(Stream, [&] {
      CUDA_CHECK(cudaMemcpyAsync(Current, Next, 2 * sizeof(int),
                                 cudaMemcpyHostToDevice, Stream));
      const int *Token = Current;
      step(Token, Token + 1);
    });
  }

  /// Waits for the logits of a position; the word that fits best.
  int best(int Position) {
    float *To = Results + size_t(Position) * Of.Words;
    CUDA_CHECK(cudaMemcpyAsync(To, Logits, Of.Words * sizeof(float),
                               cudaMemcpyDeviceToHost, Stream));
    CUDA_CHECK(cudaStreamSynchronize(Stream));
    return int(std::max_element(To, To + Of.Words) - To);
  }

  template <typename Number> void step(Number Token, Number Position) {
    dim3 Grid = gridOf(Of.Dim);
    embed<<<Grid, Threads, 0, Stream>>>(Of.Dim, Token, Table.Device, State);
    if (launched("embed", Grid, Threads))
      checkWord(Token);
    for (auto &Each : Layers) {
      attention(*Each, Position);
      perceptron(*Each);
    }
    norm(State, Last, Normal);
    dim3 Wide = rowsOf(Of.Words);
    logits<<<Wide, Threads, 0, Stream>>>(Of.Words, Of.Dim, Classes.Device,
                                         Normal, Logits);
    if (launched("logits", Wide, Threads))
      Run.compare("logits", Logits.download(),
                  productsOf(Classes, read(Normal, Of.Dim)));
  }

  template <typename Number> void attention(Layer &In, Number Position) {
    norm(State, In.Before, Normal);
    multiply(In.Query, Normal, query());
    multiply(In.Key, Normal, key());
    multiply(In.Value, Normal, value());
    turn(Position);
    keep(In, Position);
    weigh(In, Position);
    mix(In, Position);
    multiply(In.Output, Mixed, Change);
    addChange();
  }

  void perceptron(Layer &In) {
    norm(State, In.After, Normal);
    multiply(In.Gate, Normal, Open);
    multiply(In.Up, Normal, Open + Of.Inner);
    dim3 Grid = gridOf(Of.Inner);
    gate<<<Grid, Threads, 0, Stream>>>(Of.Inner, Open, Gated);
    if (launched("gate", Grid, Threads))
      compare("a gate", Gated, gated(read(Open, Open.size())));
    multiply(In.Down, Gated, Change);
    addChange();
  }

  void norm(const __half *In, const Weights &Weight, __half *Out) {
    rmsNorm<<<1, Threads, 0, Stream>>>(Of.Dim, In, Weight.Device, Out);
    if (launched("rmsNorm", 1, Threads))
      compare("a norm", Out, normalized(read(In, Of.Dim), Weight.row(0)));
  }

  void multiply(const Weights &By, const __half *In, __half *Out) {
    dim3 Grid = rowsOf(By.Rows);
    gemv<<<Grid, Threads, 0, Stream>>>(By.Rows, By.Columns, By.Device, In, Out);
    if (launched("gemv", Grid, Threads))
      compare("a product", Out, halved(productsOf(By, read(In, By.Columns))));
  }

  template <typename Number> void turn(Number Position) {
    int Turned = Of.Dim + Of.width(), Grid = Of.Heads + Of.KeyHeads;
    Values Before = beforeCheck(Projected, Turned);
    rotate<<<Grid, Of.head() / 2, 0, Stream>>>(Of.head(), Position, Projected);
    if (launched("rotate", Grid, Of.head() / 2))
      checkTurn(Position, Before);
  }

  void keep(Layer &In, int Position) {
    size_t At = size_t(Position) * Of.width();
    copy(In.Keys + At, key());
    copy(In.Values + At, value());
    if (!Checking)
      return;
    Run.compare("a key", fetched(In.Keys + At, Of.width()),
                fetched(Projected + Of.Dim, Of.width()));
    Run.compare("a value", fetched(In.Values + At, Of.width()),
                fetched(Projected + Of.Dim + Of.width(), Of.width()));
  }

  void copy(__half *To, const __half *From) {
    CUDA_CHECK(cudaMemcpyAsync(To, From, Of.width() * sizeof(__half),
                               cudaMemcpyDeviceToDevice, Stream));
    if (Again)
      CUDA_CHECK(cudaStreamSynchronize(Stream));
  }

  void keep(Layer &In, const int *Position) {
    dim3 Grid = gridOf(Of.width());
    append<<<Grid, Threads, 0, Stream>>>(Of.width(), Position, key(), value(),
                                         In.Keys, In.Values);
    launched("append", Grid, Threads);
  }

  /// The shares of the positions so far, for each head.
  template <typename Number> void weigh(Layer &In, Number Position) {
    dim3 Grid((reach(Position) + Warps - 1) / Warps, Of.Heads);
    score<<<Grid, Threads, 0, Stream>>>(Of.width(), Of.head(), Of.sharing(),
                                        Position, scale(), query(), In.Keys,
                                        Scores);
    if (launched("score", Grid, Threads))
      checkScores(In, reach(Position));
    Values Before = Checking ? scores(reach(Position)) : Values();
    softmax<<<Of.Heads, Threads, 0, Stream>>>(Position, Scores);
    if (launched("softmax", Of.Heads, Threads))
      Run.compare("shares", scores(reach(Position)),
                  shared(reach(Position), Before));
  }

  template <typename Number> void mix(Layer &In, Number Position) {
    dim3 Block(Of.head(), Groups);
    attend<<<Of.Heads, Block, Of.head() * Groups * sizeof(float), Stream>>>(
        Of.width(), Of.sharing(), Position, Scores, In.Values, Mixed);
    if (launched("attend", Of.Heads, Block))
      checkMix(In, reach(Position));
  }

  void addChange() {
    Values Before = beforeCheck(State, Of.Dim);
    dim3 Grid = gridOf(Of.Dim);
    addResidual<<<Grid, Threads, 0, Stream>>>(Of.Dim, Change, State);
    if (launched("addResidual", Grid, Threads))
      compare("a state", State, added(Before, read(Change, Of.Dim)));
  }

  /// Whether to check now. Only what is timed counts as the program's work.
  bool launched(const char *Kernel, dim3 Grid, dim3 Block) {
    if (!Again) {
      Run.launched(Kernel, Grid, Block);
      return false;
    }
    checkCall(cudaGetLastError(), Kernel);
    CUDA_CHECK(cudaStreamSynchronize(Stream));
    return Checking;
  }

  void checkWord(int Token) {
    Run.compare("a word", fetched(State, Of.Dim), Table.halves(Token));
  }
  void checkTurn(int Position, const Values &Before) {
    compare("a turn", Projected, rotated(Of.head(), Position, Before));
  }
  /// What is captured is not checked: it has run nowhere.
  void checkWord(const int *) {}
  void checkTurn(const int *, const Values &) {}

  void checkScores(Layer &In, int Length) {
    Run.compare("scores", scores(Length),
                scored(Of.head(), read(query(), Of.Dim),
                       read(In.Keys, size_t(Length) * Of.width()), scale(),
                       Of.sharing()));
  }

  void checkMix(Layer &In, int Length) {
    compare("a head", Mixed,
            attended(Of.head(), scores(Length),
                     read(In.Values, size_t(Length) * Of.width()), Of.Dim,
                     Of.sharing()));
  }

  Values beforeCheck(const __half *What, size_t Count) const {
    return Checking ? read(What, Count) : Values();
  }

  Values scores(int Length) const {
    Values All = Scores.download();
    All.resize(size_t(Of.Heads) * Length);
    return All;
  }

  void compare(const char *What, const __half *Got, const Halves &Want) {
    Run.compare(What, fetched(Got, Want.size()), Want);
  }

  __half *query() const { return Projected; }
  __half *key() const { return Projected + Of.Dim; }
  __half *value() const { return key() + Of.width(); }
  float scale() const { return 1.0f / std::sqrt(float(Of.head())); }

  /// The positions that a launch has to be large enough for.
  int reach(int Position) const { return Position + 1; }
  int reach(const int *) const { return Of.Context; }

  static dim3 gridOf(int Count) {
    return dim3((Count + Threads - 1) / Threads);
  }
  static dim3 rowsOf(int Rows) { return dim3((Rows + Warps - 1) / Warps); }

  Program &Run;
  Shape Of;
  /// In the second run: whether it is, and whether this token is checked.
  bool Again = false, Checking = false;
  int First;
  cudaStream_t Stream;
  Weights Table, Classes, Last;
  std::vector<std::unique_ptr<Layer>> Layers;
  Array<__half> State, Normal, Projected, Mixed, Change, Open, Gated;
  Array<float> Scores, Logits;
  /// The token and its position, for graphs that never change.
  Array<int> Current;
  Pinned<int> Next;
  Pinned<float> Results;
  Graph Captured;
  Program::Counts InGraph;
};

static Shape shapeOf(const Program &Run) {
  Shape Of{int(Run["dim"]),     int(Run["inner"]),    int(Run["layers"]),
           int(Run["heads"]),   int(Run["kv-heads"]), int(Run["vocabulary"]),
           int(Run["context"]), int(Run["tokens"]),   int(Run["checked"])};
  Run.require(Of.Dim % Of.Heads == 0 && Of.head() % 2 == 0 &&
                  Of.head() <= 1024 / Groups,
              "--dim is --heads times an even number up to 256");
  Run.require(Of.Heads % Of.KeyHeads == 0,
              "--heads is a multiple of --kv-heads");
  Run.require(Of.Inner % 2 == 0, "--inner is even");
  Run.require(Of.Tokens <= Of.Context, "--tokens is at most --context");
  Run.require(Of.Checked <= Of.Tokens, "--checked is at most --tokens");
  Run.require(1ll * Of.Context * Of.Dim < 0x7fffffff,
              "--context times --dim is below 2^31");
  return Of;
}

int main(int Argc, char **Argv) {
  Program Run("decode", "a language model that writes, token by token",
              {{"dim", 64, "numbers of a token's state", 8},
               {"inner", 172, "units of a perceptron", 2},
               {"layers", 5, "decoder blocks"},
               {"heads", 8, "heads of attention"},
               {"kv-heads", 4, "heads that have keys and values"},
               {"vocabulary", 512, "words"},
               {"context", 512, "positions that the caches have room for"},
               {"tokens", 32, "tokens, one after the other"},
               {"checked", 32, "tokens whose every step is checked"}});
  Run.launchesGraphs();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkSteps(Run);
    checkModel(Run);
    return Run.report();
  }

  Decoder Model(Run, shapeOf(Run), Random(Run.seed()).next());
  Run.measure([&] { Model.prepare(); }, [&] { Model.decode(); });

  std::vector<float> Timed = Model.results();
  auto Caches = Model.caches();
  Model.prepare();
  CUDA_CHECK(cudaDeviceSynchronize());
  Model.check();
  Run.compare("the timed run", Timed, Model.results());
  auto Checked = Model.caches();
  for (size_t I = 0; I < Caches.size(); ++I)
    Run.compare("the timed run", Caches[I], Checked[I]);
  return Run.report();
}
