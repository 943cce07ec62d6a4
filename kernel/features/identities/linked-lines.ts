/**
 * Reads lines through a link where each principal has its own object (F-15, invariant 7). The owning object checks
 * the link, the requester's ceiling and chat from its own data, and returns labelled lines; the requester checks
 * again and stores none. Must not follow a second link. Called by PrincipalObject and synthesis-view.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { parseProvenance, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { fitsTask } from '../../model-call/read-through.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AtPlace, Clock, LinkedLines, LinkService, PolicySource, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { IdentityLinkStore, StoreOf, TurnStore } from '../../powers/stores.ts'
import { commandIn } from '../../task/command.ts'
import { linkedChatsOf } from '../../task/identity-link.ts'
import type { Task } from '../../task/task.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { releaseToPlace } from '../deliveries/deliver.ts'
import { policyFor } from '../people/route.ts'
import type { Asker, LinkedLine, LiveLink } from './port.ts'

/** Maximum turns returned at once, however many are requested. */
const MOST_TURNS = 50

/**
 * Principals that this one may read now: those whose own chats are both proven. A second link is not followed to a
 * third.
 */
function partnersHere({ store }: StoreOf<IdentityLinkStore>, principal: string): readonly string[] {
  return linkedChatsOf(store.identityLinks().map(({ link }) => link)).flatMap(({ chats: [one, other] }) => {
    if (one.principal === principal) return [other.principal]
    return other.principal === principal ? [one.principal] : []
  })
}

/** Lines of `principal`, oldest first. Refusals: principal_not_allowed; template_none_matches; sink_wrong_principal. */
export async function linesFor(
  powers: Auditing & SealedReading & PolicySource & Templates & StoreOf<IdentityLinkStore & TurnStore>,
  principal: string,
  asker: Asker,
): Promise<Result<readonly LinkedLine[]>> {
  if (!partnersHere(powers, principal).includes(asker.principal)) return err('principal_not_allowed')
  const template = powers.templates.find(({ id }) => id === asker.template)
  if (template === undefined) return err('template_none_matches')
  const chat = { ...asker, place: powers.place }
  const sink = policyFor(powers.policy(), chat).sinks.find(({ id }) => id === asker.sink)
  if (sink?.principal !== asker.principal) return err('sink_wrong_principal', { sink: asker.sink })
  const fits = fitsTask(powers, { ...chat, ceiling: template.ceiling })
  const lines: LinkedLine[] = []
  for (const { words, answer } of powers.store.recentTurns(principal, Math.min(asker.turns, MOST_TURNS))) {
    for (const [who, ref] of [['person', words] as const, ['assistant', answer] as const]) {
      if (ref === null || !fits(ref.label)) continue
      const opened = await openTextOf(powers, ref)
      if (opened.ok) lines.push(...handedOut(powers, asker.template, [who, opened.value]))
    }
  }
  audit(powers, 'egress', null, { of: 'linked', sink: asker.sink, lines: lines.length })
  return ok(lines)
}

function handedOut(
  powers: Clock & PolicySource,
  template: string,
  [who, value]: readonly [LinkedLine['who'], Labeled<string>],
): readonly LinkedLine[] {
  const text = releaseToPlace(powers, value, { sink: 'sink:place:edge', template })
  return text.ok ? [{ who, text: String(text.value), label: value.label, taint: value.taint }] : []
}

/** A line and its prefix in a prompt. */
interface PrefixedLine {
  readonly text: Labeled<string>
  readonly prefix: string
}

/** What this task may read of the same person's other accounts; empty where this place's store holds everything. */
export async function linesElsewhere(
  powers: Clock & PolicySource & LinkedLines & StoreOf<IdentityLinkStore>,
  task: Task,
  turns: number,
): Promise<readonly PrefixedLine[]> {
  const { linked } = powers
  if (linked === undefined) return []
  const fits = fitsTask(powers, task)
  const { principal, sink, template } = task
  const found: PrefixedLine[] = []
  for (const partner of partnersHere(powers, principal)) {
    for (const { who, text, label, taint } of await linked(partner, { principal, sink, template, turns })) {
      const provenance = parseProvenance({ label, taint })
      if (!provenance.ok || !fits(provenance.value.label)) continue
      found.push({ text: receive(text, provenance.value), prefix: `${who} (in another chat): ` })
    }
  }
  return found
}

export async function unlink(powers: AtPlace & LinkService, words: Labeled<string>): Promise<string> {
  const links = (await powers.links?.live()) ?? []
  if (links.length === 0) return tell('identities.none_here')
  const isBare = test(words, (text) => commandIn(text)?.rest === '')
  const said = isBare ? links : links.filter((link) => isMeant(words, link))
  if (said.length === 0) return listOf('identities.not_there', links)
  const [only, ...others] = said
  if (only === undefined || others.length > 0) return listOf('identities.which', said)
  const ended = await powers.links?.end(only.id)
  if (ended?.ok !== true)
    return tell('identities.still_holds', { why: wordsFor(ended?.reason.code ?? 'identity_unknown') })
  const unlinked = powers.place === 'home' ? 'identities.unlinked_here' : 'identities.unlinked_at_edge'
  return tell(unlinked, { names: lineOf(only) })
}

function listOf(saying: 'identities.which' | 'identities.not_there', links: readonly LiveLink[]): string {
  return [tell(saying), ...links.map(lineOf)].join('\n')
}

function lineOf(link: LiveLink): string {
  return namesOf(link).join(' and ')
}

/** Matches one account of the link, or both. */
function isMeant(words: Labeled<string>, link: LiveLink): boolean {
  const names = namesOf(link).map((name) => name.toLowerCase())
  return test(words, (text) =>
    (commandIn(text)?.rest.toLowerCase() ?? '').split(/\s+/).every((said) => names.includes(said)),
  )
}

function namesOf({ ends }: LiveLink): readonly string[] {
  return ends.map(nameOf)
}

/** `<adapter>:1001`, the form that `pfar identities` accepts; `owner` is the owner. */
function nameOf(principal: string): string {
  return principal.replace(/^principal:/, '').replace(/^([^:]+):peer:/, '$1:')
}
