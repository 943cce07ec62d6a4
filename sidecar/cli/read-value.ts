/**
 * Reads a secret from the console without echo; never from an argument or a variable, which others could see. Must not
 * print it. Called by `pfar secret` and `pfar connect`.
 */
import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createPassphrasePrompt } from './passphrase.ts'

/** Hidden at a terminal; otherwise all of stdin, because a key may have several lines. */
export async function readValue(question: string): Promise<Result<string>> {
  if (process.stdin.isTTY !== true) return ok(asMeant(await text(process.stdin)))
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    const value = await prompt.ask(question)
    return value === null ? err('field_malformed') : ok(asMeant(value))
  } finally {
    prompt.close()
  }
}

/** Removes what a shell or a paste adds: trailing line breaks, and spaces around a single line. */
export function asMeant(typed: string): string {
  const value = typed.replace(/[\r\n]+$/, '')
  return value.includes('\n') ? value : value.trim()
}
