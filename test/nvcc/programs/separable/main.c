/* Device code in several files, linked into a library, called from C. */
#include "kernels.h"
#include <math.h>
#include <stdio.h>
int main(void) {
  enum { N = 500 };
  static float points[3 * N], norms[N];
  int i, wrong = 0, calls;
  for (i = 0; i < 3 * N; i++)
    points[i] = (i * 7 % 19) * 0.25f;
  calls = compute_norms(points, N, norms);
  for (i = 0; i < N; i++) {
    float *p = points + 3 * i;
    wrong += fabsf(norms[i] - 3.0f * sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])) > 1e-4f;
  }
  printf("%d calls, %d wrong: %s\n", calls, wrong, calls == N && !wrong ? "PASSED" : "FAILED");
  return !(calls == N && !wrong);
}
