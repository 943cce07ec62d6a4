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
/** Names that only the kernel uses. */
const INTERNAL =
  /\b(?:sink|principal|vault|tool|extractor|approval|chat):[a-z][a-z0-9_]*(?:[:.][A-Za-z0-9_.@+-]+)*/g

/**
 * `inputs` are all texts that the task read, answers of its own included. Returns the text that may be sent; it
 * can be empty when nothing of it could stay.
 */
export function guardAnswer(text: string, inputs: readonly string[]): string {
  const known = (address: string): boolean => inputs.some((input) => input.includes(address))
  return removeHidden(text)
    .replace(MARKER, '')
    .replace(MARKDOWN_TARGET, (whole, image: string, name: string, target: string) => {
      if (known(target) && isWebAddress(target)) return image === '' ? whole : `${name} ${target}`.trim()
      return name === '' ? REMOVED_LINK : name
    })
    .replace(REFERENCE_DEFINITION, (whole, target: string) => (known(target) ? whole : ''))
    .replace(HTML_TAG, '')
    .replace(BARE_ADDRESS, (address) => (known(withoutTail(address)) ? address : REMOVED_LINK))
    .replace(INTERNAL, (name) => (known(name) ? name : REMOVED_NAME))
    .trim()
}

function isWebAddress(target: string): boolean {
  return /^https?:\/\//i.test(target)
}

/** Punctuation that ends a sentence is not part of the address before it. */
function withoutTail(address: string): string {
  return address.replace(/[.,;:!?]+$/, '')
}
