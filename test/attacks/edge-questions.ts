/**
 * What an edge in an attacker's hands asks of home (T5): every read that there is, in the name of the owner and of a stranger, under
 * templates that fit the edge and allow it. Home's own checks are all that stands between. Called by t5-secrets.ts.
 */

import { serveHomeCall } from '../../kernel/features/models/serve.ts'
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import type { Template } from '../../kernel/template/template.ts'
import { plainArguments } from './entropy.ts'
import type { World } from './world.ts'

/** Templates that no place ships, as wide as those of the edge could be, by who asks. */
const OWNER = { template: 'edge_asks', class: 'owner' } as const
const STRANGER = {
  template: 'edge_asks_for_others',
  class: 'third_party',
  principal: 'principal:telegram:peer:eve',
  sink: 'sink:telegram:eve',
} as const
/** Milliseconds for which the edge would wait. */
const WAITS = 60_000

/** The answers as they would lie in the tunnel's outbox, by tool. */
export async function askedByEdge({ powers, clock }: World): Promise<readonly string[]> {
  const [shipped] = powers.templates
  if (shipped === undefined) throw new Error('a world without a template')
  const reads = [...powers.registry.actions.values()].filter(({ semantics }) => semantics === 'read')
  const tools = reads.map(({ id }) => id)
  const ceiling = { level: 'internal', compartments: [] } as const
  const wide = [OWNER, STRANGER].map(({ template: id, class: principalClass }): Template => {
    const triggers = [`adapter:telegram:message:${principalClass}`]
    return { ...shipped, id, principalClass, triggers, sinks: ['reply_to_sender'], ceiling, tools }
  })
  const home = { ...powers, templates: [...powers.templates, ...wide] }
  const askers = [{ ...OWNER, principal: powers.policy().owner }, STRANGER]
  const answers: string[] = []
  for (const [{ id: tool, args }, { class: asker, ...named }] of reads.flatMap((read) =>
    askers.map((each) => [read, each] as const),
  )) {
    const answer = await serveHomeCall(home, {
      ...{ id: `edge:${asker}:${tool}`, task: 'edge', step: 0, trace: 'edge', tool },
      ...{ ...named, args: plainArguments(args) as Json },
      provenance: { label: { atoms: [] }, taint: { level: 'clean', origins: [], touchedBy: [] } },
      deadline: clock.now + WAITS,
    })
    answers.push(`${asker} ${tool} ${canonicalJson(answer as unknown as Json)}`)
  }
  return answers
}
