/**
 * Arguments as lines of a card (F-03): one value, one shape, so that two calls whose bytes differ are shown differently
 * and no value can pass for a line of the card. Pure text. Called by card.ts.
 */
import { canonicalJson, type Json } from '../flow/json.ts'
import { showHosts, showUnseen } from './visible.ts'

/** Before every line of a value but its first; nothing else begins like this. */
const MORE = '    | '
const ITEM = '    - '
const MORE_OF_ITEM = '      | '

/** Strings that would look like something else: nothing, a number, a list, a quoted string, or blanks at an end. */
const AMBIGUOUS = /^(?:$|[\s"([{]|(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$)|\s$/u

/** `note` is said after an address, in kernel words; null says nothing. */
export function previewOf(name: string, value: Json, note: (address: string) => string | null): string {
  if (!Array.isArray(value)) return `  ${name}: ${scalar(value, MORE, note)}`
  if (value.length === 0) return `  ${name}: (none)`
  return [`  ${name}:`, ...value.map((item: Json) => `${ITEM}${scalar(item, MORE_OF_ITEM, note)}`)].join('\n')
}

/** Whether a line continues the value above it. */
export function continues(line: string): boolean {
  return line.startsWith(MORE) || line.startsWith(MORE_OF_ITEM)
}

function scalar(value: Json, more: string, note: (address: string) => string | null): string {
  if (typeof value !== 'string') return visible(canonicalJson(value), more)
  const text = visible(value, more)
  const shown = AMBIGUOUS.test(value) ? `"${text}"` : text
  const said = note(value)
  return said === null ? shown : `${shown} ⟨${visible(said, '').replace(/[\n⟨⟩]/g, ' ')}⟩`
}

function visible(text: string, more: string): string {
  return showHosts(showUnseen(text)).replaceAll('\n', `\n${more}`)
}
