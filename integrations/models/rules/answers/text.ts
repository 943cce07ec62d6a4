/**
 * Shapes of text: one clean line, a quoted block, a bounded whole. Untrusted text stays inside its line or behind its quotation
 * marks, whatever it contains. Must not know what the text is about. Called by the renderers of the rules model.
 */
import { removeHidden } from '../../../../kernel/wording/guard/plain.ts'

/** Longest line taken from outside content, in characters: a subject cannot push the rest off the screen. */
const LINE_MAX = 160
/** Longest quotation, in characters. */
const QUOTE_MAX = 2_400
/** Characters reserved for the note about how much was cut. */
const NOTE_ROOM = 80

/** Terminal escape sequences; removed before the control character that begins them. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /\u001b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|[@-Z\\-_])/gu

export function clean(text: string): string {
  return removeHidden(text.replace(ESCAPES, '')).toWellFormed()
}

/** One line of at most `max` characters. */
export function line(text: string, max = LINE_MAX): string {
  const flat = clean(text.slice(0, max * 20))
    .replace(/\s+/gu, ' ')
    .trim()
  return flat.length > max ? `${flat.slice(0, max - 1).trimEnd()}…` : flat
}

/** Prefixes every line with `> `. `left` counts the characters that are not shown. */
export function quote(text: string, max = QUOTE_MAX): { readonly text: string; readonly left: number } {
  const whole = clean(text)
    .replace(/[ \t]+\n/gu, '\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim()
  const shown = whole.length <= max ? whole : whole.slice(0, cutAt(whole, max)).trimEnd()
  const quoted = shown.split('\n').map((row) => (row === '' ? '>' : `> ${row}`))
  return { text: quoted.join('\n'), left: whole.length - shown.length }
}

/** `text`; if it is too long, its end is replaced by `note`. */
export function bound(text: string, max: number, note: string): string {
  if (text.length <= max) return text
  const room = Math.max(max - Math.min(note.length + 1, NOTE_ROOM), 0)
  const head = text.slice(0, cutAt(text, room)).trimEnd()
  return `${head}\n${note}`.trim().slice(0, max)
}

/** End of a paragraph, line, sentence or word in the last third before `max`; else `max`. */
function cutAt(text: string, max: number): number {
  const head = text.slice(0, max)
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = head.lastIndexOf(mark)
    if (at > (max * 2) / 3) return mark === '. ' ? at + 1 : at
  }
  return /[\ud800-\udbff]$/u.test(head) ? max - 1 : max
}
