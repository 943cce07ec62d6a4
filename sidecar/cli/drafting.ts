/**
 * What of an answer stands in the terminal already, as it was shown while it was written: what can be printed cannot be taken
 * back, so only what is new is added. Pure but for that memory. Called by chat.ts.
 */
import type { LineDraft } from './link.ts'
import { terminalText } from './terminal-text.ts'

/** Stands before an answer that came out otherwise than what was shown of it, such as another model's. */
const ANEW = '— begun again —'

export interface Drafting {
  /** What of a draft is new; empty for nothing. */
  more(draft: LineDraft): string
  /** What of the answer itself is new; empty where all of it was shown. */
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
