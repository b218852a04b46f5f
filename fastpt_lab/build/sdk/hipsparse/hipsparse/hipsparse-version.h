#pragma once
#define hipsparseVersionMajor 2
#define hipsparseVersionMinor 2
#define hipsparseVersionPatch 0
