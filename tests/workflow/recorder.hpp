/// @file
/// Sinks that remember what arrived, and the comparison of records.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "config/model.hpp"
#include "workflow/workflow.hpp"

namespace epios::io::test {

struct Record {
  int stream = 0;
  std::int64_t number = 0;
  std::int64_t samples = 0;
  std::vector<double> values;
  const void* address = nullptr;  ///< of the array that was put
};

/// For each cell that the client describes, in ascending order of global indices, its place in the
/// model's array; -1: none.
inline std::vector<std::int64_t> places_of_cells(const config::Model& model,
                                                 const LocalParts& parts, int grid) {
  std::vector<std::int64_t> out = {0};
  std::int64_t stride = 1;
  for (const auto& element : nth(model.grids, grid).elements) {
    std::map<std::int64_t, std::int64_t> place_of;
    for (const PartRun& run : parts.owned(element).runs()) {
      for (std::int64_t k = 0; k < run.count; ++k) place_of[run.global + k] = -1;
    }
    for (const PartRun& run : parts.data(element).runs()) {
      for (std::int64_t k = 0; k < run.count; ++k) place_of[run.global + k] = run.place + k;
    }
    std::vector<std::int64_t> next;
    for (const auto& [global, place] : place_of) {
      for (const std::int64_t faster : out) {
        next.push_back(place < 0 || faster < 0 ? -1 : faster + place * stride);
      }
    }
    out = std::move(next);
    stride *= parts.data(element).places();
  }
  return out;
}

/// How records come.
enum class Taking { arrays, also_worked_out };

class Recorder : public Sink {
 public:
  Recorder(int stream, std::vector<std::int64_t> places, std::vector<Record>& records,
           Taking taking = Taking::arrays)
      : stream_(stream), places_(std::move(places)), records_(&records), taking_(taking) {}
  bool works_out() const override { return taking_ == Taking::also_worked_out; }
  /// Runs of places in descending order, now long, now short.
  void put_worked_out(std::int64_t record, std::int64_t samples, Calculation& values) override {
    Record kept{stream_, record, samples, {}, nullptr};
    kept.values.assign(places_.size(), std::numeric_limits<double>::quiet_NaN());
    std::size_t longest = 1;
    for (std::size_t end = places_.size(); end > 0;) {
      std::size_t begin = end - 1;
      if (places_[begin] >= 0) {
        while (begin > 0 && end - begin < longest && places_[begin - 1] + 1 == places_[begin]) {
          --begin;
        }
        values.work_out(places_[begin], static_cast<std::int64_t>(end - begin),
                        kept.values.data() + begin);
      }
      longest = longest % 700 * 3 + 1;
      end = begin;
    }
    records_->push_back(std::move(kept));
  }
  void put(std::int64_t record, std::int64_t samples, const ArrayValues& values) override {
    std::visit([&](auto array) { keep(record, samples, array, values.marker); }, values.values);
  }

 private:
  template <class T>
  void keep(std::int64_t record, std::int64_t samples, std::span<const T> array,
            std::optional<double> marker) {
    Record kept{stream_, record, samples, {}, array.data()};
    for (const std::int64_t place : places_) {
      const bool is_there = place >= 0 && !(marker && array[static_cast<std::size_t>(place)] ==
                                                          static_cast<T>(*marker));
      kept.values.push_back(is_there ? static_cast<double>(array[static_cast<std::size_t>(place)])
                                     : std::numeric_limits<double>::quiet_NaN());
    }
    records_->push_back(std::move(kept));
  }

  int stream_;
  std::vector<std::int64_t> places_;
  std::vector<Record>* records_;
  Taking taking_;
};

/// A workflow whose records go to `records`, with the values of the cells that the client
/// describes.
inline Workflow workflow_into(const config::Model& model, std::vector<Record>& records,
                              Taking taking = Taking::arrays) {
  const LocalParts parts(model);
  return {model, parts, [&](int stream) {
            const int grid = nth(model.streams, stream).grid;
            return std::make_unique<Recorder>(stream, test::places_of_cells(model, parts, grid),
                                              records, taking);
          }};
}

/// NaN is the same as NaN.
inline void expect_same(const std::vector<std::vector<double>>& got,
                        const std::vector<std::vector<double>>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t r = 0; r < got.size(); ++r) {
    ASSERT_EQ(got[r].size(), wanted[r].size());
    for (std::size_t i = 0; i < got[r].size(); ++i) {
      if (std::isnan(wanted[r][i])) {
        EXPECT_TRUE(std::isnan(got[r][i])) << "record " << r << " point " << i << ": " << got[r][i];
      } else {
        EXPECT_EQ(got[r][i], wanted[r][i]) << "record " << r << " point " << i;
      }
    }
  }
}

}  // namespace epios::io::test
