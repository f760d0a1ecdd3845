# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eight launches of 2,000 blocks, each waiting for its neighbours in the one before."""

print("run wide 3\ncost 96 16 8 0 0 40 1000")
for launch in range(8):
    print("launch stencil 2000 1 1 256 1 1 0")
    if launch:
        print(f"needs {launch - 1} 3 delta -1 1 0 0")
