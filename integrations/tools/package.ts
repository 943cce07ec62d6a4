/**
 * What a tool package consists of (DESIGN §9): its declaration and words as data, and a runner for each place that it may run at. Types
 * and pure joins. Must not name a tool. Called by the generated tables and by both places.
 */
import type { ActionManifest, Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import type { HtmlText, PageReader } from '../extractors/page.ts'
import type { Phrases } from './phrase.ts'
import { plannedSteps } from './planned.ts'

/** Words of one action, out of `words/<language>.toml`. */
export interface ActionWords {
  /** How far it is, while it runs: `looking at the calendar`. */
  readonly progress: string
  /** What it means to a person, with an example: a line of the help. */
  readonly help: string
  /** What was tried, put before the reason of a failure. */
  readonly failed: string
  /** What is asked of the owner where a request lacks something, by the reason that its sentences give. */
  readonly asks?: Readonly<Record<string, string>>
  /** How its result is told without a model; as the model would quote it where there is none. */
  readonly answer?: AnswerWords
}

/**
 * Sentences with `{field}` of the result, or of a row of it (their grammar: models/rules/sentence.ts). A head alone; or a head and rows; or a head
 * and a text in quotation marks; or rows by day; or free time out of spans that are busy and free.
 */
export interface AnswerWords {
  readonly as?: 'days' | 'free'
  /** May hold `{topic}`, the title that was typed; of a list `{rows}` and `{marked}`, the numbers of rows shown and of those that `first` marks. */
  readonly head?: string
  /** May hold `{place}`, its number. */
  readonly row?: string
  /** Field that holds the rows. */
  readonly list?: string
  /** Field of a row that puts it at the top. */
  readonly first?: string
  /** Field of a row that says which day it is about: others than those that were asked about are left out. */
  readonly day?: string
  /** Fields of a row that name somebody: of others than the person who was asked for it is left out. */
  readonly of?: readonly string[]
  /** Field that holds a text to be quoted, and most characters of it. */
  readonly quote?: string
  readonly longest?: number
  /** What is said behind it: of a quotation, `{left}` characters are not shown. */
  readonly after?: readonly string[]
  /** Where there is no row or no text; where only what is new was asked for; where none is of `{who}`. */
  readonly none?: string
  readonly noneNew?: string
  readonly noneOf?: string
  /** What single values are called, and sentences of free time. */
  readonly values?: Readonly<Record<string, string>>
}

/** By the verb of the action: `list` of `email.list`. */
export type ToolWords = Readonly<Record<string, ActionWords>>

export interface ToolPackage {
  readonly manifest: ToolManifest
  readonly words: ToolWords
  readonly phrases: Phrases
}

/** What a place hands to a runner when it is made. */
export interface ToolPowers {
  /** Where the owner's configuration moves the service of the tool's credential; absent: its own address. */
  readonly baseUrl?: string
  readonly reader: PageReader
}

export interface HomeToolPowers extends ToolPowers {
  /** Names by which the owner speaks of the accounts that the tool's credential opens. */
  readonly accounts: readonly string[]
  readonly htmlText: HtmlText
}

export interface Runner<P extends ToolPowers> {
  readonly manifest: ToolManifest
  readonly create: (powers: P) => Tool
}

/** The manifest as the kernel gets it: with the words that are told while an action runs, and the plans that templates take of it. */
export function completeManifest({ manifest, words, phrases }: ToolPackage): ToolManifest {
  const actions = manifest.actions.map((action) => {
    const progress = wordsOf(words, action.id)?.progress
    const answers = action.semantics === 'read' ? answersOf(action.id, phrases) : undefined
    return {
      ...action,
      ...(progress !== undefined && { progress }),
      ...(answers !== undefined && { answers }),
    }
  })
  return { ...manifest, actions }
}

/** What is chosen out of a list depends on what was shown before: that is no template's to know. */
function answersOf(id: string, { asks }: Phrases): ActionManifest['answers'] {
  const phrase = asks.find(({ among, plan }) => among === undefined && plan.at(-1)?.['tool'] === id)
  return phrase?.intent === undefined
    ? undefined
    : { intent: phrase.intent, steps: plannedSteps(phrase.plan, {}) }
}

export function wordsOf(words: ToolWords, id: string): ActionWords | undefined {
  const verb = id.slice(id.indexOf('.') + 1)
  return Object.hasOwn(words, verb) ? words[verb] : undefined
}
