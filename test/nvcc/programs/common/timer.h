#pragma once
#include <cuda_runtime.h>
#include <sys/time.h>

class StopWatchInterface {
public:
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual float getTime() = 0;
};

class StopWatchLinux : public StopWatchInterface {
  struct timeval start_time;
  float total_time;
  bool running;

public:
  StopWatchLinux() : start_time(), total_time(0.0f), running(false) {}
  void start() {
    gettimeofday(&start_time, 0);
    running = true;
  }
  void stop() {
    total_time += getDiffTime();
    running = false;
  }
  float getTime() { return total_time + (running ? getDiffTime() : 0); }

private:
  float getDiffTime() {
    struct timeval t;
    gettimeofday(&t, 0);
    return (float)(1000.0 * (t.tv_sec - start_time.tv_sec) +
                   (0.001 * (t.tv_usec - start_time.tv_usec)));
  }
};

struct GpuTimer {
  cudaEvent_t start, stop;
  GpuTimer() {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  ~GpuTimer() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
  void Start() { cudaEventRecord(start, 0); }
  void Stop() { cudaEventRecord(stop, 0); }
  float Elapsed() {
    float elapsed;
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&elapsed, start, stop);
    return elapsed;
  }
};
