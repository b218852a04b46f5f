// Declaration stand-in for hipCUB, after the public interface of hipCUB 3.3 (ROCm 6.3), which is
// CUB by name. Templates have the parameters of hipCUB's. What hipCUB 2 declares with a narrower
// type for a number of items is declared here as hipCUB 3 has it. Nothing here can be linked.
#pragma once
#include <hip/hip_runtime.h>
#include <hipcub/iterator.hpp>
#include <hipcub/thread_operators.hpp>
#include <hipcub/utilities.hpp>

#include <hipcub/block_collectives.hpp>
#include <hipcub/device_collectives.hpp>
#include <hipcub/warp_collectives.hpp>
