/**
 * Tracks which part of an answer was already printed while it was written. Printed text cannot be taken back, so only
 * the new part is added. Pure apart from that state. Called by chat.ts.
 */
import type { LineDraft } from '../line/link.ts'
import { terminalText } from './terminal-text.ts'

/** Printed before an answer that differs from the draft, such as one of another model. */
const ANEW = '— begun again —'

export interface Drafting {
  /** The new part of a draft; empty if there is none. */
  more(draft: LineDraft): string
  /** The new part of the final answer; empty if all of it was printed. */
  rest(task: string | null, answer: string): string
}

export function createDrafting(): Drafting {
  let shown: LineDraft | null = null
  const add = (task: string, text: string): string => {
    const before = shown?.task === task ? shown.text : ''
    if (text.startsWith(before)) return text.slice(before.length).replace(/^\n+/, before === '' ? '' : '\n')
    return `${ANEW}\n${text}`
  }
  return {
    more({ task, text }) {
      const whole = terminalText(text).trimEnd()
      if (shown?.task === task && shown.text === whole) return ''
      const more = add(task, whole)
      shown = { task, text: whole }
      return more
    },
    rest(task, answer) {
      const whole = terminalText(answer).trimEnd()
      const rest = task === null ? whole : add(task, whole)
      shown = null
      return rest
    },
  }
}
