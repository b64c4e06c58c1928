#pragma once

#include <cstdint>

namespace ep {

/// The layout of a message's identity in the raw tags of one wire.
///
///     [header flag | context of the receiver | source slot | destination slot | user tag]
///
/// The flag and the context have the same place for every communicator of the wire; the division of
/// the rest depends on the largest clique of the communicator. An identity that does not fit
/// is sent in a header.
class TagLayout {
 public:
  /// `raw_tag_ub` >= 3 (MPI promises 32767), `largest_clique` >= 1 endpoints in one process.
  TagLayout(int raw_tag_ub, int largest_clique);

  struct Identity {
    std::uint32_t context;
    int source_slot;
    int dest_slot;
    int tag;
  };

  /// True if the identity fits in the raw tag.
  bool fits(const Identity& id) const noexcept;
  /// Precondition: fits(id).
  int encode(const Identity& id) const noexcept;
  /// Precondition: !is_header(raw).
  Identity decode(int raw) const noexcept;

  // The part that is the same for every communicator of a wire.
  bool is_header(int raw) const noexcept { return (raw & header_flag_) != 0; }
  int header_tag() const noexcept { return header_flag_; }
  /// Returns the raw tag of the body that belongs to the n-th header of a sender; is_body()
  /// recognises it.
  int body_tag(std::uint32_t n) const noexcept;
  bool is_body(int raw) const noexcept { return is_header(raw) && raw != header_flag_; }
  std::uint32_t context_of(int raw) const noexcept;

  /// Returns the largest user tag that needs no header.
  int largest_short_tag() const noexcept { return static_cast<int>((1U << tag_bits_) - 1U); }

 private:
  int header_flag_;
  unsigned context_bits_;
  unsigned rest_bits_;
  unsigned slot_bits_;
  unsigned tag_bits_;
};

}  // namespace ep
