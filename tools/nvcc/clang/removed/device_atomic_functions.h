// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The toolkit's header, without the votes that it declares as deprecated and
// nothing defines.

#define __any blockmaestro_hidden_any
#define __all blockmaestro_hidden_all
#include_next <device_atomic_functions.h>
#undef __any
#undef __all
