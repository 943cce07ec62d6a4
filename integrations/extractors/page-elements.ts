/**
 * What HTML elements mean to a reader of text: which hold none, which begin a line, which name the page's facts.
 * Shared by both places' readers, so that a page reads alike. Pure data. Called by sidecar/pages/page-parse.ts and
 * worker/page-reader.ts.
 */

/** Elements whose text is not the page's text. */
export const SILENT_ELEMENTS: ReadonlySet<string> = new Set(
  'script style noscript template svg math iframe object canvas select textarea head title'.split(' '),
)

/** Elements that stand beside the text: skipped where something else is left. */
export const ASIDE_ELEMENTS: ReadonlySet<string> = new Set('nav footer aside form dialog menu'.split(' '))

/** Elements that begin and end a line. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  'address article blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul td th br'.split(
    ' ',
  ),
)

/** `name` or `property` of a `meta` element → which fact of the page it states. */
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
] as const)

/** Inline styles that hide an element from a person: text there is meant for machines alone. */
export const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i
