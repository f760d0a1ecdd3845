# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Every target of the tree is made by one of these, so that warnings, include
# paths and the LLVM link are said once.

set(BM_WARNINGS -Wall -Wextra -Werror)

# A static library that sees include/ and its own folder, nothing else, unless
# LIBS names it. `LLVM` adds LLVM's headers and shared library.
function(bm_configure target)
  cmake_parse_arguments(ARG "LLVM" "" "LIBS" ${ARGN})
  target_compile_options(${target} PRIVATE ${BM_WARNINGS})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  if(ARG_LLVM)
    target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
    target_link_libraries(${target} PRIVATE LLVM)
  endif()
  target_link_libraries(${target} PRIVATE ${ARG_LIBS})
endfunction()

separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
list(TRANSFORM LLVM_DEFINITIONS_LIST REPLACE "^-D" "")

# Compiles the headers that nearly every file of \p target includes from LLVM
# once; they take longer than the rest of most files.
function(bm_precompile target)
  target_precompile_headers(${target} PRIVATE
    <map> <memory> <string> <vector>
    <llvm/ADT/DenseMap.h> <llvm/ADT/SmallVector.h>
    <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolutionExpressions.h>
    <llvm/Analysis/ValueTracking.h> <llvm/IR/IRBuilder.h>
    <llvm/IR/InstIterator.h> <llvm/IR/Instructions.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h>)
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
endfunction()

# What the functions below take: ARG_SOURCES, ARG_LIBS, and LLVM_FLAG to pass on.
macro(bm_arguments)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;LIBS" ${ARGN})
  set(LLVM_FLAG)
  if(ARG_LLVM)
    set(LLVM_FLAG LLVM)
  endif()
endmacro()

# bm_library(name [LLVM] SOURCES a.cpp ... [LIBS x ...])
function(bm_library name)
  bm_arguments(${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
  bm_configure(${name} ${LLVM_FLAG} LIBS ${ARG_LIBS})
endfunction()

# bm_tool(name [LLVM] SOURCES ... [LIBS ...])
function(bm_tool name)
  bm_arguments(${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  bm_configure(${name} ${LLVM_FLAG} LIBS ${ARG_LIBS})
endfunction()

# bm_unit_test(name [LLVM] [COMPUTES] SOURCES ... [LIBS ...]): a GoogleTest
# binary that lit finds in build/test/unit. In a release what it tests is
# optimised and it is not, which takes less than half of the time to compile;
# but for one that COMPUTES much itself, as an oracle does.
function(bm_unit_test name)
  cmake_parse_arguments(TEST "COMPUTES" "" "" ${ARGN})
  bm_arguments(${TEST_UNPARSED_ARGUMENTS})
  bm_tool(${name} ${LLVM_FLAG} SOURCES ${ARG_SOURCES}
    LIBS ${ARG_LIBS} GTest::gmock GTest::gtest GTest::gtest_main
         Threads::Threads)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  add_dependencies(bm-unit-tests ${name})
  if(NOT TEST_COMPUTES)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
endfunction()
