// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases in OpenCL, on the first device of PoCL. BENCH_KERNELS names
// Kernels.cl.

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "Driver.h"

#include <CL/cl.h>

#include <fstream>
#include <map>
#include <sstream>

namespace {

void check(cl_int Code) {
  if (Code != CL_SUCCESS)
    fail("OpenCL error " + std::to_string(Code));
}

std::string textOf(const char *Path) {
  std::ifstream File(Path ? Path : "");
  if (!File)
    fail("BENCH_KERNELS does not name a file");
  std::stringstream Text;
  Text << File.rdbuf();
  return Text.str();
}

/// The first device of the platform that is PoCL.
cl_device_id findDevice() {
  cl_platform_id Platforms[16];
  cl_uint Count = 0;
  check(clGetPlatformIDs(16, Platforms, &Count));
  for (cl_uint K = 0; K < Count; ++K) {
    char Name[256] = "";
    check(clGetPlatformInfo(Platforms[K], CL_PLATFORM_NAME, sizeof(Name), Name,
                            nullptr));
    cl_device_id Device;
    if (std::strstr(Name, "Portable") &&
        clGetDeviceIDs(Platforms[K], CL_DEVICE_TYPE_ALL, 1, &Device, nullptr) ==
            CL_SUCCESS)
      return Device;
  }
  fail("PoCL is not installed (Debian: pocl-opencl-icd)");
}

class OpenClDevice final : public BenchDevice {
public:
  OpenClDevice() {
    cl_int Code;
    cl_device_id Device = findDevice();
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Code);
    check(Code);
    Queue = clCreateCommandQueue(Context, Device, 0, &Code);
    check(Code);
    std::string Text = textOf(std::getenv("BENCH_KERNELS"));
    const char *Source = Text.c_str();
    Program = clCreateProgramWithSource(Context, 1, &Source, nullptr, &Code);
    check(Code);
    check(clBuildProgram(Program, 1, &Device, "", nullptr, nullptr));
  }

  void load(Case &C) override {
    for (cl_mem Old : Buffers)
      check(clReleaseMemObject(Old));
    Buffers.clear();
    cl_int Code;
    for (Buffer &B : C.Buffers) {
      Buffers.push_back(
          clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         B.size() * sizeof(Word), B.data(), &Code));
      check(Code);
    }
    for (const KernelLaunch &L : C.Launches)
      setArguments(C, L.Kernel);
  }
  void launch(Case &C) override {
    for (const KernelLaunch &L : C.Launches) {
      size_t Local[2] = {L.Block[0], L.Block[1]};
      size_t Global[2] = {L.Grid[0] * Local[0], L.Grid[1] * Local[1]};
      check(clEnqueueNDRangeKernel(Queue, Kernels[L.Kernel], 2, nullptr, Global,
                                   Local, 0, nullptr, nullptr));
    }
  }
  void finish() override { check(clFinish(Queue)); }
  void fetch(Case &C) override {
    Buffer &Out = C.Buffers[C.Output];
    check(clEnqueueReadBuffer(Queue, Buffers[C.Output], CL_TRUE, 0,
                              Out.size() * sizeof(Word), Out.data(), 0, nullptr,
                              nullptr));
  }

private:
  void setArguments(Case &C, const std::string &Name) {
    cl_int Code = CL_SUCCESS;
    cl_kernel &K = Kernels[Name];
    if (!K)
      K = clCreateKernel(Program, Name.c_str(), &Code);
    check(Code);
    cl_uint At = 0;
    for (cl_mem &B : Buffers)
      check(clSetKernelArg(K, At++, sizeof(B), &B));
    for (int &I : C.Ints)
      check(clSetKernelArg(K, At++, sizeof(I), &I));
    for (float &F : C.Floats)
      check(clSetKernelArg(K, At++, sizeof(F), &F));
  }

  cl_context Context;
  cl_command_queue Queue;
  cl_program Program;
  std::map<std::string, cl_kernel> Kernels;
  std::vector<cl_mem> Buffers;
};

} // namespace

int main(int Count, char **Names) {
  OpenClDevice Device;
  return benchMain(Device, Count, Names);
}
