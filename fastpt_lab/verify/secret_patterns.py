"""What a secret looks like: the names that announce one, and the shapes that are one."""

from __future__ import annotations

import re
from collections.abc import Callable

_SEGMENTS = frozenset(
    {
        "token", "tokens", "secret", "secrets", "password", "passwords", "passwd", "pass",
        "passphrase", "pwd", "key", "keys", "apikey", "credential", "credentials", "cred",
        "creds", "auth", "authorization", "cookie", "cookies", "session", "sessionid", "private",
        "cert", "certificate", "license", "licence", "dsn", "netrc", "kubeconfig", "pat",
        "signature", "sig",
    }
)  # fmt: skip
_JOINED = re.compile(
    r"apikey|accesskey|secretkey|privatekey|authtoken|accesstoken|password|passwd|passphrase"
    r"|connstr|connectionstring|dockerauthconfig|pgpass",
    re.IGNORECASE,
)
_PREFIXES = ("AWS_", "AZURE_", "SSH_", "KRB5")
_HARMLESS = frozenset({"PWD", "OLDPWD", "SSH_TTY", "AUTHORS", "KEYBOARD", "XDG_SESSION_TYPE"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_secret_name(name: str) -> bool:
    """Return whether a variable, key or option of this name holds a secret.

    Whole parts of the name count: `API_KEY` and `apiKey` do, `MONKEY` and `PWD` do not.
    """
    if name in _HARMLESS:
        return False
    if name.upper().startswith(_PREFIXES) or _JOINED.search(re.sub(r"[_\-.]", "", name)):
        return True
    return any(
        part.lower() in _SEGMENTS for part in re.split(r"[_\-.]+", _CAMEL.sub("_", name))
    )


_NAME = r"(?P<name>[A-Za-z][A-Za-z0-9_.\-]{0,80})"
# Text inside a JSON string or a repr has its line ends and quotes written with a backslash.
_START = r"(?:(?<=\\[nrt])|(?<![\w\\-]))"
_EDGE = r"(?:(?<=\\[nrt])|(?<!\w))"
_QUOTED = (
    r"[bru]?(?:\"(?:[^\"\\]|\\[\s\S])*\"|'(?:[^'\\]|\\[\s\S])*'"
    r"|\\\"(?:[^\"\\]|\\[^\"])*\\\"|\\'(?:[^'\\]|\\[^'])*\\')"
)
_BARE = r"(?:[^\s'\"&;,)}\]\\]|\\(?![nrt\"']))+"
_URL_SECRETS = (
    r"(?:[\w.-]*(?:token|secret|passw(?:or)?d|key|sig|signature|credential|auth|code)[\w.-]*)"
)
_INTERNAL = r"local|localdomain|internal|intern|corp|lan|intra|intranet|private|home\.arpa"


_VALUE = re.compile(rf"(?!\\?[\"']?<redacted){_QUOTED}|(?!<redacted){_BARE}")
_WORD = re.compile(rf"(?![<-]){_QUOTED}|(?![<-])(?:[^\s\\]|\\(?![nrt\"']))+")
_EVERYDAY = frozenset({"pass", "key", "keys", "session", "license", "private", "cert"})
"""Before a colon these are words of a sentence more often than names of a secret."""

Rule = Callable[[str], str]


def _replace(pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> Rule:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(replacement, text)


def _named(head: str, value: re.Pattern[str], *, unless: frozenset[str] = frozenset()) -> Rule:
    """Return a rule that takes the value after a head whose `name` announces a secret.

    The text after any other head is looked at again: a harmless value may hold an assignment.
    """
    compiled = re.compile(head)

    def rule(text: str) -> str:
        out = []
        place = 0
        for match in compiled.finditer(text):
            name = match["name"]
            if match.start() < place or not is_secret_name(name) or name.lower() in unless:
                continue
            found = value.match(text, match.end())
            if found:
                out += [text[place : match.end()], f"<redacted:{name}>"]
                place = found.end()
        return "".join(out) + text[place:]

    return rule


def _base64_line(match: re.Match[str]) -> str:
    """Take a line that is nothing but base64, as a key's body is; a digest in hex stays."""
    body = match[2]
    mixed = re.search(r"[a-z]", body) and re.search(r"[A-Z]", body) and re.search(r"\d", body)
    return f"{match[1]}<redacted:base64>" if mixed else match[0]


RULES: tuple[Rule, ...] = (
    # A private key, whole or cut, with real line ends or written as \n.
    _replace(
        r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE)[A-Z0-9 ]*-----"
        r"(?:[\s\S]*?-----END [A-Z0-9 ]+-----|(?:\s|\\r|\\n|[A-Za-z0-9+/=:,\-])*)",
        "<redacted:pem>",
    ),
    _replace(r"PuTTY-User-Key-File-\d[\s\S]*?Private-MAC: \S+", "<redacted:putty-key>"),
    # Account and password before a host; the last @ before the path ends them.
    _replace(
        r"\b([A-Za-z][A-Za-z0-9+.\-]{0,30}://)(?!<)[^/\s'\"]*@",
        r"\1<redacted:userinfo>@",
    ),
    _replace(r"(?<=/t/)[A-Za-z0-9_-]{8,}(?=/)", "<redacted:conda-token>"),
    _replace(rf"(?i)([?&;]{_URL_SECRETS}=)(?!<redacted)[^&\s'\"<>#\\]+", r"\1<redacted:query>"),
    _replace(r"hooks\.slack\.com/services/[^\s\"'\\]+", "<redacted:webhook>"),
    _replace(
        rf"(?i){_EDGE}((?:proxy-)?authorization\s*\\?[\"']?\s*[:=])"
        r"(?!\s*\\?[\"']?\s*<redacted)\s*\\?[\"']?"
        r"(?:(?:basic|bearer|token|digest|negotiate|aws4-hmac-sha256)\s+)?[^\r\n\"'\\]+",
        r"\1 <redacted:authorization>",
    ),
    _replace(
        rf"(?i){_EDGE}((?:set-)?cookie2?\s*:)(?!\s*<redacted)[^\r\n\"'\\]+",
        r"\1 <redacted:cookie>",
    ),
    _replace(rf"(?i){_EDGE}(bearer\s+)[A-Za-z0-9._~+/=\-]{{8,}}", r"\1<redacted:bearer>"),
    _replace(rf"{_EDGE}eyJ[\w-]{{6,}}\.[\w-]{{4,}}(?:\.[\w-]*)?", "<redacted:jwt>"),
    _replace(
        r"(?:(?<=\\[nrt])|(?<![A-Za-z0-9]))(?:gh[pousr]_[A-Za-z0-9]{10,}|github_pat_\w{10,}"
        r"|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{10,}|hf_[A-Za-z0-9]{10,}"
        r"|sk-[A-Za-z0-9_-]{10,}|(?:sk|pk|rk)_(?:live|test)_\w{8,}|(?:AKIA|ASIA)[A-Z0-9]{12,}"
        r"|xox[abeoprs]-[\w-]{8,}|xapp-[\w-]{8,}|npm_[A-Za-z0-9]{10,}|pypi-[\w-]{10,}"
        r"|dckr_pat_[\w-]{10,}|dop_v1_\w{10,}|AIza[\w-]{20,}|ya29\.[\w-]{10,}"
        r"|SG\.[\w-]{10,}\.[\w-]{10,}|shp(?:at|ss|ca)_\w{10,}|nvapi-[\w-]{10,}"
        r"|r8_[A-Za-z0-9]{10,}|gsk_[A-Za-z0-9]{10,}|hv[sbr]\.[\w-]{10,}|LTAI[A-Za-z0-9]{12,}"
        r"|AKID[A-Za-z0-9]{13,}|tvly-[\w-]{10,}|lsv2_\w{10,})",
        "<redacted:token>",
    ),
    # machine HOST login USER password SECRET, on one line or three.
    _replace(
        rf"{_EDGE}(machine\s+\S+\s+login\s+)(?!<)\S+(\s+password\s+)[^\s\"'\\]+",
        r"\1<redacted:login>\2<redacted:password>",
    ),
    # curl -u user:secret; sshpass -p secret; docker login -p secret; mysql -psecret
    _replace(
        r"(?<!\S)((?:-u|--user|--proxy-user)[ =])(?!<)[^\s:'\"]+:[^\s'\"]+",
        r"\1<redacted:user>",
    ),
    _replace(
        rf"({_EDGE}(?:sshpass|docker login|podman login|redis-cli|mysql|mysqldump)\b[^\n]*?"
        rf"\s-(?:p|a) ?)(?!<)(?:{_QUOTED}|[^\s\"'\\]+)",
        r"\1<redacted:password>",
    ),
    _named(rf"(?<![\w-])--?{_NAME}[ =]", _WORD),
    # A list of words, as a traceback or a log shows a command: '--password', 'secret'
    _named(rf"[\"']--?{_NAME}\\?[\"'],\s*", _VALUE),
    # name = value, name=value, "name": "value", as JSON, Python and shell write them.
    _named(rf"{_START}(?:\\?[\"'])?{_NAME}(?:\\?[\"'])?[ \t]*=[ \t]*(?!=)", _VALUE),
    _named(rf"\\?[\"']{_NAME}\\?[\"'][ \t]*:(?:\s|\\[nrt])*", _VALUE),
    _named(rf"{_START}{_NAME}:[ \t]*", _VALUE, unless=_EVERYDAY),
    _replace(r"(?m)^([ \t>|]*)([A-Za-z0-9+/]{40,}={0,2})[ \t]*\r?$", _base64_line),
    _replace(r"((?<=\\n)|(?<=\"))([A-Za-z0-9+/]{40,}={0,2})(?=\\n|\")", _base64_line),
    _replace(rf"(?i){_EDGE}ssh-(?:rsa|ed25519|dss) AAAA\S+", "<redacted:ssh-key>"),
    _replace(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b", "<redacted:email>"),
    _replace(
        r"(?<![\d.])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}"
        r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}"
        r"|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2})(?![\d.]*\d)",
        "<redacted:address>",
    ),
    _replace(
        r"(?i)(?<![\w:])(?:f[cd][0-9a-f]{2}|fe80):(?=[0-9a-f:]*:)[0-9a-f:]{2,}(?:%\w+)?",
        "<redacted:address>",
    ),
    _replace(
        rf"(?i)(?:(?<=://)|(?<=\\[nrt])|(?<![\w./\\-]))(?:[a-z0-9_-]+\.)+(?:{_INTERNAL})"
        r"(?![\w-]|\.\w)",
        "<redacted:host>",
    ),
    _replace(rf"(?i){_EDGE}(?:[0-9a-f]{{2}}:){{5}}[0-9a-f]{{2}}\b", "<redacted:mac>"),
    _replace(
        rf"(?i){_EDGE}(?:GPU|MIG|CPU|DCU|HCU)-[0-9a-f]{{8}}[0-9a-f-]*", "<redacted:device-id>"
    ),
    _replace(
        r"(?i)((?:serial number|unique id|uuid)\\?[\"']?\s*:\s*\\?[\"']?)(?!<)"
        r"[^\s\"',}\\]+",
        r"\1<redacted:device-id>",
    ),
)
"""Applied in this order; none matches its own placeholder."""
