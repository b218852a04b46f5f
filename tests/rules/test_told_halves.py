"""Which halves of half2 values are read by function, and which names are none."""

from __future__ import annotations

import re

import pytest
from rule_told import offers, seen

MESSAGE = "no matching function for call to '__half2float'"
NOTE = "candidate function not viable: no known conversion from 'unsigned short' to '__half'"


def after(body: str, head: str = "half2 v, half2* p, float* o, int i") -> str | None:
    """Return the body of a function as HIP sees it after the edit, None where none is offered."""
    text = f"__device__ void f({head}) {{\n{body}\n}}\n"
    actions = offers("half2-member", text, MESSAGE, NOTE)
    if not actions:
        return None
    (action,) = actions
    assert action.applicability.word == "safe"
    lines = seen(action, text).splitlines()[1:-1]
    return "\n".join(line for line in lines if line.strip())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("o[0] = __hneg(§v.x, v.y);", "o[0] = __hneg(__low2half(v), __high2half(v));"),
        ("o[0] = __hneg(§p[i + a[0]].y);", "o[0] = __hneg(__high2half(p[i + a[0]]));"),
        ("half2 s[2][2]; o[0] = __hneg(§s[i][1].x);", "half2 s[2][2]; o[0] = __hneg(__low2half(s[i][1]));"),
        ("const half2& r = p[i]; o[0] = __hneg(§r.x);",
         "const half2& r = p[i]; o[0] = __hneg(__low2half(r));"),
        ("__half2 const r = p[i]; o[0] = __hneg(§r.x);",
         "__half2 const r = p[i]; o[0] = __hneg(__low2half(r));"),
        ("o[0] = __hneg(§p->x);", "o[0] = __hneg(__low2half(*p));"),
        ("half2 r, s = __hneg(i, i), *t, u[2]; o[0] = __hneg(§s.x, t->y, u[1].y);",
         "half2 r, s = __hneg(i, i), *t, u[2];"
         + " o[0] = __hneg(__low2half(s), __high2half(*t), __high2half(u[1]));"),
        ("for (half2 r = v, s{r}; i; ) o[0] = __hneg(§s.x);",
         "for (half2 r = v, s{r}; i; ) o[0] = __hneg(__low2half(s));"),
        ("h(i * i, v); o[0] = __hneg(§v.x);", "h(i * i, v); o[0] = __hneg(__low2half(v));"),
        ("for (half2 r : all) o[0] += __hneg(§r.x);", "for (half2 r : all) o[0] += __hneg(__low2half(r));"),
        ("o[0] = i & §v.x;", "o[0] = i & __low2half(v);"),
        ("o[0] = h(i) & §v.x == 1;", "o[0] = h(i) & __low2half(v) == 1;"),
        ("if (i) return v;\no[0] = __hneg(§v.x);", "if (i) return v;\no[0] = __hneg(__low2half(v));"),
        ("o[0] = i * v, __hneg(§v.x);", "o[0] = i * v, __hneg(__low2half(v));"),
        ("o[0] = ((§v.x));", "o[0] = ((__low2half(v)));"),
        # What other blocks call by the same name is theirs.
        ("{ Own v; v.x = 1; }\no[0] = __hneg(§v.x);", "{ Own v; v.x = 1; }\no[0] = __hneg(__low2half(v));"),
        ("if (i) { Own v; o[1] = __hneg(v.x); } else { half2 v = p[i]; o[0] = __hneg(§v.y); }",
         "if (i) { Own v; o[1] = __hneg(v.x); } else { half2 v = p[i]; o[0] = __hneg(__high2half(v)); }"),
    ],
)  # fmt: skip
def test_a_half_is_read_by_function(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("§v.x = i;", "reinterpret_cast<__half&>(v.x) = i;"),
        ("p[i]§.y += i;", "reinterpret_cast<__half&>(p[i].y) += i;"),
        ("++§v.x;", "++reinterpret_cast<__half&>(v.x);"),
        ("§p->x++;", "reinterpret_cast<__half&>(p->x)++;"),
        ("half* q = &§v.x;", "half* q = &reinterpret_cast<__half&>(v.x);"),
        ("auto& r = §v.x;", "auto& r = reinterpret_cast<__half&>(v.x);"),
        # Whatever is no function of CUDA's may take it by reference.
        ("g(i, §v.x);", "g(i, reinterpret_cast<__half&>(v.x));"),
        ("o.g<half>(§v.x);", "o.g<half>(reinterpret_cast<__half&>(v.x));"),
        ("g(static_cast<float>(§v.x));", "g(static_cast<float>(__low2half(v)));"),
        ("const half2* r = p; g(§r->x);",
         "const half2* r = p; g(reinterpret_cast<const __half&>(r->x));"),
        ("half2 const r = *p; g(§r.x);",
         "half2 const r = *p; g(reinterpret_cast<const __half&>(r.x));"),
        ("static const half2 r = *p, s = r; g(§s.x);",
         "static const half2 r = *p, s = r; g(reinterpret_cast<const __half&>(s.x));"),
        ("half2* const r = p; g(§r->x);",
         "half2* const r = p; g(reinterpret_cast<__half&>(r->x));"),
    ],
)  # fmt: skip
def test_what_is_written_or_passed_on_keeps_its_place(body: str, expected: str) -> None:
    assert after(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "__hneg(own.§v.x);",
        "__hneg(own->§v.x);",
        "__hneg(Own::§v.x);",
        "__hneg(§v.z);",
        "__hneg(§v.x.bits);",
        "__hneg(§v);",
        "__hneg(§v->x);",
        "half2 w; { Own u, w; __hneg(§w.x); }",
        "half2 w; { const a::Own<half2, b>* u, w; __hneg(§w.x); }",
        "half2 w; { volatile half2 u, w; __hneg(§w.x); }",
        "volatile half2 w; __hneg(§w.x);",
        "extern __shared__ volatile half2 w[]; __hneg(§w[0].x);",
        "__hneg(v.x);\n__hneg(§i);",
        "Own v; __hneg(§v.x);",
        "Own<half2> v; __hneg(§v.x);",
        "unsigned int v = 1; __hneg(§v.x);",
        "const Own* const v = own; __hneg(§v.x);",
        "auto v = own; __hneg(§v.x);",
        "{ half2 r; }\n__hneg(§r.x);",
        "{\n#if A\n}\n#elif B\n}\n#elif C\n}\n#else\n}\n#endif\n__hneg(§v.x);",
        "__hneg(§unknown.x);",
        "__hneg(reinterpret_cast<half&>(§v.x));",
        "return half2, §r.x;",
    ],
)
def test_what_is_no_half_of_a_half2_stays(body: str) -> None:
    assert after(body) is None


def test_only_the_message_about_bits_is_answered() -> None:
    text = "__device__ void f(half2 v) { __hneg(§v.x); }\n"
    assert (
        offers("half2-member", text, MESSAGE, "no known conversion from 'int' to '__half'")
        == ()
    )
    assert offers("half2-member", text.replace("§", ""), MESSAGE, NOTE) == ()
    for said in (
        "no viable conversion from 'unsigned int' to 'half' (aka '__half')",
        "no known conversion from 'const unsigned short' to '__half' for 1st argument",
        "cannot initialize a variable of type 'half *' with an rvalue of type 'unsigned short *'",
    ):
        assert len(offers("half2-member", text, said)) == 1
    assert offers("half2-member", "half2 v;\nint i = __hneg(§v.x);\n", MESSAGE, NOTE) == ()


@pytest.mark.parametrize(
    ("body", "type_name", "word", "count"),
    [
        ("r §= {};", "half2", "safe", 1),
        ("r §= {a};", "__half2", "unsafe", 1),
        ("r §= /* none */ {};", "half", "safe", 1),
        ("r §= {};", "nv_bfloat162", "safe", 1),
        ("r §= s;", "half2", "", 0),
        ("r §+= {};", "half2", "", 0),
        ("r §= {};", "Own", "", 0),
    ],
)
def test_braces_get_the_type_that_the_compiler_names(
    body: str, type_name: str, word: str, count: int
) -> None:
    message = (
        "use of overloaded operator '=' is ambiguous (with operand types "
        f"'{type_name}' and 'void')"
    )
    text = f"__device__ void f({type_name}& r, half a) {{ {body} }}\n"
    actions = offers("braced-assignment", text, message)
    assert len(actions) == count
    for action in actions:
        assert action.applicability.word == word
        assert re.search(rf"= (?:/\* none \*/ )?{type_name}\{{", seen(action, text))
    assert offers("braced-assignment", text.replace("§", ""), message) == ()
    assert offers("braced-assignment", text, "expected expression") == ()


def test_a_launch_is_spelled_out_only_where_the_message_is() -> None:
    text = "void f(int* p) {\n  k << <1,\n    {32, 1} >> >(p);\n  §__hneg(p);\n}\n"
    here = text.replace("§", "").replace("{32", "§{32")
    assert offers("launch-spelling", text, "expected expression") == ()
    (action,) = offers("launch-spelling", here, "expected expression")
    assert "k <<<1,\n    dim3(32, 1) >>>(p);" in seen(action, here)
    assert len(offers("launch-spelling", here, "expected ';' after expression")) == 1
    assert offers("launch-spelling", here, "use of undeclared identifier 'k'") == ()
    assert offers("launch-spelling", here.replace("§", ""), "expected expression") == ()
