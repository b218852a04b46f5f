"""The stable kind of a message, from the tool's own words in English and Chinese.

*Source* of the wordings: clang 15 and the message catalogues of gcc 12 and binutils 2.40 (their
zh_CN translations), nvcc 13 (EDG front end), glibc's loader, CPython 3.11, torch 2.13.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Names that a standard library declares only from C++14, 17, 20 or 23 on (ISO C++ indices).
_NEWER_STD = (
    r"\w+_v|(?!(?:size|ptrdiff|nullptr|u?int\w*)_t)\w+_t|optional|nullopt\w*|variant|visit|monostate|any|any_cast|string_view|byte|apply"
    r"|clamp|invoke|invoke_result|is_invocable|void_t|conjunction|disjunction|negation|bool_constant"
    r"|filesystem|scoped_lock|shared_mutex|pmr|launder|as_const|not_fn|gcd|lcm|reduce|exclusive_scan"
    r"|inclusive_scan|transform_reduce|size|data|empty|make_unique|exchange|integer_sequence"
    r"|index_sequence|make_index_sequence|cbegin|cend|quoted|shared_timed_mutex|span|bit_cast"
    r"|popcount|countl_zero|countr_zero|has_single_bit|bit_ceil|bit_floor|bit_width|concepts|ranges"
    r"|views|format|source_location|remove_cvref|type_identity|midpoint|lerp|numbers|jthread|latch"
    r"|barrier|counting_semaphore|stop_token|to_array|ssize|identity|same_as|convertible_to"
    r"|integral|floating_point|invocable|endian|strong_ordering|partial_ordering|expected|print"
    r"|println|mdspan|byteswap|to_underlying|unreachable|move_only_function|from_chars|to_chars"
)
_QUOTE = "['\"‘“`]"
_END = "['\"’”]"

_TABLE: tuple[tuple[str, str], ...] = (
    (
        "resource-limit",
        (
            r"local memory(?: limit)? (?:limit )?(?:\(\d+\) )?exceed|exceeds limit|limit exceeded"
            r"|ran out of registers|out of (?:registers|memory)|too much shared data|stack frame size"
            r"|scratch memory|stack size limit|virtual memory exhausted|Cannot allocate memory"
            r"|No space left on device|terminated program|\bKilled\b|已杀死|signal 9\b|OutOfMemory"
            r"|bad_alloc|Argument list too long|too many resources requested|memory exhausted"
            r"|static TLS block|program requires more than|too much (?:local|constant|parameter)"
        ),
    ),
    (
        "cxx-standard",
        (
            r"C\+\+ ?(?:1[1-9z]|2[0-9ab])\b.{0,40}(?:compiler|is required|or (?:later|newer|above))"
            r"|(?:require[sd]?|need[s]?|only available with|at least).{0,60}(?:C\+\+|-std=(?:c|gnu)\+\+)"
            r"\s?(?:1[1-9z]|2[0-9ab])"
            r"|(?:is a|are a) C\+\+(?:1\d|2[0-9ab]) extension|unsupported C\+\+ standard"
            rf"|(?:no (?:template|member|type)(?: named)?|no class template named) {_QUOTE}(?:{_NEWER_STD}){_END}"
            rf" in namespace {_QUOTE}std{_END}"
            rf"|{_QUOTE}(?:std::)?(?:{_NEWER_STD}){_END} (?:is not a member of {_QUOTE}std{_END}|in namespace "
            rf"{_QUOTE}std{_END} does not name)"
            rf"|{_QUOTE}(?:std::)?(?:{_NEWER_STD}){_END}不是(?:命名空间)?{_QUOTE}std{_END}"
            rf"|namespace \"std\" has no (?:member|class template|template) \"(?:{_NEWER_STD})\""
            r"|only available from C\+\+|use -std=(?:c|gnu)\+\+(?:1|2)\d"
        ),
    ),
    (
        "missing-header",
        (
            rf"{_QUOTE}[^'\"’”]{{1,300}}{_END} file not found|could not open source file|cannot open source file"
            r"|\w\.(?:h|hpp|hh|hxx|cuh|inl|inc|def|ipp|tcc|cu|hip|cpp|cc)"
            r"\s?[:：]\s?(?:No such file or directory|没有那个文件或目录)"
            r"|^(?:[\w+-]+/)*[\w+-]+\s?[:：]\s?(?:No such file or directory|没有那个文件或目录)"
            r"|#include.{0,80}(?:not found|No such file)"
        ),
    ),
    (
        "inline-asm",
        (
            r"\binvalid (?:instruction|operand for instruction|input constraint|output constraint)"
            r"|invalid % escape in inline assembly|inline assembl|inline asm|in asm\b|asm constraint"
            r"|impossible constraint|constraint in .?asm|asm operand|no such instruction"
            r"|couldn't allocate (?:input|output) reg|unknown register name|unexpected token in (?:argument|operand)"
            r"|instruction not supported on this GPU|not a valid operand|instruction mnemonic"
            r"|asm.?中|invalid register name|unknown token in expression|instruction requires"
        ),
    ),
    (
        "host-device-call",
        (
            r"reference to __(?:host|device|global)__(?: __\w+__)* (?:function|variable)"
            r"|call to __(?:host|device|global)__(?: __\w+__)* function"
            r"|calling a (?:constexpr )?__(?:host|device|global)__|dynamic initialization is not supported"
            r"|a __\w+__ (?:function|variable).{0,120}(?:cannot|is not allowed).{0,60}from a?"
            r"|a host (?:variable|function).{0,100}(?:cannot|is not allowed)"
            r"|identifier \"[^\"]+\" is undefined in device code|kernel (?:call|launch) from __"
            r"|kernel call to (?:non-global|undefined)|__device__ .{0,60}cannot be (?:directly )?(?:called|read|written|used)"
        ),
    ),
    (
        "ambiguous-operator",
        (
            r"use of overloaded operator .{1,8} is ambiguous|ambiguous overload for|more than one operator"
            r"|call (?:to|of overloaded) .{1,200} is ambiguous|more than one instance of overloaded function"
            r"|的调用有歧义|重载的.{1,200}有歧义|is ambiguous|conversion .{0,200}ambiguous|有歧义"
        ),
    ),
    (
        "static-assertion",
        r"static[_ ]assert|static assertion|静态断言|#error",
    ),
    (
        "duplicate-registration",
        (
            r"already (?:been )?registered|register(?:ed)? an operator.{0,200}(?:multiple times|twice)"
            r"|registered multiple times|[Oo]nly a single TORCH_LIBRARY|duplicate registration"
            r"|multiple registrations|This is not allowed.{0,60}[Rr]egist"
        ),
    ),
    (
        "redefinition",
        (
            r"redefinition|redeclar|previously defined|has already been (?:defined|declared)|already defined"
            r"|already has a body|multiple definition|duplicate symbol|重定义|重声明|多重定义|重复定义"
            r"|differ(?:ing|s)? only in (?:their )?return type|conflicting (?:declaration|types)|被重新声明"
            r"|functions that differ only|is already (?:defined|declared)"
        ),
    ),
    (
        "unknown-arch",
        (
            r"invalid target ID|cannot determine .{0,20}arch|(?:[Uu]nsupported|[Uu]nknown|[Ii]nvalid|cannot find|not supported).{0,40}"
            r"(?:gpu arch|GPU arch|offload arch|architecture|target ID|target CPU|CUDA gpu|HIP (?:gpu|arch))"
            r"|unknown target CPU|unknown target|Value '?(?:sm|compute)_\w+'? is not defined"
            r"|is not a recognized processor|no kernel image|invalid device function|invalid kernel file"
            r"|hipErrorNoBinaryForGpu|Unable to find code object|code object .{0,60}(?:not found|target)"
            r"|[Uu]nknown (?:CUDA|ROCm) arch|unsupported (?:gpu|GPU)\b|expected .{0,20}gfx\w*"
        ),
    ),
    (
        "unsupported-flag",
        (
            r"unsupported option|[Uu]nknown (?:argument|option|command.line option)|unrecognized (?:command.line )?option"
            r"|无法识别的命令行选项|不能识别的命令行选项|unsupported argument|invalid (?:value|argument) .{1,60} (?:in|to) .?-"
            r"|argument unused during compilation|[Uu]nknown option|is not valid for .?C|unrecognized argument"
            r"|Don't know what to do with|A single input file is required|unsupported.{0,30}flag|invalid option"
            r"|optimization flag .{1,40} is not supported|redefinition of argument|Option .{1,60} (?:is )?(?:not|un)"
            r"|unknown value .{1,40} for .?-|no such option|unknown warning option"
        ),
    ),
    (
        "missing-library",
        (
            r"cannot find -l|找不到 ?-l|unable to find library|library not found for|cannot find (?:-l|lib)[\w./+-]+"
            r"|cannot find (?:ROCm device library|HIP runtime|CUDA installation|libdevice)"
            r"|cannot (?:find|open) .{0,120}(?:bitcode|device lib)|cannot find [\w./+-]+\.(?:o|so|a)\b|找不到 \S+\.(?:o|so|a)\b"
        ),
    ),
    (
        "undefined-reference",
        (
            r"undefined reference|[Uu]ndefined (?:hidden |protected |internal |local )?symbol(?!: .*\.so\b)|未定义的引用"
            r"|未定义的参考|[Uu]ndefined reference to|[Uu]nresolved extern(?:al)?|undefined symbols? for architecture"
        ),
    ),
    (
        "no-device",
        (
            r"hipErrorNoDevice|cudaErrorNoDevice|no (?:ROCm|CUDA|HIP)-capable device|No (?:HIP|CUDA|ROCm) GPUs are available"
            r"|No (?:HIP|CUDA|GPU|ROCm)?\s?devices? (?:found|available|is available|detected)|module is NOT loaded"
            r"|/dev/(?:m?kfd|dri|hycfd)|HSA_STATUS_ERROR|hsa api call failure|hipErrorInvalidDevice|invalid device ordinal"
            r"|hipErrorInsufficientDriver|driver version is insufficient|could not get list of modules|/proc/modules"
            r"|no GPU|Found no NVIDIA driver|Unexpected error from (?:hip|cuda)GetDeviceCount|not member of .?(?:render|video)"
            r"|readFromKFD|/sys/class/kfd"
        ),
    ),
    (
        "undeclared-identifier",
        (
            r"undeclared|unknown type name|no (?:template|member|type|class|struct|function)s? named|not declared"
            r"|has not been declared|does not name a|is not a member|identifier .{1,120} is undefined"
            r"|name followed by .?::|has no member|no type named|未声明|尚未声明|不是一个类型|的成员|没有名为"
            r"|未定义的标识符|is undefined|is not a (?:class or namespace|class, namespace|type name|template)"
            r"|expected (?:a )?(?:class|type|namespace) name|is not a type|未被声明|unknown (?:class|type)"
        ),
    ),
    (
        "no-matching-function",
        (
            r"no (?:matching|viable|instance of)|no (?:suitable|operator) |no match for|没有匹配|invalid operands to"
            r"|too (?:few|many) arguments|实参太[少多]|cannot convert|no known conversion|无法(?:将)?.{0,80}转换"
            r"|cannot initialize|assigning to .{1,200} from incompatible|incompatible (?:pointer|type|integer)|参数太[少多]"
            r"|argument of type .{1,200} is incompatible|cannot be (?:initialized|assigned|used to initialize)"
            r"|does not match|could not convert|conversion from .{1,300} requested|types are incompatible|no (?:matching )?constructor"
        ),
    ),
    (
        "build-config",
        (
            r"not found(?! \(required)|CUDA_HOME|ROCM_HOME|ROCM_PATH|No such file or directory|No module named|未找到|没有规则"
            r"|not compiled with|[Nn]o rule to make|Could ?(?:NOT|not|n't) find|找不到|missing separator|no known rule"
            r"|mismatches the version|[Nn]inja is required|No matching distribution|could not find a version"
            r"|没有那个文件或目录|no such file|Could not (?:locate|build)|Permission denied|not (?:a )?supported .{0,30}compiler"
            r"|recompile with -fPIC|can not be used when making|invalid command|does(?:n't| not) exist|unsupported GNU version"
        ),
    ),
)
_COMPILED = tuple((code, re.compile(pattern)) for code, pattern in _TABLE)

_LOADER: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("symbol-version", re.compile(r"version .{1,60} not found|version node not found")),
    ("undefined-symbol", re.compile(r"undefined symbol")),
    (
        "missing-shared-object",
        re.compile(r"cannot open shared object file|=> not found|DLL load failed|无法打开共享"),
    ),
    ("missing-init", re.compile(r"does not define (?:module export|init) function|PyInit_")),
    ("duplicate-registration", re.compile(_TABLE[7][1])),
    ("other", re.compile(r"invalid ELF header|wrong ELF class|file too short")),
)

# The kind stands in the first words; types of templates can go on for pages.
_MAX_WORDS = 2000
_TARGET_MISMATCH = re.compile(r"call to __\w+__(?: __\w+__)* function from __\w+__")
_ASSEMBLY = re.compile(r"instantiated into assembly|<inline asm>")
_ERROR_DIRECTIVE = re.compile(r"^\s*(?:\d+ \|)?\s*#\s*error\b", re.MULTILINE)


@lru_cache(maxsize=1024)
def kind_of(message: str) -> str:
    """Return the code of a message by its words alone."""
    words = message[:_MAX_WORDS]
    for code, pattern in _COMPILED:
        if pattern.search(words):
            return code
    return "other"


def loader_kind(message: str) -> str | None:
    """Return the code of a message of the dynamic loader or the import system, else None."""
    for code, pattern in _LOADER:
        if pattern.search(message):
            return code
    return None


def refine(code: str, message: str, notes: Iterable[str], raw: str) -> str:
    """Return the code after reading the notes and the source line below the message.

    `no matching function` is a host/device matter if a candidate was left out only for that; a
    message at a `#error` is an assertion of the author's, whatever its words.
    """
    if code == "no-matching-function" and any(_TARGET_MISMATCH.search(note) for note in notes):
        return "host-device-call"
    if code == "other" and any(_ASSEMBLY.search(note) for note in notes):
        return "inline-asm"
    if code != "cxx-standard" and _ERROR_DIRECTIVE.search(raw):
        return "static-assertion"
    return code
