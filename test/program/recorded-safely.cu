// Where the host has waited for a launch, the launch and all its blocks are in
// the file, whatever becomes of the program. A process that another one of the
// same name, or its parent, records beside has a file of its own.

// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t
// RUN: rm -f %t.r*
// RUN: env BLOCKMAESTRO_RECORD=%t.r.%%q{HOW} HOW=device %t
// RUN: env BLOCKMAESTRO_RECORD=%t.r.%%q{HOW} HOW=stream %t
// RUN: env BLOCKMAESTRO_RECORD=%t.r.%%q{HOW} HOW=event %t
// RUN: env BLOCKMAESTRO_RECORD=%t.r.%%q{HOW} HOW=copy %t
// RUN: env BLOCKMAESTRO_RECORD=%t.r.shuffle HOW=copy BLOCKMAESTRO_EXECUTOR=shuffle:1 %t
// RUN: %bm-dump recording %t.r.device.partial | FileCheck %s
// RUN: %bm-dump recording %t.r.stream.partial | FileCheck %s
// RUN: %bm-dump recording %t.r.event.partial | FileCheck %s
// RUN: %bm-dump recording %t.r.copy.partial | FileCheck %s
// RUN: %bm-dump recording %t.r.shuffle.partial | FileCheck %s
// RUN: not %bm-dump recording %t.r.copy 2>&1 | FileCheck %s --check-prefix=HINT
// RUN: env BLOCKMAESTRO_RECORD=%t.r.fork HOW=fork %t 2>&1 | FileCheck %s --check-prefix=FORK
// RUN: %bm-dump launches %t.r.fork | FileCheck %s --check-prefix=PARENT
// RUN: %bm-dump launches %t.r.fork.* | FileCheck %s --check-prefix=CHILD

// CHECK: 1 launches, {{.*}} 80 blocks, 80 with costs; cut off
// HINT: bm-dump: error: {{.*}}.r.copy: No such file or directory; {{.*}}.r.copy.partial is of a program that still runs or was killed
// FORK: another process writes {{.*}}.r.fork; the recording of this one is {{.*}}.r.fork.{{[0-9]+}}
// PARENT: launch 0: both
// PARENT: launch 1: parents
// CHILD: launch 0: both
// CHILD: launch 1: childs

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void both(int *A) { A[blockIdx.x] += 1; }
__global__ void parents(int *A) { A[blockIdx.x] += 2; }
__global__ void childs(int *A) { A[blockIdx.x] += 3; }

static int runInBoth(int *A) {
  const pid_t Child = fork();
  if (Child == 0)
    childs<<<4, 1>>>(A);
  else
    waitpid(Child, nullptr, 0);
  if (Child != 0)
    parents<<<4, 1>>>(A);
  return cudaDeviceSynchronize();
}

int main() {
  const std::string How = std::getenv("HOW");
  int *A, Host[80];
  cudaMalloc(&A, sizeof Host);
  both<<<80, 1>>>(A);
  if (How == "device" || How == "fork")
    cudaDeviceSynchronize();
  if (How == "fork")
    return runInBoth(A);
  if (How == "stream")
    cudaStreamSynchronize(nullptr);
  if (How == "copy")
    cudaMemcpy(Host, A, sizeof Host, cudaMemcpyDeviceToHost);
  cudaEvent_t Event;
  if (How == "event") {
    cudaEventCreate(&Event);
    cudaEventRecord(Event);
    cudaEventSynchronize(Event);
  }
  _exit(0);
}
