# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DSOURCE=<tree> -DOUTPUT=<header> -P Commit.cmake: writes the header with
# BLOCKMAESTRO_COMMIT, the commit of the tree: of its repository, with
# ", changed" where files differ from it, or what git put into an archive of it.
# Leaves the header alone where nothing is new, so that nothing is built again.

set(commit unknown)
function(bm_git result)
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} ${ARGN}
    OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE code
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    set(text "")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

bm_git(prefix rev-parse --show-prefix)
bm_git(hash rev-parse --short=12 HEAD)
file(READ ${SOURCE}/cmake/archived-commit archived)
if(hash AND prefix STREQUAL "")
  set(commit ${hash})
  bm_git(changes status --porcelain --untracked-files=no)
  if(changes)
    string(APPEND commit ", changed")
  endif()
elseif(archived MATCHES "^[0-9a-f]+")
  string(SUBSTRING ${CMAKE_MATCH_0} 0 12 commit)
endif()

set(text "#define BLOCKMAESTRO_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
