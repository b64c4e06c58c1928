#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What the model did not send although files need it, at the end of a context. The same on all
/// clients: records of different samples are calls that differ.
class UnsentData {
 public:
  using AccountOf = std::function<const io::StreamAccount&(int stream)>;
  using RepeatsOf = std::function<std::int64_t(int source)>;
  using RecordsOf = std::function<std::int64_t(int file)>;
  /// `records`: that a file has, of those that were due.
  UnsentData(const config::Model& model, const AccountOf& account, const RepeatsOf& repeats,
             const RecordsOf& records);

  /// What is wrong, a line per field; of very many the first, and how many more there are.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// What need not be wrong, a line per file.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Of one file, for its report.
  struct FileAccount {
    std::int64_t records_missing = 0;
    std::int64_t records_short = 0;
    std::string fields;  ///< "tos 3 missing, sos 1 short"
  };
  /// By number in the model; empty for a file that has all its data.
  FileAccount of_file(int file) const;

 private:
  struct NumberedAccount {
    int file = 0;
    FileAccount account;
  };
  /// What streams of one origin, a source or an expression, lack.
  struct OriginText {
    std::string streams;
    bool was_there = false;
  };
  struct Texts {
    std::vector<OriginText> sources, expressions;
  };
  void add_file(const config::Model& model, int file, const AccountOf& account,
                std::int64_t records, Texts& texts);
  void warn_of_source(const config::Model& model, const std::string& field, const OriginText& text,
                      std::int64_t repeated);
  void warn_of_expression(const config::Model& model, const std::string& field,
                          const std::string& operands, const OriginText& text);

  std::vector<std::string> warnings_;
  std::vector<std::string> notes_;
  std::vector<NumberedAccount> files_;
};

}  // namespace epios::client
