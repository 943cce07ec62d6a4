/**
 * The policy after the owner granted a compartment to chats. Computed for each check from
 * the grants, so a revocation takes effect at once. Must not raise a level, and must not apply
 * to a sink that anybody but the owner reads or that the edge holds. Called by home's powers.
 */
import type { CompartmentGrant, Grant } from './grant.ts'
import type { Compartment } from './level.ts'
import type { Policy } from './policy.ts'
import { guardOf, type Sink } from './sink.ts'

/** Grants of compartments that are not revoked or expired. `now`: epoch milliseconds. */
export function liveCompartments(grants: readonly Grant[], now: number): readonly CompartmentGrant[] {
  return grants.filter(
    (grant): grant is CompartmentGrant =>
      grant.kind === 'compartment' && grant.revoked === false && grant.expiresAt > now,
  )
}

export function withCompartments(policy: Policy, grants: readonly Grant[], now: number): Policy {
  return liveCompartments(grants, now).reduce(withOne, policy)
}

function withOne(policy: Policy, { sink: id, compartment }: CompartmentGrant): Policy {
  const sink = policy.sinks.find((candidate) => candidate.id === id)
  if (sink === undefined || !mayHold(policy, sink, compartment)) return policy
  const guard = guardOf('regulated', compartment)
  const raised: Sink = { ...sink, compartments: [...new Set([...sink.compartments, compartment])].sort() }
  return {
    ...policy,
    sinks: policy.sinks.map((one) => (one.id === id ? raised : one)),
    allowLists: policy.allowLists.map((list) =>
      list.guard === guard ? { ...list, patterns: [...list.patterns, id] } : list,
    ),
  }
}

/**
 * Whether the owner may grant this compartment to this chat: the chat is at home and
 * read by the owner alone, and the compartment has a list of sinks.
 */
export function mayHold(policy: Policy, sink: Sink, compartment: Compartment): boolean {
  const isOwners = sink.principal === policy.owner && sink.audience === 'sole' && sink.place === 'home'
  return isOwners && policy.allowLists.some(({ guard }) => guard === guardOf('regulated', compartment))
}
