/**
 * Words for people, from the table that is generated from words/en.toml of the features and of this folder: a
 * sentence for each reason code, and sentences with values. Must not contain a sentence.
 */
import WORDS from '#feature-words' with { type: 'json' }
import type { ReasonCode } from '../reasons.ts'
import { inEnglish, translation } from './language.ts'

export type Saying = keyof typeof WORDS.says

export type Values = Readonly<Record<string, string | number>>

/** A sentence in the owner's language, with its values filled in. */
export type Tell = (saying: Saying, values?: Values) => string

export const tell: Tell = (saying, values) =>
  filledIn(saying, translation()?.says[saying] ?? WORDS.says[saying], values)

/**
 * `text` with each `{name}` replaced by its value. Throws, with the sentence's name, when a value is missing: a sentence with a
 * gap is a bug.
 */
export function filledIn(saying: string, text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`${saying} lacks ${name}`)
    return String(values[name])
  })
}

/** Like `tell`, for a name that is composed and may not exist; undefined if it does not. */
export function wordOf(name: string): string | undefined {
  const english: Readonly<Record<string, string>> = WORDS.says
  return Object.hasOwn(english, name) ? (translation()?.says[name] ?? english[name]) : undefined
}

/** A reason code without its sentence does not compile. */
const REASONS: Readonly<Record<ReasonCode, string>> = WORDS.reasons

/** A sentence for a person, in the owner's language. */
export function wordsFor(code: ReasonCode): string {
  return translation()?.reasons[code] ?? REASONS[code]
}

/** Sentences that mention the owner's machines, lines or commands, which only the owner may see. */
const OWNERS_ONLY = /`|\bhome\b|private (?:data|line)|phrase|connected|start-up|you allow me/i

/**
 * The text for anybody but the owner, without sentences about how the owner's system is configured. The English text
 * decides sentence by sentence. A translation with another number of sentences cannot be matched and is not shown.
 */
export function wordsForOthers(code: ReasonCode): string {
  const english = sentencesOf(REASONS[code])
  const kept = english.map((sentence) => !OWNERS_ONLY.test(sentence))
  const own = sentencesOf(wordsFor(code))
  const isParallel = own.length === english.length || kept.every(Boolean)
  const shown = isParallel ? own.filter((_, at) => kept[at] ?? true) : []
  return shown.join(' ') || tell('wording.not_now')
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.?]) /)
}

/** Meaning of a reason for a model, in English whatever the owner's language. */
export function meaningFor(code: ReasonCode, isOwner: boolean): string {
  return inEnglish(() => (isOwner ? wordsFor(code) : wordsForOthers(code)))
}

/** Reason for asking, where a card says more than that something would change. */
const QUESTIONS: Readonly<Partial<Record<ReasonCode, Saying>>> = Object.freeze({
  write_raw: 'wording.asks_raw',
  write_free_text: 'wording.asks_free_text',
  write_unknown_destination: 'wording.asks_unknown',
  write_unsure: 'wording.asks_unsure',
  disclosure_asks: 'wording.asks_disclosure',
  write_down: 'wording.asks_readers',
  sink_unknown: 'wording.asks_readers',
  compartment_missing: 'wording.asks_readers',
  sink_not_in_allow_list: 'wording.asks_readers',
})

/** Lines of a card that state the reason for asking. */
const ASKED: readonly Saying[] = [
  ...Object.values(QUESTIONS),
  ...([
    'wording.asks_change',
    'wording.asks_mine',
    'wording.asks_worked_out',
    'wording.asks_decided',
    'wording.asks_after_looking',
  ] as const),
]

/** Whether a line of a card states the reason for asking, in the owner's language or in English. */
export function isQuestionLine(line: string): boolean {
  return ASKED.some((saying) => line === tell(saying) || line === inEnglish(() => tell(saying)))
}

/** The last line of an approval card. */
export function questionFor(code: ReasonCode): string {
  return tell(QUESTIONS[code] ?? 'wording.asks_change')
}
