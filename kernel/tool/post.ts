/**
 * A text that is published as a post: its length as readers count it, and what becomes a link, a mention or a tag in it. The card and the tool that
 * sends it take both from here, so that what is shown is what is sent. Pure; must not change a text. Called by authorize.ts, the card and the tools.
 */

/** Writes only: which argument is the post, and how long the service lets it be. */
export interface PostSpec {
  /** Name of a text argument. */
  readonly field: string
  /** Characters as people see them: an emoji or a letter with its accents is one. */
  readonly graphemes: number
  /** Of its UTF-8 form. */
  readonly bytes: number
}

export interface PostLength {
  readonly graphemes: number
  readonly bytes: number
}

export interface PostMark {
  readonly kind: 'link' | 'mention' | 'tag'
  /** The address, the handle without its `@`, the tag without its `#`. */
  readonly value: string
  /** Positions in the UTF-8 form: from the first byte, up to the one behind the last. */
  readonly start: number
  readonly end: number
}

/** Longest tag, in graphemes, by app.bsky.richtext.facet. */
const MAX_TAG = 64

/** Made at the first post: it takes 20 ms. */
let segmenter: Intl.Segmenter | undefined
/** The only platform API used here: a standard, pure encoder, equal at both places. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
const UTF8 = new TextEncoder()

/** Only after a space or an opening bracket: part of a word is no mark. */
const LINK = /(?<![^\s(])https?:\/\/[^\s\p{C}<>"]{1,2000}/giu
const MENTION =
  /(?<![^\s(])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![\w-])/gi
const TAG = /(?<![^\s(])[#＃]([^\s\p{C}\p{P}\p{S}]+(?:[-_'’][^\s\p{C}\p{P}\p{S}]+)*)/gu

export function postLength(text: string): PostLength {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return { graphemes: [...segmenter.segment(text)].length, bytes: UTF8.encode(text).length }
}

/** Why it is no post; null for one. */
export function postFault({ graphemes, bytes }: PostSpec, text: string): 'empty' | 'too_long' | null {
  if (text.trim() === '') return 'empty'
  const length = postLength(text)
  return length.graphemes > graphemes || length.bytes > bytes ? 'too_long' : null
}

/** In their order. */
export function marksIn(text: string): readonly PostMark[] {
  const at = (index: number): number => UTF8.encode(text.slice(0, index)).length
  const mark = (kind: PostMark['kind'], value: string, index: number, shown: string): PostMark => ({
    ...{ kind, value, start: at(index), end: at(index + shown.length) },
  })
  const links = [...text.matchAll(LINK)].map(({ 0: whole, index }) => {
    const shown = withoutTail(whole)
    return mark('link', shown, index, shown)
  })
  const mentions = [...text.matchAll(MENTION)].map(({ 0: shown, 1: handle = '', index }) =>
    mark('mention', handle.toLowerCase(), index, shown),
  )
  const tags = [...text.matchAll(TAG)]
    .filter(([, tag = '']) => !/^\d+$/.test(tag) && postLength(tag).graphemes <= MAX_TAG)
    .map(({ 0: shown, 1: tag = '', index }) => mark('tag', tag, index, shown))
  return [...links.filter(({ value }) => isLink(value)), ...mentions, ...tags].sort(
    (a, b) => a.start - b.start,
  )
}

/** A sentence's own punctuation is no part of an address; a bracket is, where it was opened in it. */
function withoutTail(link: string): string {
  const bare = link.replace(/[.,;:!?'’"]+$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? withoutTail(bare.slice(0, -1)) : bare
}

function isLink(value: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(value)
}
