/**
 * Questions of a first conversation (O-58): the owner's name, the assistant's name and style, and what to keep in mind.
 * The answers go unchanged into the owner's directive file and the persona; no model reads them. Only at a terminal, as
 * a script would wait forever. Called by chat.ts.
 */

import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { namesIn } from '../../kernel/features/persona/names-in.ts'
import { WHO } from '../../kernel/features/persona/owner-name.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { tell } from '../language/wording.ts'
import { PERSONA_NAME } from '../persona/persona.ts'
import type { Screen } from './chat/screen.ts'
import { terminalLine } from './chat/terminal-text.ts'
import type { Link } from './line/link.ts'
import { addToOwnerFile } from './owner-file.ts'
import { sentenceFor } from './words.ts'

export interface FirstQuestions {
  readonly link: Pick<Link, 'line' | 'call' | 'questions'>
  readonly screen: Screen
  readonly input: Readable
  readonly output: Writable
  readonly terminal: boolean
}

/** UTF-16 units of one answer, which becomes a line of a file that is part of every prompt. */
const MAX_ANSWER = 200
type Key = 'owner' | 'name' | 'style' | 'mind'

/** The answers, and the request that was typed instead of an answer. */
interface Asked {
  readonly answers: Readonly<Partial<Record<Key, string>>>
  readonly request: string | null
}

/** The request that the owner typed instead of an answer, for the conversation that follows; null without one. */
export async function firstQuestions(at: FirstQuestions): Promise<string | null> {
  const { link, screen, terminal } = at
  if (!terminal || link.line !== 'private') return null
  const state = await link.questions.state()
  if (!state.ok || !state.value.due) return null
  screen.out(screen.dim(tell('terminal.first_intro')))
  const { answers, request } = await ask(
    at,
    state.value.persona ? ['owner', 'name', 'style', 'mind'] : ['owner', 'mind'],
  )
  // An owner who typed a request has not declined the questions: they are asked again at the next start.
  if (request !== null && Object.keys(answers).length === 0)
    screen.out(screen.dim(tell('terminal.first_request')))
  else await finish(at, answers)
  return request
}

async function finish(at: FirstQuestions, answers: Asked['answers']): Promise<void> {
  const { screen } = at
  const kept = await keep(at, answers)
  if (kept.ok) screen.out(screen.dim(doneWords(answers)))
  else
    screen.out(
      kept.reason.code === 'secret_pasted' ? tell('terminal.first_pasted') : sentenceFor(kept.reason),
    )
}

/** Confirms what was stored, and says how to change it. */
function doneWords(answers: Asked['answers']): string {
  const { owner, name, style, mind } = answers
  const taken = [
    ...(owner === undefined ? [] : [tell('persona.owner_now', { name: owner })]),
    ...(name === undefined ? [] : [tell('persona.assistant_now', { name })]),
    ...(style === undefined ? [] : [tell('terminal.first_kept_style', { style })]),
    ...(mind === undefined ? [] : [tell('terminal.first_kept_mind', { mind })]),
  ]
  return taken.length === 0
    ? tell('terminal.first_skipped')
    : [...taken, tell('terminal.first_kept')].join(' ')
}

/** Ends at a request, at "skip", at ctrl-C and at the end of the input; returns the answers so far. */
async function ask({ input, output, screen }: FirstQuestions, keys: readonly Key[]): Promise<Asked> {
  const asking = createInterface({ input, output, terminal: true, historySize: 0 })
  const answers: Partial<Record<Key, string>> = {}
  try {
    for (const key of keys) {
      const said = await answerOf(asking, key)
      if (said === null) break
      if ('request' in said) return { answers, request: said.request }
      const { answer } = said
      if (key === 'name' && answer !== '' && !PERSONA_NAME.safeParse(answer).success)
        screen.out(tell('terminal.first_bad_name'))
      else if (answer !== '') answers[key] = answer.slice(0, MAX_ANSWER)
    }
    return { answers, request: null }
  } finally {
    asking.close()
  }
}

/** An empty answer skips the question; null ends the questions. */
type Said = { readonly answer: string } | { readonly request: string } | null

async function answerOf(asking: Interface, key: Key): Promise<Said> {
  let before = ''
  for (;;) {
    const said = await answerTo(asking, `${tell(`terminal.first_${key}`)} `)
    if (said === null || SKIP.test(said)) return null
    const given = isName(key) ? namesIn(said)?.[key === 'owner' ? 'owner' : 'assistant'] : null
    if (given != null) return { answer: given }
    if (isName(key) && YES_OR_NO.test(said) && said !== before) {
      // A yes or no does not answer a question for a name: the question is repeated, and the same words typed twice count as the
      // name.
      before = said
      continue
    }
    return said !== before && mayBeRequest(said, key) ? { request: said } : { answer: said }
  }
}

const SKIP = /^(?:skip(?: all| it)?|überspringen|weiter)[.!]?$/i

function isName(key: Key): boolean {
  return key === 'owner' || key === 'name'
}

/** Matches words that begin a question or an instruction. */
const ASKS_FIRST =
  /^(?:what|what's|whats|when|where|who|how|why|which|is|are|do|does|did|can|could|would|will|check|show|read|remind|add|send|write|book|list|help|tell|give|find|search|look|open|wait|please|speak|stop|was|wann|wo|wer|wie|warum|wieso|welche\p{L}?|ist|sind|hast|hab|kannst|könntest|prüf\p{L}*|zeig\p{L}*|lies|erinner\p{L}*|schick\p{L}*|schreib\p{L}*|trag|buch\p{L}*|hilfe|sag|such\p{L}*|öffne|warte|bitte|sprich|stopp)(?!\p{L})|(?<!\p{L})(?:please|bitte)[.!]?$/iu

const YES_OR_NO = /^(?:yes|no|y|n|ok|okay|ja|nein|j|nö|sure|klar)[.!]?$/i

/**
 * An owner who ignores the question types a request. Applied to names only, because answers about style and what to keep in mind
 * are sentences.
 */
function mayBeRequest(said: string, key: Key): boolean {
  if (said.startsWith('/') || /\?\s*$/.test(said)) return true
  if (!isName(key)) return false
  return ASKS_FIRST.test(said) || /[!:]/.test(said) || (said.split(/\s+/).length > 2 && !isFullName(said))
}

function isFullName(said: string): boolean {
  return said
    .split(/\s+/)
    .every((word) =>
      /^\p{Lu}|^(?:de|da|di|del|della|von|van|zu|der|den|la|le|el|al|bin|ibn|dos)$/u.test(word),
    )
}

/** Null if the input ended or ctrl-C was pressed. */
async function answerTo(asking: Interface, question: string): Promise<string | null> {
  const left = once(asking, 'close').then(() => null)
  const said = await Promise.race([asking.question(question).catch(() => null), left])
  return said === null ? null : terminalLine(said)
}

/** Writes the file first: if that fails, the questions are asked again. */
async function keep({ link }: FirstQuestions, answers: Asked['answers']): Promise<Result<unknown>> {
  const { owner, name = null, style = null, mind } = answers
  const how = Object.keys(answers).length === 0 ? 'skipped' : 'answered'
  const written = await addToOwnerFile(link, [
    ...(owner === undefined ? [] : [{ under: WHO, line: `- Name: ${owner}` }]),
    ...(mind === undefined ? [] : [{ under: '# Preferences', line: `- ${mind}` }]),
  ])
  return written.ok ? link.questions.done({ how, name, style }) : written
}
