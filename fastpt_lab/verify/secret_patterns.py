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
    if name.upper().startswith(_PREFIXES) or _JOINED.search(name):
        return True
    return any(
        part.lower() in _SEGMENTS for part in re.split(r"[_\-.]+", _CAMEL.sub("_", name))
    )


_NAME = r"[A-Za-z][A-Za-z0-9_.\-]{0,80}"
_QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_URL_SECRETS = (
    r"(?:[\w.-]*(?:token|secret|passw(?:or)?d|key|sig|signature|credential|auth|code)[\w.-]*)"
)
_INTERNAL = r"local|localdomain|internal|intern|corp|lan|intra|intranet|private|home\.arpa"


def _assignment(match: re.Match[str]) -> str:
    name = match["name"]
    if not is_secret_name(name):
        return match[0]
    return f"{match['head']}<redacted:{name}>"


def _colon(match: re.Match[str]) -> str:
    """Take `name: value` only for names that are no everyday word."""
    name = match["name"]
    everyday = name.lower() in {"pass", "key", "keys", "session", "license", "private", "cert"}
    if not is_secret_name(name) or everyday:
        return match[0]
    return f"{match['head']}<redacted:{name}>"


def _option(match: re.Match[str]) -> str:
    name = match["name"]
    return f"{match['head']}<redacted:{name}>" if is_secret_name(name) else match[0]


def _base64_line(match: re.Match[str]) -> str:
    """Take a line that is nothing but base64, as a key's body is; a digest in hex stays."""
    body = match[2]
    mixed = re.search(r"[a-z]", body) and re.search(r"[A-Z]", body) and re.search(r"\d", body)
    return f"{match[1]}<redacted:base64>" if mixed else match[0]


Replacement = str | Callable[[re.Match[str]], str]

PATTERNS: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    # A private key, whole or cut, with real line ends or written as \n.
    (
        re.compile(
            r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE)[A-Z0-9 ]*-----"
            r"(?:[\s\S]*?-----END [A-Z0-9 ]+-----|(?:\s|\\r|\\n|[A-Za-z0-9+/=:,\-])*)"
        ),
        "<redacted:pem>",
    ),
    (re.compile(r"PuTTY-User-Key-File-\d[\s\S]*?Private-MAC: \S+"), "<redacted:putty-key>"),
    # Account and password before a host; the last @ before the path ends them.
    (
        re.compile(r"\b([A-Za-z][A-Za-z0-9+.\-]*://)(?!<)[^/\s'\"]*@"),
        r"\1<redacted:userinfo>@",
    ),
    (re.compile(r"(?<=/t/)[A-Za-z0-9_-]{8,}(?=/)"), "<redacted:conda-token>"),
    (
        re.compile(rf"([?&;]{_URL_SECRETS}=)(?!<redacted)[^&\s'\"<>#]+", re.IGNORECASE),
        r"\1<redacted:query>",
    ),
    (re.compile(r"hooks\.slack\.com/services/\S+"), "<redacted:webhook>"),
    (
        re.compile(
            r"(?i)\b((?:proxy-)?authorization\s*[\"']?\s*[:=]\s*[\"']?)(?!<redacted)"
            r"(?:(?:basic|bearer|token|digest|negotiate|aws4-hmac-sha256)\s+)?[^\r\n\"']+"
        ),
        r"\1<redacted:authorization>",
    ),
    (
        re.compile(r"(?i)\b((?:set-)?cookie2?\s*:\s*)(?!<redacted)[^\r\n\"']+"),
        r"\1<redacted:cookie>",
    ),
    (
        re.compile(r"(?i)\b(bearer\s+)(?!<redacted)[A-Za-z0-9._~+/=\-]{8,}"),
        r"\1<redacted:bearer>",
    ),
    (re.compile(r"\beyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?"), "<redacted:jwt>"),
    (
        re.compile(
            r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{10,}|github_pat_\w{10,}"
            r"|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{10,}|hf_[A-Za-z0-9]{10,}"
            r"|sk-[A-Za-z0-9_-]{10,}|(?:sk|pk|rk)_(?:live|test)_\w{8,}|(?:AKIA|ASIA)[A-Z0-9]{12,}"
            r"|xox[abeoprs]-[\w-]{8,}|xapp-[\w-]{8,}|npm_[A-Za-z0-9]{10,}|pypi-[\w-]{10,}"
            r"|dckr_pat_[\w-]{10,}|dop_v1_\w{10,}|AIza[\w-]{20,}|ya29\.[\w-]{10,}"
            r"|SG\.[\w-]{10,}\.[\w-]{10,}|shp(?:at|ss|ca)_\w{10,}|nvapi-[\w-]{10,}"
            r"|r8_[A-Za-z0-9]{10,}|gsk_[A-Za-z0-9]{10,}|hv[sbr]\.[\w-]{10,}|LTAI[A-Za-z0-9]{12,}"
            r"|AKID[A-Za-z0-9]{13,}|tvly-[\w-]{10,}|lsv2_\w{10,})"
        ),
        "<redacted:token>",
    ),
    # machine HOST login USER password SECRET, on one line or three.
    (
        re.compile(r"\b(machine\s+\S+\s+login\s+)\S+(\s+password\s+)\S+"),
        r"\1<redacted:login>\2<redacted:password>",
    ),
    # curl -u user:secret, sshpass -p secret, docker login -p secret, mysql -psecret
    (
        re.compile(r"(?<!\S)((?:-u|--user|--proxy-user)[ =])(?!<)[^\s:'\"]+:[^\s'\"]+"),
        r"\1<redacted:user>",
    ),
    (
        re.compile(
            rf"(\b(?:sshpass|docker login|podman login|redis-cli|mysql|mysqldump)\b[^\n]*?"
            rf"\s-(?:p|a) ?)(?!<)(?:{_QUOTED}|\S+)"
        ),
        r"\1<redacted:password>",
    ),
    (
        re.compile(rf"(?P<head>(?<![\w-])--?(?P<name>{_NAME})[ =])(?![<-])(?:{_QUOTED}|\S+)"),
        _option,
    ),
    # A list of words, as a traceback or a log shows a command: '--password', 'secret'
    (
        re.compile(
            rf"(?P<head>[\"']--?(?P<name>{_NAME})[\"'],\s*)(?![\"']?<redacted)(?:{_QUOTED})"
        ),
        _option,
    ),
    # name = value, name=value, "name": "value", with quotes as JSON, Python, shell write them.
    (
        re.compile(
            rf"(?P<head>(?<![\w-])[\"']?(?P<name>{_NAME})[\"']?[ \t]*=[ \t]*)(?![ \t=]*<redacted)(?!=)"
            rf"(?:[bru]?(?:{_QUOTED})|[^\s'\"&;,)}}\]]+)"
        ),
        _assignment,
    ),
    (
        re.compile(
            rf"(?P<head>[\"'](?P<name>{_NAME})[\"'][ \t]*:[ \t\n]*)(?![\"']?<redacted)"
            rf"(?:[bru]?(?:{_QUOTED})|[^\s'\",}}\]]+)"
        ),
        _assignment,
    ),
    (
        re.compile(
            rf"(?P<head>(?<![\w\"'-])(?P<name>{_NAME}): ?)(?!<redacted)(?:{_QUOTED}|[^\s,]+)"
        ),
        _colon,
    ),
    (re.compile(r"(?m)^([ \t>|]*)([A-Za-z0-9+/]{40,}={0,2})[ \t]*\r?$"), _base64_line),
    (re.compile(r"(?i)\bssh-(?:rsa|ed25519|dss) AAAA\S+"), "<redacted:ssh-key>"),
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"), "<redacted:email>"),
    (
        re.compile(
            r"(?<![\d.])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}"
            r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}"
            r"|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2})(?![\d.]*\d)"
        ),
        "<redacted:address>",
    ),
    (
        re.compile(
            r"(?i)(?<![\w:])(?:f[cd][0-9a-f]{2}|fe80):(?=[0-9a-f:]*:)[0-9a-f:]{2,}(?:%\w+)?"
        ),
        "<redacted:address>",
    ),
    (
        re.compile(rf"(?i)(?<![\w./-])(?:[a-z0-9_-]+\.)+(?:{_INTERNAL})(?![\w-]|\.\w)"),
        "<redacted:host>",
    ),
    (
        re.compile(rf"(?i)(?<=://)(?:[a-z0-9_-]+\.)+(?:{_INTERNAL})(?![\w-]|\.\w)"),
        "<redacted:host>",
    ),
    (re.compile(r"(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b"), "<redacted:mac>"),
    (
        re.compile(r"(?i)\b(?:GPU|MIG|CPU|DCU|HCU)-[0-9a-f]{8}[0-9a-f-]*"),
        "<redacted:device-id>",
    ),
    (
        re.compile(
            r"(?i)([\"']?(?:serial number|unique id|uuid)[\"']?\s*:\s*[\"']?)(?!<)"
            r"[^\s\"',}]+"
        ),
        r"\1<redacted:device-id>",
    ),
)
"""Applied in this order; none matches its own placeholder."""
