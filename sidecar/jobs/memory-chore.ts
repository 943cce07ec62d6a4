/**
 * The weekly consolidation of memory. Afterwards the assistant's description of itself is renewed, for the next prompt and for
 * the edge (G-22, M-19). Must not choose when it runs. Called by home-jobs.ts.
 */
import { type Consolidated, consolidate } from '../../kernel/features/memory/consolidate.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Wired } from '../home/wiring.ts'

export async function consolidateMemory({
  powers,
  renewed,
}: {
  readonly powers: Parameters<typeof consolidate>[0]
  readonly renewed: Wired['renewed']
}): Promise<Result<Consolidated>> {
  const done = await consolidate(powers, OWNER_PRINCIPAL)
  renewed('memory')
  return ok(done)
}
