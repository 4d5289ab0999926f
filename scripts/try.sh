#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds isthmos and shows its main job on one payload, in a throw-away home: before, after, reveal, stats.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

readonly TOOL=mcp__github__list_issues
readonly SHOWN_CHARACTERS=300

need_tools
install_packages
step "building"
npm run --silent build

work=$(mktemp -d "${TMPDIR:-/tmp}/isthmos-try.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home/.config/isthmos"
cp scripts/try/rules.json "$work/home/.config/isthmos/rules.json"
PATH="$PWD/node_modules/.bin:$PATH" node scripts/try/payload.ts >"$work/before"

# Nothing of the caller's settings, nothing left in the caller's home.
isthmos() { env -i HOME="$work/home" "$PWD/dist/isthmos" "$@"; }
bytes() { wc -c <"$1" | tr -d ' '; }
excerpt() { head -c "$SHOWN_CHARACTERS" "$1"; printf ' …\n'; }

step "before: $(bytes "$work/before") bytes, 40 issues"
excerpt "$work/before"

step "after: isthmos filter -tool $TOOL"
isthmos filter -tool "$TOOL" <"$work/before" >"$work/after"
printf '%s bytes, without "node_id" and "*_url":\n' "$(bytes "$work/after")"
excerpt "$work/after"
echo "where items are gone:"
grep -ao '\[isthmos: [^]]*\]' "$work/after" || { echo "isthmos: error: nothing was cut" >&2; exit 1; }
echo "the failing one in the middle is still there:"
grep -ao '"title":"Release build broken[^"]*"' "$work/after"

id=$(grep -ao 'isthmos reveal [0-9a-f]\{16\}' "$work/after" | head -n 1 | cut -d ' ' -f 3)
step "reveal: isthmos reveal $id"
isthmos reveal "$id" >"$work/revealed"
cmp "$work/before" "$work/revealed"
echo "$(bytes "$work/revealed") bytes, identical to the original"

step "stats: isthmos stats"
isthmos stats
