#pragma once

#include <epios/epios.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/definitions.hpp"
#include "config/read_grids.hpp"
#include "config/run_report.hpp"
#include "context/client_state.hpp"
#include "context/loan.hpp"
#include "coupling/couplings.hpp"
#include "coupling/partner_grids.hpp"
#include "data/before_records.hpp"
#include "data/infinite_data.hpp"
#include "data/part_ends.hpp"
#include "data/read_sources.hpp"
#include "data/results.hpp"
#include "data/statistics.hpp"
#include "data/tile_assembly.hpp"
#include "data/unsent_data.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/pieces.hpp"
#include "links/read_link.hpp"
#include "links/server_link.hpp"
#include "links/server_waits.hpp"
#include "links/step_waits.hpp"
#include "session/run_settings.hpp"
#include "space/steps.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What epios_context stands for: one context on one client, from its definitions to its files.
class ContextState {
 public:
  /// `among`: between the clients of the context, when they are not all of the component.
  ContextState(ClientState& client, std::string id, ep::Comm among = {});
  ContextState(const ContextState&) = delete;
  ContextState(ContextState&&) = delete;
  ContextState& operator=(const ContextState&) = delete;
  ContextState& operator=(ContextState&&) = delete;
  ~ContextState();

  const std::string& id() const { return id_; }
  ClientState& client() const { return client_; }
  /// Those that have the context. Ranks of clients in messages and errors are ranks in it.
  const ep::Comm& clients() const { return among_ ? among_ : client_.clients(); }
  /// The definitions, while they may change.
  config::Definitions& definitions();
  /// What is known of them: inherited values, too, once inheritance is solved, as it is when the
  /// definition is closed.
  const config::Definitions& known_definitions() const { return definitions_; }
  /// Of an attribute, as far as it is known: of a part that nobody described, once the definition
  /// is closed.
  std::optional<config::Value> value(config::ElementHandle element,
                                     std::string_view attribute) const;
  std::optional<std::string> variable(std::string_view id) const;
  /// False when there is none of that id. What files hold of it is settled when definitions close.
  bool set_variable(std::string_view id, std::string_view text);

  void close_definition();
  void update_calendar(std::int64_t step);
  std::string current_date() const;
  /// The same in parts; before the definition is closed that of the start, as far as it is set.
  config::Date date() const;
  /// The number of a field, by which the others below find it at once; -1 when no file needs it.
  int field(std::string_view id) const;
  /// The same of an element of the definitions.
  int field(config::ElementHandle element) const;
  template <class T>
  void send(std::string_view field, std::span<const T> data);
  template <class T>
  void send(int field, std::span<const T> data);
  /// One tile of a field: several threads may send tiles at once. The last one of a step sends the
  /// whole.
  template <class T>
  void send_tile(int field, int tile, std::span<const T> data);
  /// The array of a field at this step, for the model to fill and send; empty for a field that no
  /// file needs. Nothing else is sent meanwhile. T as the model will send it.
  template <class T>
  std::span<T> borrow(int field);
  /// Ends the loan without a send.
  void give_back(int field);
  /// The number of a field that a file, or the workflow, has for the model.
  int read_field(std::string_view id) const;
  /// Its values at the current date, at their places of the model's array.
  template <class T>
  void receive(int read_field, std::span<T> data);
  bool is_active(std::string_view field, bool now);
  bool is_active(int field, bool now);
  bool is_active(config::ElementHandle element, bool now);
  void finalize();

  /// Others may wait for this client to close the definition.
  bool is_being_defined() const { return state_ == State::defining && !definition_failed_; }
  bool has_failed_definition() const { return definition_failed_; }
  bool is_running() const { return state_ == State::running; }
  /// A context of this client is about to wait for a partner: what steps between clients have for
  /// partners of this one leaves, if all clients of this context are of that one, too.
  void deliver_to_partners(const Couplings& before_waiting);
  /// Null: it exchanges nothing with others.
  Couplings* couplings() const { return couplings_.get(); }
  bool is_over() const { return state_ == State::finalized; }
  /// Tells the others that this client comes no more. Local.
  void leave(std::string_view why);
  bool has_failed() const { return failure_.has_value(); }
  /// Of one that will never end: what it has cost this client and what is known of its files.
  /// Local.
  void report_unfinished();
  std::optional<std::uint32_t> number() const { return number_; }
  /// A report of a server about this context.
  void receive(const io::ContextReport& report);

  epios_statistics statistics() const;
  /// A file of the context that is over.
  struct FileOutcome {
    io::FileReport report;
    std::string losses;  ///< "tos 3, sos 1": what it lost, by field
    UnsentData::FileAccount unsent;
  };
  const std::vector<FileOutcome>& file_reports() const { return outcomes_; }

 private:
  enum class State { defining, running, finalized };
  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  Attendance& attendance();
  ServerWaits server_waits() const;
  std::vector<int> ranks_in_component() const;
  void find_partners(std::vector<int> in_component);
  std::vector<std::string> compare_files();
  void meet_partners();
  void poll_for_partners();
  /// Of what comes from other contexts, the first number that read_field() gives.
  int first_received() const;
  void enter_run();
  void resume();
  /// What grids have open and files of theirs may say.
  struct OpenGrids {
    bool lack_sizes = false;
    std::vector<bool> want_coordinates;  // per ReadGrids::elements
    std::vector<bool> lack_size_of;      // the same
  };
  void complete_grids();
  std::unique_ptr<PartnerGrids> take_grids_of_partners();
  void set_taken(const PartnerGrids& from);
  void set_taken_coordinates(const PartnerGrids& from);
  Error with_context(const Error& error) const;
  config::Model resolved(std::vector<config::Diagnostic>* warnings = nullptr) const;
  config::ReadGrids find_read_grids();
  void compare_wishes(std::uint64_t hash) const;
  OpenGrids compare_open_grids(const config::ReadGrids& grids, std::uint64_t hash);
  std::vector<config::FileFacts> inspect(const config::ReadGrids& grids, bool lack_sizes);
  std::vector<std::vector<double>> receive_coordinates(
      const config::Model& model, const config::ReadGrids& grids,
      const std::vector<config::CoordinateWish>& wishes);
  void deal_out(config::Model& model, const config::ReadGrids& grids);
  void read_coordinates(const config::Model& model, const config::ReadGrids& grids,
                        const std::vector<config::CoordinateWish>& wishes);
  void read_corners(const config::Model& model, const config::ReadGrids& grids,
                    const std::vector<config::CoordinateWish>& wishes,
                    std::vector<std::vector<double>>& values);
  int received_fields() const;
  void note_infinite(int read_field, std::span<const float> data);
  std::string name_of_received(int read_field) const;
  void note_what_begins_anew() const;
  void agree_on_model();
  void resolve_model();
  std::vector<std::string> place_files(int servers);
  void ask_servers();
  void compare_parts();
  void plan_steps();
  void share_out_sides();
  std::vector<std::vector<std::byte>> make_parts();
  ServerLink::Replies wait_for_replies();
  void print_remarks(const ServerLink::Replies& replies) const;
  void warn(const std::vector<std::string>& doubts) const;
  void connect(const ServerLink::Replies& replies);
  void number_elements();
  void find_operands();
  void connect_readers();
  std::vector<std::int64_t> first_records() const;
  void tell_what_was_passed() const;
  void begin_date();
  void check_received_size(const std::string& field, std::int64_t wanted, std::size_t got) const;
  void check_record(int read_field, std::int64_t record) const;
  template <class T>
  void receive_from_file(int read_field, std::span<T> data);
  template <class T>
  void receive_result(int result, std::span<T> data);
  template <class T>
  void receive_coupled(int received, std::span<T> data);
  const config::Unmade* find_unmade(std::string_view field) const;
  int find_source(std::string_view field) const;
  bool is_due(int source);
  bool is_wanted_now(int source);
  void check_number(int field) const;
  void end_parts();
  void end_date();
  void deliver();
  void end_coupled_date();
  void pass_sent(bool are_of_received);
  void tell_missing_records();
  void fetch_for_result(int result);
  void check_no_tiles_only(int field, const char* what) const;
  double link_s() const;
  std::span<std::byte> lend_channel(int field, std::size_t value_bytes);
  void check_loan(int field, const void* data, std::size_t value_bytes) const;
  void end_loan();
  void check_nothing_lent(const char* call) const;
  void make_tiles();
  void check_tiles() const;
  template <class T>
  void send_whole(int field, std::span<const T> data);
  [[noreturn]] void refuse_send(std::string_view field) const;
  bool are_all_lost() const;
  void throw_if_failed();
  void add_outcomes(const io::ContextReport& report);
  config::Instant end_of_run() const;
  void save_statistics();
  void add_unsent(const UnsentData& unsent);
  void finish_sending();
  ClientCost client_cost() const;
  std::vector<config::ServerCost> server_costs() const;
  void report_cost(std::chrono::steady_clock::duration closing);
  config::FileCost file_cost(int file,
                             const std::function<config::FieldCost(std::size_t)>& field_cost) const;
  /// Of the files, when all of the context is over: a line each.
  void print_warnings(const std::vector<std::string>& warnings, const UnsentData& unsent) const;
  std::vector<std::string> say_what_was_amiss(const UnsentData& unsent,
                                              const std::vector<std::string>& left_over) const;
  void let_go();
  void poll();
  void poll_now_and_then(std::chrono::steady_clock::time_point now);
  [[noreturn]] void out_of_order(const char* call, const char* why) const;

  ClientState& client_;
  std::string id_;
  ep::Comm among_;                          // null: all clients of the component
  std::unique_ptr<Attendance> attendance_;  // of `among_`
  config::Definitions definitions_;
  const config::Definitions* settings_of_ = &definitions_;  // that say how the run goes
  State state_ = State::defining;
  bool definition_failed_ = false;  // on all clients
  RunSettings settings_;
  /// Of the definitions as they are.
  struct Resolved {
    std::unique_ptr<config::Model> model;
    std::vector<config::Diagnostic> warnings;
    std::uint64_t hash = 0;
  };
  std::optional<Resolved> ahead_;   // before it is time
  bool asked_about_files_ = false;  // before all clients have said what they lack
  std::unique_ptr<config::Model> model_;
  // From the end of the definitions until the channels are open:
  struct Opening {
    io::LocalParts parts;
    io::ServerChoice choice;
    std::vector<io::FilePlacement> placements;  // per file
    std::vector<io::Pieces> pieces;             // per server
    io::CoordinateForms forms;
    io::Holders holders;
    std::vector<io::FilePlacement> read_placements;  // per read file
    std::vector<io::Pieces> read_pieces;             // per server
    std::vector<std::uint8_t> asks;  // per server: this client has asked it for a channel
  };
  std::unique_ptr<Opening> opening_;
  std::uint64_t opening_number_ = 0;
  std::unique_ptr<StepWaits> step_waits_;
  std::unique_ptr<io::StepPlans> steps_;  // of the workflow
  std::unique_ptr<io::Workflow> workflow_;
  std::unique_ptr<Statistics> statistics_;  // null: no state outlives the run
  std::unique_ptr<BeforeRecords> before_records_;
  std::unique_ptr<PartEnds> part_ends_;
  std::unique_ptr<ServerLink> link_;
  std::unique_ptr<ReadLink> read_link_;           // null: nothing is read
  std::vector<config::ReadSchedule> read_dates_;  // per Model::read_fields
  std::unique_ptr<Results> results_;              // of the workflow
  std::unique_ptr<ReadSources> read_sources_;
  std::unique_ptr<Couplings> couplings_;              // null: nothing is exchanged
  std::vector<std::vector<int>> sources_of_results_;  // of the workflow, if anything is exchanged
  std::vector<std::uint8_t> is_of_received_;  // per field for partners: it is made of theirs
  std::vector<std::int64_t> dropped_;         // per field for partners: after their end
  std::vector<std::uint8_t> comes_later_;     // the same: of theirs or of other clients' points
  bool sends_what_is_moved_ = false;          // to partners: by steps between clients
  std::size_t sent_sources_ = 0;              // of the model, without those of statistics
  ServerLink::Account account_;               // of the link that has been closed
  std::optional<std::uint32_t> number_;
  template <class T>
  using ById = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;
  ById<int> sources_;                // and -1 for fields that no file needs
  std::vector<int> by_node_;         // numbers of fields by their element; see number_unknown
  ById<int> read_fields_;            // and, numbered behind them, results of the workflow
  ById<std::vector<int>> operands_;  // what is sent, of each field that is made of others
  std::optional<config::Calendar> calendar_;
  std::int64_t step_ = 0;
  config::Instant now_;
  bool sent_now_ = false;  // anything, at now_
  /// Whether data of a source would be used at a step: asked for often, worked out once.
  static constexpr std::int64_t unknown_due = -1;
  std::vector<std::atomic<std::int64_t>> dues_;       // by source: 2 x step, + 1: due; -1: unknown
  std::vector<std::unique_ptr<TileAssembly>> tiles_;  // by source; null without tiles
  bool has_tiles_ = false;
  Loan loan_;
  std::mutex tiles_mutex_;      // for what threads share beside them
  config::Instant before_now_;  // the date before the last update of the calendar
  std::int64_t before_step_ = 0;

  std::optional<Error> failure_;       // the context is over
  std::set<std::int32_t> lost_files_;  // of the model
  std::set<std::string> lost_paths_;
  std::string lost_text_;
  int reports_ = 0;                    // servers that have closed it
  std::vector<FileOutcome> outcomes_;  // by path
  InfiniteData infinite_;
  std::vector<io::ServerLoad> loads_;  // of those servers

  std::chrono::steady_clock::time_point opened_;
  std::chrono::steady_clock::time_point polled_;  // when reports were looked for last
  double in_library_s_ = 0;
  double opening_s_ = 0;  // of the end of the definitions
  std::int64_t sends_ = 0;
};

}  // namespace epios::client
