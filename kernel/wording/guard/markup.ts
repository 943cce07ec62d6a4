/**
 * The syntax that makes more of a text than text: Markdown links, images and definitions, HTML and SVG tags, the forms
 * of chat services, commands that a tap would send as the reader's words. Each is broken by a space where it begins,
 * so that it stays readable and is nothing but text for every renderer. Which addresses may stand is addresses.ts's.
 * Pure and linear; called by unit.ts.
 */
import type { Allowed } from './addresses.ts'

/** A whole inline link or image with a web address. Bounded, so that a flood of brackets costs no more than its length. */
const INLINE =
  /!?\[([^[\]\n]{0,300})\]\([ \t\n]{0,3}<?(https?:[^\s()<>]{1,2048})>?(?:[ \t\n]{1,3}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t\n]{0,3}\)/gi

/** `name (address)`: the reader sees where a link leads, whatever its name says; and no image is fetched. */
export function showTargets(text: string): string {
  return text.replace(INLINE, (_, name: string, address: string) => {
    const shown = name.trim()
    return shown === '' || shown === address ? address : `${shown} (${address})`
  })
}

/**
 * What begins a tag, a comment, an instruction, a form of a chat service, or a special token of some model: any bracket with
 * something behind it but an arrow, a comparison or a heart.
 */
const OPENING = /<(?![\s<=-]|3(?!\S)|$)/g
const AUTOLINK = /^<([^\s<>"`|]{1,2048})>/
/** After a bracket these make a link, a use of a reference, or its definition. */
const AFTER_BRACKET = /\](?=[([:])/g
/** One word behind a slash, where a chat would make a button of it. A path has more than one. */
const COMMAND = /(?<![^\s([{"'*_~>|])(?<!<\s)\/(?=[a-z0-9_]{1,64}(?:@[a-z0-9_]{1,32})?(?![a-z0-9_/]))/gi

/** Only a space is ever added. A mail or web address that may stand keeps its angle brackets. */
export function breakMarkup(text: string, allowed: Allowed): string {
  return text
    .replace(OPENING, (_, at: number) => {
      const inside = AUTOLINK.exec(text.slice(at, at + 2_050))?.[1]
      return inside !== undefined && allowed.has(inside) ? '<' : '< '
    })
    .replace(AFTER_BRACKET, '] ')
    .replace(COMMAND, '/ ')
}
