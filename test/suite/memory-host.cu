// Feature: memory: pinned, mapped and registered memory of the host, and what a pointer points to.

#include "Inputs/suite.h"

__global__ void twice(int *Of, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Of[I] *= 2;
}

__device__ int Variable;

constexpr int Count = 500;

static void useOnDevice(int *Host, void *Known) {
  int *Device = nullptr;
  check(cudaHostGetDevicePointer(&Device, Known, 0));
  Device += Host - static_cast<int *>(Known);
  std::vector<int> Expected(Count);
  for (int I = 0; I < Count; ++I) {
    Host[I] = I;
    Expected[I] = 2 * I;
  }
  twice<<<4, 128>>>(Device, Count);
  check(cudaDeviceSynchronize());
  same(std::vector<int>(Host, Host + Count), Expected);
}

static cudaPointerAttributes ask(const void *Pointer) {
  cudaPointerAttributes Out;
  check(cudaPointerGetAttributes(&Out, Pointer));
  return Out;
}

static void mapped() {
  int *Host = nullptr;
  check(cudaHostAlloc(&Host, Count * sizeof(int),
                      cudaHostAllocMapped | cudaHostAllocPortable));
  useOnDevice(Host, Host);
  unsigned Flags = 0;
  check(cudaHostGetFlags(&Flags, Host));
  expect(Flags & cudaHostAllocMapped);
  expect(ask(Host + 3).type == cudaMemoryTypeHost);
  expect(ask(Host + 3).hostPointer == Host + 3);
  expect(ask(Host + 3).device == 0);
  expect(cudaFree(Host) == cudaErrorInvalidValue);
  check(cudaFreeHost(Host));
  expect(cudaHostAlloc(&Host, 4, 0x100) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

static void registered() {
  std::vector<int> Host(Count + 10);
  int *Whole = Host.data();
  size_t Bytes = Host.size() * sizeof(int);
  expect(ask(Whole).type == cudaMemoryTypeUnregistered);
  check(cudaHostRegister(Whole, Bytes, cudaHostRegisterMapped));
  expect(cudaHostRegister(Whole, Bytes, 0) ==
         cudaErrorHostMemoryAlreadyRegistered);
  useOnDevice(Whole + 5, Whole);
  expect(ask(Whole).type == cudaMemoryTypeHost);
  check(cudaHostUnregister(Whole));
  expect(cudaHostUnregister(Whole) == cudaErrorHostMemoryNotRegistered);
  expect(cudaHostRegister(nullptr, Bytes, 0) == cudaErrorInvalidValue);
  expect(cudaHostRegister(Whole, 0, 0) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  expect(ask(Whole).type == cudaMemoryTypeUnregistered);
}

static void pointers() {
  suite::Array<int> Device(10);
  cudaPointerAttributes Of = ask(Device + 4);
  expect(Of.type == cudaMemoryTypeDevice && Of.device == 0);
  expect(Of.devicePointer == Device + 4 && !Of.hostPointer);
  void *Address = nullptr;
  check(cudaGetSymbolAddress(&Address, Variable));
  expect(ask(Address).type == cudaMemoryTypeDevice);
  int Local = 0;
  expect(ask(&Local).type == cudaMemoryTypeUnregistered);
  void *Found = nullptr;
  expect(cudaHostGetDevicePointer(&Found, &Local, 0) == cudaErrorInvalidValue);
  expect(cudaPointerGetAttributes(nullptr, &Local) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

int main() {
  mapped();
  registered();
  pointers();
  return suite::finish();
}
