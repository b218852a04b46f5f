// A kernel's outputs: one row of words for each put, in the order of the text.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

using Word = unsigned long long;

constexpr int kThreads = 128;

struct Rows {
  Word *out;
  int n;
  int i;
  int row;

  // Where the next put writes.
  __device__ Word *cell() const { return out + static_cast<size_t>(row) * n + i; }

  // The name is for the reader of the results, who takes it from the source.
  template <typename T>
  __device__ void put(const char *, T value) {
    Word word = 0;
    memcpy(&word, &value, sizeof(T));
#if defined(PLANT_ROWS)
    if (i == n - 1) word = ~word;
#endif
    *cell() = word;
    ++row;
  }
};

// The first bytes of a word as a value.
template <typename T>
__device__ T cut(Word word) {
  T value;
  memcpy(&value, &word, sizeof(T));
  return value;
}
