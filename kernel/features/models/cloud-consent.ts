/**
 * Proposes to the owner that cloud models may read data of one template (D-03, D-07, F-01): a card at home, approved in another
 * message. Never offered for regulated data (D-04). Must not widen anything; change.ts applies it, `revokeGrant` ends it. Called
 * by home-ports.ts.
 */

import type { CloudGrant } from '../../flow/grant.ts'
import { rankOf } from '../../flow/level.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, type Result } from '../../flow/verdict.ts'
import { isRegulated } from '../../inference/router.ts'
import type { AskingTime, Models, OwnerChats, PolicySource, Templates } from '../../powers/ports.ts'
import type { ApprovalStore, GrantStore, StoreOf } from '../../powers/stores.ts'
import { matchTemplate } from '../../template/template.ts'
import { propose } from '../approvals/change.ts'
import type { Proposer } from '../approvals/port.ts'
import type { DeliverPorts } from '../deliveries/deliver.ts'
import { cloudGrantCard } from '../grants/grant-card.ts'
import { acknowledgesCloud } from './consent.ts'

/** Days that the grant lasts: one that nobody reviewed for a year is assumed forgotten. */
const CLOUD_GRANT_DAYS = 365
/** Milliseconds. */
const DAY = 86_400_000

/** Ports needed to propose cloud consent. */
type ProposeCloudPorts = DeliverPorts &
  Templates &
  Models &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

/**
 * `named`: null for the template of the chat of the request. Refusals: template_none_matches; declassification_forbidden for a
 * template that may hold regulated data; nothing_found when no consent is needed because the template reads nothing above
 * `internal`, or was given already; those of `propose`.
 */
export async function proposeCloud(
  powers: ProposeCloudPorts,
  proposer: Proposer,
  named: string | null,
): Promise<Result<{ readonly approval: string }>> {
  const id = named ?? lineTemplate(powers, proposer.sink ?? '')
  const template = powers.templates.find((candidate) => candidate.id === id)
  if (template === undefined) return err('template_none_matches', { template: id })
  if (isRegulated(template.ceiling)) return err('declassification_forbidden', { template: id })
  if (rankOf(template.ceiling.level) <= rankOf('internal')) return err('nothing_found', { template: id })
  if (acknowledgesCloud(powers, id)) return err('nothing_found', { template: id })
  const createdAt = powers.now()
  const grant: CloudGrant = {
    ...{ kind: 'cloud', id: powers.newId(), template: id, createdAt, perDay: 0, revoked: false },
    expiresAt: createdAt + CLOUD_GRANT_DAYS * DAY,
  }
  const clouds = powers.models
    .filter(({ reader }) => reader.locality === 'cloud')
    .map(({ reader }) => reader.id)
  const card = receive(cloudGrantCard(template, grant, clouds), kernelWords())
  return propose(powers, proposer, { kind: 'cloud_opt_in', change: { do: 'grant', grant }, card })
}

/** Template of the owner's messages in a chat, as this place answers them; empty for a chat that has none. */
export function lineTemplate({ templates, policy }: Templates & PolicySource, sink: string): string {
  const carried = policy().sinks.find(({ id }) => id === sink)?.carries
  if (carried !== undefined) return carried
  const [, adapter = ''] = sink.split(':')
  const query = { adapter, kind: 'message', class: 'owner', intent: null } as const
  const found = matchTemplate(
    templates.filter(({ sinks }) => sinks.includes(sink)),
    query,
  )
  return found.ok ? found.value.id : ''
}
