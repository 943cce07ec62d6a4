/**
 * What an edge in an attacker's hands asks of home (T5): every read that there is, in the name of the owner, under a template
 * that fits the edge and allows it. Home's own checks are all that stands between. Called by t5-secrets.ts.
 */
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import { serveHomeCall } from '../../kernel/runtime/serve.ts'
import { plainArguments } from './entropy.ts'
import type { World } from './world.ts'

/** A template that no place ships, as wide as one of the edge could be. */
const WIDE = 'edge_asks'
/** Milliseconds for which the edge would wait. */
const WAITS = 60_000

/** The answers as they would lie in the tunnel's outbox, by tool. */
export async function askedByEdge({ powers, clock }: World): Promise<readonly string[]> {
  const [shipped] = powers.templates
  if (shipped === undefined) throw new Error('a world without a template')
  const reads = [...powers.registry.actions.values()].filter(({ semantics }) => semantics === 'read')
  const tools = reads.map(({ id }) => id)
  const wide = { ...shipped, id: WIDE, ceiling: { level: 'internal', compartments: [] }, tools } as const
  const home = { ...powers, templates: [...powers.templates, wide] }
  const answers: string[] = []
  for (const { id: tool, args } of reads) {
    const answer = await serveHomeCall(home, {
      ...{ id: `edge:${tool}`, task: 'edge', step: 0, trace: 'edge', template: WIDE, tool },
      ...{ principal: powers.policy().owner, args: plainArguments(args) as Json },
      provenance: { label: { atoms: [] }, taint: { level: 'clean', origins: [], touchedBy: [] } },
      deadline: clock.now + WAITS,
    })
    answers.push(`${tool} ${canonicalJson(answer as unknown as Json)}`)
  }
  return answers
}
