// What the mains of tests share: a program has the cases of many sources, and a start may be of
// some of them.
#pragma once

namespace epios::tests {

/// Runs the cases that the arguments choose, all without `--cases_of`; 0 if all passed. GoogleTest
/// must have taken its own arguments.
///   --cases_of=<source>,...       those of the sources that end so, and a filter of GoogleTest
///   chooses among them
///   --cases_only_in=<source>,...  runs none: 0 if each case is in one of the sources
/// A choice without a case is a failure: nothing else would tell that tests have got lost.
int run_chosen_cases(int argc, char** argv);

}  // namespace epios::tests
