/// @file
/// The working memory of zstd, in builds that have it.
#pragma once

#if EPIOS_HAS_ZSTD
#include <zstd.h>
#endif

#include <memory>

namespace epios::io {

struct ZstdMemory {
#if EPIOS_HAS_ZSTD
  struct Free {
    // It returns an error for no context at all only.
    void operator()(ZSTD_CCtx* context) const { static_cast<void>(ZSTD_freeCCtx(context)); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context{ZSTD_createCCtx()};
#endif
};

}  // namespace epios::io
