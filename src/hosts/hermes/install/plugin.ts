// SPDX-License-Identifier: Apache-2.0
// The directory plugin that Hermes Agent loads: a manifest and a shim in Python, without a package. Hermes goes on
// where a plugin raises; the shim catches and times everything all the same.
import { VERSION } from "../../../version.ts";
import type { Program } from "../../installer.ts";
import { sealText } from "../../own-file.ts";

export function manifestText(): string {
  return sealText(
    "#",
    `name: isthmos
version: ${VERSION}
description: Makes tool results smaller before the model reads them, and keeps each original on this machine.
provides_hooks:
  - transform_tool_result
`,
  );
}

/** The shim's text, which starts isthmos by `program`. */
export function shimText(program: Program): string {
  // A JSON list of strings is one of Python's too.
  return sealText(
    "#",
    BODY.replace('["isthmos"]', () => JSON.stringify(program)),
  );
}

const BODY = `"""isthmos for Hermes Agent: results go through isthmos before the model reads them."""

import json
import logging
import os
import signal
import subprocess
import threading
import time

PROGRAM = ["isthmos"]
# isthmos itself gives up after two seconds; the rest is for its start on a slow disk.
TIMEOUT_S = 5
# After an answer that did not come, results pass at once for a while.
PAUSE_S = 60
TEXT_MAX_LENGTH = 32 * 1024 * 1024

_log = logging.getLogger(__name__)
_servers = []
_paused_until = 0.0


def register(ctx):
    global _servers
    try:
        _servers = _server_names()
    except Exception:
        # Names of tools are then split at their first underscore.
        _servers = []
    ctx.register_hook("transform_tool_result", transform_tool_result)


def transform_tool_result(tool_name=None, args=None, result=None, **kwargs):
    """The smaller result, or None: whatever fails, the result stays as it was."""
    global _paused_until
    try:
        if not isinstance(result, str) or result == "" or len(result) > TEXT_MAX_LENGTH:
            return None
        if not isinstance(tool_name, str) or time.monotonic() < _paused_until:
            return None
        args = args if isinstance(args, dict) else {}
        event = {
            "host": "hermes",
            "tool": tool_name,
            "session": _text(kwargs.get("session_id")),
            "call": _text(kwargs.get("tool_call_id")),
            "command": _text(args.get("command")),
            "path": _text(args.get("path")),
            "servers": _servers,
            "output": {"output": result},
        }
        answer = _ask(json.dumps(event, separators=(",", ":")).encode("ascii"))
        if answer.strip() == b"":
            return None
        text = json.loads(answer.decode("utf-8"))["output"]
        if not isinstance(text, str) or _size(text) >= _size(result):
            raise ValueError("the answer is no smaller text")
        return text
    except Exception as error:
        _paused_until = time.monotonic() + PAUSE_S
        _log.warning("isthmos left a result as it was: %s", error)
        return None


def _ask(event):
    """What isthmos answers to the event: empty where nothing is to be changed."""
    deadline = time.monotonic() + TIMEOUT_S
    own_group = {"start_new_session": True} if os.name == "posix" else {}
    child = subprocess.Popen(
        [*PROGRAM, "hook"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        **own_group,
    )
    try:
        # An answer is smaller than what it answers.
        answer = []
        reader = threading.Thread(target=_read, args=(child.stdout, len(event) + 1, answer), daemon=True)
        writer = threading.Thread(target=_write, args=(child.stdin, event), daemon=True)
        reader.start()
        writer.start()
        reader.join(TIMEOUT_S)
        if not answer:
            raise TimeoutError("no answer in time")
        if len(answer[0]) > len(event):
            raise ValueError("the answer is too large")
        code = child.wait(max(0.1, deadline - time.monotonic()))
    except BaseException:
        _end(child)
        raise
    if code != 0:
        raise RuntimeError("it ended with code %d" % code)
    return answer[0]


def _read(stream, size, answer):
    try:
        with stream:
            answer.append(stream.read(size))
    except Exception:
        answer.append(b"")


def _write(stream, event):
    try:
        with stream:
            stream.write(event)
    except Exception:
        # It need not read what it does not want.
        pass


def _end(child):
    """Ends it with all that it started: nothing may keep Hermes waiting for its pipes."""
    try:
        if os.name == "posix":
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
        child.wait(timeout=1)
    except Exception:
        pass


def _server_names():
    from hermes_cli.config import load_config

    return [str(name) for name in (load_config() or {}).get("mcp_servers") or {}]


def _size(text):
    return len(text.encode("utf-8", "surrogatepass"))


def _text(value):
    return value if isinstance(value, str) else ""
`;
