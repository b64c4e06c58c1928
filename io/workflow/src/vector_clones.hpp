/// @file
/// Loops in several forms, of which the processor uses the widest it supports.
#pragma once

// Not wider than AVX2, because 512-bit loops slow some processors down for the model. Without fused
// multiply-add (see CMakeLists), so that all forms have the same bits. The choice is made while the
// program is loaded, too early for sanitizers.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EPIOS_VECTOR_CLONES __attribute__((target_clones("default", "avx2"), flatten))
#else
#define EPIOS_VECTOR_CLONES
#endif
