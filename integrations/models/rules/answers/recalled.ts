/**
 * Results of a memory search in plain words: facts first; of earlier results the best few, one line each
 * without ids and links; of the conversation what was said, except answers that did not help. Called by
 * answer.ts.
 */

import { plainRow } from '../../../../kernel/features/memory/plain-row.ts'
import { ENTRIES_A_PAGE } from '../../../../kernel/features/memory/port.ts'
import { indexWords } from '../../../../kernel/features/memory/telling-words.ts'
import type { Json } from '../../../../kernel/flow/json.ts'
import { TALK } from '../../../../kernel/powers/effects.ts'
import { tell } from '../../../../kernel/wording/words.ts'
import type { Said } from '../said.ts'
import * as words from '../words.ts'
import { MEMORY } from '../words.ts'
import { type Clock, date, dayOf, moment } from './clock.ts'
import { itemsOf, textOf } from './content.ts'
import { line } from './text.ts'

const FACT_MAX = 400
/** Earlier results that are shown: more is no answer. */
const MOST_RESULTS = 3
/** Of a question of more words, such a part fits what answers it. */
const LEAST_FITTING = 2 / 3

export function factsFound(content: Json, clock: Clock, { said, topic, request }: Recalling): string {
  const facts = aboutIt(itemsOf(content, 'facts'), said.intent === 'other' ? request : '')
  if (facts.length > 0) return factLines(facts, clock, said)
  const { looksBack } = said
  const fitting = itemsOf(content, 'earlier').filter((item) => looksBack || fits(topic, textOf(item, 'text')))
  const talk = fitting.filter((item) => isTalk(item) && isWorthShowing(textOf(item, 'text'), looksBack))
  const results = [...new Set(fitting.filter((item) => !isTalk(item)).map((item) => resultLine(item, clock)))]
    .filter((text) => text !== '')
    .slice(0, MOST_RESULTS)
  const told = talk.map((item) => dated(item, clock))
  if (told.length > 0) return [MEMORY.said, ...told, ...(looksBack ? [] : results)].join('\n')
  if (results.length > 0) return [MEMORY.earlier, ...results].join('\n')
  return said.intent === 'other' ? MEMORY.none_else : said.has('topic') ? MEMORY.none : MEMORY.none_at_all
}

interface Recalling {
  readonly said: Said
  /** What was asked about, or empty. */
  readonly topic: string
  readonly request: string
}

/**
 * Of what a question found, what it is about: where some have two of its words and more, those that have the
 * most.
 */
function aboutIt(facts: readonly Json[], request: string): readonly Json[] {
  const asked = new Set(indexWords(request))
  const shares = facts.map(
    (fact) => indexWords(textOf(fact, 'text')).filter((word) => asked.has(word)).length,
  )
  const most = Math.max(0, ...shares)
  return most < 2 ? facts : facts.filter((_, at) => shares[at] === most)
}

function factLines(facts: readonly Json[], clock: Clock, said: Said): string {
  const rows = facts.slice(0, ENTRIES_A_PAGE).map((fact) => dated(fact, clock))
  const left = facts.length - rows.length
  const more =
    said.intent === 'memory_search' ? [words.MORE_FACTS(left), MEMORY.more] : [words.MORE_FACTS(left)]
  return [MEMORY.found, ...rows, ...(left > 0 ? [more.join(' ')] : [])].join('\n')
}

function isTalk(item: Json): boolean {
  return textOf(item, 'action') === TALK
}

/** All of a few words, and most of many. */
function fits(topic: string, text: string): boolean {
  const wanted = indexWords(topic)
  const own = new Set(indexWords(text))
  const hits = wanted.filter((word) => own.has(word)).length
  return hits >= (wanted.length <= 2 ? wanted.length : Math.ceil(wanted.length * LEAST_FITTING))
}

/** A turn of the conversation as it is kept: who said what. */
const SPOKEN = /^(?:You: (.*?))?(?:(?:^|\n)I: (.*))?$/s

/** Who said it, in the language that is spoken. */
function spokenText(text: string): string {
  const [, you, answer] = SPOKEN.exec(text) ?? []
  const said = [
    ...(you === undefined ? [] : [tell('rules.memory_you', { text: you })]),
    ...(answer === undefined ? [] : [tell('rules.memory_me', { text: answer })]),
  ]
  return said.length === 0 ? text : said.join('\n')
}

/**
 * Not an answer that helped with nothing; and unless the conversation is asked for, no question that is asked
 * again.
 */
function isWorthShowing(text: string, looksBack: boolean): boolean {
  const [, you = '', answer = ''] = SPOKEN.exec(text) ?? []
  if (FAILED().some((start) => answer.startsWith(start))) return false
  return looksBack || !ASKS.test(you)
}

const ASKS =
  /\?\s*$|^(?:what|whats|when|where|who|whose|how|why|which|do|does|did|is|are|can|could|show|tell|find|search|was|wann|wo|wer|wie|welche\p{L}?|warum|kannst|zeig|such)(?!\p{L})/iu

/** Beginnings of these answers, up to what differs. */
const FAILED = (): readonly string[] =>
  words.NO_ANSWERS().flatMap((text) => {
    const start = text.split(/["“„{]/, 1)[0]?.trim() ?? ''
    return start.length > 8 ? [start] : []
  })

function dated(item: Json, clock: Clock): string {
  const wall = clock.read(textOf(item, 'at'))
  const when = wall === null ? '' : ` (${date(dayOf(wall), clock.now)})`
  const text = textOf(item, 'text')
  return `- ${line(isTalk(item) ? spokenText(text) : text, FACT_MAX)}${when}`
}

/** What it is, and when; empty where nothing of it is words. */
function resultLine(item: Json, clock: Clock): string {
  const { text, at } = plainRow(textOf(item, 'text'))
  const wall = at === null ? null : clock.read(at)
  return text === '' ? '' : `- ${line(text)}${wall === null ? '' : ` (${moment(wall, clock.now)})`}`
}
