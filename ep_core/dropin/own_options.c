// getopt and its kind with one state per copy of the program: their position in the command line is
// libc's static memory, which all copies would share. Behaviour of POSIX and of GNU's permutation.
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_state.h"

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): what getopt is
EP_WEAK char* optarg = NULL;
EP_WEAK int optind = 1;
EP_WEAK int opterr = 1;
EP_WEAK int optopt = '?';

static char* cluster = NULL;  // unread rest of an element like -abc
// Operands that were skipped, argv[skipped .. skipped_end); the options after them, as far as
// optind, move before them when the next element is looked at.
static int skipped = 1;
static int skipped_end = 1;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

static void move_options(char** argv) {
  for (; skipped_end < optind; ++skipped, ++skipped_end) {
    char* const option = argv[skipped_end];
    for (int i = skipped_end; i > skipped; --i) argv[i] = argv[i - 1];
    argv[skipped] = option;
  }
}

static bool is_operand(const char* element) { return element[0] != '-' || element[1] == '\0'; }

struct Options {
  const char* letters;  // without the leading + - :
  const struct option* names;
  bool in_order;       // '-': operands are options with the letter 1
  bool ends_at_first;  // '+': the first operand ends the options
  bool is_quiet;       // ':': a missing argument is ':'
  bool only;           // -name is --name
};

static int complain(const char* program, const char* problem, const char* option, int result,
                    const struct Options* options) {
  if (opterr != 0 && !options->is_quiet) fprintf(stderr, "%s: %s '%s'\n", program, problem, option);
  return result;
}

// The argument of the current option: the element after it.
static char* take_argument(int argc, char** argv) { return optind < argc ? argv[optind++] : NULL; }

static int read_letter(int argc, char** argv, const struct Options* options) {
  const char letter = *cluster++;
  const char* const found = letter == ':' ? NULL : strchr(options->letters, letter);
  const bool is_last = *cluster == '\0';
  if (is_last) ++optind;
  const char text[] = {letter, '\0'};
  if (found == NULL) {
    optopt = (unsigned char)letter;
    return complain(argv[0], "invalid option --", text, '?', options);
  }
  if (found[1] != ':') return (unsigned char)letter;
  if (!is_last) {
    optarg = cluster;
    ++optind;
  } else if (found[2] != ':') {
    optarg = take_argument(argc, argv);
  }
  cluster = NULL;
  if (optarg != NULL || found[2] == ':') return (unsigned char)letter;
  optopt = (unsigned char)letter;
  return complain(argv[0], "option requires an argument --", text, options->is_quiet ? ':' : '?',
                  options);
}

// The long option with this name, or the only one that begins with it.
static const struct option* named(const struct option* names, const char* name, size_t length,
                                  bool* is_ambiguous) {
  const struct option* found = NULL;
  *is_ambiguous = false;
  for (const struct option* each = names; each->name != NULL; ++each) {
    if (strncmp(each->name, name, length) != 0) continue;
    if (strlen(each->name) == length) {
      *is_ambiguous = false;
      return each;
    }
    *is_ambiguous = found != NULL;
    if (found == NULL) found = each;
  }
  return found;
}

static int read_name(int argc, char** argv, const char* name, const struct Options* options,
                     int* index) {
  const char* const element = argv[optind++];
  const size_t length = strcspn(name, "=");
  bool is_ambiguous = false;
  const struct option* const found = named(options->names, name, length, &is_ambiguous);
  optopt = 0;
  if (is_ambiguous) return complain(argv[0], "ambiguous option", element, '?', options);
  if (found == NULL) return complain(argv[0], "unrecognized option", element, '?', options);
  if (found->flag == NULL) optopt = found->val;
  if (name[length] == '=') {
    if (found->has_arg == no_argument) {
      return complain(argv[0], "option doesn't allow an argument", element, '?', options);
    }
    optarg = argv[optind - 1] + (name - element) + length + 1;
  } else if (found->has_arg == required_argument) {
    optarg = take_argument(argc, argv);
    if (optarg == NULL) {
      return complain(argv[0], "option requires an argument", element,
                      options->is_quiet ? ':' : '?', options);
    }
  }
  if (index != NULL) *index = (int)(found - options->names);
  if (found->flag == NULL) return found->val;
  *found->flag = found->val;
  return 0;
}

// Decides between -name as a long option and as letters: if there is such a letter, a single letter
// is one, and so is the first of several that do not form a name.
static bool is_name(const char* element, const struct Options* options) {
  if (options->names == NULL) return false;
  if (element[1] == '-') return true;
  if (!options->only) return false;
  const bool is_letter = strchr(options->letters, element[1]) != NULL;
  if (is_letter && element[2] == '\0') return false;
  bool is_ambiguous = false;
  return !is_letter ||
         named(options->names, element + 1, strcspn(element + 1, "="), &is_ambiguous) != NULL;
}

// Ends the options. The remaining elements begin with the operands that were skipped.
static int end(void) {
  if (skipped != skipped_end) optind = skipped;
  return -1;
}

static int next_option(int argc, char** argv, const struct Options* options, int* index) {
  optarg = NULL;
  if (optind == 0) {
    optind = skipped = skipped_end = 1;
    cluster = NULL;
  }
  if (cluster != NULL && *cluster != '\0') return read_letter(argc, argv, options);
  move_options(argv);
  if (!options->ends_at_first && !options->in_order) {
    while (optind < argc && is_operand(argv[optind])) ++optind;
    skipped_end = optind;
  }
  if (optind < argc && strcmp(argv[optind], "--") == 0) {
    ++optind;
    move_options(argv);
    if (skipped == skipped_end) skipped = optind;
    skipped_end = argc;
    optind = argc;
  }
  if (optind >= argc) return end();
  if (is_operand(argv[optind])) {
    if (options->ends_at_first) return -1;
    optarg = argv[optind++];
    return 1;
  }
  char* const element = argv[optind];
  if (is_name(element, options)) {
    return read_name(argc, argv, element + (element[1] == '-' ? 2 : 1), options, index);
  }
  cluster = element + 1;
  return read_letter(argc, argv, options);
}

static int next(int argc, char* const* argv, const char* letters, const struct option* names,
                int* index, bool only) {
  struct Options options = {.letters = letters, .names = names, .only = only};
  options.ends_at_first = getenv("POSIXLY_CORRECT") != NULL;
  if (*options.letters == '+' || *options.letters == '-') {
    options.ends_at_first = *options.letters == '+';
    options.in_order = *options.letters++ == '-';
  }
  if (*options.letters == ':') {
    options.is_quiet = true;
    ++options.letters;
  }
  return next_option(argc, (char**)argv, &options, index);  // permutes, as declared nowhere
}

EP_WEAK int getopt(int argc, char* const* argv, const char* letters) {
  return next(argc, argv, letters, NULL, NULL, false);
}
EP_WEAK int getopt_long(int argc, char* const* argv, const char* letters,
                        const struct option* names, int* index) {
  return next(argc, argv, letters, names, index, false);
}
EP_WEAK int getopt_long_only(int argc, char* const* argv, const char* letters,
                             const struct option* names, int* index) {
  return next(argc, argv, letters, names, index, true);
}
