/**
 * Measures a text that is published as a post, and finds the links, mentions and tags in it. Both the card and the sending tool
 * use this, so that what is shown is what is sent. Pure; must not change a text. Called by authorize.ts, the card and the tools.
 */

/** Writes only: the argument that is the post, and the service's maximum length. */
export interface PostSpec {
  /** Name of a text argument. */
  readonly field: string
  /** Maximum characters as people see them: an emoji, or a letter with its accents, is one. */
  readonly graphemes: number
  /** Maximum bytes of its UTF-8 form. */
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
  /** Byte positions in the UTF-8 form; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** Maximum graphemes of a tag, by app.bsky.richtext.facet. */
const MAX_TAG = 64

/** Created at the first post, because it takes 20 ms. */
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

/** Why the text cannot be a post; null if it can. */
export function postFault({ graphemes, bytes }: PostSpec, text: string): 'empty' | 'too_long' | null {
  if (text.trim() === '') return 'empty'
  const length = postLength(text)
  return length.graphemes > graphemes || length.bytes > bytes ? 'too_long' : null
}

/** The links, mentions and tags, in order. */
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

/** The address without the sentence's punctuation. A closing bracket belongs to it if it was opened inside. */
function withoutTail(link: string): string {
  const bare = link.replace(/[.,;:!?'’"]+$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? withoutTail(bare.slice(0, -1)) : bare
}

function isLink(value: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(value)
}
