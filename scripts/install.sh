#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds isthmos and installs the executable to PREFIX/bin. Needs Node.js 18 or later, and npm, to build with; the
# executable itself needs neither.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/install.sh [PREFIX]

Builds isthmos and installs the executable to PREFIX/bin (default: $HOME/.local/bin).
USAGE
}

fail() {
  printf 'isthmos: error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'isthmos: hint: %s\n' "$2" >&2
  exit 1
}

case "${1-}" in
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
if [ $# -gt 1 ]; then usage >&2; exit 2; fi
[ -n "${1-}${HOME-}" ] || fail "HOME is not set" "say where: scripts/install.sh PREFIX"

prefix=${1:-$HOME/.local}
# Relative to where the caller stands, so before the change of folder.
case "$prefix" in /*) ;; *) prefix=$PWD/$prefix ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

need_tools
install_packages
step "building"
npm run --silent build

step "installing"
mkdir -p "$prefix/bin" || fail "cannot make $prefix/bin" "choose another PREFIX"
temporary=$(mktemp "$prefix/bin/.isthmos.XXXXXX") || fail "cannot write to $prefix/bin" "choose another PREFIX"
trap 'rm -f "$temporary"' EXIT
cp dist/isthmos "$temporary"
chmod 755 "$temporary"
"$temporary" version >/dev/null || fail "the executable does not run here"
# Renamed, not overwritten: a hook that is running keeps the file it has open.
mv -f "$temporary" "$prefix/bin/isthmos"
trap - EXIT

printf 'installed isthmos %s: %s\n' "$("$prefix/bin/isthmos" version)" "$prefix/bin/isthmos"
found=$(command -v isthmos || true)
if [ "$found" = "$prefix/bin/isthmos" ]; then
  echo "It is on PATH. Next, to wire Claude Code in shadow mode: isthmos init"
elif [ -n "$found" ]; then
  echo "PATH finds another one first: $found"
else
  echo "It is not on PATH. Add it: export PATH=\"$prefix/bin:\$PATH\""
fi
