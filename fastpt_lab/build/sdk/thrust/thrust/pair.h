#pragma once
#include <thrust/detail/types.h>
