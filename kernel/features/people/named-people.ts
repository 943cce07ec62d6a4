/**
 * Which people the owner's words name: one, several, or a group of contacts by the host of their addresses (B-04). Pure.
 * Must not decide what anybody may do. Called by the operations that invite people and end what was agreed with them.
 */

import { err, ok, type Result } from '../../flow/verdict.ts'
import { groupName, isIn } from '../contacts/groups.ts'

/** Maximum people of one card: each is listed on it, and it must stay readable. */
export const MOST_INVITED = 10

/** Pattern for people in a phrase: may contain commas, and the dots of a host name. */
export const PEOPLE_SLOT = String.raw`(?:[^;:!?.\n]|\.(?=[\p{L}\d]))[^;:!?\n]{0,199}?`

interface Known {
  readonly name: string
  readonly email: string
  readonly groups?: readonly string[]
}

/** "Who may ask when I am free?" and "nobody may ask" name nobody, and are no request to invite. */
const NOBODY =
  /^(?:who|whoever|which(?: .*)?|what(?: .*)?|nobody|no one|noone|none(?: .*)?|not .*|any(?:one|body)|every(?:one|body)|all|strangers?|fremde|niemand|jeder|alle|you|i|he|she|they|it|we|this|that)$/iu

const JOINS = /\s*[,&]\s*(?:(?:and|und)\s+)?|\s+(?:and|und|sowie|as well as)\s+/iu

const WHO =
  '(?:all |all of |all the |alle |the |my |our |die |meine |unsere )*(?:people|persons|folks|guys|colleagues|co-?workers|contacts|everyone|everybody|anyone|anybody|those|leute|personen|kollegen|kolleginnen|kontakte|alle|jeder)'
/** "People from acme.com", "everybody at Acme", "alle von acme.de". */
const GROUP = new RegExp(
  `^${WHO}(?: who (?:are|work)| die)? (?:from|at|of|in|with|von|bei|aus|vom|beim|der|in der)(?: (?:the|der|dem))? @?(?<of>[\\p{L}\\d][\\p{L}\\d.-]*)$`,
  'iu',
)
const ALL_CONTACTS =
  /^(?:(?:all|all of|alle) )?(?:my|meine) (?:contacts|kontakte)$|^(?:everyone|everybody|all|alle) (?:in|aus|in) (?:my|meinen) (?:contacts|kontakten)$/iu
/** A group named without anything that identifies its members. */
const GROUP_ALONE =
  /^(?:(?:my|our|the|all|all my|all of my|meine|unsere|die|alle|alle meine) )?(?:people|friends|family|colleagues|co-?workers|team|boss(?:es)?|customers|clients|neighbou?rs|leute|freunde|familie|kollegen|kolleginnen|team|kunden|nachbarn)(?: (?:from|at|of|in|von|bei|aus|auf) .*)?$/iu

/**
 * The names as the owner says them; for a group, its contacts with their addresses. Refusals: field_malformed for nobody in
 * particular, and for more than `MOST_INVITED`; contact_unknown for a group without a known contact.
 */
export function peopleNamed(said: string, contacts: readonly Known[]): Result<readonly string[]> {
  const names = new Map<string, string>()
  for (const part of partsOf(said)) {
    const found = onePart(part, contacts)
    if (!found.ok) return found
    for (const name of found.value) names.set(name.toLowerCase(), name)
  }
  if (names.size === 0) return err('field_malformed', { path: 'name' })
  if (names.size > MOST_INVITED) return err('field_malformed', { path: 'name', max: MOST_INVITED })
  return ok([...names.values()])
}

function onePart(part: string, contacts: readonly Known[]): Result<readonly string[]> {
  const host = GROUP.exec(part)?.groups?.['of']
  const isAll = ALL_CONTACTS.test(part)
  const own = contacts.filter((one) => isIn(one, groupName(part)))
  if (own.length > 0) return ok(own.map(({ name, email }) => `${name} (${email})`))
  if (host !== undefined || isAll) {
    const members = isAll ? contacts : contacts.filter(({ email }) => isAt(email, host ?? ''))
    return members.length === 0
      ? err('contact_unknown')
      : ok(members.map(({ name, email }) => `${name} (${email})`))
  }
  if (GROUP_ALONE.test(part)) return err('contact_unknown')
  return NOBODY.test(part) ? err('field_malformed', { path: 'name' }) : ok([part])
}

/** The same words, with each group replaced by its members. */
export function withMembers(said: string, contacts: readonly Known[]): string {
  const parts = partsOf(said).map((part) => {
    const own = contacts.filter((one) => isIn(one, groupName(part)))
    return own.length === 0 ? part : own.map(({ name }) => name).join(', ')
  })
  return parts.join(', ')
}

/** Whether these words name this person. A group matches by the name with which it was invited. */
export function isNamed(said: string, name: string): boolean {
  return partsOf(said).some((part) => {
    const host = GROUP.exec(part)?.groups?.['of']
    if (host !== undefined) return isAt(/\((\S+@\S+)\)$/u.exec(name)?.[1] ?? '', host)
    const own = new Set(wordsOf(name.replace(/ \(\S+@\S+\)$/u, '')))
    const wanted = wordsOf(part)
    return wanted.length > 0 && wanted.every((word) => own.has(word))
  })
}

function partsOf(said: string): readonly string[] {
  return said
    .trim()
    .split(JOINS)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** `acme` of `mail.acme.com` and `acme.co.uk`: the registered label, which only its owner controls. */
function ownLabel(host: string): string {
  const labels = host.split('.')
  const isShared = labels.length > 2 && (labels.at(-2) ?? '').length <= 3
  return labels.at(isShared ? -3 : -2) ?? ''
}

/** Whether the address is at `acme.com`, or at `Acme`: a whole host name, or its registered label. */
function isAt(email: string, said: string): boolean {
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const wanted = said.toLowerCase()
  if (email === '') return false
  return wanted.includes('.') ? host === wanted : ownLabel(host) === wanted
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
