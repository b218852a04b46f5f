"""Sixty forms in which a secret reaches a log: each a text, and the part that must not be seen.

All of them are made up; `S3CR3T…` marks what would give access.
"""

from __future__ import annotations

_B64 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7S3CR3T9x"
_KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{_B64}\nAbCd{_B64[4:]}\n-----END RSA PRIVATE KEY-----"
_ONE_LINE = _KEY.replace("\n", "\\n")
_CUT = "\n".join(_KEY.split("\n")[:3])

FORMS: tuple[tuple[str, str], ...] = (
    # Variables by name.
    ("HF_TOKEN=S3CR3Tvalue1234", "S3CR3Tvalue1234"),
    ("export WANDB_API_KEY=0123456789abcdefS3CR3T", "0123456789abcdefS3CR3T"),
    ("AWS_SECRET_ACCESS_KEY='S3CR3T/with+slash='", "S3CR3T/with+slash"),
    ('JUPYTER_TOKEN="S3CR3T with blanks"', "S3CR3T with blanks"),
    ("DOCKER_AUTH_CONFIG=S3CR3Tconfig", "S3CR3Tconfig"),
    ("db_password = S3CR3Tpw", "S3CR3Tpw"),
    ("SSH_KEY_BODY=S3CR3Tssh", "S3CR3Tssh"),
    ("PGPASSWORD=S3CR3Tpg psql", "S3CR3Tpg"),
    ("MY_CREDENTIALS=S3CR3Tcred", "S3CR3Tcred"),
    ("UV_INDEX_CORP_PASSWORD=S3CR3Tuv", "S3CR3Tuv"),
    ("CONN_STR=S3CR3Tconn", "S3CR3Tconn"),
    ("LICENSE_KEY=S3CR3T-1111-2222", "S3CR3T-1111-2222"),
    # Structures.
    ('{"api_key": "S3CR3Tjson"}', "S3CR3Tjson"),
    ('{"accessToken":"S3CR3Tcamel","x":1}', "S3CR3Tcamel"),
    ("{'password': 'S3CR3Trepr'}", "S3CR3Trepr"),
    ("password: S3CR3Tyaml", "S3CR3Tyaml"),
    ("client_secret: 'S3CR3T yaml blank'", "S3CR3T yaml blank"),
    ("environ({'OPENAI_API_KEY': 'S3CR3Tenv', 'A': 'b'})", "S3CR3Tenv"),
    ("login(user='me', password='S3CR3Targ')", "S3CR3Targ"),
    ('token = "S3CR3Tpy"  # in a traceback', "S3CR3Tpy"),
    # URLs.
    ("https://bob:S3CR3Turl@pypi.example.org/simple", "S3CR3Turl"),
    ("git+https://oauth2:S3CR3Tgit@git.example.org/a.git", "S3CR3Tgit"),
    ("pkg @ https://S3CR3Tonly@example.org/p.whl", "S3CR3Tonly"),
    ("http://u:p@S3CR3Tat@proxy.example.org:3128", "S3CR3Tat"),
    ("postgresql://app:S3CR3Tdsn@db.example.org/x", "S3CR3Tdsn"),
    ("https://example.org/f?token=S3CR3Tq&x=1", "S3CR3Tq"),
    ("https://s3.example.org/f?X-Amz-Signature=S3CR3Tsig", "S3CR3Tsig"),
    ("https://blob.example.org/f?sv=1&sig=S3CR3Tsas%3D", "S3CR3Tsas"),
    ("https://conda.example.org/t/S3-CR3T-abcdef12/main", "S3-CR3T-abcdef12"),
    ("https://hooks.slack.com/services/T000/B000/S3CR3Thook", "S3CR3Thook"),
    ("ftp://user:S3CR3Tftp@files.example.org", "S3CR3Tftp"),
    # Headers.
    ("Authorization: Bearer S3CR3Tbearer.abc", "S3CR3Tbearer"),
    ("authorization: Basic UzNDUjNUOmJhc2lj", "UzNDUjNUOmJhc2lj"),
    ('-H "Authorization: token S3CR3Thdr"', "S3CR3Thdr"),
    ("Cookie: sid=S3CR3Tcookie; theme=dark", "S3CR3Tcookie"),
    ("Set-Cookie: session=S3CR3Tset; Path=/", "S3CR3Tset"),
    ("X-Api-Key: S3CR3Txkey", "S3CR3Txkey"),
    # Tokens by shape.
    ("ghp_S3CR3TS3CR3TS3CR3TS3CR3TS3CR3TS3CR", "ghp_S3CR3TS3CR3T"),
    ("github_pat_11S3CR3T0_abcdefghijk", "github_pat_11S3CR3T0"),
    ("glpat-S3CR3T-abcdefghijkl", "glpat-S3CR3T"),
    ("hf_S3CR3TabcdefghijklmnopqrstuvwxyzAB", "hf_S3CR3Tabc"),
    ("sk-S3CR3Tproj0123456789abcdef", "sk-S3CR3Tproj"),
    ("AKIAS3CR3T7EXAMPLE12", "AKIAS3CR3T7"),
    ("xoxb-123456-S3CR3Tslack", "xoxb-123456"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTM0NSM1QifQ.c2ln", "eyJzdWIiOiJTM0NSM1QifQ"),
    ("npm_S3CR3Tabcdefghijklmnop", "npm_S3CR3T"),
    ("AIzaS3CR3TabcdefghijklmnopqrstuvwxyZ01", "AIzaS3CR3T"),
    ("ssh-ed25519 AAAAC3NzaS3CR3Tpublic me@host.example.org", "AAAAC3NzaS3CR3T"),
    # Keys of many lines.
    (_KEY, _B64),
    (_KEY, "AbCd" + _B64[4:]),
    (f"KEY='{_ONE_LINE}'", _B64),
    (_CUT, _B64),
    (f"the body alone:\n{_B64}\nend", _B64),
    # Command lines.
    ("twine upload --password S3CR3Tcli dist/*", "S3CR3Tcli"),
    ("tool --api-key=S3CR3Tdash run", "S3CR3Tdash"),
    ("curl -u bob:S3CR3Tcurl https://example.org", "S3CR3Tcurl"),
    ("sshpass -p S3CR3Tpass ssh host", "S3CR3Tpass"),
    ("Command '['x', '--token', 'S3CR3Tlist']' returned 1", "S3CR3Tlist"),
    ("machine example.org login bob password S3CR3Tnetrc", "S3CR3Tnetrc"),
    # Addresses and people.
    ("http://10.20.30.40:8080/wheels", "10.20.30.40"),
    ("ssh build7.cluster.internal", "build7.cluster.internal"),
    ("Download https://mirror.corp/simple/torch", "mirror.corp"),
    ("192.168.17.5 gateway", "192.168.17.5"),
    ("jane.doe@example.org wrote it", "jane.doe@example.org"),
    ("/home/jdoe/work/ext.so", "jdoe"),
    ("Uuid: GPU-0123456789abcdef", "0123456789abcdef"),
    ('"Serial Number": "S3CR3TSERIAL01"', "S3CR3TSERIAL01"),
)
"""More than sixty, because some came up while the patterns were written."""

HARMLESS = (
    "MONKEY=banana",
    "PWD=/tmp",
    "hipcc --offload-arch=gfx906 -O3 -c a.hip -o a.o",
    "undefined symbol: _ZN3c105ErrorC1ENS_14SourceLocationERKSs",
    "git 00661e0c7a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "/opt/dtk-25.04.2/lib/libgalaxyhip.so.5",
    "https://github.com/pytorch/pytorch/pull/111975",
    "pip install torch==2.5.1+das.opt1.dtk25042 --no-deps",
    "HIP version: 6.3.25211-0",
    "csrc/a.cu:12:34: error: use of undeclared identifier '__shfl_sync'",
    "std::vector<int>::operator[]",
    "driver 6.3.30-V1.4.1a",
    "sramecc+:xnack-",
    "Python 3.10.12, glibc 2.35",
    "4 passed, 1 failed in 10.2s",
    "if (key == other) return;",
)
