#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages, builds, and passes every check and test; stops at the first that fails. With CI=true no
# test is skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

run() {
  local started=$SECONDS
  step "npm run $1"
  npm run --silent "$1" || { printf '\nisthmos: error: npm run %s failed\n' "$1" >&2; exit 1; }
  printf '   ok, %d s\n' $((SECONDS - started)) >&2
}

need_tools
install_packages
for check in typecheck lint knip build fast-path size check:package test; do run "$check"; done
printf '\nall checks and tests passed in %d s\n' "$SECONDS" >&2
