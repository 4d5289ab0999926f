// SPDX-License-Identifier: Apache-2.0

/** Set by the build from package.json. */
declare const ISTHMOS_VERSION: string | undefined;

/** The version of this build; sources that run unbundled have none. */
export const VERSION = typeof ISTHMOS_VERSION === "string" ? ISTHMOS_VERSION : "0.0.0-dev";
