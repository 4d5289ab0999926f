// SPDX-License-Identifier: Apache-2.0
// The bundle resolves lazy `require` calls at build time; the sources are ESM, where tests must provide it.
import { createRequire } from "node:module";

globalThis.require = createRequire(import.meta.url);
