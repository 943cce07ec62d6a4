/**
 * Route: event → principal → label and taint → template → place (B-28, DESIGN §3). Uses only what the adapter
 * authenticated and the owner configured; content decides nothing except the intent. Must not store or run anything.
 * Called by intake.ts.
 */

import { levelOfWords } from '../../flow/both-lines.ts'
import { ASKER } from '../../flow/grant.ts'
import { joinProvenance, type Provenance } from '../../flow/labeled.ts'
import { type Place, placeFor } from '../../flow/place.ts'
import type { Policy } from '../../flow/policy.ts'
import { ownerWords, quotedWords, strangerWords } from '../../flow/provenance.ts'
import type { Sink } from '../../flow/sink.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type {
  AtPlace,
  ChatServices,
  Clock,
  Extraction,
  OwnerFacts,
  PolicySource,
  Principals,
  Templates,
} from '../../powers/ports.ts'
import type { IdentityLinkStore, StoreOf } from '../../powers/stores.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { type InboundEvent, parseEvent } from '../../task/event.ts'
import { classInLinks } from '../../task/identity-link.ts'
import { type Principal, parsePrincipalId, principalOf } from '../../task/principal.ts'
import { matchTemplate, REPLY_TO_SENDER, type Template } from '../../template/template.ts'
import { templatesOff } from '../templates/off.ts'
import { agreementOf, directoryOf } from './person-of.ts'
import type { AgreementStore } from './port.ts'

export interface Routed {
  readonly event: InboundEvent
  readonly principal: Principal
  readonly template: Template
  /** Label and taint of the sender's words. */
  readonly words: Provenance
  /** The same for quoted text; null unless the sender is the owner. */
  readonly quoted: Provenance | null
  readonly sink: string
  readonly place: Place
}

/** Sender of the event, and its chat. */
export interface Sent {
  readonly event: InboundEvent
  readonly principal: Principal
  readonly chat: Sink
}

/** Refusals: those of the event. */
export function sentBy(
  powers: Clock & PolicySource & Principals & StoreOf<IdentityLinkStore & AgreementStore>,
  input: unknown,
): Result<Sent> {
  const parsed = parseEvent(input)
  if (!parsed.ok) return parsed
  const event = parsed.value
  const directory = directoryOf(powers)
  const known = principalOf(event.source, directory)
  const links = powers.store.identityLinks().map(({ link }) => link)
  const principal = { id: known.id, class: classInLinks(known, links, directory) }
  return ok({ event, principal, chat: chatSink(powers.policy(), event, principal) })
}

/** Ports needed to select the template of an event. */
export type RoutePorts = Clock &
  AtPlace &
  OwnerFacts &
  ChatServices &
  Templates &
  Extraction &
  StoreOf<AgreementStore>

export function routeEvent(powers: RoutePorts, { event, principal, chat: sink }: Sent): Result<Routed> {
  const level = levelOfWords(sink, event.place)
  const isOwner = principal.class === 'owner'
  const words = isOwner
    ? ownerWords(sink.id, level)
    : strangerWords(sink.id, sourceOf(powers, event, principal))
  const matched = templateFor(powers, { event, principal, chat: sink })
  if (!matched.ok) return matched
  const template = matched.value
  const label = joinProvenance(words).label
  const place = placeFor({ ceiling: template.ceiling.level, channel: event.place, label })
  if (place !== powers.place) return err('place_not_cleared', { place: powers.place, template: template.id })
  const quoted = isOwner ? quotedWords(sink.id, level) : null
  return ok({ event, principal, template, words, quoted, sink: sink.id, place })
}

/**
 * Row of the provenance table for data from an adapter and a sender other than the owner. An adapter that
 * the table does not know has no row, so its data is `sensitive`.
 */
function sourceOf(
  { chats }: ChatServices,
  { source: { adapter } }: InboundEvent,
  { id, class: as }: Principal,
): string {
  const isHook = adapter === 'webhook'
  if (!isHook && !Object.hasOwn(chats, adapter)) return `adapter:${adapter}`
  if (as === 'paired') return 'paired_message'
  if (isHook) return 'webhook_payload'
  const name = parsePrincipalId(id)
  return name.ok && name.value.kind === 'member' ? 'member_message' : 'third_party_message'
}

/**
 * Templates that the owner switched off are left out for everybody (L-03). A paired person may start the agreed templates, in the
 * agreed chat only (B-04).
 */
function templatesFor(
  powers: Clock & Templates & StoreOf<AgreementStore>,
  { id, class: as }: Principal,
  sink: string,
): readonly Template[] {
  if (as === 'owner') return powers.templates
  const off = templatesOff(powers)
  const open = powers.templates.filter((template) => !off.includes(template.id))
  if (as !== 'paired') return open
  const agreement = agreementOf(powers, id)
  const agreed = agreement?.sink === sink ? agreement.templates : []
  return open.filter((template) => agreed.includes(template.id))
}

/** A template that may answer in this chat: two lines over one platform have a template each. */
function templateFor(
  powers: Clock & OwnerFacts & Templates & Extraction & StoreOf<AgreementStore>,
  { event, principal, chat }: Sent,
): Result<Template> {
  const templates = templatesFor(powers, principal, chat.id)
  const answers = ({ sinks }: Template): boolean => sinks.includes(chat.id) || sinks.includes(REPLY_TO_SENDER)
  const here = templates.filter(answers)
  const query = {
    adapter: event.source.adapter,
    kind: event.kind,
    class: principal.class,
    intent: intentOf(powers, here, event),
  }
  const matched = matchTemplate(here, query)
  const carried = templates.filter(({ id }) => id === chat.carries)
  // A template that names the intent is narrower, and answers without home.
  if (carried.length > 0 && !(matched.ok && matched.value.intents.length > 0)) {
    const atHome = matchTemplate(carried, query)
    if (atHome.ok) return atHome
  }
  if (matched.ok) return matched
  const elsewhere = matchTemplate(templates, query)
  return elsewhere.ok ? err('sink_not_of_task', { sink: chat.id, template: elsewhere.value.id }) : matched
}

/**
 * A chat is a sink. Known ones are in the policy; any other belongs to a stranger: public, and private to that person
 * unless it is a group.
 */
function chatSink(policy: Policy, event: InboundEvent, principal: Principal): Sink {
  const id = `sink:${event.source.adapter}:${event.source.chat}`
  const known = policy.sinks.find((sink) => sink.id === id)
  return known ?? strangerSink(id, { principal: principal.id, place: event.place, group: event.source.group })
}

/** The policy for one task, with its own chat among the sinks. */
export function policyFor(
  policy: Policy,
  chat: { readonly sink: string; readonly principal: string; readonly place: Place },
): Policy {
  if (policy.sinks.some((sink) => sink.id === chat.sink)) return policy
  const name = parsePrincipalId(chat.principal)
  const group = !name.ok || name.value.kind === 'group'
  const sink = strangerSink(chat.sink, { ...chat, group })
  // A grant for any requester applies to this chat, if that person is its only reader.
  const granted = policy.flowGrants.map((grant) =>
    grant.sink === ASKER && !group ? { ...grant, sink: sink.id } : grant,
  )
  return { ...policy, sinks: [...policy.sinks, sink], flowGrants: granted }
}

function strangerSink(
  id: string,
  chat: { readonly principal: string; readonly place: Place; readonly group: boolean },
): Sink {
  const { principal, place, group } = chat
  return { id, level: 'public', compartments: [], place, principal, audience: group ? 'many' : 'sole' }
}

/** Evaluated only when one of these templates is selected by intent or matter, so that intake stays cheap. */
function intentOf(
  powers: Clock & OwnerFacts & Extraction,
  templates: readonly Template[],
  event: InboundEvent,
): string | null {
  if (!templates.some((template) => template.intents.length > 0)) return null
  const { timezone } = powers.profile()
  const fields = typedFields(powers, event.text, { now: powers.now(), timezone, again: true })
  const field = (name: 'matter' | 'intent'): unknown =>
    Object.hasOwn(fields, name) ? fields[name] : undefined
  const named = field('matter') ?? field('intent')
  return typeof named === 'string' ? named : null
}
