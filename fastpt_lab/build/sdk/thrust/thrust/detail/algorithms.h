// Declaration stand-in for the algorithms of Thrust 1.17, each with and without an execution policy.
// Nothing here can be linked.
#pragma once
#include <thrust/detail/types.h>

namespace thrust {

namespace detail {
template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator>
using distance_of = typename std::iterator_traits<Iterator>::difference_type;
}  // namespace detail

// A parameter pack stands for the template parameters beside the policy, which is first if given.
#define FASTPT_ALGORITHM(result, name, parameters, ...)            \
  template <__VA_ARGS__>                                           \
  result name parameters { __builtin_unreachable(); }              \
  template <class Policy, __VA_ARGS__>                             \
  result name(const execution_policy<Policy>& policy, FASTPT_INNER parameters) { \
    __builtin_unreachable();                                       \
  }
#define FASTPT_INNER(...) __VA_ARGS__
#define FASTPT_COMMA ,

FASTPT_ALGORITHM(void, sort, (I first, I last), class I)
FASTPT_ALGORITHM(void, sort, (I first, I last, Compare compare), class I, class Compare)
FASTPT_ALGORITHM(void, stable_sort, (I first, I last), class I)
FASTPT_ALGORITHM(void, stable_sort, (I first, I last, Compare compare), class I, class Compare)
FASTPT_ALGORITHM(void, sort_by_key, (K first, K last, V values), class K, class V)
FASTPT_ALGORITHM(void, sort_by_key, (K first, K last, V values, Compare compare), class K, class V,
                 class Compare)
FASTPT_ALGORITHM(void, stable_sort_by_key, (K first, K last, V values), class K, class V)
FASTPT_ALGORITHM(void, stable_sort_by_key, (K first, K last, V values, Compare compare), class K,
                 class V, class Compare)
FASTPT_ALGORITHM(void, fill, (I first, I last, const T& value), class I, class T)
FASTPT_ALGORITHM(I, fill_n, (I first, N n, const T& value), class I, class N, class T)
FASTPT_ALGORITHM(void, sequence, (I first, I last), class I)
FASTPT_ALGORITHM(void, sequence, (I first, I last, T init), class I, class T)
FASTPT_ALGORITHM(void, sequence, (I first, I last, T init, T step), class I, class T)
FASTPT_ALGORITHM(I, for_each, (I first, I last, Function function), class I, class Function)
FASTPT_ALGORITHM(I, for_each_n, (I first, N n, Function function), class I, class N, class Function)
FASTPT_ALGORITHM(O, gather, (M first, M last, I input, O result), class M, class I, class O)
FASTPT_ALGORITHM(void, scatter, (I first, I last, M map, O result), class I, class M, class O)
FASTPT_ALGORITHM(O, copy, (I first, I last, O result), class I, class O)
FASTPT_ALGORITHM(O, copy_n, (I first, N n, O result), class I, class N, class O)
FASTPT_ALGORITHM(O, copy_if, (I first, I last, O result, Predicate predicate), class I, class O,
                 class Predicate)
FASTPT_ALGORITHM(O, copy_if, (I first, I last, S stencil, O result, Predicate predicate), class I,
                 class S, class O, class Predicate)
FASTPT_ALGORITHM(I, unique, (I first, I last), class I)
FASTPT_ALGORITHM(I, unique, (I first, I last, Equal equal), class I, class Equal)
FASTPT_ALGORITHM(pair<K FASTPT_COMMA V>, unique_by_key, (K first, K last, V values), class K, class V)
FASTPT_ALGORITHM(O, transform, (I first, I last, O result, Function function), class I, class O,
                 class Function)
FASTPT_ALGORITHM(O, transform, (I first, I last, J second, O result, Function function), class I,
                 class J, class O, class Function)
FASTPT_ALGORITHM(O, inclusive_scan, (I first, I last, O result), class I, class O)
FASTPT_ALGORITHM(O, inclusive_scan, (I first, I last, O result, Function function), class I,
                 class O, class Function)
FASTPT_ALGORITHM(O, exclusive_scan, (I first, I last, O result), class I, class O)
FASTPT_ALGORITHM(O, exclusive_scan, (I first, I last, O result, T init), class I, class O, class T)
FASTPT_ALGORITHM(O, exclusive_scan, (I first, I last, O result, T init, Function function), class I,
                 class O, class T, class Function)
FASTPT_ALGORITHM(O, inclusive_scan_by_key, (K first, K last, V values, O result), class K, class V,
                 class O)
FASTPT_ALGORITHM(O, exclusive_scan_by_key, (K first, K last, V values, O result), class K, class V,
                 class O)
FASTPT_ALGORITHM(detail::value_of<I>, reduce, (I first, I last), class I)
FASTPT_ALGORITHM(T, reduce, (I first, I last, T init), class I, class T)
FASTPT_ALGORITHM(T, reduce, (I first, I last, T init, Function function), class I, class T,
                 class Function)
FASTPT_ALGORITHM(T, transform_reduce, (I first, I last, Unary unary, T init, Function function),
                 class I, class Unary, class T, class Function)
FASTPT_ALGORITHM(pair<KO FASTPT_COMMA VO>, reduce_by_key,
                 (K first, K last, V values, KO keys_result, VO values_result), class K, class V,
                 class KO, class VO)
FASTPT_ALGORITHM(pair<KO FASTPT_COMMA VO>, reduce_by_key,
                 (K first, K last, V values, KO keys_result, VO values_result, Equal equal),
                 class K, class V, class KO, class VO, class Equal)
FASTPT_ALGORITHM(pair<KO FASTPT_COMMA VO>, reduce_by_key,
                 (K first, K last, V values, KO keys_result, VO values_result, Equal equal,
                  Function function),
                 class K, class V, class KO, class VO, class Equal, class Function)
FASTPT_ALGORITHM(detail::distance_of<I>, count, (I first, I last, const T& value), class I, class T)
FASTPT_ALGORITHM(detail::distance_of<I>, count_if, (I first, I last, Predicate predicate), class I,
                 class Predicate)
FASTPT_ALGORITHM(I, partition, (I first, I last, Predicate predicate), class I, class Predicate)
FASTPT_ALGORITHM(I, remove_if, (I first, I last, Predicate predicate), class I, class Predicate)
FASTPT_ALGORITHM(I, max_element, (I first, I last), class I)
FASTPT_ALGORITHM(I, min_element, (I first, I last), class I)
FASTPT_ALGORITHM(I, find, (I first, I last, const T& value), class I, class T)
FASTPT_ALGORITHM(I, find_if, (I first, I last, Predicate predicate), class I, class Predicate)
FASTPT_ALGORITHM(I, lower_bound, (I first, I last, const T& value), class I, class T)
FASTPT_ALGORITHM(I, upper_bound, (I first, I last, const T& value), class I, class T)
FASTPT_ALGORITHM(O, lower_bound, (I first, I last, J values, J values_last, O result), class I,
                 class J, class O)
FASTPT_ALGORITHM(O, upper_bound, (I first, I last, J values, J values_last, O result), class I,
                 class J, class O)

#undef FASTPT_ALGORITHM
#undef FASTPT_INNER
#undef FASTPT_COMMA

}  // namespace thrust
