/**
 * Meaning of HTML elements for text extraction: without text, block level, page facts. Shared by both places' readers, so that
 * a page reads the same. Pure data. Called by sidecar/pages/page-parse.ts and durable-objects/platform/page-reader.ts.
 */

/** Elements whose content is not page text. */
export const SILENT_ELEMENTS: ReadonlySet<string> = new Set(
  'script style noscript template svg math iframe object canvas select textarea title'.split(' '),
)

/** Elements beside the main text; skipped if other text is left. */
export const ASIDE_ELEMENTS: ReadonlySet<string> = new Set('nav footer aside form dialog menu'.split(' '))

/** Elements that begin and end a line. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  'address article blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul td th br'.split(
    ' ',
  ),
)

/** Maps `name` or `property` of a `meta` element to the page fact it states. */
export const META_FACTS: ReadonlyMap<string, 'title' | 'author' | 'date'> = new Map([
  ['og:title', 'title'],
  ['author', 'author'],
  ['article:author', 'author'],
  ['dc.creator', 'author'],
  ['article:published_time', 'date'],
  ['og:article:published_time', 'date'],
  ['date', 'date'],
  ['dc.date', 'date'],
  ['datepublished', 'date'],
  ['parsely-pub-date', 'date'],
  ['parsely-title', 'title'],
  ['parsely-author', 'author'],
  ['dcterms.creator', 'author'],
  ['citation_author', 'author'],
  ['sailthru.author', 'author'],
  ['dc.date.issued', 'date'],
  ['dcterms.date', 'date'],
  ['dcterms.created', 'date'],
  ['citation_publication_date', 'date'],
  ['sailthru.date', 'date'],
  ['article:published', 'date'],
  ['og:published_time', 'date'],
  ['datecreated', 'date'],
] as const)

/** Whether the content of a `meta` element states the fact: `article:author` is often the address of a profile, which is no name. */
export function states(fact: 'title' | 'author' | 'date', content: string): boolean {
  return content.trim() !== '' && !(fact === 'author' && /^(?:https?:|@)/i.test(content.trim()))
}

/** Type of the `script` elements that hold no script, but data of the page. */
export const DATA_TYPE = /^\s*application\/ld\+json\b/i

/** Inline styles that hide an element from people; such text is meant for machines only. */
export const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i
