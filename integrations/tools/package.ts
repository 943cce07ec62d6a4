/**
 * The parts of a tool package (DESIGN §9): declaration and words as data, and a runner for each place where
 * it may run. Types and pure joins. Must not name a tool. Called by the generated tables and by both places.
 */

import type { Sender } from '../../kernel/features/sender/sender.ts'
import type { ActionManifest, CardWords, Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import type { FeedReader } from '../extractors/feed.ts'
import type { HtmlText, PageReader } from '../extractors/page.ts'
import type { RowReader } from '../extractors/page-rows.ts'
import type { FileReading } from '../extractors/readable.ts'
import type { AddressbookPowers } from './addressbook/account-port.ts'
import type { CalendarPowers } from './calendar/account-port.ts'
import type { CalendarChoice } from './calendar/calendars.ts'
import type { MailPowers, OwnFiles } from './email/mailbox-port.ts'
import type { FeedItems } from './feed/feed-port.ts'
import type { FolderPort } from './files/folder-port.ts'
import type { HealthKeeper, HealthPort } from './health/health-port.ts'
import type { HttpSetting } from './http/setting.ts'
import type { Phrases } from './phrase.ts'
import { plannedSteps } from './planned.ts'
import type { SearchSetting } from './search/engines.ts'

/** Words of one action, from `words/<language>.toml`. */
export interface ActionWords {
  /** Progress text during the call: `looking at the calendar`. */
  readonly progress: string
  /** Help line for people, with an example. The edge has it only for actions that it may run alone. */
  readonly help?: string
  /** On a tool's first action: name of the tool in the list of capabilities. Absent: its own name. */
  readonly group?: string
  /** Further words and forms by which a request finds the action (scripts/tables/finds.ts). Home only. */
  readonly finds?: string
  /** What was attempted; precedes the reason of a failure. The edge has it only for actions that it may run alone. */
  readonly failed?: string
  /** Questions to the owner about missing parts of a request, by the reason code of the phrase. */
  readonly asks?: Readonly<Record<string, string>>
  /** Meaning of a refusal for this action, by its reason code, if the general sentence says less. */
  readonly reasons?: Readonly<Record<string, string>>
  /** Words of the approval card. */
  readonly card?: CardWords
  /** Wording of the result without a model; otherwise the result is quoted as data. */
  readonly answer?: AnswerWords
}

/**
 * Sentences with `{field}` of the result, or of one of its rows (grammar: models/rules/answers/sentence.ts).
 * Forms: a head only; a head and rows; a head and a quoted text; rows by day; or free time from busy and free
 * spans.
 */
export interface AnswerWords {
  readonly as?: 'days' | 'free'
  /**
   * May contain `{topic}`, the typed title; for a list also `{rows}` and `{marked}`, the number of shown rows
   * and of those marked by `first`.
   */
  readonly head?: string
  /** May contain `{place}`, the row's number. */
  readonly row?: string
  /** Field with the rows. */
  readonly list?: string
  /** Field of a row that moves it to the top. */
  readonly first?: string
  /** Field of a row with its date. Rows for other dates than the requested ones are omitted. */
  readonly day?: string
  /** Fields of a row with a person. Rows of other persons than the requested one are omitted. */
  readonly of?: readonly string[]
  /**
   * Fields of a row that say what it is about: rows without all words of the typed title are omitted. `besides`: words that match
   * any row, such as `meeting`. `none`: the sentence if no row is left; `{topic}` is the title.
   */
  readonly about?: { readonly fields: readonly string[]; readonly besides: string; readonly none: string }
  /** Field with a text to quote, and the maximum characters of the quotation. */
  readonly quote?: string
  readonly longest?: number
  /**
   * Sentences after it. `{left}` is the number of omitted characters of a quotation, and of omitted rows of a
   * list.
   */
  readonly after?: readonly string[]
  /**
   * Sentences for an empty result: no rows (possibly with other fields), or no text; nothing new, if only new items were
   * requested; nothing of `{who}`.
   */
  readonly none?: string
  readonly noneNew?: string
  readonly noneOf?: string
  /**
   * Used if no row matched what a plan picked by: `{sought}` is the words. It and the sentences for an empty result may contain
   * the arguments of the read, `{asked_<argument>}`: words of the owner, or a time derived from them; `{known?}` if known.
   */
  readonly unmatched?: string
  /** Display names of single values, and sentences for free time. */
  readonly values?: Readonly<Record<string, string>>
}

/** By the action's verb: `list` of `email.list`. */
export type ToolWords = Readonly<Record<string, ActionWords>>

export interface ToolPackage {
  readonly manifest: ToolManifest
  readonly words: ToolWords
  readonly phrases: Phrases
}

/** What a place gives to a runner when it is created. */
export interface ToolPowers {
  /** Configured address of the service; absent: its own address. */
  readonly baseUrl?: string
  readonly reader: PageReader
}

export interface HomeToolPowers extends ToolPowers {
  /** The owner's names for the accounts of the tool's credential. */
  readonly accounts: readonly string[]
  readonly htmlText: HtmlText
  readonly rows: RowReader
  readonly feed: FeedReader
  /** What each conversation was shown of a feed; absent: all is new. */
  readonly feedItems?: FeedItems
  /** The owner's search engine; absent: the default one. */
  readonly search?: SearchSetting
  /** Hosts and saved requests that the owner named; absent: none. */
  readonly http?: HttpSetting
  /** The owner's choice of calendars, and accounts besides Google's; absent: those that Google shows. */
  readonly calendars?: CalendarChoice & Partial<CalendarPowers>
  /** The owner's address books besides Google's; absent: none. */
  readonly addressbooks?: AddressbookPowers
  /** The owner's mail account, behind sockets that home opens; absent: no tool sends mail. */
  readonly mail?: MailPowers
  /** Files of the owner's folders that can be attached to a mail; absent: none. */
  readonly ownFiles?: OwnFiles
  /** Where the owner is, IANA name. */
  readonly timezone?: string
  /** The owner's sender settings for mail; absent: none are set. */
  readonly sender?: () => Promise<Sender>
  /** The folders that the owner named; absent: none. */
  readonly folders?: FolderPort
  /** Reads documents in a separate process; absent: none are read. */
  readonly document?: FileReading['document']
  /** The owner's health data; absent: there is none. */
  readonly health?: HealthPort
  /** Store for days of health data that a package fetched; absent: none. */
  readonly healthKeeper?: HealthKeeper
}

export interface Runner<P extends ToolPowers> {
  readonly manifest: ToolManifest
  readonly create: (powers: P) => Tool
}

/** The manifest for the kernel, with progress texts, words of cards and the plans that templates use. */
export function completeManifest({ manifest, words, phrases }: ToolPackage): ToolManifest {
  const actions = manifest.actions.map((action) => {
    const { progress, card, help, finds } = wordsOf(words, action.id) ?? {}
    const answers = action.semantics === 'read' ? answersOf(action.id, phrases) : undefined
    return {
      ...action,
      terms: [...(action.terms ?? []), ...wordsIn([...sentencesOf(action.id, phrases), help ?? ''])],
      ...(finds !== undefined && { finds: finds.split(' ') }),
      ...(progress !== undefined && { progress }),
      ...(card !== undefined && { card }),
      ...(help !== undefined && { help }),
      ...(answers !== undefined && { answers }),
    }
  })
  return { ...manifest, actions }
}

/** Sentences that ask for the action. */
export function sentencesOf(id: string, phrases: Phrases): readonly string[] {
  const typed = Object.entries(phrases.typed ?? {}).filter(([key]) => key.split('#')[0] === id)
  const asked = phrases.asks.filter(({ plan }) => plan.at(-1)?.['tool'] === id)
  return [...typed.map(([, says]) => says), ...asked.map(({ says }) => says)].flatMap((says) =>
    Object.values(says).flat(),
  )
}

/** Words of sentences and of help, without their slots. */
function wordsIn(texts: readonly string[]): readonly string[] {
  const plain = texts.map((text) => text.replaceAll(NO_WORD, ' ').toLowerCase())
  return [...new Set(plain.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []))].sort()
}

/** Slots and marks; also hosts and files in an example, which do not tell what a request is about. */
const NO_WORD = /\{[^}]*\}|<[^>]*>|\S*\p{L}\.\p{L}\S*/gu

/**
 * Excludes phrases that choose from a list, because the choice depends on what was shown before, which a template does not know.
 */
function answersOf(id: string, { asks }: Phrases): ActionManifest['answers'] {
  const phrase = asks.find(({ among, plan }) => among === undefined && plan.at(-1)?.['tool'] === id)
  return phrase?.intent === undefined || phrase.varies === true
    ? undefined
    : { intent: phrase.intent, steps: plannedSteps(phrase.plan, {}) }
}

export function wordsOf(words: ToolWords, id: string): ActionWords | undefined {
  const verb = id.slice(id.indexOf('.') + 1)
  return Object.hasOwn(words, verb) ? words[verb] : undefined
}
