# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the scripts share; sourced from the repository's folder.

step() { printf '\n== %s\n' "$1" >&2; }

need_tools() {
  local tool
  for tool in node npm; do
    if ! command -v "$tool" >/dev/null; then
      echo "isthmos: error: $tool is not installed" >&2
      echo "isthmos: hint: install Node.js 18 or later with npm" >&2
      exit 1
    fi
  done
}

# npm writes its own copy of the lock file last; while that is newer than ours, the packages are those it names.
install_packages() {
  if [ node_modules/.package-lock.json -nt package-lock.json ] && [ -x node_modules/.bin/node ]; then return; fi
  step "installing packages"
  npm ci --no-audit --no-fund --loglevel=error
}
