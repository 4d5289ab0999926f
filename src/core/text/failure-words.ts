// SPDX-License-Identifier: Apache-2.0
// The words that failures are told by, as data. What surrounds a word decides (judge.ts): "0 errors",
// `src/error.ts` and `onError` are none. Warnings are no failures.

/**
 * - `word`: a word of its own in one of the `forms` (what may follow the stem), an error's name (`FooError`)
 *   or a counter that is not zero; negations and passing lines are looked at.
 * - `phrase`: fails wherever it starts a word, except on the line of a test that passed.
 * - `counted`: a phrase that may carry a count or a denial: "0 timed out", "no merge conflicts".
 * - `timeout`: the same, unless it names a setting: "request timeout: 30s".
 * - `upper`: fails only as a word of its own in capitals.
 * - `column`: fails only as a status in a column of a table.
 * - `exit`, `code`, `status`, `level`: fails by the number that follows; that of `code` follows at once.
 * - `name`: fails if a colon and a name follow: "undefined: foo".
 * - `mark`: fails wherever it stands.
 */
export interface FailureWord {
  readonly text: string;
  readonly kind:
    | "word"
    | "phrase"
    | "counted"
    | "timeout"
    | "upper"
    | "column"
    | "mark"
    | "exit"
    | "code"
    | "status"
    | "level"
    | "name"
    | "killed"
    | "logcat";
  /** Endings of the stem; undefined: any. */
  readonly forms?: readonly string[];
}

const PLAIN = [""];

function word(text: string, ...forms: string[]): FailureWord {
  return { text, kind: "word", forms: forms.length > 0 ? forms : PLAIN };
}

function compound(text: string): FailureWord {
  return { text, kind: "word" };
}

function all(kind: FailureWord["kind"], ...texts: string[]): FailureWord[] {
  return texts.map((text) => ({ text, kind }));
}

/** ASCII words, lower case: matched whatever their case. */
export const ASCII_WORDS: readonly FailureWord[] = [
  word("error", "", "s", "ed", "es", "e", "i"),
  word("fail", "", "s", "ed", "ure", "ures", "ing"),
  word("fatal"),
  word("panic", "", "s", "ked"),
  word("exception", "", "s"),
  word("critical"),
  word("crash", "", "es", "ed"),
  word("abort", "", "s", "ed", "ing"),
  word("denied"),
  word("refused"),
  word("forbidden"),
  word("unauthorized"),
  word("exceeded"),
  word("unhandled"),
  word("uncaught"),
  word("deadlock", "", "s"),
  word("corrupt", "", "ed", "ion"),
  word("err"),
  ...all("upper", "crit", "emerg", "severe", "oom", "bug:"),
  ...all("column", "evicted", "unhealthy"),
  // German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian, Czech, Turkish, Hungarian, Indonesian, Finnish, Romanian
  compound("fehler"),
  compound("fehlgeschlagen"),
  word("abgebrochen"),
  word("erreur", "", "s"),
  word("echec", "", "s"),
  word("introuvable"),
  word("erro", "", "s"),
  word("fallo", "", "s"),
  word("fallid", "o", "a", "os", "as"),
  word("falha", "", "s", "ram"),
  word("falhou"),
  word("fallit", "o", "a", "i", "e"),
  word("eccezione"),
  word("mislukt"),
  word("fout", "", "en"),
  word("misslyckades"),
  word("mislykkedes"),
  word("feilet"),
  word("fejl", "", "ede"),
  word("chyba", "", "y"),
  word("selhal", "", "o", "a"),
  word("hata"),
  word("hiba"),
  word("gagal"),
  word("kesalahan"),
  compound("virhe"),
  word("eroare"),
  word("niepowodzenie"),
  ...all(
    "phrase",
    "nicht gefunden",
    "konnte nicht",
    "impossible de ",
    "no se pudo",
    "no se puede",
    "impossibile ",
  ),
  ...all(
    "phrase",
    "traceback (most recent call last)",
    "caused by:",
    "panicked at",
    "segmentation fault",
    "segfault",
    "core dumped",
    "sigsegv",
    "sigabrt",
    "sigkill",
    "illegal instruction",
    "double free",
    "stack overflow",
    "heap-buffer-overflow",
    "use-after-free",
    "access violation",
    "command not found",
    "no such file",
    "module not found",
    "does not exist",
    "not recognized as",
    "not permitted",
    "non-zero",
    "no space left",
    "disk full",
    "broken pipe",
    "undefined reference",
    "undefined symbol",
    "unresolved external",
    "multiple definition",
    "no rule to make",
    "ld returned",
    "cannot ",
    "can't ",
    "could not ",
    "couldn't ",
    "unable to ",
    "out of memory",
    "oom-kill",
    "oomkilled",
    "connection reset",
    "econnrefused",
    "econnreset",
    "etimedout",
    "eaddrinuse",
    "enoent",
    "eacces",
    "eperm",
    "unexpected token",
    "unexpected end",
    "expect(received)",
    "conflict (",
    "crashloopbackoff",
    "imagepullbackoff",
    "errimagepull",
    "errimageneverpull",
    "invalidimagename",
    "createcontainererror",
    "createcontainerconfigerror",
    "runcontainererror",
    "bad gateway",
    "service unavailable",
    "service temporarily unavailable",
    "gateway time-out",
    "notready",
    "address already in use",
    "read-only file system",
    "resource busy",
    "too many open files",
    "no such host",
    "name or service not known",
    "network is unreachable",
    "no route to host",
    "certificate has expired",
    "certificate signed by unknown",
    "killed by signal",
    "code=killed",
    "code=dumped",
    "terminate called ",
    "terminated by signal",
    "signal: killed",
    "died with signal",
    "oops: 0",
    "abnormal program termination",
    "unresolved import",
    "no module named",
    "no matching distribution",
    "symbol(s) not found",
  ),
  ...all("counted", "not ok", "timed out", "data race", "checksum mismatch", "merge conflict"),
  ...all("timeout", "timeout after", "request timeout", "gateway timeout", "connection timeout"),
  ...all("timeout", "read timeout", "handshake timeout", "i/o timeout"),
  ...all(
    "mark",
    "err!",
    ": not found",
    ": *** ",
    "*** [",
    "[rejected]",
    "[emerg]",
    "[alert]",
    "[crit]",
    "[e]",
    "(unhealthy)",
    "[running]:",
    "***timeout",
  ),
  ...all(
    "exit",
    "code=exited, status=",
    "exit code",
    "exit status",
    "exit value",
    "exitcode",
    "exit_code",
    "exited with",
  ),
  ...all("exit", "returncode", "return code", "return_code"),
  ...all("code", "exit ", "exit=", "exit:", "rc=", "rc =", "rc:", 'rc":', "exited (", "restarting ("),
  ...all("name", "undefined:"),
  ...all("status", "status", "http/", "http "),
  ...all("level", '"level":'),
  ...all("killed", "killed"),
  ...all("logcat", " e "),
];

/** Words in UTF-8, compared byte by byte; cases that matter stand apart. Stems start where both cases agree. */
export const WIDE_WORDS: readonly FailureWord[] = [
  ...all("mark", "✗", "✘", "✖", "✕", "❌", "⨯", "💥"),
  // French, Spanish, Polish, Turkish, Vietnamese: from the first letter that is not ASCII
  ...all("word", "échec", "Échec", "échou", "Échou", "ción no controlada", "łąd", "łęd", "şarısız", "ất bại"),
  // Russian, Ukrainian, Greek
  ...all("word", "шибк", "шибок", "ШИБК", "сбой", "Сбой", "СБОЙ", "удалось", "сключени", "варийн", "атальн"),
  ...all("word", "ритическ", "омилк", "евозможно", "отказано", "φάλμα", "ποτυχ"),
  // Chinese, Japanese, Korean
  ...all(
    "word",
    "错误",
    "錯誤",
    "失败",
    "失敗",
    "异常",
    "異常",
    "致命",
    "拒绝",
    "拒絕",
    "无法",
    "無法",
    "崩溃",
    "崩潰",
  ),
  ...all("word", "エラー", "例外", "できません", "見つかりません", "오류", "에러", "실패", "예외", "치명적"),
  // Arabic, Hebrew, Hindi, Thai
  ...all("word", "خطأ", "فشل", "שגיאה", "נכשל", "त्रुटि", "विफल", "ข้อผิดพลาด", "ล้มเหลว"),
];

/** The form in which short pieces of text are compared: their UTF-8 bytes as code units, in lower case. */
function asBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text)).toLowerCase();
}

/** Words before a failure word that deny it. */
export const DENIALS: ReadonlySet<string> = new Set(
  [
    "no not without zero none never nor neither",
    "kein keine keinen ohne aucun aucune sans sin ningun ninguna ningún sem nenhum nenhuma nessun nessuna senza",
    "geen zonder bez ingen inga utan нет без нету не",
  ]
    .join(" ")
    .split(" ")
    .map(asBytes),
);

/** The same where no space parts the words. */
export const DENYING_ENDS: readonly string[] = ["n't", "无", "無", "没有", "沒有", "未"].map(asBytes);

/** Words after "error" and its like that speak of the handling, not of a failure. */
export const NOUNS_AFTER: ReadonlySet<string> = new Set(
  "handling handler handlers correction correcting reporting recovery boundary boundaries checking detection tolerance pages classes messages codes".split(
    " ",
  ),
);

/** Words that may stand between a failure word and its count: "errors found: 0". */
export const COUNT_NOUNS: ReadonlySet<string> = new Set(
  "found detected reported count total tests suites cases items requests jobs checks rate".split(" "),
);

/** Values that say that there was no failure: "error: null". */
export const EMPTY_VALUES: ReadonlySet<string> = new Set(
  "null none nil false undefined no n/a na never".split(" "),
);

/** Words before "0 failed" that do not make the 0 a name ("Test 0 failed"). */
export const COUNT_LEADS: ReadonlySet<string> = new Set(
  "with and or has had have found got of is are was were be been reported generated produced total passed skipped ignored succeeded ok tests test-suites suites".split(
    " ",
  ),
);
