/**
 * Suggested contacts from mail, an address book or a model: which are new, and adding those that the owner approved on a card.
 * Their texts keep label and taint. Must not decide whether to ask. Called by home-effects.ts.
 */
import { standsIn } from '../../call/values/literals.ts'
import { digestOf } from '../../flow/digest.ts'
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { MEMORY_SINK } from '../../powers/effects.ts'
import type { Contact, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { ReasonCode } from '../../reasons.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { showTo } from '../deliveries/deliver.ts'
import { addContact, type ContactPorts, createContacts, isName } from './contacts.ts'
import { MOST_SUGGESTED } from './effects.ts'

type Values = Readonly<Record<string, Json>>

/** Words made of letters only, so that no sentence, address or symbol counts as a name. */
const NAME = /^\p{L}[\p{L}\p{M}.'’-]{0,39}(?: \p{L}[\p{L}\p{M}.'’-]{0,39}){0,3}$/u

/** Refusals: principal_not_allowed; tool_unavailable at a place without contacts; those of adding one. */
export async function runContact(
  powers: ContactPorts & OwnerFacts,
  task: Task,
  { action, args, approval }: ContactCall,
): Promise<Result<Labeled<Values>>> {
  if (task.principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
  if (powers.contactBook === undefined) return err('tool_unavailable')
  if (action === 'contact.new') return ok(unknownOf(powers, args))
  return action === 'contact.which' ? ok(whichOf(powers, args)) : add(powers, task, { args, approval })
}

export interface ContactCall {
  readonly action: string
  readonly args: Labeled<Values>
  /** Spent by this call; null for one that needed none. */
  readonly approval: string | null
}

/**
 * The contact whose address a call would change, for its card. The row binds the present address, so an approval does not cover
 * another one.
 */
function whichOf({ profile }: OwnerFacts, args: Labeled<Values>): Labeled<Values> {
  const known = receive<Json>(profile().contacts as unknown as Json, kernelWords())
  return combine<Json, Values>([args, known], ([values, all]) => {
    const { name, change } = values as Values
    const [meant] =
      change === true ? (all as unknown as readonly Contact[]).filter((one) => isName(name, one)) : []
    if (meant === undefined) return {}
    const { name: own, email } = meant
    return { contact: `${own} · ${email}`, row: digestOf([own, email]).slice(0, ROW_DIGITS) }
  })
}

/** Hex digits of the digest that identifies a contact with its address. */
const ROW_DIGITS = 16

/** People of the call who are not in the contacts, by address or by name: a second Tom must be added by hand. */
function unknownOf({ profile }: OwnerFacts, args: Labeled<Values>): Labeled<Values> {
  const known = receive<Json>(
    profile().contacts.flatMap(({ name, email }) => [name.toLowerCase(), email.toLowerCase()]),
    kernelWords(),
  )
  return combine<Json, Values>([args, known], ([values, taken]) => {
    const own = new Set((taken ?? []) as readonly string[])
    const isNew = ({ name, email }: Contact): boolean =>
      !own.has(name.toLowerCase()) && !own.has(email.toLowerCase())
    const people = peopleIn(values as Values).filter(isNew)
    const shown = people.slice(0, MOST_SUGGESTED) as unknown as Json
    const more = people.length - MOST_SUGGESTED
    return more > 0 ? { people: shown, more } : { people: shown }
  })
}

async function add(
  powers: ContactPorts,
  task: Task,
  { args, approval }: Omit<ContactCall, 'action'>,
): Promise<Result<Labeled<Values>>> {
  const text = derive(args, (values) => JSON.stringify(peopleIn(values)))
  const open = showTo(powers, { sink: MEMORY_SINK[powers.place], principal: task.principal }, text)
  if (!open.ok) return open
  const people = JSON.parse(open.value) as readonly Contact[]
  const isNamed = test(args, (values) => values['people'] !== undefined || peopleIn(values).length > 0)
  if (!isNamed) return err('tool_arguments_invalid')
  let [added, changed] = [0, 0]
  for (const [at, person] of people.entries()) {
    const words = derive(args, (values) => {
      const { name = '', email = '' } = peopleIn(values)[at] ?? {}
      return `${name}\n${email}`
    })
    const source = args.taint.level === 'clean' ? 'typed' : 'confirmed'
    const done = NAME.test(person.name)
      ? await addContact(powers, task, { ...person, source, words })
      : err('contact_malformed')
    if (done.ok) added += 1
    else if (await isChanged(powers, { task, args, approval, person, code: done.reason.code })) changed += 1
    else if (done.reason.code !== 'contact_exists' && done.reason.code !== 'contact_malformed') return done
  }
  const left = people.length - added - changed
  return ok(
    derive(args, ({ people: _, name: _n, email: _e, change: _c, row: _r, ...besides }) => ({
      ...{ added, left, ...besides },
      ...(changed > 0 && { changed }),
    })),
  )
}

interface Known extends Omit<ContactCall, 'action'> {
  readonly task: Task
  readonly person: Contact
  readonly code: ReasonCode
}

/**
 * Changes the address of the contact of that name if the owner typed the new address; text of others changes none. A name that a
 * plan took from the conversation is shown on the card, with the contact as it is.
 */
async function isChanged(
  powers: ContactPorts,
  { task, args, approval, person, code }: Known,
): Promise<boolean> {
  const isAsked = test(args, ({ change }) => change === true)
  if (!isAsked || code !== 'contact_exists') return false
  const isOwn =
    args.taint.level === 'clean' || (approval !== null && (await isTyped(powers, task, person.email)))
  if (!isOwn) return false
  const done = await createContacts(powers).change(task, person.name, person.email)
  return done.ok && done.value.done !== null
}

async function isTyped(powers: ContactPorts, { words }: Task, address: string): Promise<boolean> {
  const said = words.taint.level === 'clean' ? await openTextOf(powers, words) : null
  return said?.ok === true && test(said.value, (text) => standsIn(text.toLowerCase(), address.toLowerCase()))
}

function peopleIn({ people, name, email }: Values): readonly Contact[] {
  const listed = (Array.isArray(people) ? people : []) as unknown as readonly Contact[]
  return typeof name === 'string' && typeof email === 'string' ? [...listed, { name, email }] : listed
}
