/**
 * A secret as it is typed at the console: without an echo, and from no argument and no variable, which others could see. Must not
 * print it. Called by `pfar secret` and `pfar connect`.
 */
import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createPassphrasePrompt } from './passphrase.ts'

/** Hidden at a terminal; otherwise all of stdin, since a key has lines. */
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

/** Without what a shell or a paste put around it: line breaks at the end, and spaces around a value of one line. */
export function asMeant(typed: string): string {
  const value = typed.replace(/[\r\n]+$/, '')
  return value.includes('\n') ? value : value.trim()
}
