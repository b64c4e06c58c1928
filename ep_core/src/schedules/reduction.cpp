// Plans of reductions, and their evaluation. The tree follows ranks, so that no placement changes a
// bit; a process evaluates whole subtrees in portions that stay in the cache. In order: building a
// plan, evaluation of a postfix program.
#include "schedules/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "datatypes/scratch.hpp"

namespace ep {

namespace {

// Operands and intermediate results of so many bytes stay in the cache.
constexpr std::int64_t chunk_bytes = std::int64_t{16} * 1024;
// Depth of the stack for a postfix program over 2^31 operands: one operand per level and one more.
constexpr std::size_t deepest_stack = 40;

int middle(int lo, int hi) {
  return lo + static_cast<int>(std::bit_floor(static_cast<unsigned>(hi - lo - 1)));
}

}  // namespace

/// Writes the parts of a plan while it walks the tree.
class ReductionPlan::Builder {
 public:
  Builder(ReductionPlan& plan, const RankTable& ranks, int me)
      : plan_(plan), ranks_(ranks), me_(me) {}

  /// The tree over ranks; returns nothing but the plan's partials and a tree over them.
  void ordered(int lo, int hi) {
    const int process = ranks_.place(lo).process;
    if (ranks_.run_end(lo) >= hi) {
      ReductionProgram program;
      if (process == me_) subtree(lo, hi, program);
      add_partial(process, std::move(program));
      return;
    }
    const int mid = middle(lo, hi);
    ordered(lo, mid);
    ordered(mid, hi);
    plan_.top.push_back(combine_two);
  }

  /// Builds one partial per process, and the tree over them.
  void fast() {
    std::vector<int> processes;
    for (const RankRun& run : ranks_.runs()) processes.push_back(run.process);
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    for (const int process : processes) {
      ReductionProgram program;
      for (const RankRun& run : ranks_.runs()) {
        if (run.process != process || process != me_) continue;
        for (int i = 0; i < run.length; ++i) {
          program.push_back(run.first_slot + i);
          if (program.size() > 1) program.push_back(combine_two);
        }
      }
      plan_.partials.push_back(process);
      if (process != me_) continue;
      plan_.mine.push_back(static_cast<int>(plan_.partials.size()) - 1);
      plan_.programs.push_back(std::move(program));
    }
    over_partials(0, static_cast<int>(processes.size()));
  }

  /// Builds the nodes of the tree from its postfix form.
  void nodes() {
    std::vector<int> stack;
    for (const int operand : plan_.top) {
      if (operand != combine_two) {
        stack.push_back(operand);
        continue;
      }
      const int right = stack.back();
      stack.pop_back();
      const int left = stack.back();
      const int height = std::max(plan_.height_of(left), plan_.height_of(right)) + 1;
      plan_.nodes.push_back({left, right, plan_.process_of(left), height});
      stack.back() = plan_.whole();
    }
  }

 private:
  void subtree(int lo, int hi, ReductionProgram& program) const {
    if (hi - lo == 1) {
      program.push_back(ranks_.place(lo).slot);
      return;
    }
    const int mid = middle(lo, hi);
    subtree(lo, mid, program);
    subtree(mid, hi, program);
    program.push_back(combine_two);
  }

  void add_partial(int process, ReductionProgram program) {
    const int number = static_cast<int>(plan_.partials.size());
    plan_.partials.push_back(process);
    plan_.top.push_back(number);
    if (process != me_) return;
    plan_.mine.push_back(number);
    plan_.programs.push_back(std::move(program));
  }

  void over_partials(int lo, int hi) {
    if (hi - lo == 1) {
      plan_.top.push_back(lo);
      return;
    }
    const int mid = middle(lo, hi);
    over_partials(lo, mid);
    over_partials(mid, hi);
    plan_.top.push_back(combine_two);
  }

  ReductionPlan& plan_;
  const RankTable& ranks_;
  int me_;
};

ReductionPlan::ReductionPlan(const RankTable& ranks, int me, bool ordered) {
  if (ranks.size() == 0) return;
  Builder builder(*this, ranks, me);
  if (ordered) {
    builder.ordered(0, ranks.size());
  } else {
    builder.fast();
  }
  builder.nodes();
}

namespace {

/// A stack machine for one chunk of elements.
class Evaluation {
 public:
  Evaluation(const Reducer& reducer, int count) : reducer_(reducer), count_(count) {
    memory().reset();
  }

  void push(const void* data) { stack_[depth_++] = {data, nullptr}; }

  void combine(void* out) {
    const Operand right = stack_[--depth_];
    Operand& left = stack_[depth_ - 1];
    void* const target = out != nullptr ? out : right.owned != nullptr ? right.owned : fresh();
    reducer_.combine(count_, left.data, right.data, target);
    if (left.owned != nullptr) spare_[spare_count_++] = left.owned;
    left = {target, out != nullptr ? nullptr : target};
  }

  const void* result() const { return stack_[0].data; }

 private:
  struct Operand {
    const void* data = nullptr;
    void* owned = nullptr;  // equals `data` if this object owns the memory
  };

  static Scratch& memory() {
    thread_local Scratch scratch;
    return scratch;
  }

  void* fresh() {
    if (spare_count_ > 0) return spare_[--spare_count_];
    return memory().take_elements(count_, reducer_.type);
  }

  const Reducer& reducer_;
  int count_;
  std::size_t depth_ = 0;
  std::size_t spare_count_ = 0;
  std::array<Operand, deepest_stack> stack_;
  std::array<void*, deepest_stack> spare_{};
};

}  // namespace

namespace {

void evaluate_here(const ReductionProgram& program, std::span<const void* const> operands,
                   const Reducer& reducer, std::int64_t begin, std::int64_t end, void* out) {
  const std::int64_t step =
      std::max<std::int64_t>(1, chunk_bytes / std::max<std::int64_t>(reducer.extent, 1));
  for (std::int64_t i = begin; i < end; i += step) {
    const int count = static_cast<int>(std::min(step, end - i));
    Evaluation evaluation(reducer, count);
    void* const target = reducer.at(out, i);
    for (std::size_t k = 0; k < program.size(); ++k) {
      if (program[k] == combine_two) {
        evaluation.combine(k + 1 == program.size() ? target : nullptr);
      } else {
        evaluation.push(reducer.at(operands[static_cast<std::size_t>(program[k])], i));
      }
    }
    if (evaluation.result() != target) {
      copy_typed(view_of(evaluation.result(), count, reducer.type), {target, count, reducer.type});
    }
  }
}

}  // namespace

void evaluate(const ReductionProgram& program, std::span<const void* const> operands,
              const Reducer& reducer, std::int64_t begin, std::int64_t end, void* out) {
  share_elements(reducer, begin, end, [&](std::int64_t first, std::int64_t last) {
    evaluate_here(program, operands, reducer, first, last, out);
  });
}

}  // namespace ep
