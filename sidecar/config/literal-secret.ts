/**
 * Finds literal secrets in the configuration (S-14). The file is copied, synced and pasted into bug reports, so a
 * secret may only be a `vault:` reference. Reports the position; must never return or log the value. Called by
 * config.ts before any other check.
 */

/** Names of settings whose value counts as a secret whatever it looks like. */
const SECRET_NAME =
  /(?:^|_)(?:token|secret|password|passphrase|passwd|credentials?|bearer|cookie)$|(?:api|access|private|signing|secret|seal|master|auth)_?key$/i
const VAULT_REFERENCE = /^vault:[a-z0-9][a-z0-9_./-]{0,99}$/

/**
 * Shapes of known keys and tokens, anywhere in a value. No two adjacent repeats can match the same text: backtracking
 * on a crafted file must not hang home.
 */
const SHAPES: readonly RegExp[] = Object.freeze([
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:sk|pk|rk)[-_](?:ant|proj|live|test|or|svcacct)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeprs]-|xapp-|ntn_|secret_|shpat_|dop_v1_)[A-Za-z0-9_-]{10,}/,
  /\bya29\.[A-Za-z0-9_-]{10,}/,
  /\bAIza[A-Za-z0-9_-]{30,}/,
  /\bGOCSPX-[A-Za-z0-9_-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b\d{8,10}:[A-Za-z0-9_-]{30,}/,
  /\beyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{8,}/,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/i,
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s@:]*:[^/\s@]+@/i,
])
/** A run this long without a space or a dot is no name, address or time zone. */
const RANDOM_RUN = /[A-Za-z0-9_+/=-]{32,}/g
/** Longest run, in characters, that is checked for being words: the check takes quadratic time. */
const LONGEST_WORDS = 256

/** Path of the first literal secret, such as `tools.google.token`; null when there is none. */
export function findLiteralSecret(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') {
    const texts = isFolder(path) ? value.split('/') : [value]
    return texts.some((text) => isLiteralSecret(path.at(-1) ?? '', text)) ? path.join('.') : null
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return null
  for (const [key, inner] of Object.entries(value)) {
    // The path is shown. A key that is itself a secret is replaced by a placeholder.
    if (looksSecret(key)) return [...path, '(name of a setting)'].join('.')
    const found = findLiteralSecret(inner, [...path, key])
    if (found !== null) return found
  }
  return null
}

/**
 * Whether the setting is a folder path. Each name in the path is checked separately, because the whole path is long and may
 * contain digits.
 */
function isFolder(path: readonly string[]): boolean {
  return path.at(-1) === 'folder' || path.at(-2) === 'folders'
}

export function looksSecret(text: string): boolean {
  return SHAPES.some((shape) => shape.test(text)) || (text.match(RANDOM_RUN) ?? []).some(isRandom)
}

function isLiteralSecret(name: string, value: string): boolean {
  if (VAULT_REFERENCE.test(value)) return false
  return SECRET_NAME.test(name) || looksSecret(value)
}

/** Letters and digits, with many different characters: neither a word nor a path. */
function isRandom(run: string): boolean {
  const mixed = /\d/.test(run) && /[A-Za-z]/.test(run)
  return mixed && new Set(run).size >= 12 && !isWords(run)
}

function isWords(run: string): boolean {
  return run.length <= LONGEST_WORDS && /^\w+(?:[-_/][A-Za-z]+)+$/.test(run)
}
