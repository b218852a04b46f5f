#pragma once
#include <thrust/detail/iterators.h>
