// Kernels that a file without -fblockmaestro brings along, and the launch of
// one that says what it touches.

#include <blockmaestro/annotate.h>

/// Out[i] = 3 * In[i] + 1.
__global__ void closedStep(const int *In, int *Out, int Size) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Size;
       I += gridDim.x * blockDim.x)
    Out[I] = 3 * In[I] + 1;
}

void launchClosed(const int *In, int *Out, int Size, bool Declares) {
  if (Declares) {
    blockmaestro_reads(In, Size * sizeof(int));
    blockmaestro_writes(Out, Size * sizeof(int));
  }
  closedStep<<<5, 64>>>(In, Out, Size);
}
