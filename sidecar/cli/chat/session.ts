/** State of one conversation in a terminal, how text is printed in it, and the list of its pending cards. Must not send. Called by chat.ts. */
import type { Readable, Writable } from 'node:stream'
import type { Result } from '../../../kernel/flow/verdict.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { tell as sentence } from '../../language/wording.ts'
import type { Attachment } from '../line/attach.ts'
import type { Prompt } from '../prompt.ts'
import type { WaitingCard } from './cards.ts'
import type { Progress } from './progress-line.ts'
import { renderApprovals } from './render.ts'
import type { Screen } from './screen.ts'
import type { CardTurning, Drafting, SeenCards } from './shown.ts'

export interface ChatInput {
  readonly attachment: Pick<Attachment, 'link' | 'recover'>
  readonly screen: Screen
  readonly input: Readable
  readonly output: Writable
  /** A person at a terminal; otherwise input is piped. */
  readonly terminal: boolean
  /** Gets a function that prints other text in this terminal without disturbing the line that is being typed. */
  readonly onVoice?: (voice: (text: string) => void) => void
  /**
   * Switches to the language that home uses now, because the owner may change it in the conversation. Called before words are
   * printed here.
   */
  readonly speak: () => Promise<void>
}

export interface Session extends ChatInput {
  prompt: Prompt | null
  /** Tasks without an answer yet, and since when (epoch milliseconds). */
  readonly open: Map<string, number>
  /** Task of the owner's newest request here; null while its id is unknown. */
  newest: string | null
  cursor: number
  closed: boolean
  offline: boolean
  locked: boolean
  /** Cards shown here: a plain yes can only answer one of them. */
  readonly seen: SeenCards
  readonly turning: CardTurning
  readonly progress: Progress
  readonly drafting: Drafting
}

/** Prints the pending cards and how to answer them. */
export function listed({ seen, screen }: Session, views: readonly WaitingCard[]): string {
  const [first] = views
  const isWhole = seen.list(views.map(({ id }) => id))
  const list = renderApprovals(views, Date.now(), isWhole)
  if (first === undefined) return list
  const how = views.length === 1 ? 'approvals.answer_one' : 'approvals.how_to_answer'
  const asks =
    views.length === 1 && first.options > 0
      ? wordsFor('choice_missing')
      : sentence(how, { which: String(first.number) })
  return `${list}\n${screen.dim(asks)}`
}

export function printing<T>(session: Session, result: Result<T>, render: (value: T) => string): Result<T> {
  if (result.ok) say(session, render(result.value))
  return result
}

export function printed(session: Session, text: string): null {
  say(session, text)
  return null
}

export function say(session: Session, text: string): void {
  const { prompt, screen, open } = session
  const write = () => screen.out(text)
  if (prompt === null) {
    write()
    return
  }
  screen.progress('')
  prompt.above(write)
  if (open.size === 0 && !session.closed) prompt.show()
}
