// Fetches values that describe points from the clients that have them. The lists of wanted points
// are exchanged once, then each list of values.
#include "exchange/fetched_values.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ep/ep.hpp>
#include <string>
#include <utility>

#include "config/index.hpp"
#include "exchange/whole_lines.hpp"
#include "space/directory.hpp"

namespace epios::io {

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

constexpr std::int64_t word_bytes = 8;

}  // namespace

FetchedValues::FetchedValues(const ep::Comm& clients, std::int64_t size,
                             std::span<const std::int64_t> own,
                             std::span<const std::int64_t> wanted)
    : clients_(clients) {
  std::vector<std::pair<std::int64_t, std::int64_t>> places;  // by number
  for (std::size_t k = 0; k < own.size(); ++k) {
    places.emplace_back(own[k], static_cast<std::int64_t>(k));
  }
  std::sort(places.begin(), places.end());
  std::vector<std::int64_t> keys;
  for (const auto& [key, place] : places) {
    if (keys.empty() || keys.back() != key) keys.push_back(key);
  }
  std::vector<std::int64_t> asked(wanted.begin(), wanted.end());
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  if (!asked.empty() && asked.front() < 0) asked.erase(asked.begin());
  const Directory directory(clients, size, keys);
  const std::vector<int> holders = directory.lowest(asked);
  std::vector<std::vector<std::int64_t>> questions(at(clients.size()));
  for (std::size_t k = 0; k < asked.size(); ++k) {
    if (holders[k] >= 0) nth(questions, holders[k]).push_back(asked[k]);
  }
  std::vector<std::int64_t> next(questions.size());
  for (std::size_t r = 1; r < questions.size(); ++r) {
    next[r] = next[r - 1] + static_cast<std::int64_t>(questions[r - 1].size());
  }
  std::vector<std::int64_t> numbers;
  numbers.reserve(holders.size());
  for (const int holder : holders) numbers.push_back(holder < 0 ? -1 : nth(next, holder)++);
  for (const std::int64_t key : wanted) {
    const auto found = std::lower_bound(asked.begin(), asked.end(), key);
    from_.push_back(key < 0 ? -1 : nth(numbers, found - asked.begin()));
  }
  asked_ = exchange_lists(clients, questions);
  for (auto& list : asked_) {
    for (std::int64_t& key : list) {
      key = std::lower_bound(places.begin(), places.end(), std::pair(key, std::int64_t{0}))->second;
    }
  }
}

std::vector<std::int64_t> FetchedValues::fetch(std::span<const std::int64_t> words,
                                               std::int64_t each, std::int64_t missing) const {
  std::vector<std::vector<std::int64_t>> answers(asked_.size());
  for (std::size_t r = 0; r < asked_.size(); ++r) {
    for (const std::int64_t place : asked_[r]) {
      for (std::int64_t w = 0; w < each; ++w) {
        const std::size_t word = at(place * each + w);
        answers[r].push_back(word < words.size() ? words[word] : missing);
      }
    }
  }
  std::vector<std::int64_t> come;
  for (const auto& list : exchange_lists(clients_, answers)) {
    come.insert(come.end(), list.begin(), list.end());
  }
  std::vector<std::int64_t> out;
  for (const std::int64_t from : from_) {
    for (std::int64_t w = 0; w < each; ++w) {
      out.push_back(from < 0 ? missing : nth(come, from * each + w));
    }
  }
  return out;
}

std::optional<config::value::reals> FetchedValues::of(
    const std::optional<config::value::reals>& list, std::int64_t each, double missing) const {
  if (!on_any(clients_, list.has_value())) return std::nullopt;
  std::vector<std::int64_t> words;
  for (std::size_t k = 0; list && k < list->values.size(); ++k) {
    words.push_back(std::bit_cast<std::int64_t>(list->values[k]));
  }
  config::value::reals out;
  for (const std::int64_t word : fetch(words, each, std::bit_cast<std::int64_t>(missing))) {
    out.values.push_back(std::bit_cast<double>(word));
  }
  const auto count = static_cast<std::int64_t>(from_.size());
  out.shape = each == 1 ? std::vector{count} : std::vector{each, count};
  return out;
}

config::value::booleans FetchedValues::are_there() const {
  config::value::booleans out;
  for (const std::int64_t from : from_) out.values.push_back(from < 0 ? 0 : 1);
  out.shape = {static_cast<std::int64_t>(from_.size())};
  return out;
}

std::optional<config::value::booleans> fetched_mask(
    const ep::Comm& clients, std::int64_t size, std::span<const std::int64_t> own,
    const std::optional<config::value::booleans>& mask, std::span<const std::int64_t> wanted) {
  std::vector<std::int64_t> unmasked;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (!mask || mask->values[k] != 0) unmasked.push_back(own[k]);
  }
  config::value::booleans out = FetchedValues(clients, size, unmasked, wanted).are_there();
  const bool has_any = std::find(out.values.begin(), out.values.end(), 0) != out.values.end();
  if (!on_any(clients, mask.has_value() || has_any)) return std::nullopt;
  return out;
}

std::optional<config::value::strings> FetchedValues::of(
    const std::optional<config::value::strings>& labels) const {
  if (!on_any(clients_, labels.has_value())) return std::nullopt;
  std::int64_t own = 1;
  for (std::size_t k = 0; labels && k < labels->values.size(); ++k) {
    own = std::max(own, static_cast<std::int64_t>(labels->values[k].size()));
  }
  std::int64_t longest = 0;
  ep::check(EP_Allreduce(&own, &longest, 1, MPI_INT64_T, MPI_MAX, clients_.get()));
  const std::int64_t each = (longest + word_bytes - 1) / word_bytes;
  std::vector<std::int64_t> words(labels ? labels->values.size() * at(each) : 0);
  for (std::size_t k = 0; labels && k < labels->values.size(); ++k) {
    std::memcpy(words.data() + k * at(each), labels->values[k].data(), labels->values[k].size());
  }
  const std::vector<std::int64_t> come = fetch(words, each, 0);
  config::value::strings out;
  for (std::size_t k = 0; k < from_.size(); ++k) {
    std::string text(at(each * word_bytes), '\0');
    std::memcpy(text.data(), come.data() + k * at(each), text.size());
    text.resize(std::min(text.size(), text.find('\0')));
    out.values.push_back(std::move(text));
  }
  out.shape = {static_cast<std::int64_t>(from_.size())};
  return out;
}

}  // namespace epios::io
