/**
 * Shared parts of the answers of operations: one line, an age, a time, and the approval
 * card of an operation that widens (F-17). Pure. Called by the operations' renderers.
 */
import type { Telling } from './operation.ts'
import { id, record, type ValueOf } from './shape.ts'

/** Flattens to one line, so that it cannot break the surrounding lines. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Age in whole minutes, hours or days; both arguments in epoch milliseconds. */
export function ageOf(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`
}

/** Time to the minute. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Indented lines below a heading. */
export function below(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `   ${line}`)
}

export const PROPOSED = record({ approval: id('internal') })

/** The sentence about a proposed change; empty if the card is shown next to it. */
export function proposedWords({ approval }: ValueOf<typeof PROPOSED>, view: Telling): string {
  return view.cardBeside ? '' : askedBy(view.tell('approvals.proposed'), approval, view)
}

/** The text about a pending card, with the commands that answer it unless the card is in this chat. */
export function askedBy(text: string, approval: string, { say, tell, inChat }: Telling): string {
  if (inChat === true) return text
  return `${text} ${tell('approvals.by_command', { yes: say('approve', approval), no: say('deny', approval) })}`
}
