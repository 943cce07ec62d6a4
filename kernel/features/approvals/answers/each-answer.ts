/**
 * Finds the waiting cards that a message answers one by one, such as "yes to 3, no to 4" (F-03): by card number, or by position
 * if this chat has shown every waiting card and none has ended since. Must not decide. Called by typed-answer.ts.
 */
import { type EachSaid, eachInMessage, OTHER } from '../../../task/answers/each-words.ts'
import { isNumberOfOther, named, nameOf, numberOf, type Waiting, waitingOf } from '../waiting.ts'
import { type AnswersHerePorts, deliveredTo, isCardOf } from './shown-here.ts'

/** A decision, and the name of the card that it is for. */
export interface EachMeant {
  readonly decision: EachSaid['decision']
  readonly approval: string
}

/** Null for a message of any other kind; empty if it is unclear which card a part of the message refers to. */
export function eachMeant(powers: AnswersHerePorts, sink: string, text: string): readonly EachMeant[] | null {
  const said = eachInMessage(text)
  if (said === null) return null
  const groups = waitingOf(powers)
  const ordered = said.some(({ place }) => place !== null) ? inOrder(powers, sink, groups) : []
  // Positions count only if the message answers every waiting card: otherwise it is unknown where the owner began to count.
  if (said.some(({ place }) => place !== null) && ordered.length !== said.length) return []
  const numbers = groups.map((group) => String(numberOf(powers, group.at(-1) ?? group[0])))
  const meant = said.flatMap(({ decision, number, place }): readonly EachMeant[] => {
    if (number !== null)
      return numbers.includes(number) || isNumberOfOther(powers, number)
        ? [{ decision, approval: number }]
        : []
    const others = ordered.filter((one, at) => !isNamed(said, numbers[groups.indexOf(one)], at + 1))
    const group = place === OTHER ? (others.length === 1 ? others[0] : undefined) : ordered[(place ?? 0) - 1]
    return group === undefined ? [] : [{ decision, approval: nameOf(group) }]
  })
  const cards = new Set(meant.map(({ approval }) => named(powers, approval).id || approval))
  return cards.size === said.length ? meant : []
}

function isNamed(said: readonly EachSaid[], own: string | undefined, at: number): boolean {
  return said.some(({ number, place }) => (number === null ? place === at : number === own))
}

/**
 * All waiting cards, oldest first. Empty if this chat has not shown each of them, or if one of its cards ended after the oldest
 * was shown.
 */
function inOrder(powers: AnswersHerePorts, sink: string, groups: readonly Waiting[]): readonly Waiting[] {
  const rows = deliveredTo(powers, sink)
  const first = groups[0]?.[0].approval.toldAt ?? null
  const ended = rows
    .flatMap(({ id }) => powers.store.loadApproval(id.slice(id.lastIndexOf(':') + 1))?.approval ?? [])
    .some(
      ({ state, decidedAt, expiresAt }) =>
        state !== 'pending' && first !== null && (decidedAt ?? expiresAt) >= first,
    )
  const shown = groups.every((group) => rows.some((row) => isCardOf(row, group)))
  return ended || first === null || !shown ? [] : groups
}
