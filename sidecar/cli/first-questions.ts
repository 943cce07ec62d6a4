/**
 * Questions of a first conversation (O-58): the owner's name, the assistant's name and style, and what to keep in mind.
 * The answers go unchanged into the owner's directive file and the persona; no model reads them. Only at a terminal, as
 * a script would wait forever. Called by chat.ts.
 */

import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { showDirective } from '../../kernel/features/directives/operations/show.ts'
import { writeDirective } from '../../kernel/features/directives/operations/write.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { tell } from '../../kernel/wording/words.ts'
import { PERSONA_NAME } from '../persona.ts'
import type { Screen } from './chat/screen.ts'
import { terminalLine } from './chat/terminal-text.ts'
import type { Link } from './line/link.ts'
import { sentenceFor } from './words.ts'

export interface FirstQuestions {
  readonly link: Pick<Link, 'line' | 'call' | 'questions'>
  readonly screen: Screen
  readonly input: Readable
  readonly output: Writable
  readonly terminal: boolean
}

/** UTF-16 units of one answer, which becomes a line of a file that stands in every prompt. */
const MAX_ANSWER = 200
const USER = 'USER'
type Key = 'owner' | 'name' | 'style' | 'mind'

/** Null: the owner cancelled, and is asked again another time. */
type Answers = Readonly<Partial<Record<Key, string>>> | 'skip' | null

/** A request typed in the place of a name: the rest is asked another time. */
interface Request {
  readonly request: string
}

/** The request that the owner typed instead of a name; null for none. */
export async function firstQuestions(at: FirstQuestions): Promise<string | null> {
  const { link, screen, terminal } = at
  if (!terminal || link.line !== 'private') return null
  const state = await link.questions.state()
  if (!state.ok || !state.value.due) return null
  screen.out(screen.dim(tell('terminal.first_intro')))
  const answers = await ask(at, state.value.persona ? ['owner', 'name', 'style', 'mind'] : ['owner', 'mind'])
  if (answers === null) return null
  if (isRequest(answers)) return answers.request
  await finish(at, answers)
  return null
}

async function finish(at: FirstQuestions, answers: Exclude<Answers, null>): Promise<void> {
  const { screen } = at
  const kept = await keep(at, answers)
  if (kept.ok) screen.out(screen.dim(doneWords(answers)))
  else
    screen.out(
      kept.reason.code === 'secret_pasted' ? tell('terminal.first_pasted') : sentenceFor(kept.reason),
    )
}

function doneWords(answers: Exclude<Answers, null>): string {
  return isEmpty(answers) ? tell('terminal.first_skipped') : tell('terminal.first_kept')
}

function isEmpty(answers: Exclude<Answers, null>): answers is 'skip' {
  return answers === 'skip' || Object.keys(answers).length === 0
}

function isRequest(answers: Exclude<Answers, null> | Request): answers is Request {
  return typeof answers === 'object' && 'request' in answers
}

async function ask(
  { input, output, screen }: FirstQuestions,
  keys: readonly Key[],
): Promise<Answers | Request> {
  const asking = createInterface({ input, output, terminal: true, historySize: 0 })
  const answers: Partial<Record<Key, string>> = {}
  try {
    for (const key of keys) {
      const said = await answerTo(asking, `${tell(`terminal.first_${key}`)} `)
      if (said === null) return null
      if (/^skip$/i.test(said)) return 'skip'
      if (isName(key) && mayBeRequest(said)) {
        const sure = await answerTo(asking, `${tell('terminal.first_is_name')} `)
        if (sure === null) return null
        if (!/^(?:y|yes|ja?)$/i.test(sure)) return { request: said }
      }
      if (key === 'name' && said !== '' && !PERSONA_NAME.safeParse(said).success)
        screen.out(tell('terminal.first_bad_name'))
      else if (said !== '') answers[key] = said.slice(0, MAX_ANSWER)
    }
    return answers
  } finally {
    asking.close()
  }
}

function isName(key: Key): boolean {
  return key === 'owner' || key === 'name'
}

/** Who does not read the question types what they came for. */
function mayBeRequest(said: string): boolean {
  return said.startsWith('/') || /[?!:]/.test(said) || said.split(/\s+/).length > 2
}

/** Null if the input ended or ctrl-C was pressed. */
async function answerTo(asking: Interface, question: string): Promise<string | null> {
  const left = once(asking, 'close').then(() => null)
  const said = await Promise.race([asking.question(question).catch(() => null), left])
  return said === null ? null : terminalLine(said)
}

/** Writes the file first: if that fails, the questions are asked again. */
async function keep({ link }: FirstQuestions, answers: Exclude<Answers, null>): Promise<Result<unknown>> {
  if (isEmpty(answers)) return link.questions.done({ how: 'skipped', name: null, style: null })
  const { owner, name = null, style = null, mind } = answers
  const written = await write(link, [
    ...(owner === undefined ? [] : [{ under: '# Who', line: `- Name: ${owner}` }]),
    ...(mind === undefined ? [] : [{ under: '# Preferences', line: `- ${mind}` }]),
  ])
  return written.ok ? link.questions.done({ how: 'answered', name, style }) : written
}

interface Line {
  readonly under: string
  readonly line: string
}

async function write({ call }: FirstQuestions['link'], lines: readonly Line[]): Promise<Result<unknown>> {
  if (lines.length === 0) return ok(true)
  const shown = await call(showDirective, { name: USER })
  if (!shown.ok) return shown
  const { text, version: replaces } = shown.value
  const after = lines.reduce(withLine, text)
  return call(writeDirective, { name: USER, text: after, replaces })
}

/** Inserted below its heading; if the heading is missing, both are appended. */
function withLine(text: string, { under, line }: Line): string {
  const lines = text.split('\n')
  const at = lines.indexOf(under)
  return at < 0 ? `${text}\n${under}\n${line}\n` : lines.toSpliced(at + 1, 0, line).join('\n')
}
