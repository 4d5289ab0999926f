#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the packed executable inside the real Claude Code client, against a mock of the Messages API on 127.0.0.1.
# No account is needed; the network only for installing the pinned client.
#
#   scripts/e2e-claude-code.sh [--client VERSION] [--route command|resident] [--only SCENARIO|GROUP]... [--keep DIR] [--quick]
#
# --quick: what continuous integration runs; a few of the sets of starting files, and fewer scenarios by the server.
# Groups: installs (from init to uninstall), old-client (the same with client 2.1.197), mishaps, plugin.
#
# ISTHMOS_CLIENT_DIR: a folder the client is installed in, to use again (made if absent).
# ISTHMOS_BIN: another executable than dist/isthmos.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export PATH="$root/node_modules/.bin:$PATH"
case "$(node --version 2>/dev/null)" in
  v2[2-9].*) ;;
  *)
    echo "e2e-claude-code: error: no Node 22 in node_modules/.bin" >&2
    echo "e2e-claude-code: hint: run npm ci" >&2
    exit 1
    ;;
esac
exec node "$root/scripts/e2e-claude-code/main.ts" "$@"
