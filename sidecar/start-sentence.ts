/**
 * Why home cannot start, in one sentence that says what to look at. Facts of these refusals are names of files and
 * settings and fixed phrases, never values (S-14). Called by main.ts and the CLI.
 */
import type { Refusal } from '../kernel/flow/verdict.ts'
import { wordsFor } from '../kernel/wording/words.ts'

export function startSentence({ code, facts }: Refusal): string {
  const what = facts['key'] ?? facts['file'] ?? facts['template'] ?? facts['field']
  const problem = facts['problem'] ?? (facts['field'] === undefined ? null : `wrong at ${facts['field']}`)
  const detail = [what, problem].filter((part) => part !== undefined && part !== null).join(': ')
  return detail === '' ? `home cannot start: ${wordsFor(code)}` : `home cannot start: ${detail} (${code})`
}
