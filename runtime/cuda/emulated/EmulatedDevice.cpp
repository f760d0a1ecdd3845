// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatedDevice.h"

#include "Emulator.h"
#include "ErrorText.h"
#include "Machine.h"
#include "Places.h"
#include "Serial.h"
#include "Shuffle.h"
#include "State.h"

#include <algorithm>
#include <dlfcn.h>
#include <limits>
#include <thread>
#include <utility>

namespace blockmaestro {
namespace {

using Guard = std::lock_guard<std::mutex>;

class EmulatedDevice final : public Device {
public:
  explicit EmulatedDevice(std::unique_ptr<Emulator> Owned)
      : State(emulatedState()), Processor(std::move(Owned)) {
    Calls = emulatedCalls();
    Guard Held(State.Lock);
    State.Processor = Processor.get();
  }

  std::string name() const override { return emulatedProperties().name; }
  unsigned architecture() const override {
    return std::numeric_limits<unsigned>::max();
  }
  Status addRecord(const ModuleRecord &Record) override;
  Status addModule(const RegisteredModule &Module) override;
  void removeModule(const RegisteredModule &Module) override;
  Status accepts(const Launch &What, cudaStream_t Stream) override;
  Status offers(const ExecutorChoice &Choice) const override;
  Result<std::unique_ptr<Executor>> makeExecutor(const ExecutorChoice &Choice,
                                                 unsigned Window,
                                                 EventSink *Events) override;
  Result<uint64_t> globalAddress(const std::string &Symbol,
                                 const ModuleRecord &Of) override {
    return Processor->globalAddress(Symbol, &Of);
  }

private:
  EmulatedState &State;
  std::unique_ptr<Emulator> Processor;
};

Status EmulatedDevice::addRecord(const ModuleRecord &Record) {
  Status Added = Processor->addModule(&Record);
  if (!Added.ok())
    return Added;
  Guard Held(State.Lock);
  for (const KernelRecord &Each : Record.Kernels) {
    size_t Default = emulatedProperties().sharedMemPerBlock;
    size_t Static = std::min<size_t>(Each.StaticSharedBytes, Default);
    State.Kernels.try_emplace(&Each, EmulatedKernel{&Each, Default - Static});
  }
  return Status();
}

Status EmulatedDevice::addModule(const RegisteredModule &Module) {
  Guard Held(State.Lock);
  for (const RegisteredFunction &Each : Module.Functions)
    if (Each.Record)
      State.Stubs[Each.Stub] = Each.Record;
  for (const RegisteredVariable &Each : Module.Variables)
    State.Variables[Each.Host] = {Each, Module.Record};
  return Status();
}

void EmulatedDevice::removeModule(const RegisteredModule &Module) {
  Guard Held(State.Lock);
  for (const RegisteredFunction &Each : Module.Functions)
    State.Stubs.erase(Each.Stub);
  for (const RegisteredVariable &Each : Module.Variables)
    State.Variables.erase(Each.Host);
}

Status EmulatedDevice::accepts(const Launch &What, cudaStream_t Stream) {
  {
    Guard Held(State.Lock);
    auto Found = State.Kernels.find(What.Kernel);
    dim3 Grid(What.Grid.X, What.Grid.Y, What.Grid.Z);
    dim3 Block(What.Block.X, What.Block.Y, What.Block.Z);
    cudaError_t Wrong = checkLaunch(
        State, Found == State.Kernels.end() ? nullptr : &Found->second, Grid,
        Block, What.DynamicSharedBytes, Stream);
    if (Wrong != cudaSuccess)
      return Status(StatusCode::InvalidArgument, errorText(Wrong));
  }
  return Processor->prepare(What);
}

Status EmulatedDevice::offers(const ExecutorChoice &Choice) const {
  if (Choice.Kind != ExecutorKind::Prelaunch &&
      Choice.Kind != ExecutorKind::Persistent)
    return Status();
  return Status(StatusCode::Unsupported,
                "executors prelaunch and persistent need a GPU; the emulated "
                "device has serial and shuffle:SEED");
}

Result<std::unique_ptr<Executor>>
EmulatedDevice::makeExecutor(const ExecutorChoice &Choice, unsigned Window,
                             EventSink *Events) {
  Status Offered = offers(Choice);
  if (!Offered.ok())
    return Offered;
  if (Choice.Kind == ExecutorKind::Shuffle)
    return makeShuffle(*Processor, Events, Choice.Seed, Window);
  return makeSerial(*Processor, Events,
                    std::clamp(std::thread::hardware_concurrency(), 1u,
                               Emulator::MaxWorkers));
}

} // namespace

std::unique_ptr<Device>
makeEmulatedDevice(std::unique_ptr<Emulator> Processor) {
  return std::make_unique<EmulatedDevice>(std::move(Processor));
}

Result<std::unique_ptr<Device>> openEmulatedDevice() {
  std::string Path = ownFolder() + "libblockmaestro-emulator.so";
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return Status(StatusCode::NotFound,
                  std::string("no emulated device: ") + dlerror());
  auto Make = reinterpret_cast<Emulator *(*)()>(
      dlsym(Library, "blockmaestroMakeEmulator"));
  std::unique_ptr<Emulator> Processor(Make ? Make() : nullptr);
  if (!Processor)
    return Status(StatusCode::Device,
                  "no emulated device: " + Path +
                      " cannot make code for this processor");
  return makeEmulatedDevice(std::move(Processor));
}

} // namespace blockmaestro
