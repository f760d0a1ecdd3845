// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// GRAMSCHM: orthonormal columns from a matrix by the modified Gram-Schmidt
// method, A = Q R. Each step has three launches: the length of a column, the
// column over its length, then what the later columns share with it is taken
// from them, a block for each column. The next length needs only one of those
// blocks, and every column only its own block of the step before and Q's newest
// column. With fewer steps than columns the rest keeps what is orthogonal to
// the columns of Q. Columns are contiguous.

#include "../common/Program.h"

using namespace bench;

static constexpr int Threads = 256;

/// The sum over the block, for all of its threads.
static __device__ float blockSum(float Own) {
  __shared__ float Part[Threads];
  Part[threadIdx.x] = Own;
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < Half)
      Part[threadIdx.x] += Part[threadIdx.x + Half];
  }
  __syncthreads();
  return Part[0];
}

__global__ void measureColumn(int Rows, const float *Column, float *Length) {
  float Squares = 0;
  for (int Row = threadIdx.x; Row < Rows; Row += Threads)
    Squares += Column[Row] * Column[Row];
  Squares = blockSum(Squares);
  if (threadIdx.x == 0)
    *Length = sqrtf(Squares);
}

__global__ void scaleColumn(int Rows, const float *Column, const float *Length,
                            float *Q) {
  int Row = blockIdx.x * Threads + threadIdx.x;
  if (Row < Rows)
    Q[Row] = Column[Row] / *Length;
}

/// Takes the part along Q from each column after column Step; its size goes to
/// the row R.
__global__ void projectColumns(int Rows, int Step, const float *Q, float *A,
                               float *R) {
  int Which = blockIdx.x;
  if (Which <= Step)
    return;
  float *Column = A + size_t(Which) * Rows;
  float Along = 0;
  for (int Row = threadIdx.x; Row < Rows; Row += Threads)
    Along += Q[Row] * Column[Row];
  Along = blockSum(Along);
  for (int Row = threadIdx.x; Row < Rows; Row += Threads)
    Column[Row] -= Q[Row] * Along;
  if (threadIdx.x == 0)
    R[Which] = Along;
}

struct Shape {
  int Rows, Columns, Steps;
};

/// What the method leaves in T: the columns of A as they were when measured or
/// at the end, those of Q, and R by rows.
template <typename T> struct Outcome {
  std::vector<T> A, Q, R;

  explicit Outcome(Shape S)
      : A(size_t(S.Rows) * S.Columns), Q(size_t(S.Rows) * S.Steps),
        R(size_t(S.Steps) * S.Columns) {}
};

/// The sum of products of \p X with numbers known up to their errors, as a
/// block adds it: each product and each of its sums is rounded.
static Rounded<float> blockDot(int Rows, const Rounded<float> *X,
                               const Rounded<float> *Y) {
  double Sum = 0, Error = 0, Size = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    double V = X[Row].value(), W = Y[Row].value();
    double VError = X[Row].error(), WError = Y[Row].error();
    Sum += V * W;
    Error += std::fabs(V) * WError + VError * (std::fabs(W) + WError);
    Size += (std::fabs(V) + VError) * (std::fabs(W) + WError);
  }
  double Depth = (Rows + Threads - 1) / Threads + std::log2(Threads) + 2;
  return Rounded<float>::within(Sum, Error + gamma<float>(Depth) * Size +
                                         2.0 * Rows * Rounding<float>::Least);
}

/// What every number of \p Got has to be, from A and the numbers of Got that it
/// was computed from. Errors then only add up: Q and R are taken as they are,
/// each checked itself, and what became of A is never part of a product with
/// an earlier error. If all agree, Got is what the method gives but for the
/// roundings of each single step.
static Outcome<Rounded<float>> expected(Shape S, const std::vector<float> &A,
                                        const Outcome<float> &Got) {
  Outcome<Rounded<float>> Want(S);
  parallelFor(S.Columns, [&](size_t Which) {
    Rounded<float> *Own = Want.A.data() + Which * S.Rows;
    std::vector<Rounded<float>> Q(S.Rows);
    std::copy_n(A.begin() + Which * S.Rows, S.Rows, Own);
    for (int Step = 0; Step < std::min(int(Which), S.Steps); ++Step) {
      std::copy_n(Got.Q.begin() + size_t(Step) * S.Rows, S.Rows, Q.begin());
      size_t InR = size_t(Step) * S.Columns + Which;
      Want.R[InR] = blockDot(S.Rows, Q.data(), Own);
      Rounded<float> Along = Got.R[InR];
      for (int Row = 0; Row < S.Rows; ++Row)
        Own[Row] -= Q[Row] * Along;
    }
    if (int(Which) >= S.Steps)
      return;
    size_t InR = Which * S.Columns + Which;
    Want.R[InR] = bench::sqrt(blockDot(S.Rows, Own, Own));
    for (int Row = 0; Row < S.Rows; ++Row)
      Want.Q[Which * S.Rows + Row] = Own[Row] / Rounded<float>(Got.R[InR]);
  });
  return Want;
}

static void compare(Program &Run, Shape S, const std::vector<float> &A,
                    const Outcome<float> &Got) {
  Outcome<Rounded<float>> Want = expected(S, A, Got);
  Run.compare("A", Got.A, Want.A);
  Run.compare("Q", Got.Q, Want.Q);
  Run.compare("R", Got.R, Want.R);
}

/// A Hadamard matrix over the root of its size is orthonormal and exact; with
/// an R of whole numbers, so is their product A. Column J of it, when measured,
/// is R[J][J] Q[J]. No other length or part is accepted.
static void checkReference(Program &Run) {
  Shape S{16, 12, 9};
  Random From(Run.seed());
  Outcome<float> Known(S);
  std::vector<float> A(Known.A.size());
  for (int Step = 0; Step < S.Steps; ++Step) {
    for (int Row = 0; Row < S.Rows; ++Row)
      Known.Q[Step * S.Rows + Row] =
          __builtin_parity(Step & Row) ? -0.25f : 0.25f;
    for (int J = Step; J < S.Columns; ++J)
      Known.R[Step * S.Columns + J] =
          float(J == Step ? 1 + From.below(9) : From.below(9)) - (J > Step) * 4;
  }
  for (int J = 0; J < S.Columns; ++J)
    for (int Row = 0; Row < S.Rows; ++Row) {
      for (int Step = 0; Step <= std::min(J, S.Steps - 1); ++Step)
        A[J * S.Rows + Row] +=
            Known.Q[Step * S.Rows + Row] * Known.R[Step * S.Columns + J];
      if (J < S.Steps)
        Known.A[J * S.Rows + Row] =
            Known.Q[J * S.Rows + Row] * Known.R[J * S.Columns + J];
    }
  compare(Run, S, A, Known);

  for (int Place : {3 * S.Columns + 3, 2 * S.Columns + 7}) {
    Outcome<float> Wrong = Known;
    Wrong.R[Place] += 0.001f;
    Outcome<Rounded<float>> Want = expected(S, A, Wrong);
    Run.expect(std::fabs(Want.R[Place].value() - Wrong.R[Place]) >
                   Want.R[Place].error(),
               "a wrong R is found");
  }
}

int main(int Argc, char **Argv) {
  Program Run("gramschm", "orthonormal columns by modified Gram-Schmidt",
              {{"rows", 64, "numbers in a column"},
               {"columns", 64, "columns"},
               {"steps", 64, "columns that are made orthonormal"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  Shape S{int(Run["rows"]), int(Run["columns"]), int(Run["steps"])};
  Run.require(S.Steps <= S.Columns && S.Steps <= S.Rows,
              "--steps is at most --columns and --rows");
  Random From(Run.seed());
  auto A = randomVector<float>(From, size_t(S.Rows) * S.Columns, -1, 1);
  // More on the diagonal than the rest's norm: no column is nearly in the span
  // of the others.
  for (int I = 0; I < std::min(S.Rows, S.Columns); ++I)
    A[size_t(I) * S.Rows + I] += 2 * std::sqrt(float(S.Rows));

  Outcome<float> Got(S);
  Array<float> DeviceA(A), DeviceQ(Got.Q.size()), DeviceR(Got.R.size());
  int Lines = (S.Rows + Threads - 1) / Threads;
  Run.measure(
      [&] {
        DeviceA.upload(A);
        DeviceQ.clear();
        DeviceR.clear();
      },
      [&] {
        for (int Step = 0; Step < S.Steps; ++Step) {
          float *Column = DeviceA + size_t(Step) * S.Rows;
          float *Q = DeviceQ + size_t(Step) * S.Rows;
          float *R = DeviceR + size_t(Step) * S.Columns;
          measureColumn<<<1, Threads>>>(S.Rows, Column, R + Step);
          Run.launched("measureColumn", 1, Threads);
          scaleColumn<<<Lines, Threads>>>(S.Rows, Column, R + Step, Q);
          Run.launched("scaleColumn", Lines, Threads);
          projectColumns<<<S.Columns, Threads>>>(S.Rows, Step, Q, DeviceA, R);
          Run.launched("projectColumns", S.Columns, Threads);
        }
      });

  Got.A = DeviceA.download();
  Got.Q = DeviceQ.download();
  Got.R = DeviceR.download();
  compare(Run, S, A, Got);
  return Run.report();
}
