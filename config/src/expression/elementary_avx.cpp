// Compiled for processors with AVX, and called on them only.
#include <sleef.h>

#include "expression/vector_form.hpp"

namespace epios::config {

namespace {

struct AvxPack {
  static constexpr int width = 4;
  static __m256d load(const double* from) { return _mm256_loadu_pd(from); }
  static void store(double* to, __m256d value) { _mm256_storeu_pd(to, value); }
  static bool has_size(__m256d a, double size) {
    const __m256d absolute = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
    return _mm256_movemask_pd(_mm256_cmp_pd(absolute, _mm256_set1_pd(size), _CMP_EQ_OQ)) != 0;
  }
  static __m256d cos(__m256d a) { return Sleef_cinz_cosd4_u10avx(a); }
  static __m256d sin(__m256d a) { return Sleef_cinz_sind4_u10avx(a); }
  static __m256d tan(__m256d a) { return Sleef_cinz_tand4_u10avx(a); }
  static __m256d exp(__m256d a) { return Sleef_cinz_expd4_u10avx(a); }
  static __m256d log(__m256d a) { return Sleef_cinz_logd4_u10avx(a); }
  static __m256d log10(__m256d a) { return Sleef_cinz_log10d4_u10avx(a); }
  static __m256d pow(__m256d a, __m256d b) { return Sleef_cinz_powd4_u10avx(a, b); }
};

}  // namespace

VectorForm avx_form() {
  return {"AVX", AvxPack::width, VectorLoops<AvxPack>::elementary, VectorLoops<AvxPack>::power};
}

}  // namespace epios::config
