/**
 * Every input that once broke a law, by its target: rows are never taken out. Large ones are written as what they are
 * made of. Called by `fuzz.test.ts`.
 */
import type { Input } from './target.ts'

export type Kept = readonly [target: string, what: string, input: () => Input]

export const KEPT: readonly Kept[] = [
  // Walked the decoded tables by recursion: RangeError in place of a refusal.
  ['config.toml', 'a name of 20,000 parts', () => `${'a.'.repeat(20_000)}a = 1`],
  ['config.toml', 'a table of 20,000 parts', () => `[${'a.'.repeat(20_000)}a]\nb = 1`],
  // Looked for secrets in the square of a value's length: minutes before the refusal.
  ['config.toml', 'a value of colons after a scheme', () => `a = "a://${':'.repeat(250_000)}"`],
  ['config.toml', 'a value of beginnings of a token', () => `a = "${'eyJ-'.repeat(60_000)}"`],
  [
    'config.toml',
    'a value of words and an end that is none',
    () => `a = "abcdefghijklmn${'_aB'.repeat(80_000)}1_"`,
  ],
  // Looked for the end of each doctype to the end of the page.
  ['web page', 'doctypes that do not end', () => new TextEncoder().encode('<!doctype '.repeat(100_000))],
  // Searched the whole of it again with each piece of it.
  [
    'events of the private line',
    'one long event in small pieces',
    () => new TextEncoder().encode(`data: "${'x'.repeat(500_000)}"\n\n`),
  ],
]
