#include "files/file_agreement.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "collectives/collective.hpp"
#include "creation/creation.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"

namespace ep {

Problem problem_of(const std::function<void()>& work) {
  const int code = guarded(work);
  return {code, code != EP_SUCCESS ? last_error() : ""};
}

namespace {

/// The combined contribution of the endpoints of one process.
struct Verdict {
  int rank = 0;  // rank with the problem
  int code = EP_SUCCESS;
  std::array<char, 512> text{};
  int lowest_rank = 0;  // rank whose values follow
  std::array<std::int64_t, 3> same{};
  std::array<char, 64> note{};
};

template <std::size_t size>
void put(const std::string& text, std::array<char, size>& out) {
  out[text.copy(out.data(), size - 1)] = '\0';
}

void note_problem(Verdict& verdict, int rank, int code, const std::string& text) {
  if (verdict.code != EP_SUCCESS && verdict.rank <= rank) return;
  verdict.rank = rank;
  verdict.code = code;
  put(text, verdict.text);
}

void compare(Verdict& verdict, const FileAgreement& names, const Verdict& other) {
  for (std::size_t i = 0; i < verdict.same.size(); ++i) {
    if (verdict.same[i] == other.same[i]) continue;
    std::ostringstream text;
    text << names.same_names[i] << " is " << verdict.same[i] << " at rank " << verdict.lowest_rank
         << " and " << other.same[i] << " at rank " << other.lowest_rank
         << " (all endpoints must give the same).";
    note_problem(verdict, other.lowest_rank, EP_ERR_NOT_SAME, text.str());
  }
}

FileAgreement& of(Operation& operation, int slot) {
  return *static_cast<FileAgreement*>(operation.call(slot).more);
}

int slot_of_lowest(Operation& operation) {
  int lowest = 0;
  for (int slot = 1; slot < operation.slot_count(); ++slot) {
    if (operation.contribution(slot).rank < operation.contribution(lowest).rank) lowest = slot;
  }
  return lowest;
}

class AgreementRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    const int lowest = slot_of_lowest(operation);
    FileAgreement& first = of(operation, lowest);
    Verdict verdict;
    verdict.lowest_rank = operation.contribution(lowest).rank;
    verdict.same = first.same;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const FileAgreement& agreement = of(operation, slot);
      const int rank = operation.contribution(slot).rank;
      if (agreement.problem)
        note_problem(verdict, rank, agreement.problem.code, agreement.problem.text);
      Verdict other;
      other.lowest_rank = rank;
      other.same = agreement.same;
      compare(verdict, first, other);
    }
    if (verdict.code == EP_SUCCESS) act(first, verdict);
    if (verdict.lowest_rank == 0) put(first.note, verdict.note);
    return BlobWriter().put(verdict).take();
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    FileAgreement& first = of(operation, slot_of_lowest(operation));
    std::vector<Verdict> verdicts;
    for (const auto& lump : all) verdicts.push_back(BlobReader(lump).get<Verdict>());
    std::sort(verdicts.begin(), verdicts.end(),
              [](const Verdict& a, const Verdict& b) { return a.lowest_rank < b.lowest_rank; });
    Verdict whole = verdicts.front();
    for (const Verdict& verdict : verdicts) {
      if (verdict.code != EP_SUCCESS)
        note_problem(whole, verdict.rank, verdict.code, verdict.text.data());
      compare(whole, first, verdict);
    }
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      of(operation, slot).note = verdicts.front().note.data();
      if (slot > 0) of(operation, slot).of_first_here = of(operation, 0).of_first_here;
    }
    if (whole.code != EP_SUCCESS) throw Error(whole.code, whole.text.data());
  }

 private:
  static void act(FileAgreement& first, Verdict& verdict) {
    const Problem problem = problem_of([&] {
      if (first.at_first && verdict.lowest_rank == 0) first.at_first();
      if (first.at_each) first.at_each();
    });
    if (problem) note_problem(verdict, verdict.lowest_rank, problem.code, problem.text);
  }
};

}  // namespace

void agree_on(Endpoint& endpoint, const char* what, FileAgreement& mine) {
  static const AgreementRecipe recipe;
  run(endpoint, call_of(recipe, what, &mine));
}

}  // namespace ep
