/**
 * The language of an installation: kept as a setting over the configured one, and told to the edge with the time zone. Changes what people
 * read and nothing else. Called by home, by the operations on it, by intake.ts, which has the first message settle it (decision 026), and by
 * synthesize.ts, which offers another one.
 */
import { err, ok } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ChangeNews, Clock, OwnerChats } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import {
  DEFAULT_LANGUAGE,
  LANGUAGES,
  type Language,
  languageCalled,
  languageIn,
  languageOf,
} from '../../wording/languages.ts'
import { tell } from '../../wording/words.ts'
import type { Routed } from '../people/route.ts'
import type { SettingStore } from '../quiet/port.ts'
import type { LanguagePort, Languages } from './port.ts'

/** What the owner chose by talking, and the configured language that it stands over. */
const CHOSEN = 'language'
const SEEN = 'language_seen'

interface Chosen {
  readonly language: string
  readonly over: string
}

/** A choice holds until the configuration names another language than it did then. */
export function ownersLanguage({ store }: StoreOf<SettingStore>, configured: Language): Language {
  const kept = store.setting(CHOSEN)
  const chosen = kept === null ? null : (JSON.parse(kept) as Chosen)
  return chosen?.over === configured ? (languageOf(chosen.language) ?? configured) : configured
}

export type LanguagePorts = Auditing & Clock & Languages & ChangeNews & StoreOf<SettingStore>

export function createLanguagePort(powers: LanguagePorts): LanguagePort {
  const { store, language: source } = powers
  const read = (): Language => ownersLanguage({ store }, source?.configured ?? DEFAULT_LANGUAGE)
  return {
    read,
    async set(said) {
      const language = languageCalled(said)
      if (language === null) return err('language_unknown')
      if (source === undefined) return err('tool_unavailable', { port: 'language' })
      const before = read()
      store.saveSetting(CHOSEN, JSON.stringify({ language, over: source.configured } satisfies Chosen))
      audit(powers, 'memory_changed', null, { what: 'language', did: 'set' })
      await source.speak(language)
      powers.profileChanged?.()
      return ok({ now: language, before })
    },
  }
}

/** Whether the configuration, the owner or a first message has named the language. */
export function isSettled({ store, language: source }: Languages & StoreOf<SettingStore>): boolean {
  return source?.named === true || store.setting(CHOSEN) !== null || store.setting(SEEN) !== null
}

/** Messages in a row by which another language is recognised: one may be a quotation. */
const IN_A_ROW = 3

interface Seen {
  readonly language: string
  readonly count: number
  /** Languages that were offered: each once. */
  readonly offered: readonly string[]
  /** The first message settled the language, which is still to be said. */
  readonly untold?: true
}

const NOTHING_SEEN: Seen = { language: '', count: 0, offered: [] }

/** What is between quotation marks or behind a colon may be in any language. */
const QUOTED = /["“”„«»][^"“”„«»]*["“”„«»]|:\s[\s\S]*/g

export type SettlingPorts = LanguagePorts & OwnerChats

/**
 * Settles the language by the first message of the owner's that is plainly in one, before anything answers it: only where the configuration
 * names none, and only once, so that no later word turns it. Only what the owner typed on a private line counts.
 */
export async function settleLanguage(
  powers: SettlingPorts,
  { principal, event, sink }: Pick<Routed, 'principal' | 'event' | 'sink'>,
): Promise<void> {
  const { store, language: source } = powers
  const isOwn = principal.class === 'owner' && event.kind === 'message' && powers.adminSinks.includes(sink)
  if (source === undefined || !isOwn || isSettled(powers)) return
  const said = event.text.replace(QUOTED, ' ')
  // For the language that it speaks already one word is enough: "check my mail" is no message after which a German one is the first.
  const language = languageIn(said) ?? (languageIn(said, 1) === source.configured ? source.configured : null)
  if (language === null) return
  const isOther = language !== source.configured
  const seen: Seen = {
    ...NOTHING_SEEN,
    ...(isOther && { offered: [language], untold: true as const }),
  }
  store.saveSetting(SEEN, JSON.stringify(seen))
  if (isOther) await createLanguagePort(powers).set(language)
  else powers.profileChanged?.()
}

/**
 * Counts the language of a message of the owner's (null: not plain); the line that offers another one, when three in a row were in it, once. Nothing switches
 * by itself after the first message, of which the first answer tells. Null for anything else, and at a place that sets no language.
 */
export function languageOffer(
  { store, language: source }: Languages & StoreOf<SettingStore>,
  said: Language | null,
): string | null {
  if (source === undefined) return null
  const kept = store.setting(SEEN)
  const { untold = false, ...before } = kept === null ? NOTHING_SEEN : (JSON.parse(kept) as Seen)
  if (said === null && !untold) return null
  const now = ownersLanguage({ store }, source.configured)
  const count = before.language === said ? Math.min(before.count + 1, IN_A_ROW) : 1
  const isOffered = said !== null && said !== now && count === IN_A_ROW && !before.offered.includes(said)
  const offered = isOffered ? [...before.offered, said] : before.offered
  const seen: Seen = said === null ? before : { language: said, count, offered }
  if (JSON.stringify(seen) !== kept) store.saveSetting(SEEN, JSON.stringify(seen))
  if (untold && now !== source.configured)
    return tell('language.settled', { name: LANGUAGES[now].own, other: LANGUAGES[source.configured].own })
  return isOffered ? tell(`language.offer_${said}`, { name: LANGUAGES[said].own }) : null
}
