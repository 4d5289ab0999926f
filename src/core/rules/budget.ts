// SPDX-License-Identifier: Apache-2.0
// How many bytes of a result stay: the fields max_bytes, head_bytes, tail_bytes and profile of the rules that
// match, as one budget.

/** Shares of a text within its budget, in bytes. */
export interface Shares {
  /** At most so much from the start and from the end; together at most three quarters of the budget. */
  readonly headBytes: number;
  readonly tailBytes: number;
}

/** What one result may have, markers included. */
export interface Budget extends Shares {
  readonly maxBytes: number;
  /** For a text with a traceback in it, where they are others. */
  readonly trace?: Shares | undefined;
}

/** A rule's fields of the budget, as written. */
export interface BudgetFields {
  readonly maxBytes?: number;
  readonly headBytes?: number;
  readonly tailBytes?: number;
  readonly profile?: "sutra";
}

/** Below it there is no room for a marker with the lines around it; a smaller `max_bytes` counts as this. */
const BUDGET_MIN_BYTES = 256;

/** Presets that `profile` names; the rule's own fields win. */
const PROFILES: Readonly<Record<NonNullable<BudgetFields["profile"]>, Budget>> = {
  sutra: {
    maxBytes: 24_576,
    headBytes: 12_288,
    tailBytes: 6144,
    trace: { headBytes: 4096, tailBytes: 6144 },
  },
};

/** The strictest budget of the rules, with the head and tail that belong to it; undefined: none of them sets one. */
export function resolveBudget(rules: readonly BudgetFields[]): Budget | undefined {
  return strictestBudget(rules.map(readBudget));
}

/** The smallest of the budgets; of equal ones that with the smaller shares, so that their order makes no difference. */
export function strictestBudget(budgets: readonly (Budget | undefined)[]): Budget | undefined {
  return budgets.reduce<Budget | undefined>(
    (least, budget) =>
      budget !== undefined && (least === undefined || compare(budget, least) < 0) ? budget : least,
    undefined,
  );
}

/** A budget of `maxBytes` with the default shares: half for the head, a quarter for the tail. */
export function budgetOf(maxBytes: number, { headBytes, tailBytes }: Partial<Shares> = {}): Budget {
  const most = Math.max(maxBytes, BUDGET_MIN_BYTES);
  return { maxBytes: most, ...fitShares(headBytes ?? most >> 1, tailBytes ?? most >> 2, most) };
}

function readBudget({ profile, maxBytes, headBytes, tailBytes }: BudgetFields): Budget | undefined {
  if (profile === undefined) {
    if (!maxBytes) return undefined;
    return budgetOf(maxBytes, {
      ...(headBytes !== undefined && { headBytes }),
      ...(tailBytes !== undefined && { tailBytes }),
    });
  }
  const preset = PROFILES[profile];
  const most = Math.max(maxBytes || preset.maxBytes, BUDGET_MIN_BYTES);
  const own = fitShares(headBytes ?? preset.headBytes, tailBytes ?? preset.tailBytes, most);
  const { trace } = preset;
  return { maxBytes: most, ...own, trace: trace && fitShares(trace.headBytes, trace.tailBytes, most) };
}

// The quarter that is left is for pinned lines and markers.
function fitShares(headBytes: number, tailBytes: number, maxBytes: number): Shares {
  const room = Math.floor((maxBytes * 3) / 4);
  const wanted = headBytes + tailBytes;
  if (wanted <= room) return { headBytes, tailBytes };
  const scale = room / wanted;
  return { headBytes: Math.floor(headBytes * scale), tailBytes: Math.floor(tailBytes * scale) };
}

function compare(a: Budget, b: Budget): number {
  const [left, right] = [sizesOf(a), sizesOf(b)];
  const differs = left.findIndex((size, i) => size !== right[i]);
  return differs < 0 ? 0 : left[differs]! - right[differs]!;
}

function sizesOf({ maxBytes, headBytes, tailBytes, trace }: Budget): readonly number[] {
  // No shares for tracebacks: the others hold.
  return [maxBytes, headBytes, tailBytes, trace?.headBytes ?? headBytes, trace?.tailBytes ?? tailBytes];
}
