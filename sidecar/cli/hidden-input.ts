/**
 * Reads secrets from the console: without echo at a terminal, from stdin for scripts; never from an argument or a variable,
 * which others could see. Must not show, log or keep one. Called by the commands that need one.
 */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/** The next line; null if the input ended or the owner pressed ctrl-C. */
export type AskHidden = (question: string) => Promise<string | null>

/** One reader for all questions of a command, so that no line of a script is lost between two questions. */
export async function withHiddenInput<T>(work: (ask: AskHidden) => Promise<T>): Promise<T> {
  const { stdin: input, stderr } = process
  const terminal = input.isTTY === true
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output, terminal, historySize: 0 })
  reader.on('SIGINT', () => reader.close())
  const lines = reader[Symbol.asyncIterator]()
  try {
    return await work(async (question) => {
      if (terminal) stderr.write(question)
      const line = await lines.next()
      if (terminal) stderr.write('\n')
      return line.done === true ? null : line.value
    })
  } finally {
    reader.close()
  }
}

/** Asks each question. Null if an answer is missing. */
export function askHidden(questions: readonly string[]): Promise<readonly string[] | null> {
  return withHiddenInput(async (ask) => {
    const answers: string[] = []
    for (const question of questions) {
      const answer = await ask(question)
      if (answer === null) return null
      answers.push(answer)
    }
    return answers
  })
}

/** Hidden at a terminal; otherwise all of stdin, because a key may have several lines. */
export async function readValue(question: string): Promise<Result<string>> {
  if (process.stdin.isTTY !== true) return ok(asMeant(await text(process.stdin)))
  const answers = await askHidden([question])
  return answers === null ? err('field_malformed') : ok(asMeant(answers[0] ?? ''))
}

/** Removes what a shell or a paste adds: trailing line breaks, and spaces around a single line. */
export function asMeant(typed: string): string {
  const value = typed.replace(/[\r\n]+$/, '')
  return value.includes('\n') ? value : value.trim()
}
