/**
 * An earlier result in a readable form: without ids, links, states and machine times. Pure. Called by the
 * list of memory and by the answers of the rules model.
 */

const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/
/** Links, ids and states, which mean nothing to people. */
const NO_WORDS =
  /^(?:https?:\/\/\S*|(?=\S*[\d_/])[^\s@]{5,}|\p{Ll}{1,3}\d+|\p{Ll}+(?:-[\p{Ll}\d]+)+|[A-Z_]{3,}|primary|confirmed|tentative|cancelled|needsaction|accepted|declined|inbox|unread|sent|true|false|[+-]\d\d:\d\d)$/u
/** Maximum parts that are shown: who or what, and what about. */
const MOST_PARTS = 4

export interface PlainRow {
  /** Empty if no part of the result is words. */
  readonly text: string
  /** The first moment in the result, as it is written there. */
  readonly at: string | null
}

/** `text`: the strings of a result, joined as memory joins them. */
export function plainRow(text: string): PlainRow {
  const parts = text.split(', ')
  const said = parts.filter((part) => part.trim() !== '' && !TIME.test(part) && !NO_WORDS.test(part))
  return { text: said.slice(0, MOST_PARTS).join(' · '), at: parts.find((part) => TIME.test(part)) ?? null }
}
