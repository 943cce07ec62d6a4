/**
 * The languages of texts for people, one row each (decision 023): names, and common words by which a sentence
 * is recognised. Each row except English has a `words/<code>.toml` beside every `words/en.toml`. Pure data.
 */

interface Row {
  /** Its own name. */
  readonly own: string
  /** Name of the language in a prompt. */
  readonly english: string
  /** Names that people use for it, in lower case. */
  readonly names: readonly string[]
  /** Common words that no other language of this list has. */
  readonly common: readonly string[]
}

const words = (text: string): readonly string[] => text.split(' ')

const ROWS = {
  en: {
    own: 'English',
    english: 'English',
    names: ['english', 'englisch'],
    common: words(
      "the and is are what my me please of to for have do you i'm can with this that it on at when how remind show send tomorrow today from",
    ),
  },
  de: {
    own: 'Deutsch',
    english: 'German',
    names: ['german', 'deutsch'],
    common: words(
      'der die das den dem und ist sind ich mir mich mein meine meinen bitte nicht ein eine einen für mit wann wie auf zu zeig hast habe kannst du morgen heute dass von im am erinnere schick steht gibt welche viele lies prüfe schreib trag auch noch woche uhr termin termine verschieb verschiebe lösch lösche streich sag gestern nächste nächsten nächster neue neuen ob bin wir uns hol kommt lass setz stell mach such suche finde welcher welches wer wo warum jetzt kein keine schon wieder',
    ),
  },
} as const satisfies Readonly<Record<string, Row>>

export type Language = keyof typeof ROWS
export type OtherLanguage = Exclude<Language, 'en'>

export const LANGUAGES: Readonly<Record<Language, Row>> = Object.freeze(ROWS)

export const LANGUAGE_CODES = Object.freeze(Object.keys(ROWS) as Language[])

/** Language in which every text is written first, and the default. */
export const DEFAULT_LANGUAGE: Language = 'en'

/** Null for a code that is not in the list. */
export function languageOf(code: string): Language | null {
  return Object.hasOwn(LANGUAGES, code) ? (code as Language) : null
}

/** The language by its code or a name that people use, in any case; null if unknown. */
export function languageCalled(said: string): Language | null {
  const name = said.trim().toLowerCase()
  const found = Object.entries(LANGUAGES).find(([code, { names }]) => code === name || names.includes(name))
  return found === undefined ? null : languageOf(found[0])
}

/** The language of a locale such as `de_AT.UTF-8`; null for an unknown language and for `C`. */
export function languageOfLocale(locale: string): Language | null {
  return languageOf(/^([a-z]{2})(?=[_.@-]|$)/i.exec(locale)?.[1]?.toLowerCase() ?? '')
}

/** Minimum common words of one language in a sentence, and minimum lead over any other language. */
const LEAST = 2

/** The language with the most common words in a sentence; null if that is unclear. `least`: minimum words, and minimum lead. */
export function languageIn(sentence: string, least = LEAST): Language | null {
  const said =
    sentence
      .slice(0, SCANNED)
      .toLowerCase()
      .match(/[\p{L}’']+/gu) ?? []
  const scored = Object.entries(LANGUAGES)
    .map(([code, { common }]) => ({ code, score: said.filter((word) => common.includes(word)).length }))
    .sort((one, other) => other.score - one.score)
  const [best, next] = scored
  if (best === undefined || best.score - (next?.score ?? 0) < least) return null
  return languageOf(best.code)
}

/** Maximum UTF-16 units that are read; the beginning of a long text is enough. */
const SCANNED = 1_000
