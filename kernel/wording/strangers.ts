/**
 * What the owner is told of people who wrote to his bot and heard nothing: how many, by what names, and how he lets one in. Never what they
 * wrote. A messenger makes links of what looks like one, commands too, and a name is its bearer's own choice: nothing of it but letters, digits and
 * spaces is shown. Pure. Called by the edge's route and its digest,
 * and by the card of an invitation that was taken up.
 */
import type { EventSource } from '../task/event.ts'

/** Characters of a name in the digest: a name is no letter. */
const MOST_OF_A_NAME = 40
/** What could be a link, a mention, a command, a mark of the text's look, or could not be seen. */
const NOT_PLAIN = /[^\p{L}\p{M}\p{N}]+/gu

/** What somebody calls himself, as it may be shown; empty where nothing of it may. */
export function plainHandle(handle: string): string {
  const plain = handle.normalize('NFKC').replaceAll(NOT_PLAIN, ' ').trim()
  return [...plain].slice(0, MOST_OF_A_NAME).join('').trim()
}

/** One line for one person, by what his channel authenticated and by what he calls himself. */
export function strangerCalled({ adapter, user, chat, group, handle = '' }: EventSource): string {
  const name = plainHandle(handle)
  const where = group ? `, in group ${chat}` : ''
  return `“${name === '' ? 'no name' : name}”, ${adapter} ${user}${where}`
}

/** `people`: counted one by one; `more`: messages of others, of whom nobody counted how many they are. */
export function strangersCount(people: number, more: number): string {
  const who =
    people === 1 ? 'One person whom you do not know has' : `${people} people whom you do not know have`
  const others = more > 0 ? `, and others sent ${more} messages or more` : ''
  return `${who} written to me since I last said so${others}`
}

/** Questions that somebody who may ask had, and that were not put to the owner. */
export function questionsCount(times: number): string {
  return times === 1 ? 'One question of people who may ask me' : `${times} questions of people who may ask me`
}

/** The names of the first, one a line; `unnamed` says how many have none here. */
export function strangersNamed(names: readonly string[], unnamed: number): readonly string[] {
  const rest = unnamed > 0 ? [`and ${unnamed} more`] : []
  return [...names, ...rest].map((line) => `- ${line}`)
}
