// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rigid bodies in the plane, in many small worlds: discs and capsules fall into
// a valley. A step finds what is close, makes contacts by a kernel for each
// kind that occurs, colours them so that contacts of one colour share no body,
// in as many rounds as that takes, and solves them colour by colour, several
// times. Which kernels run, how often and how wide is known only once the host
// has read the counts back.
//
// A first run is timed. A second one checks every launch from what the device
// had before it, and must end with the first one's results, bit by bit.

#include "Kernels.h"
#include "Known.h"

using namespace bench;

static dim3 gridOf(int Count) { return dim3((Count + Threads - 1) / Threads); }

/// All worlds, on the device. What is checked is fetched only for a check.
class Simulation {
public:
  Simulation(Program &Run, const Start &From, int Bodies, int Iterations)
      : Run(Run), From(From), Iterations(Iterations), Poses(From.Poses),
        Velocities(From.Velocities), Sizes(From.Sizes),
        InverseMasses(From.InverseMasses), Segments(From.Poses.size()),
        Bids(From.Poses.size()), Counts(Kinds), Won(1),
        Lists(Kinds * size_t(From.Poses.size()) * (Bodies + Planes * Ends)),
        Contacts(Lists.size() / Kinds), Order(Contacts.size()),
        Impulses(Contacts.size()) {
    On = {Bodies, int(From.Poses.size()), Poses,   Velocities,
          Sizes,  InverseMasses,          Segments};
  }

  /// All bodies where they start.
  void restore() {
    Poses.upload(From.Poses);
    Velocities.upload(From.Velocities);
  }

  /// One time step; with checks after every launch where \p Check.
  void step(bool Check) {
    Checking = Check;
    Checked Before = state();
    eachBody("applyForces", applyForces);
    if (Checking)
      Run.compare("the forces", state().velocities(), Before.forced());
    eachBody("placeSegments", placeSegments);
    if (Checking)
      Run.compare("the segments", state().segments(), state().placed());
    findContacts();
    colour();
    for (int I = 0; I < Iterations; ++I)
      for (size_t Each = 0; Each + 1 < Colours.size(); ++Each)
        solveColour(Colours[Each], Colours[Each + 1] - Colours[Each]);
    Before = state();
    eachBody("integrate", integrate);
    if (Checking)
      Run.compare("the poses", state().poses(), Before.moved());
  }

  /// Poses and velocities as they are.
  std::vector<float> outcome() {
    Checking = true;
    std::vector<float> All = state().poses(), More = state().velocities();
    All.insert(All.end(), More.begin(), More.end());
    return All;
  }

private:
  void eachBody(const char *Name, void (*Kernel)(Scene)) {
    Kernel<<<gridOf(On.Total), Threads>>>(On);
    launched(Name, gridOf(On.Total));
  }

  /// Who is close to whom, and their contacts, kind by kind.
  void findContacts() {
    CUDA_CHECK(cudaMemsetAsync(Counts, 0, Kinds * sizeof(int)));
    dim3 Grid = gridOf(On.candidates());
    findPairs<<<Grid, Threads>>>(On, Lists, Counts);
    launched("findPairs", Grid);
    Found = Counts.download();
    if (Checking)
      checkPairs(Run, On, state(), Found, Lists.download());

    Size = 0;
    makeContacts("discPlane", discPlane, DiscPlane);
    makeContacts("capsulePlane", capsulePlane, CapsulePlane);
    makeContacts("discDisc", discDisc, DiscDisc);
    makeContacts("discCapsule", discCapsule, DiscCapsule);
    makeContacts("capsuleCapsule", capsuleCapsule, CapsuleCapsule);
    CUDA_CHECK(cudaMemsetAsync(Impulses, 0, Size * sizeof(float2)));
  }

  /// The contacts of one kind, if there are any, behind those of the others.
  void makeContacts(const char *Name,
                    void (*Kernel)(Scene, int, const int *, Contact *),
                    Kind Which) {
    int Count = Found[Which];
    if (Count == 0)
      return;
    const int *List = Lists + size_t(Which) * On.candidates();
    Kernel<<<gridOf(Count), Threads>>>(On, Count, List, Contacts + Size);
    launched(Name, gridOf(Count));
    if (Checking)
      checkContacts(Run, On, state(), Which, fetched(List, Count),
                    fetched(Contacts + Size, Count));
    Size += Count;
  }

  /// Colours all contacts; Order has them by colour, Colours where each begins.
  void colour() {
    Colours = {0};
    int Left = Size;
    for (int Colour = 0; Left > 0; ++Colour) {
      int Begin = Colours.back();
      std::vector<Contact> Before = contacts();
      clearBids<<<gridOf(On.Total), Threads>>>(On.Total, Bids, Won);
      launched("clearBids", gridOf(On.Total));
      bid<<<gridOf(Size), Threads>>>(Size, Contacts, Bids);
      launched("bid", gridOf(Size));
      claim<<<gridOf(Size), Threads>>>(Size, Colour, Bids, Contacts,
                                       Order + Begin, Won);
      launched("claim", gridOf(Size));
      int Winners = Won.download()[0];
      Run.expect(Winners > 0 && Winners <= Left, "a round colours contacts");
      if (Winners <= 0 || Winners > Left)
        break;
      if (Checking)
        checkRound(Run, On, Colour, Before, contacts(),
                   fetched(Order + Begin, Winners));
      Colours.push_back(Begin + Winners);
      Left -= Winners;
    }
  }

  /// The contacts of one colour: a part of Order.
  void solveColour(int Begin, int Count) {
    Checked Before = state();
    std::vector<float2> Old = impulses();
    solve<<<gridOf(Count), Threads>>>(On, Count, Order + Begin, Contacts,
                                      Impulses);
    launched("solve", gridOf(Count));
    if (Checking)
      checkSolved(Run, Before, state().velocities(), contacts(),
                  fetched(Order + Begin, Count), Old, impulses());
  }

  /// Only what is timed counts as the program's work.
  void launched(const char *Kernel, dim3 Grid) {
    if (Checking)
      checkCall(cudaGetLastError(), Kernel);
    else
      Run.launched(Kernel, Grid, Threads);
  }

  template <typename T>
  static std::vector<T> fetched(const T *From, size_t Count) {
    std::vector<T> Result(Count);
    CUDA_CHECK(cudaMemcpy(Result.data(), From, Count * sizeof(T),
                          cudaMemcpyDeviceToHost));
    return Result;
  }

  /// What the device has now; nothing where nothing is checked.
  Checked state() const {
    if (!Checking)
      return {};
    return {Poses.download(), Velocities.download(), From.Sizes,
            From.InverseMasses, Segments.download()};
  }
  std::vector<Contact> contacts() const {
    return fetched(Contacts.data(), Checking ? Size : 0);
  }
  std::vector<float2> impulses() const {
    return fetched(Impulses.data(), Checking ? Size : 0);
  }

  Program &Run;
  const Start &From;
  int Iterations, Size = 0;
  bool Checking = false;
  std::vector<int> Found, Colours;
  Array<float3> Poses, Velocities;
  Array<float2> Sizes, InverseMasses;
  Array<float4> Segments;
  Array<unsigned> Bids;
  Array<int> Counts, Won, Lists;
  Array<Contact> Contacts;
  Array<int> Order;
  Array<float2> Impulses;
  Scene On;
};

int main(int Argc, char **Argv) {
  Program Run("physics", "discs and capsules that fall into valleys",
              {{"worlds", 64, "worlds"},
               {"bodies", 12, "bodies in each"},
               {"steps", 32, "time steps"},
               {"iterations", 4, "how often a step solves all contacts"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Worlds = int(Run["worlds"]), Bodies = int(Run["bodies"]);
  Run.require(1ll * Worlds * Bodies * (Bodies + Planes * Ends) < 0x7fffffff,
              "--worlds times the square of --bodies is below 2^31");
  Start From(Random(Run.seed()).next(), Worlds, Bodies);
  Simulation Model(Run, From, Bodies, int(Run["iterations"]));
  auto Steps = [&](bool Check) {
    for (int I = 0; I < Run["steps"]; ++I)
      Model.step(Check);
  };
  Run.measure([&] { Model.restore(); }, [&] { Steps(false); });

  std::vector<float> Timed = Model.outcome();
  Model.restore();
  Steps(true);
  Run.compare("the timed run", Timed, Model.outcome());
  return Run.report();
}
