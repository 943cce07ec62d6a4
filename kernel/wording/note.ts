/**
 * One-line notes that the kernel adds to a model's text. They begin in a way that the output guard marks in any model's line
 * (imitation.ts). Also cuts such a text at its limit (C-23). Pure; must not know what a text is about. Called by synthesize.ts,
 * compose.ts and reply.ts.
 */

/** Prefix of every note. */
const VOICE = 'PFAR: '

export function noteOf(sentence: string): string {
  return VOICE + sentence
}

/** Precedes an answer of a fallback model. The task's report names the model. */
export const STOOD_IN = noteOf('The model that I ask first did not answer, so another one wrote this.')

/** Precedes an answer of another model, used because the budget excludes the first one (D-11). */
export const BUDGET_SPENT = noteOf(
  'What you allow me to spend on models is used up for now, so another one wrote this. /usage shows on what.',
)

/**
 * At most the first `max` UTF-16 units, ended at a word, because half an address would be another address. A single longer word
 * gives an empty text, unless `cutsWords`, for a caller that checks the rest afterwards.
 */
export function endAtWord(text: string, max: number, cutsWords = false): string {
  if (text.length <= max) return text
  const head = text.slice(0, max)
  const end = /\s/.test(text[max] ?? '') ? max : head.search(/\s\S*$/)
  if (end > 0) return head.slice(0, end).trimEnd()
  return cutsWords ? head.replace(/[\ud800-\udbff]$/, '') : ''
}
