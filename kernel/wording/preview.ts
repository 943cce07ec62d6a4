/**
 * Arguments as lines of a card (F-03): an unambiguous form, so that two calls with different bytes look different and no value
 * can look like a line of the card. Pure text. Called by card.ts.
 */
import { canonicalJson, type Json } from '../flow/json.ts'
import { showHosts, showUnseen } from './visible.ts'

/** Precedes every line of a value but its first. No other line begins like this. */
const MORE = '    | '
const ITEM = '    - '
const MORE_OF_ITEM = '      | '

/** Strings that could be mistaken for something else: empty, a number, a list, a quoted string, or with spaces at an end. */
const AMBIGUOUS = /^(?:$|[\s"([{]|(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$)|\s$/u

/** `note`: the kernel's remark on an address; null for none. */
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
