# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One suite: tools through FileCheck, GoogleTest binaries as tests of their own."""

import ctypes
import glob
import os
import shutil
import subprocess

import lit.formats

config.name = "BlockMaestro"
config.test_source_root = os.path.join(config.source_dir, "test")
config.test_exec_root = os.path.join(config.build_dir, "test")
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs", "unit", "lit.cfg.py"]

build_bin = os.path.join(config.build_dir, "bin")
for key in ("HOME", "CUDA_HOME", "CUDA_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
            "BLOCKMAESTRO_SEQUENCES"):
    if key in os.environ:
        config.environment[key] = os.environ[key]
if config.sanitizer_runtime:
    config.available_features.add("sanitized")
    # clang and the tests' own programs are not instrumented and load what is.
    config.environment["LD_PRELOAD"] = config.sanitizer_runtime
    config.environment.update(config.sanitizer_environment)
config.environment["PATH"] = os.pathsep.join(
    [build_bin, config.llvm_tools_dir, os.environ["PATH"]]
)
config.environment["BLOCKMAESTRO_DEVICE"] = "emulated"
config.substitutions.append(("%bmclangxx", os.path.join(build_bin, "bmclang++")))
config.substitutions.append(("%bmclang", os.path.join(build_bin, "bmclang")))
config.substitutions.append(("%bmnvcc", os.path.join(build_bin, "bmnvcc")))
config.substitutions.append(("%bm-dump", os.path.join(build_bin, "bm-dump")))
config.substitutions.append(("%bm-sim", os.path.join(build_bin, "bm-sim")))
config.substitutions.append(("%bm-report", os.path.join(build_bin, "bm-report")))
config.substitutions.append(("%programs", os.path.join(config.test_source_root, "program", "Inputs")))
config.substitutions.append(("%openmp-programs", os.path.join(config.source_dir, "benchmarks", "openmp")))
config.substitutions.append(("%cuda", config.cuda_root))
config.substitutions.append(("%build", config.build_dir))
config.substitutions.append(("%plugin", os.path.join(config.build_dir, "lib", "BlockMaestroPasses.so")))


def has_gpu():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def has_library(name):
    try:
        return bool(ctypes.CDLL(name))
    except OSError:
        return False


def nvcc_version():
    nvcc = os.path.join(config.cuda_root, "bin", "nvcc")
    run = os.path.exists(nvcc) and subprocess.run([nvcc, "--version"], capture_output=True, text=True)
    return run.stdout if run else ""


def has_python_package():
    """Whether `./dev python` has made it of what is here now."""
    wheels = glob.glob(os.path.join(config.build_dir, "python", "*.whl"))
    folders = ("include", "machines", "print", "python", "runtime/launch", "runtime/record", "runtime/sim",
               "tools/inputs")
    sources = [file for folder in folders
               for file in glob.glob(os.path.join(config.source_dir, folder, "**", "*.*"), recursive=True)]
    return bool(wheels) and max(map(os.path.getmtime, sources)) < os.path.getmtime(wheels[0])


if "release 13.0," in nvcc_version():
    config.available_features.add("nvcc-13.0")
if os.path.exists(os.path.join(config.cuda_root, "include", "cublas_v2.h")) and has_library("libopenblas.so.0"):
    config.available_features.add("cublas")
if has_gpu():
    config.available_features.add("gpu")
if has_python_package():
    config.available_features.add("python-package")
if shutil.which("chromium"):
    config.available_features.add("chromium")
if all(map(shutil.which, ("fish", "zsh", "man"))):
    config.available_features.add("other-shells")
# A container may have it and not allow it.
if shutil.which("strace") and subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode == 0:
    config.available_features.add("strace")
# libomp of this LLVM, for programs with OpenMP.
llvm_lib = os.path.normpath(os.path.join(config.llvm_tools_dir, "..", "lib"))
config.substitutions.append(("%llvm-lib", llvm_lib))
if os.path.exists(os.path.join(llvm_lib, "libomp.so")):
    config.available_features.add("openmp")
    # Target regions need the device runtime and the toolkit's assembler, too.
    if os.path.exists(os.path.join(config.build_dir, "lib", "libblockmaestro-openmp.bc")) and os.path.exists(
            os.path.join(config.cuda_root, "bin", "ptxas")):
        config.available_features.add("openmp-target")
