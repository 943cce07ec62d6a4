/**
 * Disables markup in an answer: Markdown links, images and definitions, HTML and SVG tags, forms of chat services, tappable
 * commands that would send text as the reader's. A space at its start breaks each, so that it stays readable and every renderer
 * shows plain text. Addresses: addresses.ts. Pure and linear; called by unit.ts.
 */
import type { Allowed } from './addresses.ts'

/** A complete inline link or image with a web address. Bounded, so that many brackets cost linear time. */
const INLINE =
  /!?\[([^[\]\n]{0,300})\]\([ \t\n]{0,3}<?(https?:[^\s()<>]{1,2048})>?(?:[ \t\n]{1,3}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t\n]{0,3}\)/gi

/** `name (address)`: the reader sees the target whatever the name says, and no image is fetched. */
export function showTargets(text: string): string {
  return text.replace(INLINE, (_, name: string, address: string) => {
    const shown = name.trim()
    return shown === '' || shown === address ? address : `${shown} (${address})`
  })
}

/**
 * Start of a tag, a comment, an instruction, a chat service's form, or a model's special token: any bracket followed by
 * something, except an arrow, a comparison or a heart.
 */
const OPENING = /<(?![\s<=-]|3(?!\S)|$)/g
const AUTOLINK = /^<([^\s<>"`|]{1,2048})>/
/** After a bracket these make a link, a reference, or its definition. */
const AFTER_BRACKET = /\](?=[([:])/g
/** One word after a slash, which a chat would show as a button. A path has several parts. */
const COMMAND = /(?<![^\s([{"'*_~>|])(?<!<\s)\/(?=[a-z0-9_]{1,64}(?:@[a-z0-9_]{1,32})?(?![a-z0-9_/]))/gi

/** Only adds spaces. An allowed mail or web address keeps its angle brackets. */
export function breakMarkup(text: string, allowed: Allowed): string {
  return text
    .replace(OPENING, (_, at: number) => {
      const inside = AUTOLINK.exec(text.slice(at, at + 2_050))?.[1]
      return inside !== undefined && allowed.has(inside) ? '<' : '< '
    })
    .replace(AFTER_BRACKET, '] ')
    .replace(COMMAND, '/ ')
}
