/**
 * Remembers the card that the command line printed last, so that `pfar ask yes` answers that one and no other. Stores an id,
 * never a word of the card. Called by command.ts and talk.ts.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { answerInMessage, choiceInMessage } from '../../../kernel/task/answers/answer-words.ts'
import type { Line } from '../line/link.ts'

interface ShownCard {
  readonly approval: string
  /** Number of its options; 0 for a yes-or-no card. */
  readonly options: number
}

/**
 * The decision in a bare yes or no, or in the number of an option, and the card that it answers: the last one shown on this line.
 * Null for other words, or if no card was shown.
 */
export function shownAnswer(
  path: string,
  line: Line,
  words: string,
): { readonly decision: 'approve' | 'deny'; readonly approval: string } | null {
  const said = answerInMessage(words)
  const option = choiceInMessage(words) ?? 0
  const shown = said?.which === '' || option > 0 ? shownOn(path, line) : null
  if (shown === null) return null
  if (said !== null) return { decision: said.decision, approval: shown.approval }
  return option <= shown.options ? { decision: 'approve', approval: `${shown.approval}.${option}` } : null
}

function shownOn(path: string, line: Line): ShownCard | null {
  try {
    const [on, approval, options = '0'] = readFileSync(path, 'utf8').trim().split(' ')
    return on === line && approval !== undefined ? { approval, options: Number(options) } : null
  } catch {
    return null
  }
}

/**
 * `card`: the card that was printed; null for none. If the file cannot be written, only the short form of an answer does not
 * work.
 */
export function keepShown(path: string, line: Line, card: ShownCard | null): void {
  try {
    if (card === null) rmSync(path, { force: true })
    else writeFileSync(path, `${line} ${card.approval} ${card.options}\n`, { mode: 0o600 })
  } catch {
    // The owner can still answer by the number on the card.
  }
}
