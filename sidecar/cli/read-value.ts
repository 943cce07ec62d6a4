/**
 * A secret as it is typed at the console: without an echo, and from no argument and no variable, which others could see. Must not
 * print it. Called by `pfar secret` and `pfar connect`.
 */
import { text } from 'node:stream/consumers'
import { allowed, type Result, refused } from '../../kernel/flow/verdict.ts'
import { createPassphrasePrompt } from './passphrase.ts'

/** Hidden at a terminal; otherwise all of stdin, since a key has lines. */
export async function readValue(question: string): Promise<Result<string>> {
  if (process.stdin.isTTY !== true) return allowed(await text(process.stdin))
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    const value = await prompt.ask(question)
    return value === null ? refused('field_malformed') : allowed(value)
  } finally {
    prompt.close()
  }
}
