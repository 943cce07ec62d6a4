/**
 * What the kernel adds to a text that a model wrote: one line, begun as no model may begin one, since the output guard marks
 * any other line that begins so (imitation.ts). Also where such a text ends, whatever its writer was told (C-23). Pure;
 * must not know what a text is about. Called by synthesize.ts, compose.ts and reply.ts.
 */

/** Begins each note. */
const VOICE = 'PFAR: '

export function noteOf(sentence: string): string {
  return VOICE + sentence
}

/** Stands before an answer that a fallback wrote; which model it was is in the task's report. */
export const STOOD_IN = noteOf('The model that I ask first did not answer, so another one wrote this.')

/** Stands before an answer that was written by another model because the budget keeps the first from being asked (D-11). */
export const BUDGET_SPENT = noteOf(
  'What you allow me to spend on models is used up for now, so another one wrote this. /usage shows on what.',
)

/**
 * The first `max` UTF-16 units at most, ended where a word ends: half an address would be another one. Of a single word that
 * is longer than all of it nothing is left, unless `cutsWords`, for whoever has the rest judged afterwards.
 */
export function endAtWord(text: string, max: number, cutsWords = false): string {
  if (text.length <= max) return text
  const head = text.slice(0, max)
  const end = /\s/.test(text[max] ?? '') ? max : head.search(/\s\S*$/)
  if (end > 0) return head.slice(0, end).trimEnd()
  return cutsWords ? head.replace(/[\ud800-\udbff]$/, '') : ''
}
