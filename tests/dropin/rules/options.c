// Reads command lines that a seed makes up, hundreds in one process, with each kind of getopt, and
// prints what getopt says: built with and without epcc, the output must be the same.
//
// usage: options [getopt_long_only]    alone: getopt and getopt_long in turn
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 9 };

static const char* const words[] = {
    "-a",     "-b",   "-bvalue", "-c",      "-cvalue",   "-abc",      "-x",
    "-",      "--",   "file",    "other",   "--alpha",   "--beta",    "--beta=7",
    "--be=8", "--al", "--alp=1", "--gamma", "--gamma=9", "--unknown", "--",
    "-ab",    "-cab", "--flag",  "--b",     "-alpha",    "-beta=3",   "-W",
    "-flag",  "",     "--gam",   "-:",      "--delta-x", "--delta",
};
static const char* const letters[] = {
    "ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:c::", "-:ab:c::", "", "abc"};

static unsigned state = 2024;
static unsigned any(unsigned limit) {
  state = state * 1103515245U + 12345U;
  return (state >> 16U) % limit;
}

static int flag;

static void read_line(int number, int argc, char** argv, const char* short_options, unsigned kind) {
  static const struct option names[] = {
      {"alpha", no_argument, NULL, 'A'},
      {"beta", required_argument, NULL, 'B'},
      {"gamma", optional_argument, NULL, 'G'},
      {"flag", no_argument, &flag, 5},
      {"delta-x", no_argument, NULL, 'X'},
      {"delta-y", no_argument, NULL, 'Y'},
      {NULL, 0, NULL, 0},
  };
  printf("line %d, kind %u, '%s':", number, kind, short_options);
  for (int i = 1; i < argc; ++i) printf(" %s", argv[i]);
  optind = 0;  // all anew
  flag = 0;
  for (int count = 0; count < 30; ++count) {
    int index = -1;
    optopt = 0;
    optarg = NULL;
    const int c = kind == 0   ? getopt(argc, argv, short_options)
                  : kind == 1 ? getopt_long(argc, argv, short_options, names, &index)
                              : getopt_long_only(argc, argv, short_options, names, &index);
    if (c == -1) break;
    printf("\n  %d '%s' optind %d index %d flag %d", c, optarg == NULL ? "(none)" : optarg, optind,
           index, flag);
    // What it says of an option that is good is nobody's business.
    if (c == '?' || c == ':') printf(" optopt %d", optopt);
  }
  printf("\n  rest from %d:", optind);
  for (int i = 1; i < argc; ++i) printf(" <%s>", argv[i]);
  printf("\n");
}

int main(int argc, char** argv) {
  const int is_only = argc > 1 && strcmp(argv[1], "getopt_long_only") == 0;
  for (int number = 0; number < 300; ++number) {
    static char texts[most][20];
    char* line[most + 2] = {texts[0]};
    strcpy(texts[0], "program");
    const int count = 1 + (int)any(most);
    for (int i = 1; i < count; ++i) {
      strcpy(texts[i], words[any(sizeof words / sizeof *words)]);
      line[i] = texts[i];
    }
    const char* const short_options = letters[any(sizeof letters / sizeof *letters)];
    read_line(number, count, line, short_options, is_only ? 2 : any(2));
  }
  return 0;
}
