# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is packaged is of this version, and the recipe for conda can be rendered."""

import re

import rattler_build
from conftest import TREE

FOLDER = TREE / "packages/conda"


def test_the_recipe_renders_for_linux_with_clang():
    recipe = rattler_build.Stage0Recipe.from_file(FOLDER / "recipe.yaml")
    (variant,) = recipe.render(rattler_build.VariantConfig.from_file(FOLDER / "variants.yaml"))
    page = variant.recipe.to_dict()
    version = re.search(r"project\(BlockMaestro VERSION (\S+)", (TREE / "CMakeLists.txt").read_text())[1]
    assert page["package"] == {"name": "blockmaestro", "version": version}
    llvm = re.search(r"find_package\(LLVM (\S+)", (TREE / "CMakeLists.txt").read_text())[1]
    assert f"llvmdev {llvm}.*" in page["requirements"]["host"]
    assert any(each.startswith("clangxx_") for each in page["requirements"]["build"])


def test_the_wheel_has_the_version_of_the_tree():
    version = re.search(r"project\(BlockMaestro VERSION (\S+)", (TREE / "CMakeLists.txt").read_text())[1]
    import blockmaestro
    assert blockmaestro.__version__ == version
    assert f'\nversion = "{version}"\n' in (TREE / "python/pyproject.toml").read_text()
