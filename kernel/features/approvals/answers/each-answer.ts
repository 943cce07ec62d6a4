/**
 * Which waiting cards a message means that says yes or no to each of several (F-03): by their numbers, or by their places where all that
 * wait stand in this chat and none has ended since. Must not decide. Called by typed-answer.ts.
 */
import { type EachSaid, eachInMessage, OTHER } from '../../../task/answers/each-words.ts'
import { isNumberOfOther, named, nameOf, numberOf, type Waiting, waitingOf } from '../waiting.ts'
import { type AnswersHerePorts, isCardOf, takenBy } from './shown-here.ts'

/** A card by the name that decides it. */
export interface EachMeant {
  readonly decision: EachSaid['decision']
  readonly approval: string
}

/** Null for any other message; none where it is unclear which card one of its parts is for. */
export function eachMeant(powers: AnswersHerePorts, sink: string, text: string): readonly EachMeant[] | null {
  const said = eachInMessage(text)
  if (said === null) return null
  const groups = waitingOf(powers)
  const ordered = said.some(({ place }) => place !== null) ? inOrder(powers, sink, groups) : []
  // Places are of all that wait, each of which is answered: of fewer it is unknown where counting began.
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

/** All that wait, oldest first, if this chat has each of them and no card of its has ended since the oldest was asked; else none. */
function inOrder(powers: AnswersHerePorts, sink: string, groups: readonly Waiting[]): readonly Waiting[] {
  const rows = takenBy(powers, sink)
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
