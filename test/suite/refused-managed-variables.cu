// Feature: refused: __managed__ variables, which clang does not compile.
// Compile-error: 'managed' attribute ignored
// Compile-error: reference to __host__ variable 'Counter' in __global__ function

__managed__ int Counter;

__global__ void increase() { ++Counter; }

int main() { increase<<<1, 1>>>(); }
