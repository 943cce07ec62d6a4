/**
 * Output guard, on every answer (DESIGN §3): a link or image stands only if it stood verbatim in what the task
 * read, hidden characters go, internal names and the identity marker go. A model cannot build a URL that carries
 * data. Pure text; must not know labels. Called by deliver.ts and for replies.
 */
import { removeHidden } from './characters.ts'

const REMOVED_LINK = '[link removed]'
const REMOVED_NAME = '[removed]'
/** First characters of the hard identity's marker line; scrubbed from every answer (X-26). */
const MARKER = /^.*\[pfar:[a-z0-9-]+\].*$/gim

/** Markdown images and links with their targets, reference definitions, HTML tags with a source. */
const MARKDOWN_TARGET = /(!?)\[([^\]\n]{0,500})\]\(\s*<?([^)\s>]{1,2048})>?(?:\s+["'(][^)\n]{0,500})?\)/g
const REFERENCE_DEFINITION = /^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?(\S{1,2048}?)>?(?:[ \t]+.*)?$/gm
const HTML_TAG = /<\/?[a-z][a-z0-9-]{0,30}(?:\s[^<>]{0,4000})?\/?>/gi
/** Bare addresses: any scheme with `//`, `www.`, and schemes that act without it. */
const BARE_ADDRESS =
  /\b(?:[a-z][a-z0-9+.-]{1,30}:\/\/|www\.|(?:mailto|data|javascript|vbscript|tel|sms|file):)[^\s<>"'`)\]}]{1,2048}/gi
/** Addresses without a scheme: `//host/…`, and a host with a path or query, which chats turn into links. */
const NAKED_ADDRESS =
  /(?<![\w:/.@-])(?:\/\/[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}|[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,24}(?=[/?]))[^\s<>"'`)\]}]{0,2048}/gi
/** More rounds than nesting needs; a text that still changes then is an attack and is not sent. */
const MAX_PASSES = 6
/** Names that only the kernel uses. */
const INTERNAL =
  /\b(?:sink|principal|vault|tool|extractor|approval|chat):[a-z][a-z0-9_]*(?:[:.][A-Za-z0-9_.@+-]+)*/g

/**
 * `inputs` are all texts that the task read, answers of its own included. Returns the text that may be sent; it
 * can be empty when nothing of it could stay.
 */
export function guardAnswer(text: string, inputs: readonly string[]): string {
  const known = (address: string): boolean => inputs.some((input) => input.includes(address))
  let guarded = removeHidden(text)
  // What one pass takes away may join what stood around it into something new.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = guardOnce(guarded, known)
    if (next === guarded) return next.trim()
    guarded = next
  }
  return ''
}

/** HTML first: a tag inside a link's syntax would otherwise hide the link from the passes after it. */
function guardOnce(text: string, known: (address: string) => boolean): string {
  return text
    .replace(HTML_TAG, '')
    .replace(MARKER, '')
    .replace(MARKDOWN_TARGET, (whole, image: string, name: string, target: string) => {
      if (known(target) && isWebAddress(target)) return image === '' ? whole : `${name} ${target}`.trim()
      return name === '' ? REMOVED_LINK : name
    })
    .replace(REFERENCE_DEFINITION, (whole, target: string) => (known(target) ? whole : ''))
    .replace(BARE_ADDRESS, (address) => (known(withoutTail(address)) ? address : REMOVED_LINK))
    .replace(NAKED_ADDRESS, (address) => (known(withoutTail(address)) ? address : REMOVED_LINK))
    .replace(INTERNAL, (name) => (known(name) ? name : REMOVED_NAME))
}

function isWebAddress(target: string): boolean {
  return /^https?:\/\//i.test(target)
}

/** Punctuation that ends a sentence is not part of the address before it. */
function withoutTail(address: string): string {
  return address.replace(/[.,;:!?]+$/, '')
}
