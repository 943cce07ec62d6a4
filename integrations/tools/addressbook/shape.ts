/**
 * Converts cards of any address book to people to suggest: one address each, sorted by name. Drops text that is no address or no
 * plain name. Pure. Called by run.ts and by home's backend.
 */
import { calledAs, plainName } from '../../extractors/person-name.ts'
import { isAddress } from '../reading.ts'
import { MOST_IN_BOOK } from './manifest.ts'

/** Content of a card, unchecked. */
export interface BookCard {
  /** In order of preference. */
  readonly names: readonly string[]
  readonly emails: readonly string[]
}

export interface Person {
  readonly name: string
  readonly email: string
}

/** The first valid address; null for a card without one. */
export function personOf({ names, emails }: BookCard): Person | null {
  const email = emails.map((one) => one.trim().replace(/^mailto:/i, '')).find(isAddress)
  if (email === undefined) return null
  const name = names.map(plainName).find((one) => one !== '') ?? calledAs(email)
  return name === '' ? null : { name, email }
}

/** Each address once. `who`: words that the name or address must contain. */
export function peopleIn(
  cards: readonly BookCard[],
  who: string,
): { readonly people: readonly Person[]; readonly more: boolean } {
  const wanted = folded(who)
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = new Map<string, Person>()
  for (const card of cards) {
    const person = personOf(card)
    if (person === null) continue
    const text = folded(`${person.name} ${person.email}`)
    const key = person.email.toLowerCase()
    if (!found.has(key) && wanted.every((word) => text.includes(word))) found.set(key, person)
  }
  const people = [...found.values()].sort((one, other) => one.name.localeCompare(other.name))
  return { people: people.slice(0, MOST_IN_BOOK), more: people.length > MOST_IN_BOOK }
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
