/**
 * Plans for messages that refer to earlier results: what was sent is searched in the sent mail only, and a
 * pronoun refers to the result that was shown last. Asks back instead of showing another result. Pure. Passed
 * to the planner by home, which alone has mail.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { CONTACTS_ROOT, type Plan } from '../../../../kernel/task/plan.ts'
import { type Back, backIn, isPronoun } from '../../../extractors/message/message-back.ts'
import { shownThings } from '../../../tools/phrase.ts'
import { plannedSteps } from '../../../tools/planned.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { fieldOf, itemsOf, textOf } from '../answers/content.ts'
import type { HomeRules } from '../home-rules.ts'
import { pastSpan } from '../reminders/past.ts'
import { saidOf } from '../said.ts'
import { call, nothing, ref, steps } from '../steps.ts'
import { namesService } from '../world.ts'
import { askedAtHome } from './asked-at-home.ts'
import { forwardedWith } from './chosen-files.ts'
import { mailedEvent } from './from-mail.ts'
import { invitedPlan } from './new-guests.ts'
import { openingPlan } from './opening.ts'
import { ageOf, resultsOf, shownRow } from './shown.ts'

const [LIST, SEARCH, READ] = ['email.list', 'email.search', 'email.read'] as const
const [HEARD, DIGEST] = ['email.heard', 'email.digest'] as const
/** Actions whose card shows a mail to be sent. */
const SENDS = /^email\.(?:send|reply|forward)/

/** A condition: the message asks for more than a lookup. */
const CONDITION = /(?<!\p{L})(?:if not|if (?:he|she|they|it|that|so|nothing)|wenn|falls)(?!\p{L})/iu

const IT = '(?:it|that|this|them|(?:the|this|that|my) (?:mail|email|text|message|reply|answer|note))'
const DAS = '(?:das|es|sie|ihn|(?:den|die|diesen|diese|meine) (?:text|mail|e-mail|nachricht|antwort))'
const HOW =
  '(?:more|less) \\p{L}+|(?:polite|nice|short|long|friendlie|warme|briefe|cleare|simple|kinde|softe|gentle|firme)r?|formal|casual|differently|better'
/** Another tone or length for a text, in words that say nothing of it: only a model can write that. */
const REWORDS = new RegExp(
  `^(?:(?:please|can you|could you|now|and) )*(?:(?:make|word|phrase|write|put) ${IT} (?:(?:sound|a bit|a little|somewhat|much) )*(?:${HOW})|(?:reword|rephrase|rewrite|polish|shorten) ${IT})(?:,? please)?[\\s.!?]*$|^(?:(?:bitte|kannst du|könntest du|und) )*(?:(?:mach|formulier|schreib)e? ${DAS} (?:(?:bitte|mal|etwas|ein bisschen|viel|noch) )*(?:\\p{L}{3,}er|anders|um|neu)|(?:kürz|überarbeit)e? ${DAS})(?: (?:bitte|machen|formulieren|schreiben))*[\\s.!?]*$`,
  'iu',
)

export const LOOKS_BACK: Pick<HomeRules, 'back' | 'sender'> = { back: backPlan, sender: withSender }

/** Null for any other message, and if nothing was shown that it could refer to. */
function backPlan(parts: PromptParts): Plan | null {
  if (REWORDS.test(parts.request.trim()) && isWaiting(parts, null)) return nothing('cannot_reword')
  const back = CONDITION.test(parts.request) ? null : backIn(parts.request)
  if (back === null)
    return mailedEvent(parts) ?? invitedPlan(parts) ?? forwardedWith(parts) ?? askedAtHome(parts)
  if (back.at === 'sent') {
    const isElsewhere = saidOf(parts).services.length > 0 || namesService(parts.request)
    return isElsewhere ? null : sentPlan(back, parts)
  }
  if (back.at === 'event') return eventAgain(parts)
  if (back.at === 'unanswered') return steps(call('s1', DIGEST, { asking: true }))
  if (back.at === 'writer') return writerOfLast(parts)
  if (back.at === 'heard') return heardPlan(back.who, parts)
  if (back.one === null) return lastShown(parts)
  return openingPlan({ ...parts, request: `show ${back.one}` }) ?? nothing('which_mail')
}

function sentPlan(
  { to: name, about, isWhether, isOne, isTimed }: Back & { at: 'sent' },
  parts: PromptParts,
): Plan {
  const who = name === null ? contactIn(parts) : name === '' ? null : addressed(name, parts)
  if (isWhether && isWaiting(parts, who)) return nothing('sent_waits')
  const { from, to } = isTimed ? pastSpan(parts) : {}
  const span = { ...(from !== undefined && { since: from }), ...(to !== undefined && { before: to }) }
  const args = {
    in: 'sent',
    ...(who !== null && { to: who }),
    ...(about !== null && { words: about }),
    ...span,
  }
  // Without recipient, time or topic the newest sent mail is meant, which needs no search.
  const isAny = who === null && from === undefined && about === null
  const tool = isAny ? LIST : SEARCH
  // "Did I write to Tom?" is answered by the list of mails; only a request for one mail opens it.
  if (!isOne || (isWhether && !isAny)) return steps(call('s1', tool, args as never))
  return steps(call('s1', tool, { ...args, count: 1 } as never), {
    ...call('s2', READ, { id: ref('s1.emails[0].id') }),
    when: { ref: 's1.emails', is: 'not_empty' },
  })
}

/** What came from somebody since the owner wrote to them; by the address of a contact, as anybody can take a name. */
function heardPlan(who: string, parts: PromptParts): Plan | null {
  const isElsewhere = saidOf(parts).services.length > 0 || namesService(parts.request)
  return isElsewhere ? null : steps(call('s1', HEARD, { from: addressed(who, parts) }))
}

/** The mails of whoever wrote what was shown last, which name and address stand in; what nobody wrote is shown again. */
function writerOfLast(parts: PromptParts): Plan | null {
  const last = openedLast(parts)
  const { writer } = last?.thing ?? {}
  return last === null || writer === undefined
    ? lastShown(parts)
    : steps(call('s1', writer.tool, { [writer.argument]: ref(`${last.path}.${writer.address}`) }))
}

/** Contacts that the reading found in the message. */
function contactsIn({ metadata }: PromptParts): readonly Json[] {
  const fields = metadata.find(({ root }) => root === CONTACTS_ROOT)?.fields as Json | undefined
  return itemsOf(fieldOf(fields, 'people'), 'items')
}

/** The one contact that the message names; null if that is none, or several. */
function contactIn(parts: PromptParts): Json | null {
  const words = parts.request.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const fits = contactsIn(parts).flatMap((one, at) => {
    const [first = ''] = textOf(fieldOf(one, 'email'), 'known').toLowerCase().split(' ')
    return words.includes(first) ? [at] : []
  })
  return fits.length === 1 ? { $ref: `${CONTACTS_ROOT}.people[${fits[0]}].email` } : null
}

/** A reference to the one contact of that name, else the name itself. */
function addressed(name: string, parts: PromptParts): Json {
  const fits = contactsIn(parts).flatMap((one, at) =>
    calledSo(textOf(fieldOf(one, 'email'), 'known'), name) ? [at] : [],
  )
  const [only, ...others] = fits
  return only === undefined || others.length > 0 ? name : { $ref: `${CONTACTS_ROOT}.people[${only}].email` }
}

function calledSo(known: string, name: string): boolean {
  const words = known.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .every((word) => words.includes(word))
}

/**
 * Whether the card of a mail waits for an answer. With `who`, cards to other known recipients do not count.
 */
function isWaiting({ metadata, request }: PromptParts, who: Json | null): boolean {
  return metadata.some(({ root, action, fields }) => {
    if (!/^(?:q\d|waiting)/.test(root) || !SENDS.test(action)) return false
    const to = fieldOf(fields as Json, 'to')
    // Of one that says nothing of whom it goes to, nothing is said of somebody who is named.
    if (to === undefined && who !== null) return false
    const known = [to, ...itemsOf(to ?? null, 'items')]
      .map((one) => textOf(one ?? null, 'known'))
      .filter((name) => name !== '')
    const isToOthers =
      known.length > 0 &&
      !known.some((name) =>
        name
          .toLowerCase()
          .split(' ')
          .some((word) => request.toLowerCase().includes(word)),
      )
    return who === null || !isToOthers
  })
}

const THINGS = shownThings(TOOL_PHRASES).filter(({ opens }) => opens !== undefined)

/** A plan that shows the last result again, whole. */
export function lastShown(parts: PromptParts): Plan | null {
  const last = openedLast(parts)
  if (last === null) return null
  const own = plannedSteps(last.thing.opens ?? [], { one: last.path }) as unknown as Plan['steps']
  return { steps: own, explanation: '' }
}

function openedLast(
  parts: PromptParts,
): { readonly thing: (typeof THINGS)[number]; readonly path: string } | null {
  const [last] = THINGS.flatMap((thing) => {
    const path = shownRow(thing, 'it', parts)
    return path === null ? [] : [{ thing, path }]
  }).toSorted((a, b) => ageOf(a.path) - ageOf(b.path))
  return last ?? null
}

/** The declaration of which results count as one event: the result itself, or a list with one row. */
const EVENTS = TOOL_PHRASES.flatMap(({ asks }) => asks).find(({ picks }) => picks !== undefined)?.picks

/**
 * Shows the event of the conversation at its time. If a mail was shown later, shows that mail, which may
 * contain the event.
 */
function eventAgain(parts: PromptParts): Plan | null {
  if (EVENTS === undefined) return null
  const { talked, list, tool, unknown } = EVENTS
  const mail = openedLast(parts)
  const found = resultsOf(list, parts.metadata).find(
    ({ action, rows }) => Object.hasOwn(talked, action) && (talked[action] === null || rows.length > 0),
  )
  const age = found === undefined ? Number.POSITIVE_INFINITY : ageOf(found.root)
  if (mail !== null && ageOf(mail.path) < age) return lastShown(parts)
  if (found === undefined || (talked[found.action] !== null && found.rows.length > 1)) return nothing(unknown)
  const path = talked[found.action] === null ? found.root : `${found.root}.${list}[0]`
  return steps(call('s1', tool, { from: ref(`${path}.from`), to: ref(`${path}.to`) }))
}

/**
 * Replaces a pronoun in a sender argument by whoever wrote the result that was shown last. A plan that would
 * search for the pronoun itself is rejected.
 */
function withSender(plan: Plan, parts: PromptParts, person: string): Plan {
  const writers = shownThings(TOOL_PHRASES).filter(({ writer }) => writer !== undefined)
  let isOpen = false
  const own = plan.steps.map((step) => {
    if (step.do !== 'tool') return step
    const thing = writers.find(({ lists }) => lists.includes(step.tool))
    const value = thing === undefined ? undefined : step.args[thing.writer?.argument ?? '']
    if (thing?.writer === undefined || value === undefined) return step
    const text = typeof value === 'string' ? value : isPerson(value) ? person : ''
    if (!isPronoun(text)) return step
    const row = shownRow(thing, 'it', parts)
    if (row === null) isOpen = true
    return row === null
      ? step
      : { ...step, args: { ...step.args, [thing.writer.argument]: ref(`${row}.${thing.writer.address}`) } }
  })
  return isOpen ? nothing('which_sender') : { ...plan, steps: own }
}

function isPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, '$ref') === 'said.person'
}
