// Feature: streams: What streams say of themselves: flags, priorities, numbers,
// the device, attributes.

#include <set>

#include "Inputs/suite.h"

int main() {
  int Least = -1, Greatest = 1;
  check(cudaDeviceGetStreamPriorityRange(&Least, &Greatest));
  expect(Least == 0 && Greatest <= Least);

  cudaStream_t Plain, Free, Urgent, TooUrgent;
  check(cudaStreamCreate(&Plain));
  check(cudaStreamCreateWithFlags(&Free, cudaStreamNonBlocking));
  check(cudaStreamCreateWithPriority(&Urgent, cudaStreamDefault, Greatest));
  check(cudaStreamCreateWithPriority(&TooUrgent, cudaStreamNonBlocking,
                                     Greatest - 100));
  unsigned Flags = 99;
  check(cudaStreamGetFlags(Plain, &Flags));
  expect(Flags == cudaStreamDefault);
  check(cudaStreamGetFlags(Free, &Flags));
  expect(Flags == cudaStreamNonBlocking);
  int Priority = 99;
  check(cudaStreamGetPriority(Plain, &Priority));
  expect(Priority == 0);
  check(cudaStreamGetPriority(Urgent, &Priority));
  expect(Priority == Greatest);
  check(cudaStreamGetPriority(TooUrgent, &Priority));
  expect(Priority == Greatest);

  std::set<unsigned long long> Ids;
  for (cudaStream_t Stream : {Plain, Free, Urgent, TooUrgent}) {
    unsigned long long Id = 0, Again = 1;
    check(cudaStreamGetId(Stream, &Id));
    check(cudaStreamGetId(Stream, &Again));
    expect(Id == Again);
    Ids.insert(Id);
    int Device = -1;
    check(cudaStreamGetDevice(Stream, &Device));
    expect(Device == 0);
  }
  expect(Ids.size() == 4);

  cudaStreamAttrValue Set = {}, Got = {};
  Set.syncPolicy = cudaSyncPolicyYield;
  check(cudaStreamSetAttribute(Plain, cudaStreamAttributeSynchronizationPolicy,
                               &Set));
  check(cudaStreamCopyAttributes(Free, Plain));
  check(cudaStreamGetAttribute(Free, cudaStreamAttributeSynchronizationPolicy,
                               &Got));
  expect(Got.syncPolicy == cudaSyncPolicyYield);

  expect(cudaStreamCreateWithFlags(&Plain, 2) == cudaErrorInvalidValue);
  expect(cudaGetLastError() == cudaErrorInvalidValue);
  for (cudaStream_t Stream : {Plain, Free, Urgent, TooUrgent})
    check(cudaStreamDestroy(Stream));
  return suite::finish();
}
