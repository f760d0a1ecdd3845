// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the example's translation units call in each other. Device pointers.

/// Data[i] *= Factor for i < Count.
void scale(float *Data, float Factor, int Count);

/// Out[i] = the mean of In[i-1], In[i] and In[i+1]; the ends stay as they are.
void smooth(float *Out, const float *In, int Count);
