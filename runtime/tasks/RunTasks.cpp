// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunTasks.h"

#include "Process.h"
#include "TaskDeclarations.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace blockmaestro {
namespace {

/// A worker waits so long for producers where the user does not say.
constexpr std::chrono::nanoseconds LongPatience = std::chrono::seconds(60);
/// On the emulated device, where each thread of a worker has a stack.
constexpr uint32_t MostEmulatedWorkers = 8;
/// Dynamic shared memory beyond this has to be asked for.
constexpr size_t UnaskedSharedBytes = 48 << 10;
/// Of memory that is asked for before it is known how much a graph needs.
constexpr size_t ExpectedBytes = size_t(2) << 20;
/// In front of the staged image, which stays aligned.
constexpr size_t ReportRoom = 256;
static_assert(sizeof(TaskReport) <= ReportRoom);
/// Producers that a message names.
constexpr size_t MostNamed = 8;

Status statusOf(cudaError_t Error, const char *Doing) {
  if (Error == cudaSuccess)
    return {};
  return Status(Error == cudaErrorMemoryAllocation ? StatusCode::OutOfMemory
                                                   : StatusCode::Device,
                std::string(Doing) + ": " + cudaGetErrorString(Error));
}

TaskQueue queueOf(QueueKind Kind) {
  switch (Kind) {
  case QueueKind::LocalRoundRobin:
    return TaskQueue::LocalRoundRobin;
  case QueueKind::GlobalRoundRobin:
    return TaskQueue::GlobalRoundRobin;
  case QueueKind::LocalFirst:
    return TaskQueue::LocalFirst;
  case QueueKind::Default:
  case QueueKind::Tickets:
    break;
  }
  return TaskQueue::Tickets;
}

Status allowShared(const void *Kernel, size_t Bytes) {
  if (Bytes <= UnaskedSharedBytes)
    return {};
  return statusOf(
      cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           int(Bytes)),
      "shared memory of tasks");
}

/// How many workers can be resident together.
Result<uint32_t> residentWorkers(int Device, const void *Workers,
                                 unsigned Threads, size_t SharedBytes) {
  int Multiprocessors = 0, OnEach = 0;
  cudaError_t Error = cudaDeviceGetAttribute(
      &Multiprocessors, cudaDevAttrMultiProcessorCount, Device);
  if (Error == cudaSuccess)
    Error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &OnEach, Workers, int(Threads), SharedBytes);
  if (Error != cudaSuccess)
    return statusOf(Error, "workers for tasks");
  if (OnEach == 0)
    return Status(StatusCode::InvalidArgument,
                  "a block of tasks needs more than a multiprocessor has");
  return uint32_t(OnEach) * uint32_t(Multiprocessors);
}

} // namespace

TaskRun::~TaskRun() {
  (void)wait();
  if (Memory)
    (void)cudaFree(Memory);
  if (Report)
    (void)cudaFreeHost(Report);
}

Status TaskRun::makeReady(const PlacedCode &Code) {
  if (Ready == Code)
    return {};
  if (Status Done = allowShared(Code.Kernel, Code.SharedBytes); !Done.ok())
    return Done;
  const Result<uint32_t> Fit =
      residentWorkers(Code.Device, Code.Kernel, Code.Threads, Code.SharedBytes);
  if (!Fit.ok())
    return Fit.status();
  Ready = Code;
  Resident = *Fit;
  return {};
}

/// What fails here is asked for again, and then told. The program may be
/// capturing meanwhile, of which this is no part.
void TaskRun::prepare(const PlacedCode &Code) {
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
  (void)cudaThreadExchangeStreamCaptureMode(&Mode);
  if (cudaSetDevice(Code.Device) != cudaSuccess || !makeReady(Code).ok())
    return;
  (void)reserve(ExpectedBytes);
  (void)reserveStaging(ExpectedBytes);
}

void TaskRun::endPreparation() {
  if (Preparation.joinable())
    Preparation.join();
}

void TaskRun::expect(const TaskCode &Code) {
  cudaError_t Error = cudaSuccess;
  int Device = 0;
  Runtime *Front = openRuntime(Error);
  if (!Front || Front->placeOfTasks().ByLevels ||
      cudaGetDevice(&Device) != cudaSuccess)
    return;
  const PlacedCode Wanted(Device, Code);
  if (Preparation.joinable() && Expected == Wanted)
    return;
  endPreparation();
  if (Ready == Wanted)
    return;
  Expected = Wanted;
  try {
    Preparation = std::thread([this, Wanted] { prepare(Wanted); });
  } catch (const std::system_error &) {
    return; // start() does all.
  }
}

Status TaskRun::start(const TaskGraph &Of, const TaskCode &Code,
                      cudaStream_t On) {
  if (Status Before = wait(); !Before.ok())
    return Before;
  if (Of.nodes().empty())
    return {};
  cudaError_t Error = cudaSuccess;
  Runtime *Front = openRuntime(Error);
  if (!Front)
    return statusOf(Error, "no device for tasks");
  Graph = &Of;
  Stream = On;
  const TaskPlace Place = Front->placeOfTasks();
  Status Done = Place.ByLevels && Place.Queue == QueueKind::Default
                    ? runLevels(*Front, Place, Code)
                    : runWorkers(Place, Code);
  if (!Done.ok())
    Graph = nullptr;
  return Done;
}

Status TaskRun::reserve(size_t Bytes) {
  if (Bytes <= Reserved)
    return {};
  if (Memory)
    (void)cudaFree(std::exchange(Memory, nullptr));
  Reserved = 0;
  const size_t Wanted = Bytes + Bytes / 4;
  Status Done = statusOf(cudaMalloc(&Memory, Wanted), "memory for tasks");
  if (Done.ok())
    Reserved = Wanted;
  return Done;
}

Status TaskRun::reserveStaging(size_t Bytes) {
  if (Bytes <= StagingBytes)
    return {};
  if (Report)
    (void)cudaFreeHost(std::exchange(Report, nullptr));
  StagingBytes = 0;
  const size_t Wanted = Bytes + Bytes / 4;
  void *Made = nullptr;
  Status Done =
      statusOf(cudaHostAlloc(&Made, ReportRoom + Wanted, cudaHostAllocPortable),
               "memory for tasks");
  if (!Done.ok())
    return Done;
  Report = new (Made) TaskReport{};
  Staging = static_cast<std::byte *>(Made) + ReportRoom;
  StagingBytes = Wanted;
  return {};
}

/// Brings a part of the image to Memory.
Status TaskRun::uploadPart(TaskImage::Part What) {
  if (What.Begin == What.End)
    return {};
  return statusOf(cudaMemcpyAsync(static_cast<std::byte *>(Memory) + What.Begin,
                                  Staging + What.Begin, What.End - What.Begin,
                                  cudaMemcpyHostToDevice, Stream),
                  "tasks to the device");
}

/// Brings the image to Memory, where nothing else is then.
Status TaskRun::upload(const TaskImage &What) {
  There = {};
  Status Done = reserve(What.bytes());
  if (Done.ok())
    Done = reserveStaging(What.filled());
  if (!Done.ok())
    return Done;
  What.fill(Staging, reinterpret_cast<uint64_t>(Memory));
  return uploadPart({0, What.filled()});
}

/// The launches of levels; the executor runs them.
Status TaskRun::runLevels(Runtime &Front, const TaskPlace &Place,
                          const TaskCode &Code) {
  TaskGraph::ByLevel Levels = Graph->byLevel();
  const TaskImage Image(*Graph, std::move(Levels.Order), TaskQueue::Tickets, 0);
  Status Done = upload(Image);
  if (Done.ok())
    Done = allowShared(Code.Blocks, Code.SharedBytes);
  if (!Done.ok())
    return Done;
  LeveledTasks What;
  What.Stub = Code.Blocks;
  What.Threads = Code.Threads;
  What.SharedBytes = Code.SharedBytes;
  What.Stream = Stream;
  What.Leading = Code.Leading;
  What.List = Image.list(reinterpret_cast<uint64_t>(Memory));
  What.Stride = sizeof(DeviceTask);
  What.LevelBegin = std::move(Levels.Begin);
  What.ProducerBegin.push_back(0);
  for (uint32_t Node : Image.order()) {
    for (uint32_t Each : Graph->producers().of(Node))
      What.Producers.push_back(Image.places()[Each]);
    std::sort(What.Producers.begin() + What.ProducerBegin.back(),
              What.Producers.end());
    What.ProducerBegin.push_back(uint32_t(What.Producers.size()));
  }
  if (Place.Checked)
    What.Declared = {declarationsOf(*Graph, Image.order()),
                     Code.Names ? Code.Names() : std::vector<NamedMemory>(),
                     reinterpret_cast<uint64_t>(Memory), Image.bytes()};
  What.Name = [this, Order = std::make_shared<const std::vector<uint32_t>>(
                         Image.order())](uint32_t Place) {
    return nodeText((*Order)[Place]);
  };
  std::string Why;
  Done = statusOf(Front.runTasks(What, Why), "tasks");
  if (Done.ok())
    return Done;
  return Why.empty() ? failed(Done) : Status(Done.code(), "tasks: " + Why);
}

/// For runs until one fails: no other writes there.
void TaskRun::makeReport(const TaskPlace &Place) {
  const std::chrono::nanoseconds Patience =
      Place.TimeoutSeconds ? std::chrono::seconds(*Place.TimeoutSeconds)
                           : LongPatience;
  *Report = {};
  Report->Patience = uint64_t(Patience.count());
}

/// The entries with which queues begin.
Status TaskRun::uploadEntries(const TaskImage &What) {
  size_t EachRow = 0;
  const std::vector<uint32_t> Rows = What.entryRows(EachRow);
  void *To = reinterpret_cast<void *>(
      What.entries(reinterpret_cast<uint64_t>(Memory)));
  const size_t Width = EachRow * sizeof(uint32_t);
  return statusOf(cudaMemcpy2DAsync(To, What.rowBytes(), Rows.data(), Width,
                                    Width, Rows.size() / EachRow,
                                    cudaMemcpyHostToDevice, Stream),
                  "queues of tasks to the device");
}

/// Workers for a graph that is not there.
Status TaskRun::placeWorkers(const TaskPlace &Place, const TaskCode &Code,
                             const Placed &Wanted) {
  int Device = 0;
  Status Done = statusOf(cudaGetDevice(&Device), "a device for tasks");
  if (Done.ok())
    Done = makeReady({Device, Code});
  if (!Done.ok())
    return Done;
  // Who has nothing to run asks for it all the time, which slows the others
  // down. Levels do not run in step, so some more than a level are of use.
  Workers = uint32_t(std::min<uint64_t>(
      {Resident, Graph->nodes().size(), 2 * uint64_t(Graph->widest())}));
  if (Place.ByLevels)
    Workers = std::min(Workers, MostEmulatedWorkers);
  Image = std::make_unique<TaskImage>(*Graph, Graph->ticketOrder(Workers),
                                      Wanted.Queue, Workers);
  Done = upload(*Image);
  if (!Done.ok())
    return Done;
  makeReport(Place);
  Work = Image->work(reinterpret_cast<uint64_t>(Memory));
  Work.Report = Report;
  There = Wanted;
  DataThere = Graph->dataVersion();
  return {};
}

/// The same graph once more.
Status TaskRun::placeAgain() {
  const bool NewData = DataThere != Graph->dataVersion();
  DataThere = 0;
  if (NewData)
    Image->fillRecords(Staging);
  Status Done = uploadPart(Image->state());
  if (Done.ok() && (NewData || Image->hasRecordsInPlace()))
    Done = uploadPart(Image->records());
  if (Done.ok())
    DataThere = Graph->dataVersion();
  return Done;
}

Status TaskRun::runWorkers(const TaskPlace &Place, const TaskCode &Code) {
  const Placed Wanted = {Graph->version(), Code.Workers, Code.Threads,
                         Code.SharedBytes, queueOf(Place.Queue)};
  Status Done =
      There == Wanted ? placeAgain() : placeWorkers(Place, Code, Wanted);
  if (Done.ok() && Wanted.Queue != TaskQueue::Tickets)
    Done = uploadEntries(*Image);
  return Done.ok() ? launchWorkers(Place, Code) : Done;
}

/// Queues need all workers resident, which a cooperative launch sees to; on the
/// emulated device, whose blocks else run one after the other, tickets are
/// better off so.
Status TaskRun::launchWorkers(const TaskPlace &Place, const TaskCode &Code) {
  std::vector<void *> Args = Code.Leading;
  Args.push_back(&Work);
  const bool Together = Place.ByLevels || Work.Queue != TaskQueue::Tickets;
  const auto Launch = Together ? cudaLaunchCooperativeKernel : cudaLaunchKernel;
  return statusOf(Launch(Code.Workers, dim3(Workers), dim3(Code.Threads),
                         Args.data(), Code.SharedBytes, Stream),
                  "workers for tasks");
}

/// Workers leave there how many entries their queues have had, or how many
/// tickets they took.
WorkerLoad TaskRun::load() const {
  if (There == Placed())
    return {};
  std::vector<uint32_t> Loads(Workers);
  if (cudaMemcpy(Loads.data(), Work.Ends, Workers * sizeof(uint32_t),
                 cudaMemcpyDeviceToHost) != cudaSuccess)
    return {};
  const auto [Least, Most] = std::minmax_element(Loads.begin(), Loads.end());
  return {Workers, *Least, *Most};
}

std::string TaskRun::nodeText(uint32_t Node) const {
  const TaskNode &Of = Graph->nodes()[Node];
  if (Of.Task == TaskNode::Join)
    return "a wait of the program for several tasks";
  return "task " + std::to_string(Of.Task) + " (" + Graph->kindName(Of.Kind) +
         ")";
}

/// What the worker that gave up waited for.
std::string TaskRun::stuckText() const {
  std::string Out = "worker " + std::to_string(Report->Worker);
  if (Report->Task == NoTask)
    return Out + " got no task for too long; " + std::to_string(Report->Open) +
           " are not done";
  const uint32_t Node = Image->order()[Report->Task];
  const NodeLists::View Producers = Graph->producers().of(Node);
  Out += " waited too long: " + nodeText(Node) + " waits for " +
         std::to_string(Report->Open) + " of ";
  size_t Named = 0;
  for (uint32_t Each : Producers) {
    if (Named == MostNamed)
      return Out + ", and others";
    Out += (Named++ == 0 ? "" : ", ") + nodeText(Each);
  }
  return Out;
}

/// Of which kinds the graph has tasks: one of them has failed.
std::string TaskRun::kindsText() const {
  std::set<uint32_t> Kinds;
  for (const TaskNode &Each : Graph->nodes())
    if (Each.Task != TaskNode::Join)
      Kinds.insert(Each.Kind);
  std::string Out = "in a task of ";
  size_t Named = 0;
  for (uint32_t Each : Kinds) {
    if (Named == MostNamed)
      return Out + ", or others";
    Out += (Named++ == 0 ? "" : ", ") + Graph->kindName(Each);
  }
  return Out;
}

/// A failure that launches after the one it is of, or the wait for them, tell.
Status TaskRun::failed(const Status &How) const {
  return Status(How.code(),
                How.message() + ": " +
                    (Report && Report->Taken == 2 ? stuckText() : kindsText()));
}

Status TaskRun::wait() {
  endPreparation();
  if (!Graph)
    return {};
  Status Done = statusOf(cudaStreamSynchronize(Stream), "tasks");
  if (!Done.ok()) {
    Done = failed(Done);
    There = {};
  }
  Graph = nullptr;
  return Done;
}

} // namespace blockmaestro
