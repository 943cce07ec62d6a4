/**
 * To whom something goes: addresses as typed, and names of the owner's contacts, as references to the contacts that the message names; of
 * one name that fits several, the owner is asked which. Must not take an address from anything else. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { CONTACTS_ROOT, type SelectStep } from '../../../kernel/task/plan.ts'
import { findEmail } from '../../extractors/message-words.ts'
import { fieldOf, itemsOf, textOf } from './content.ts'

export interface Recipients {
  /** Steps that must run first. */
  readonly before: readonly SelectStep[]
  readonly to: readonly Json[]
}

/** Between the people of a list. */
const JOINS = /\s*(?:,|\s(?:and|und|&)\s)\s*/i
/** Before what somebody is to the owner: "my accountant". */
const LEADS = /^(?:my|our|the|mein|meine|meinen|meinem|meiner|unser|unsere|unserem|unseren)\s+/i
const PEOPLE = `${CONTACTS_ROOT}.people`

/** Words of no name: a negation, a condition, a repetition, or the beginning of what is said. */
const NO_NAME =
  /(?<!\p{L})(?:not|never|nobody|if|every|that|nicht|nie|niemand|kein\p{L}*|wenn|falls|jede\p{L}*|dass)(?!\p{L})/iu

/** Why it is nobody: what may be a name is asked for, and anything else is another request. */
export function unknownPeople(said: string): 'contact_unknown' | 'not_understood' {
  return NO_NAME.test(said) ? 'not_understood' : 'contact_unknown'
}

/** Null where one of them is neither an address nor a contact. */
export function recipientsOf(
  said: string,
  { metadata, request = '' }: Pick<PromptParts, 'metadata'> & Partial<Pick<PromptParts, 'request'>>,
): Recipients | null {
  const named = metadata.find(({ root }) => root === CONTACTS_ROOT)
  const known = itemsOf(fieldOf(named?.fields as Json | undefined, 'people'), 'items').map((one) =>
    textOf(fieldOf(one, 'email'), 'known'),
  )
  const before: SelectStep[] = []
  const to: Json[] = []
  for (const part of said.split(JOINS).filter((one) => one !== '')) {
    const typed = findEmail(part)
    const name = part.replace(LEADS, '')
    const [first, ...others] = typed === null ? fitting(name, known) : []
    if (typed !== null) to.push(asTyped(typed, request))
    else if (first === undefined) return null
    else if (others.length === 0) to.push({ $ref: `${PEOPLE}[${first}].email` })
    else {
      const id = `s${before.length + 1}`
      before.push({ id, do: 'select', from: PEOPLE, take: 'one', matching: name })
      to.push({ $ref: `${id}.email` })
    }
  }
  return to.length === 0 ? null : { before, to }
}

/** An address is referred to where it stands in the message, so that it stays the owner's own words. */
function asTyped(address: string, request: string): Json {
  const at = request.indexOf(address)
  return at < 0 ? address : { $ref: `said.words[${at}][${at + address.length}]` }
}

/** Positions of those with the whole name; else of those with all of its words. */
function fitting(name: string, known: readonly string[]): readonly number[] {
  const positions = known.map((_, at) => at)
  const whole = positions.filter((at) => folded(known[at] ?? '') === folded(name))
  if (whole.length > 0) return whole
  const wanted = wordsOf(name)
  return positions.filter((at) => {
    const own = wordsOf(known[at] ?? '')
    return wanted.length > 0 && wanted.every((word) => own.includes(word))
  })
}

function wordsOf(text: string): readonly string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
