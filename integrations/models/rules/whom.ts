/**
 * Recipients of a request: typed addresses, references to contacts that the message names, and the author of
 * a shown row, whose address is then looked up. A name with several contacts is asked about. Must not take an
 * address from anything else. Called by planner.ts.
 */

import { groupName, knownParts } from '../../../kernel/features/contacts/groups.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { CONTACTS_ROOT, type SelectStep, type ToolStep } from '../../../kernel/task/plan.ts'
import { findEmail } from '../../extractors/message/contents/message-words.ts'
import { shownThings } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { fieldOf, itemsOf, numberOf, textOf } from './answers/content.ts'
import { resultsOf } from './earlier/shown.ts'

export interface Recipients {
  /** Steps that must run first. */
  readonly before: readonly (ToolStep | SelectStep)[]
  readonly to: readonly Json[]
}

/** Between the people of a list. */
const JOINS = /\s*(?:,|\s(?:and|und|&)\s)\s*/i
/** Before what somebody is to the owner: "my accountant". */
const LEADS = /^(?:my|our|the|mein|meine|meinen|meinem|meiner|unser|unsere|unserem|unseren)\s+/i
/** Behind a name, and no part of it: "Tom bitte, dass …". */
const TRAILS = /(?<=\S)(?:[\s,]+(?:bitte|mal|doch|noch|auch|please|too))+$/iu
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
  const people = itemsOf(fieldOf(named?.fields as Json | undefined, 'people'), 'items')
  const contacts = people.map((one) => knownParts(textOf(fieldOf(one, 'email'), 'known')))
  const known = contacts.map(({ name }) => name)
  const before: (ToolStep | SelectStep)[] = []
  const to: Json[] = []
  for (const part of said.split(JOINS).filter((one) => one !== '')) {
    const typed = findEmail(part)
    const name = part.replace(LEADS, '').replace(TRAILS, '')
    const called = groupName(part.replace(TRAILS, ''))
    const group = contacts.flatMap(({ groups }, at) =>
      typed === null && groups.includes(called) ? [at] : [],
    )
    const [first, ...others] = typed === null ? fitting(name, known) : []
    if (typed !== null) to.push(asTyped(typed, request))
    else if (group.length > 0) to.push(...group.map((at) => ({ $ref: `${PEOPLE}[${at}].email` })))
    else if (first === undefined) {
      const written = writerCalled(name, metadata, before.length)
      if (written === null) return null
      before.push(...written.before)
      to.push(written.address)
    } else if (others.length === 0) to.push({ $ref: `${PEOPLE}[${first}].email` })
    else {
      const id = `s${before.length + 1}`
      before.push({ id, do: 'select', from: PEOPLE, take: 'one', matching: name })
      to.push({ $ref: `${id}.email` })
    }
  }
  // Somebody may be in a group and be named besides.
  const each = [...new Map(to.map((one) => [JSON.stringify(one), one])).values()]
  return each.length === 0 ? null : { before, to: each }
}

/** What was shown, by whom it was written. */
const WRITTEN = shownThings(TOOL_PHRASES).flatMap((thing) =>
  thing.writer === undefined ? [] : [{ ...thing, writer: thing.writer }],
)

/**
 * Steps that find the newest of somebody with this name, who wrote something that was shown; null where
 * nobody did.
 */
function writerCalled(
  name: string,
  metadata: PromptParts['metadata'],
  steps: number,
): { readonly before: readonly (ToolStep | SelectStep)[]; readonly address: Json } | null {
  for (const { lists, list, one, writer } of WRITTEN) {
    const { named, address, tool, argument } = writer
    const isShown = resultsOf(list, metadata)
      .filter(({ action }) => lists.includes(action) || one.includes(action))
      .some(({ fields, rows }) =>
        [fields, ...rows].some((row) => numberOf(fieldOf(row, named), 'rank') !== null),
      )
    if (!isShown) continue
    const [read, pick] = [`s${steps + 1}`, `s${steps + 2}`]
    return {
      before: [
        { id: read, do: 'tool', tool, args: { [argument]: name, count: 1 } },
        { id: pick, do: 'select', from: `${read}.${list}`, matching: name, take: 'first' },
      ],
      address: { $ref: `${pick}.${address}` },
    }
  }
  return null
}

/** An address is referred to where it stands in the message, so that it stays the owner's own words. */
function asTyped(address: string, request: string): Json {
  const at = request.indexOf(address)
  return at < 0 ? address : { $ref: `said.words[${at}][${at + address.length}]` }
}

/** Positions of those with the whole name; else of those with all of its words. */
export function fitting(name: string, known: readonly string[]): readonly number[] {
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
