/**
 * A web page's facts and text (J-05): the port that each place's reader implements, and the one function that makes a `Page`
 * from raw parts, so that both places bound and clean alike. All content is outside text. Must not fetch. Called by
 * sidecar/pages/page-parse.ts, durable-objects/platform/page-reader.ts and integrations/tools/web.
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

/** Throws on failure; the web tool turns that into a refusal (J-12). */
export interface PageReader {
  read(html: string, url: string): Promise<Page> | Page
}

/** Converts the HTML of a mail body to text. Throws on failure. */
export type HtmlText = (html: string) => Promise<string> | string

/** The parts as a parser found them. */
export interface RawPage {
  readonly title: string
  readonly author: string | null
  readonly date: string | null
  readonly text: string
  readonly links: readonly string[]
  readonly language: string | null
}

export const PAGE_LIMITS = Object.freeze({
  /**
   * Maximum UTF-16 units of HTML that are parsed: parsing is synchronous, so this bounds how long a page blocks the process.
   */
  html: 1_000_000,
  /** Maximum UTF-16 units of text. */
  text: 40_000,
  title: 300,
  author: 200,
  links: 50,
})

/** Detected languages, ISO 639-1. A closed set, because planners see it. */
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

/** The first that says a day, or a moment with its zone; null for none. */
export function firstDate(stated: readonly (string | null | undefined)[]): string | null {
  return stated.find((one) => typeof one === 'string' && toDate(one) !== null) ?? null
}

function toLanguage(tag: string | null): PageLanguage {
  const code = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return PAGE_LANGUAGES.find((known) => known === code) ?? 'unknown'
}
