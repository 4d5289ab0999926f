#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the packed executable inside the real OpenCode, against a mock of the Chat Completions API on 127.0.0.1.
# No account is needed; the network only for installing the pinned client.
#
#   scripts/e2e-opencode.sh [--client VERSION] [--only SCENARIO]
#
# ISTHMOS_OPENCODE_DIR: a folder the client is installed in, to use again (made if absent).
# ISTHMOS_BIN: another executable than dist/isthmos.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PATH="$root/node_modules/.bin:$PATH"
case "$(node --version 2>/dev/null)" in
  v2[2-9].*) ;;
  *)
    echo "e2e-opencode: error: no Node 22 in node_modules/.bin" >&2
    echo "e2e-opencode: hint: run npm ci" >&2
    exit 1
    ;;
esac
exec node "$root/scripts/e2e-opencode/main.ts" "$@"
