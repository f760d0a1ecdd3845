#!/bin/bash
# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Builds the program of this folder twice into a folder: `plain` by clang, and
# `ours` by bmclang++ with BlockMaestro's library beside it.
#   benchmarks/share/build.sh BUILD-TREE FOLDER

set -euo pipefail
build=$(realpath "$1") out=$(realpath -m "$2") cuda=${CUDA_HOME:-/usr/local/cuda}
cd "$(dirname "$0")"
flags=(-O3 -std=c++17 "--cuda-path=$cuda" --offload-arch=sm_90 -Wno-unknown-cuda-version)
mkdir -p "$out/objects"
for source in *.cu; do
  clang++-22 "${flags[@]}" -c "$source" -o "$out/objects/${source%.cu}.plain.o"
  "$build/bin/bmclang++" "${flags[@]}" -fblockmaestro -c "$source" -o "$out/objects/${source%.cu}.ours.o"
done
clang++-22 "$out"/objects/*.plain.o "-L$cuda/lib64" -lcudart_static -ldl -lpthread -lrt -o "$out/plain"
clang++-22 "$out"/objects/*.ours.o "-L$build/lib" -lblockmaestro '-Wl,-rpath,$ORIGIN' -o "$out/ours"
cp "$build/lib/libblockmaestro.so" "$out/"
