#include "StandIn.h"
namespace blockmaestro {
std::span<const LibraryFunction> cublasLtFunctions() { return {}; }
std::span<const LibraryFunction> cufftFunctions() { return {}; }
std::span<const LibraryFunction> curandFunctions() { return {}; }
} // namespace blockmaestro
