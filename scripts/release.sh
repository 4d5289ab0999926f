#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a release into dist/release, for every platform or for those named; see scripts/release/main.ts.
#
#   scripts/release.sh [--only TARGET]... [--cache DIR]
#
# Needs tar, gzip and zip. The network only for what is not in the cache (dist/cache): the Node.js of each platform,
# about 50 MB each, through npm.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

need_tools
for tool in tar gzip zip; do
  if ! command -v "$tool" >/dev/null; then
    echo "isthmos: error: $tool is not installed" >&2
    exit 1
  fi
done
install_packages
PATH="$PWD/node_modules/.bin:$PATH" exec node scripts/release/main.ts "$@"
