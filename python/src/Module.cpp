// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the module blockmaestro._core: recordings as columns, and the
// simulator. Its types are in _core.pyi; users see the package around it.

#include "Error.h"
#include "Reader.h"
#include "RecordingTables.h"
#include "Scheduler.h"
#include "Simulation.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace blockmaestro::python {
namespace {

std::shared_ptr<Recording> recordingOf(Result<Recording> Read) {
  if (!Read.ok())
    throw Error(Read.status().message());
  return std::make_shared<Recording>(std::move(*Read));
}

std::shared_ptr<Recording> readFile(const std::string &Path) {
  nb::gil_scoped_release Reading;
  return recordingOf(readRecording(Path));
}

std::shared_ptr<Recording> parseBytes(nb::bytes Data, const std::string &Name) {
  const auto *Bytes = static_cast<const uint8_t *>(Data.data());
  const size_t Size = Data.size();
  nb::gil_scoped_release Reading;
  return recordingOf(parseRecording(Bytes, Size, Name));
}

/// A method that gives a table of a recording.
template <Table (*Of)(const Recording &)> nb::list tableOf(const Recording &R) {
  Table Out = [&] {
    nb::gil_scoped_release Collecting;
    return Of(R);
  }();
  return std::move(Out).toPython();
}

nb::dict countsOf(const Recording &R) {
  nb::dict Out;
  Out["launches"] = R.Launches.size();
  Out["relations"] = R.Relations.size();
  Out["copies"] = R.Copies.size();
  Out["copy_relations"] = R.CopyRelations.size();
  Out["barriers"] = R.Barriers.size();
  Out["waits"] = R.Waits.size();
  Out["observations"] = R.Observations.size();
  Out["events"] = R.Events.size();
  Out["costs"] = R.Costs.size();
  return Out;
}

template <typename T> void addCursor(nb::module_ &To, const char *Name) {
  using Cursor = BlockCursor<T>;
  nb::class_<Cursor>(To, Name)
      .def(nb::init<std::shared_ptr<const Recording>>(), "recording"_a)
      .def(
          "next",
          [](Cursor &At, size_t Most) {
            Table Out = [&] {
              nb::gil_scoped_release Collecting;
              return At.next(Most);
            }();
            return std::move(Out).toPython();
          },
          "most"_a);
}

void addRecording(nb::module_ &To) {
  nb::class_<Recording>(To, "Recording")
      .def_ro("program", &Recording::Program)
      .def_ro("device", &Recording::Device)
      .def_ro("executor", &Recording::Executor)
      .def_ro("window", &Recording::Window)
      .def_ro("truncated", &Recording::Truncated)
      .def("counts", countsOf)
      .def(
          "packed_bytes",
          [](const Recording &R) { return R.Events.bytes() + R.Costs.bytes(); })
      .def("launches", tableOf<launchesOf>)
      .def("copies", tableOf<copiesOf>)
      .def("ranges", tableOf<rangesOf>)
      .def("barriers", tableOf<barriersOf>)
      .def("waits", tableOf<waitsOf>)
      .def("observations", tableOf<observationsOf>)
      .def("relations", tableOf<relationsOf>)
      .def("pieces", tableOf<piecesOf>)
      .def("runs", tableOf<runsOf>);
}

void addRequest(nb::module_ &To) {
  using Request = SimulationRequest;
  nb::class_<Request>(To, "SimulationRequest")
      .def(nb::init<>())
      .def_rw("file", &Request::File)
      .def_rw("machine_name", &Request::MachineName)
      .def_rw("machine_numbers", &Request::MachineNumbers)
      .def_rw("schedulers", &Request::Schedulers)
      .def_rw("in_flight", &Request::InFlight)
      .def_rw("durations", &Request::Durations)
      .def_rw("host_is_recorded", &Request::HostIsRecorded)
      .def_rw("launches", &Request::Launches)
      .def_rw("jobs", &Request::Jobs)
      .def_rw("has_launches", &Request::HasLaunches)
      .def_rw("has_timeline", &Request::HasTimeline);
}

} // namespace
} // namespace blockmaestro::python

NB_MODULE(_core, Module) {
  using namespace blockmaestro;
  using namespace blockmaestro::python;
  nb::exception<python::Error>(Module, "Error", PyExc_ValueError);
  addRecording(Module);
  addCursor<Event>(Module, "EventCursor");
  addCursor<RecordedCost>(Module, "CostCursor");
  addRequest(Module);
  Module.attr("MOST_IN_FLIGHT") = sim::MostInFlight;
  Module.def("read", readFile, "path"_a);
  Module.def("parse", parseBytes, "data"_a, "name"_a);
  Module.def("simulate", python::simulate, "recording"_a, "request"_a);
  Module.def("check", python::check, "request"_a);
  Module.def("scheduler_names", schedulerNames);
  Module.def("machine_defaults", machineDefaults);
}
