#!/bin/bash
# What scripts/rooms says of rooms in order, and of each kind of disorder, planted one at a time.
#
# usage: rooms_test.sh <source folder>
set -uo pipefail
rooms=$1/scripts/rooms
for tool in python3 nm c++filt c++; do
  command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/epios-rooms.XXXXXX")
trap 'rm -rf "$work"' EXIT
src=$work/house/src
failures=0

fail() {
  echo "FAIL: $*" >&2
  sed 's/^/  | /' "$work/out" >&2
  failures=$((failures + 1))
}

# look <status that is expected> <options...>: what it prints is in out.
look() {
  local expected=$1 status
  shift
  "$rooms" --root "$work" "$@" house >"$work/out" 2>&1
  status=$?
  ((status == expected)) || fail "status $status instead of $expected: $*"
}

says() { grep -qF -- "$1" "$work/out" || fail "not said: $1"; }
does_not_say() { ! grep -qF -- "$1" "$work/out" || fail "said: $1"; }

# write <file> <line...>
write() {
  local file=$src/$1
  shift
  mkdir -p "$(dirname "$file")"
  printf '%s\n' "$@" >"$file"
}

build() {
  local source object
  for source in "$src"/*/*.cpp; do
    object=$work/build/house/CMakeFiles/house.dir/${source#"$work/house/"}.o
    mkdir -p "$(dirname "$object")"
    c++ -std=c++20 -I "$src" -c "$source" -o "$object" || exit 1
  done
}

# A cellar, a kitchen that needs it, and a roof that needs both.
furnish() {
  rm -rf "$work/house" "$work/build"
  write cellar/wine.hpp 'struct Wine {' '  int year;' '};' 'int taste(const Wine& wine);' 'void ring();'
  write cellar/wine.cpp '#include "cellar/wine.hpp"' 'int taste(const Wine& wine) { return wine.year; }'
  write kitchen/meal.hpp '#include "cellar/wine.hpp"' 'struct Meal {' '  Wine wine;' '};'
  write kitchen/meal.cpp '#include "kitchen/meal.hpp"' 'int eat(const Meal& meal) { return taste(meal.wine); }'
  write roof/bell.cpp '#include "kitchen/meal.hpp"' '#include <cstddef>' 'void ring() {}'
}

furnish
look 0
says '  cellar     2 files'
says '  kitchen    2 files  -> cellar'
says '  roof       1 files  -> kitchen'
look 0 --dot
says '"kitchen" -> "cellar";'
build
look 0 --objects "$work/build"
says '  kitchen    2 files  -> cellar'

# An include that closes a circle.
write cellar/wine.cpp '#include "cellar/wine.hpp"' '#include "kitchen/meal.hpp"'
look 1
says 'arrows close a circle between cellar, kitchen:'
says 'cellar/wine.cpp includes kitchen/meal.hpp'
says 'kitchen/meal.hpp includes cellar/wine.hpp'
does_not_say 'roof ->'

# A header of another module, whose folder has the name of a room.
furnish
write cellar/wine.cpp '#include "cellar/wine.hpp"' '#include "kitchen/menu.hpp"'
look 0
does_not_say 'cellar     2 files  ->'

# A type of a higher room, only declared.
furnish
write cellar/order.hpp 'struct Meal;' 'void serve(const Meal& meal);'
look 1
says 'cellar/order.hpp declares Meal'

# A function that is declared low and defined high shows in the objects only.
furnish
write cellar/wine.cpp '#include "cellar/wine.hpp"' 'int taste(const Wine& wine) { ring(); return wine.year; }'
look 0
build
look 1 --objects "$work/build"
says 'cellar/wine.cpp calls ring()'
rm "$work/build/house/CMakeFiles/house.dir/src/kitchen/meal.cpp.o"
look 1 --objects "$work/build"
says 'of kitchen/meal.cpp (build it first)'

# The same with the sources of a room in one object, as EPIOS_UNITY has them.
furnish
write cellar/cork.cpp 'void ring();' 'int pull() { ring(); return 0; }'
rm -rf "$work/build"
for room in cellar kitchen roof; do
  unit=$work/build/house/CMakeFiles/house.dir/Unity/unity_${room}_cxx.cxx
  mkdir -p "$(dirname "$unit")"
  for source in "$src/$room"/*.cpp; do echo "#include \"$source\""; done >"$unit"
  c++ -std=c++20 -I "$src" -c "$unit" -o "$unit.o" || exit 1
done
look 1 --objects "$work/build"
says 'cellar (2 sources together) calls ring()'

# One name for two types, in headers of two modules that one program may link.
furnish
write cellar/wine.hpp 'namespace town {' 'struct Wine {' '  int year;' '};' '}  // namespace town'
mkdir -p "$work/shop/src/shelf"
printf '%s\n' 'namespace town {' 'struct Wine {' '  int price;' '};' '}  // namespace town' >"$work/shop/src/shelf/wine.hpp"
write cellar/wine.cpp '' && write kitchen/meal.hpp '' && write kitchen/meal.cpp '' && write roof/bell.cpp ''
look 0
look 1 shop
says 'town::Wine is defined in house/src/cellar/wine.hpp and shop/src/shelf/wine.hpp'
rm -r "$work/shop"

# Sources in no room, rooms of too many, a type twice.
furnish
write stairs.cpp 'int steps;'
look 1
says 'stairs.cpp lies in no room'
furnish
write roof/chimney/smoke.cpp 'int smoke;'
look 1
says 'smoke.cpp lies in no room'
furnish
for number in 1 2 3; do write "roof/tile$number.cpp" ''; done
look 0 --most 4
look 1 --most 3
says 'room roof has 4 sources'
furnish
write roof/weather.hpp 'struct Wine {};'
look 1
says 'Wine is defined in cellar/wine.hpp and roof/weather.hpp'
exit $((failures > 0))
