// The command `epios graph`: prints the graph of data, or has Graphviz draw it into a picture or a
// page. Large graphs are refused or reduced to an overview first.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "config/flow_graph.hpp"

namespace epios::config {

namespace {

[[noreturn]] void refuse_graph(const std::string& problem, const std::string& why,
                               const std::string& suggestion = {}) {
  throw Error(ErrorCode::io,
              fmt::format("{} ({}).{}{}", problem, why, suggestion.empty() ? "" : " ", suggestion));
}

using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Stream temporary_file() {
  Stream file(std::tmpfile(), std::fclose);
  if (!file) refuse_graph("no temporary file", std::strerror(errno));
  return file;
}

/// Runs `dot -Tsvg` from one open file into another; without a shell, since names are anything.
void run_dot(int input, int output) {
  std::array<std::string, 2> words{"dot", "-Tsvg"};
  std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) refuse_graph("dot cannot be run", std::strerror(error));
  pid_t pid = 0;
  error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (error == 0) {
    error = posix_spawnp(&pid, "dot", &actions, nullptr, arguments.data(), environ);
  }
  (void)posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    refuse_graph("dot cannot be run", std::strerror(error),
                 "Install Graphviz, or write the graph itself with -o flow.dot.");
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) refuse_graph("dot was lost", std::strerror(errno));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    refuse_graph("dot failed", "see its message above");
}

std::string read_all(std::FILE* file) {
  std::string text;
  std::array<char, 4096> buffer{};
  std::rewind(file);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), got);
  }
  return text;
}

std::string picture_of(const std::string& graph) {
  const Stream input = temporary_file();
  const Stream output = temporary_file();
  if (std::fwrite(graph.data(), 1, graph.size(), input.get()) != graph.size() ||
      std::fflush(input.get()) != 0) {
    refuse_graph("the graph cannot be handed to dot", std::strerror(errno));
  }
  std::rewind(input.get());
  run_dot(fileno(input.get()), fileno(output.get()));
  return read_all(output.get());
}

/// The wheel zooms around the pointer, dragging moves, and what matches the text of the box stands
/// out; enter goes from one match to the next.
constexpr std::string_view page_style =
    R"(body { margin: 0; font: 14px sans-serif; overflow: hidden; }
#bar { position: fixed; top: 0; left: 0; padding: 6px; background: #fffd; z-index: 1; }
svg { width: 100vw; height: 100vh; cursor: grab; }
g.faint { opacity: 0.15; }
)";
constexpr std::string_view page_script = R"(const svg = document.querySelector('svg');
const box = svg.viewBox.baseVal;
svg.removeAttribute('width');
svg.removeAttribute('height');
const whole = [box.x, box.y, box.width, box.height];
function show(x, y, width, height) {
  svg.setAttribute('viewBox', [x, y, width, height].join(' '));
}
function place(event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform(svg.getScreenCTM().inverse());
}
svg.addEventListener('wheel', event => {
  event.preventDefault();
  const at = place(event), by = event.deltaY > 0 ? 1.2 : 1 / 1.2;
  show(at.x - (at.x - box.x) * by, at.y - (at.y - box.y) * by, box.width * by, box.height * by);
}, {passive: false});
let from = null;
svg.addEventListener('pointerdown', event => { from = place(event); });
addEventListener('pointerup', () => { from = null; });
addEventListener('pointermove', event => {
  if (!from) return;
  const at = place(event);
  show(box.x + from.x - at.x, box.y + from.y - at.y, box.width, box.height);
});
const search = document.getElementById('search'), count = document.getElementById('count');
const nodes = [...document.querySelectorAll('g.node')];
let found = [], next = 0;
search.addEventListener('input', () => {
  const text = search.value.toLowerCase();
  found = nodes.filter(n => [...n.querySelectorAll('text')].some(
      t => t.textContent.toLowerCase().includes(text)));
  nodes.forEach(n => n.classList.toggle('faint', text !== '' && !found.includes(n)));
  count.textContent = text === '' ? '' : found.length + ' of ' + nodes.length;
  next = 0;
});
search.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || found.length === 0) return;
  const seen = found[next++ % found.length].getBoundingClientRect();
  const at = place({clientX: seen.x + seen.width / 2, clientY: seen.y + seen.height / 2});
  show(at.x - whole[2] / 6, at.y - whole[3] / 6, whole[2] / 3, whole[3] / 3);
});
document.getElementById('whole').addEventListener('click', () => show(...whole));
)";

/// The picture alone, for nothing else is needed to look at it: what stands before <svg belongs to
/// a file of its own.
std::string page_of(const std::string& picture, const std::string& title) {
  const std::size_t begin = picture.find("<svg");
  std::string safe;
  for (const char c : title) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta "
      "charset=\"utf-8\"><title>{}</title>\n<style>\n{}</style></head>\n"
      "<body>\n<div id=\"bar\"><input id=\"search\" type=\"search\" placeholder=\"search\"> "
      "<button id=\"whole\">whole</button> <span id=\"count\"></span></div>\n"
      "{}<script>\n{}</script>\n</body>\n</html>\n",
      safe, page_style, begin == std::string::npos ? picture : picture.substr(begin), page_script);
}

/// Number of nodes that Graphviz draws in some seconds.
constexpr std::size_t most_drawn = 500;

void require_drawable(const FlowGraph& graph) {
  if (graph.nodes <= most_drawn) return;
  throw Error(
      ErrorCode::argument,
      fmt::format("the picture would have {} nodes (limit {}). Draw a part of it with --file "
                  "or --field, or write the graph itself with -o flow.dot.",
                  graph.nodes, most_drawn));
}

void say_what_is_drawn(const FlowGraph& graph) {
  if (graph.whole == 0) return;
  fmt::print(stderr,
             "epios: an overview in {} nodes, the whole has {} (--file and --field draw a part of "
             "it).\n",
             graph.nodes, graph.whole);
}

}  // namespace

int run_graph(const GraphOptions& options) {
  const ReadInput input = read(options.input);
  const FlowGraph graph =
      flow_graph(input.sources, input.additions, {options.files, options.fields});
  std::string text;
  if (options.output.ends_with(".dot")) {
    text = graph.text;
  } else if (options.output.ends_with(".svg") || options.output.ends_with(".html")) {
    require_drawable(graph);
    text = picture_of(graph.text);
    if (options.output.ends_with(".html")) text = page_of(text, options.input.file);
  } else {
    throw Error(ErrorCode::argument,
                fmt::format("'{}' is no kind of picture (its ending says which). Use .svg, .html "
                            "or .dot.",
                            options.output));
  }
  say_what_is_drawn(graph);
  std::ofstream stream(options.output, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    refuse_graph(fmt::format("'{}' cannot be written", options.output), std::strerror(errno));
  return 0;
}

}  // namespace epios::config
