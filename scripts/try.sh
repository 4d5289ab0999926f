#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds isthmos and shows its main job on one payload, in a throw-away home: before, after, reveal, stats.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

readonly TOOL=mcp__github__list_issues
readonly SHOWN_BYTES=300

title() { printf '\n== %s\n' "$1"; }

need_tools
install_packages
step "building"
npm run --silent build >/dev/null

work=$(mktemp -d "${TMPDIR:-/tmp}/isthmos-try.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home/.config/isthmos"
cp scripts/try/rules.json "$work/home/.config/isthmos/rules.json"
PATH="$PWD/node_modules/.bin:$PATH" node scripts/try/payload.ts >"$work/before"

# Nothing of the caller's settings, nothing left in the caller's home.
isthmos() { env -i HOME="$work/home" "$PWD/dist/isthmos" "$@"; }
bytes() { wc -c <"$1" | tr -d ' '; }
excerpt() { head -c "$SHOWN_BYTES" "$1"; printf ' …\n'; }

title "before: 40 issues, $(bytes "$work/before") bytes"
excerpt "$work/before"

isthmos filter -tool "$TOOL" <"$work/before" >"$work/after"
title "after: isthmos filter -tool $TOOL, $(bytes "$work/after") bytes"
excerpt "$work/after"
echo "The markers that stand where items are gone:"
grep -ao '\[isthmos: [^]]*\]' "$work/after" || { echo "isthmos: error: nothing was cut" >&2; exit 1; }
echo "The failing item from the middle is still there:"
grep -ao '"title":"Release build broken[^"]*"' "$work/after"

title "saved so far: isthmos stats"
isthmos stats

id=$(grep -ao 'isthmos reveal [0-9a-f]\{16\}' "$work/after" | head -n 1 | cut -d ' ' -f 3)
title "back again: isthmos reveal $id --items 9:9"
isthmos reveal "$id" --items 9:9 >"$work/item"
excerpt "$work/item"
isthmos reveal "$id" >"$work/revealed"
cmp "$work/before" "$work/revealed"
echo "And whole: isthmos reveal $id, $(bytes "$work/revealed") bytes, identical to the original."
