/**
 * What a web page says of itself and what stands in it (J-05): the port that each place's reader fills, and the one
 * function that makes a `Page` from raw pieces, so that both places bound and clean alike. Everything here is a
 * stranger's. Must not fetch. Called by sidecar/pages/page-parse.ts, worker/page-reader.ts and integrations/tools/web.
 */
import { cleanLine, cleanText, toDate, toLink } from './page-clean.ts'

export interface Page {
  readonly title: string
  readonly author: string | null
  readonly date: string | null
  readonly text: string
  readonly links: readonly string[]
  readonly language: PageLanguage
}

/** Fails by throwing; the web tool turns that into a refusal (J-12). */
export interface PageReader {
  read(html: string, url: string): Promise<Page> | Page
}

/** HTML of a mail body to text. Fails by throwing. */
export type HtmlText = (html: string) => Promise<string> | string

/** Pieces as a parser found them. */
export interface RawPage {
  readonly title: string
  readonly author: string | null
  readonly date: string | null
  readonly text: string
  readonly links: readonly string[]
  readonly language: string | null
}

export const PAGE_LIMITS = Object.freeze({
  /** UTF-16 units of HTML parsed: parsing is synchronous, so this bounds how long a page can hold the process. */
  html: 1_000_000,
  /** UTF-16 units of text kept. */
  text: 40_000,
  title: 300,
  author: 200,
  links: 50,
})

/** ISO 639-1 codes told apart; a closed set, since the planner sees it. */
export const PAGE_LANGUAGES = Object.freeze([
  ...'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  ),
  'unknown',
] as const)

export type PageLanguage = (typeof PAGE_LANGUAGES)[number]

export function createPage(raw: RawPage, url: string): Page {
  const links = new Set(raw.links.flatMap((link) => toLink(link, url) ?? []))
  return {
    title: cleanLine(raw.title, PAGE_LIMITS.title),
    author: raw.author === null ? null : cleanLine(raw.author, PAGE_LIMITS.author) || null,
    date: raw.date === null ? null : toDate(raw.date),
    text: cleanText(raw.text, PAGE_LIMITS.text),
    links: [...links].slice(0, PAGE_LIMITS.links),
    language: toLanguage(raw.language),
  }
}

function toLanguage(tag: string | null): PageLanguage {
  const code = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return PAGE_LANGUAGES.find((known) => known === code) ?? 'unknown'
}
