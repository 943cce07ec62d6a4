/**
 * The notice to the owner about unknown senders who got no answer: how many, their names, and how to admit one. Never their
 * messages. A sender chooses the name, and messengers link what looks like a link or a command, so only letters, digits and
 * spaces of it are shown. Pure. Called by the edge's route and its digest, and by the card of an accepted invitation.
 */

import type { EventSource } from '../task/event.ts'
import { tell } from './words.ts'

/** Maximum characters of a name in the digest. */
const MOST_OF_A_NAME = 40
/** Characters that could form a link, a mention, a command or formatting, or that are invisible. */
const NOT_PLAIN = /[^\p{L}\p{M}\p{N}]+/gu

/** A sender's display name as it may be shown; empty if nothing of it may. */
export function plainHandle(handle: string): string {
  const plain = handle.normalize('NFKC').replaceAll(NOT_PLAIN, ' ').trim()
  return [...plain].slice(0, MOST_OF_A_NAME).join('').trim()
}

/** One line per person: the id that the channel authenticated, and the display name. */
export function strangerCalled({ adapter, user, chat, group, handle = '' }: EventSource): string {
  const name = plainHandle(handle)
  const where = group ? tell('wording.stranger_group', { chat }) : ''
  return tell('wording.stranger', {
    ...{ name: name === '' ? tell('wording.stranger_unnamed') : name, adapter, user, where },
  })
}

/** `people`: individually counted senders. `more`: messages of further senders, whose number is unknown. */
export function strangersCount(people: number, more: number): string {
  const others = more > 0 ? tell('wording.strangers_more', { more }) : ''
  return people === 1
    ? tell('wording.strangers_one', { others })
    : tell('wording.strangers_many', { people, others })
}

/** Number of questions from permitted askers that were not put to the owner. */
export function questionsCount(times: number): string {
  return times === 1 ? tell('wording.left_out_one') : tell('wording.left_out_many', { times })
}

/** The first names, one per line; `unnamed`: number of the others. */
export function strangersNamed(names: readonly string[], unnamed: number): readonly string[] {
  const rest = unnamed > 0 ? [tell('wording.strangers_unnamed', { unnamed })] : []
  return [...names, ...rest].map((line) => `- ${line}`)
}
