// Feature: printf: What one call of printf prints is not torn apart, from any number of
// threads and blocks.

#include <string>
#include <unistd.h>

#include "Inputs/suite.h"

__global__ void lines() {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  printf("thread %u of block %u is number %u\n", threadIdx.x, blockIdx.x, I);
}

int main() {
  std::fflush(stdout);
  const int Terminal = dup(1);
  FILE *File = std::tmpfile();
  if (!File || Terminal < 0)
    return 1;
  dup2(fileno(File), 1);
  lines<<<8, 64>>>();
  check(cudaDeviceSynchronize());
  std::fflush(stdout);
  dup2(Terminal, 1);

  std::vector<int> Seen(512);
  unsigned Thread, Block, Number;
  std::rewind(File);
  char Line[200];
  while (std::fgets(Line, sizeof(Line), File)) {
    int Fields = std::sscanf(Line, "thread %u of block %u is number %u\n",
                             &Thread, &Block, &Number);
    if (Fields == 3 && Number < 512 && Number == Block * 64 + Thread)
      ++Seen[Number];
    else
      expect(!"a torn line");
  }
  same(Seen, std::vector<int>(512, 1));
  return suite::finish();
}
