/**
 * The language of an installation: a setting that overrides the configured language and is synced to the edge with the time zone.
 * Affects only what people read. Called by home, by its operations, by intake.ts, where the first message settles it (decision
 * 026), and by synthesize.ts, which offers another language.
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

/** Setting with the language that the owner chose, and the configured language at that time. */
const CHOSEN = 'language'
const SEEN = 'language_seen'

interface Chosen {
  readonly language: string
  readonly over: string
}

/** A choice holds until the configured language differs from the one at the time of the choice. */
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

/** Messages in a row that must be in another language before it is offered: a single one may be a quotation. */
const IN_A_ROW = 3

interface Seen {
  readonly language: string
  readonly count: number
  /** Languages that were offered already; each is offered once. */
  readonly offered: readonly string[]
  /** The first message settled the language, and the owner has not been told yet. */
  readonly untold?: true
}

const NOTHING_SEEN: Seen = { language: '', count: 0, offered: [] }

/** Text in quotation marks or after a colon may be in any language, so it is ignored. */
const QUOTED = /["“”„«»][^"“”„«»]*["“”„«»]|:\s[\s\S]*/g

export type SettlingPorts = LanguagePorts & OwnerChats

/**
 * Settles the language by the owner's first message that is clearly in one, before anything answers it. Only if the configuration
 * names none, and only once, so that no later message changes it. Only text that the owner typed on a private line counts.
 */
export async function settleLanguage(
  powers: SettlingPorts,
  { principal, event, sink }: Pick<Routed, 'principal' | 'event' | 'sink'>,
): Promise<void> {
  const { store, language: source } = powers
  const isOwn = principal.class === 'owner' && event.kind === 'message' && powers.adminSinks.includes(sink)
  if (source === undefined || !isOwn || isSettled(powers)) return
  const said = event.text.replace(QUOTED, ' ')
  // For the configured language one word is enough: after "check my mail", a German message is not the first message.
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
 * Counts the language of an owner message (null: unclear). Returns the line that offers another language, once, after three
 * messages in a row in it, or the line that tells of the language which the first message settled; nothing switches by itself
 * later. Null otherwise, and at a place that sets no language.
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
