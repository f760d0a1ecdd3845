// Tasks of a wavefront, added in the order of rows: every order that their
// ranges allow gives what one after the other gives.
// RUN: %bmclangxx -O2 -fblockmaestro -I%include %s -o %t
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t | FileCheck %s
// RUN: %bm-dump graph %t.rec | FileCheck --check-prefix=GRAPH %s
// RUN: env BLOCKMAESTRO_EXECUTOR=sim %t | FileCheck %s
// RUN: bash -c 'for seed in {0..11}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t || exit 1; done'
// RUN: bash -c 'for queue in tickets lrr grr lf; do BLOCKMAESTRO_QUEUE=$queue %t || exit 1; done'

// CHECK: ok, 144 tasks

// GRAPH: relation 0 -> 1: {{.*}}, 2 edges, RAW+WAR+WAW
// GRAPH: relation 1 -> 2: {{.*}}, 4 edges

#include <blockmaestro/tasks.h>

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr unsigned Side = 12, Width = 32;

struct Cell {
  unsigned Row, Column;
};

/// Each cell has a row of numbers, and adds up those of its neighbours above
/// and to the left, turned by one.
struct Wavefront {
  unsigned *Cells;

  __host__ __device__ static unsigned next(unsigned Above, unsigned Left,
                                           unsigned At) {
    return Above * 3 + Left * 5 + At;
  }
  __device__ void operator()(unsigned, void *Data) const {
    const Cell Mine = *static_cast<const Cell *>(Data);
    unsigned *To = Cells + (Mine.Row * Side + Mine.Column) * Width;
    const unsigned At = threadIdx.x, From = (At + 1) % Width;
    const unsigned Above = Mine.Row ? (To - Side * Width)[From] : 1;
    const unsigned Left = Mine.Column ? (To - Width)[From] : 2;
    To[At] = next(Above, Left, At);
  }
};

std::vector<unsigned> expected() {
  std::vector<unsigned> Out(Side * Side * Width);
  for (unsigned Row = 0; Row < Side; ++Row)
    for (unsigned Column = 0; Column < Side; ++Column)
      for (unsigned At = 0; At < Width; ++At) {
        unsigned *To = &Out[(Row * Side + Column) * Width];
        const unsigned From = (At + 1) % Width;
        const unsigned Above = Row ? (To - Side * Width)[From] : 1;
        const unsigned Left = Column ? (To - Width)[From] : 2;
        To[At] = Wavefront::next(Above, Left, At);
      }
  return Out;
}

int check(blockmaestro_tasks *Tasks, int Result) {
  if (Result != BLOCKMAESTRO_TASKS_OK)
    std::printf("%s: %s\n", blockmaestro_tasks_text(Result),
                blockmaestro_tasks_error(Tasks));
  return Result;
}

void addCell(blockmaestro_tasks *Tasks, unsigned *Cells, Cell What) {
  constexpr size_t Bytes = Width * sizeof(unsigned);
  unsigned Task;
  unsigned *Mine = Cells + (What.Row * Side + What.Column) * Width;
  check(Tasks, blockmaestro_tasks_add(Tasks, 0, &What, sizeof(What), &Task));
  if (What.Row)
    check(Tasks, blockmaestro_tasks_uses(Tasks, Task, BLOCKMAESTRO_IN,
                                         Mine - Side * Width, Bytes));
  if (What.Column)
    check(Tasks, blockmaestro_tasks_uses(Tasks, Task, BLOCKMAESTRO_IN,
                                         Mine - Width, Bytes));
  check(Tasks,
        blockmaestro_tasks_uses(Tasks, Task, BLOCKMAESTRO_OUT, Mine, Bytes));
}

int main() {
  std::vector<unsigned> Result(Side * Side * Width);
  unsigned *Cells;
  cudaMalloc(&Cells, Result.size() * sizeof(unsigned));
  const Wavefront App = {Cells};
  const blockmaestro_task_code Code = blockmaestro::taskCode(App, Width);
  blockmaestro_tasks *Tasks;
  if (check(nullptr, blockmaestro_tasks_create(&Tasks, &Code)))
    return 1;
  for (unsigned Row = 0; Row < Side; ++Row)
    for (unsigned Column = 0; Column < Side; ++Column)
      addCell(Tasks, Cells, {Row, Column});
  if (check(Tasks, blockmaestro_tasks_run(Tasks, nullptr)) ||
      check(Tasks, blockmaestro_tasks_wait(Tasks)))
    return 1;
  cudaMemcpy(Result.data(), Cells, Result.size() * sizeof(unsigned),
             cudaMemcpyDeviceToHost);
  check(Tasks, blockmaestro_tasks_destroy(Tasks));
  const bool Same = Result == expected();
  std::printf("%s, %u tasks\n", Same ? "ok" : "WRONG", Side * Side);
  return !Same;
}
