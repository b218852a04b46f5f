"""Stand-ins for the part of NVTX that roctx has not: domains, attributes, registered strings.

They annotate a profile and have no effect on results, so a port must not stop at them. Nested
ranges and marks go on to roctx by their text; the rest of what a domain or an attribute says is
dropped, and so are ranges that start in one thread and end in another.

*Source*: names, types, values and their order are those of NVTX 3 (NVIDIA/NVTX, C API reference);
ROCm 5.2 to 6.4, roctracer/roctx.h, has ranges and marks alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastpt_lab.transcode.draft import Draft

DECLARATIONS = """\
#ifndef FASTPT_LAB_NVTX
#define FASTPT_LAB_NVTX
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <roctracer/roctx.h>
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainHandle* nvtxDomainHandle_t;
typedef struct nvtxStringHandle* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii; const wchar_t* unicode; nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version; uint16_t size; uint32_t category; int32_t colorType; uint32_t color;
  int32_t payloadType; int32_t reserved0;
  union payload_t {
    uint64_t ullValue; int64_t llValue; double dValue; uint32_t uiValue; int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType; nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
static inline const char* fastpt_lab_nvtx_text(const nvtxEventAttributes_t* e) {
  if (e && e->messageType == NVTX_MESSAGE_TYPE_ASCII) return e->message.ascii;
  if (e && e->messageType == NVTX_MESSAGE_TYPE_REGISTERED) return (const char*)e->message.registered;
  return "";
}
static inline int nvtxRangePushA(const char* text) { return roctxRangePushA(text); }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* e) {
  return roctxRangePushA(fastpt_lab_nvtx_text(e));
}
static inline int nvtxRangePop(void) { return roctxRangePop(); }
static inline nvtxRangeId_t nvtxRangeStartA(const char*) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) { return 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t) {}
static inline void nvtxMarkA(const char* text) { roctxMarkA(text); }
static inline void nvtxMarkEx(const nvtxEventAttributes_t* e) { roctxMarkA(fastpt_lab_nvtx_text(e)); }
static inline void nvtxNameCategoryA(uint32_t, const char*) {}
static inline void nvtxNameCategoryW(uint32_t, const wchar_t*) {}
static inline void nvtxNameOsThreadA(uint32_t, const char*) {}
static inline void nvtxNameOsThreadW(uint32_t, const wchar_t*) {}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char*) { return 0; }
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t*) { return 0; }
static inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char* text) {
  return (nvtxStringHandle_t)strdup(text);  /* kept as long as the process, as NVTX does */
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t, const wchar_t*) {
  return (nvtxStringHandle_t)"";
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t, uint32_t, const char*) {}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t, uint32_t, const wchar_t*) {}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t* e) {
  return nvtxRangePushEx(e);
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return roctxRangePop(); }
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
  return 0;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t* e) {
  nvtxMarkEx(e);
}
#endif
"""


def stand_in(text: str, found: Draft) -> None:
    """Declare in front of a text the names of NVTX that it uses, and leave them as they are.

    Args:
        text: the original.
        found: its draft, which is changed.
    """
    if DECLARATIONS in text:
        return
    names = declared()
    uses = [r for r in found.unmapped if text[r.start : r.end] in names]
    if not uses and not found.own_names & names:
        return
    found.own_names -= names
    found.unmapped = [r for r in found.unmapped if text[r.start : r.end] not in names]
    found.edits = [edit for edit in found.edits if edit.name not in names]
    found.added.append(DECLARATIONS.rstrip("\n"))


@lru_cache(maxsize=1)
def declared() -> frozenset[str]:
    """Return the names of NVTX that `DECLARATIONS` declares."""
    return frozenset(re.findall(r"\b(?:nvtx[A-Z]|NVTX_)\w+", DECLARATIONS))
