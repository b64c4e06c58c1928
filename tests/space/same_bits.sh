#!/bin/sh
# same_bits.sh PROGRAM: what it works out with and without the instructions that the C library
# chooses by the processor.
set -eu
bits() { "$1" --gtest_filter='SameBits.*' | grep '^bits: '; }
all=$(bits "$1")
few=$(GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4,-FMA4_Usable bits "$1")
echo "with all instructions: $all"
echo "with few of them:      $few"
test "$all" = "$few"
