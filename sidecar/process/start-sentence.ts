/**
 * Explains in one sentence why home cannot start and what to check. The facts of these refusals are names of files and settings
 * and fixed phrases, never values (S-14). Called by sidecar/home.ts, the start script and the CLI.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'
import { wordsFor } from '../../kernel/wording/words.ts'

export function startSentence(refusal: Refusal): string {
  const { code, facts } = refusal
  const known =
    facts['problem'] !== undefined || facts['field'] !== undefined || nameIn(refusal) !== undefined
  return `home cannot start: ${refusalDetail(refusal)}${known ? ` (${code})` : ''}`
}

/** The problem and what to do, without the code. */
export function refusalDetail(refusal: Refusal): string {
  const { code, facts } = refusal
  const problem = facts['problem'] ?? (facts['field'] === undefined ? null : `wrong at ${facts['field']}`)
  const detail = [nameIn(refusal), problem].filter((part) => part !== undefined && part !== null).join(': ')
  return detail === '' ? wordsFor(code) : detail
}

function nameIn({ facts }: Refusal): string | number | undefined {
  return facts['key'] ?? facts['file'] ?? facts['template'] ?? facts['field']
}
