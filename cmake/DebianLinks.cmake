# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Run by cpack when everything is below CPACK_TEMPORARY_DIRECTORY: what Debian
# looks for at places of its own, as links into our folder, or as files that
# name it where a link would be taken for the place.

set(prefix ${CPACK_PACKAGING_INSTALL_PREFIX})
set(root ${CPACK_TEMPORARY_DIRECTORY})

# Links at each of the files of from, which is below the prefix, in the folder to.
function(bm_links from to)
  file(MAKE_DIRECTORY ${root}${to})
  file(GLOB files ${root}${prefix}/${from}/*)
  foreach(file ${files})
    cmake_path(GET file FILENAME name)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${root}${to})
    file(CREATE_LINK ${file} ${root}${to}/${name} SYMBOLIC)
  endforeach()
endfunction()

# The toolkit is the target's: postinst makes the links.
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${root}${prefix}/nvcc/bin/link-toolkit ${root}${prefix})

bm_links(bin /usr/bin)
bm_links(share/man/man1 /usr/share/man/man1)
bm_links(share/bash-completion/completions /usr/share/bash-completion/completions)
bm_links(share/zsh/site-functions /usr/share/zsh/vendor-completions)
bm_links(share/fish/vendor_completions.d /usr/share/fish/vendor_completions.d)
bm_links(share/doc/blockmaestro /usr/share/doc/blockmaestro)
file(COPY_FILE ${root}${prefix}/share/doc/blockmaestro/LICENSE
  ${root}/usr/share/doc/blockmaestro/copyright)

foreach(name BlockMaestroConfig BlockMaestroConfigVersion)
  file(WRITE ${root}/usr/lib/cmake/BlockMaestro/${name}.cmake
    "include(${prefix}/lib/cmake/BlockMaestro/${name}.cmake)\n")
endforeach()
file(READ ${root}${prefix}/lib/pkgconfig/blockmaestro.pc text)
string(REPLACE "\${pcfiledir}/../.." ${prefix} text "${text}")
file(WRITE ${root}/usr/share/pkgconfig/blockmaestro.pc "${text}")
