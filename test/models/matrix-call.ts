/**
 * One row of the matrix as a call: a canary with the row's label, the owner's recorded acknowledgement, and the models that were
 * called.
 */

import { acknowledgesCloud } from '../../kernel/features/models/consent.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { createLabeled } from '../../kernel/flow/labeled.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { callModel, type FailedModel } from '../../kernel/inference/router.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { StoredGrant } from '../../kernel/powers/stores.ts'
import { modelCall } from './call.ts'
import { atomOf, type Row } from './matrix.ts'

const TEMPLATE = 'matrix'

export function canaryOf({ ceiling, guard, acknowledged, place, home }: Row): string {
  return ['canary', ceiling, guard, acknowledged ? 'yes' : 'no', place, home ? 'on' : 'off'].join('-')
}

/** Calls the whole chain; every model that may read the canary is called, since none answers. */
export async function askAll(row: Row, models: readonly ModelProvider[]): Promise<readonly FailedModel[]> {
  const { ceiling, guard, acknowledged, place } = row
  const label = labelOf([{ origin: 'tool:test', field: 'text', ...atomOf(guard) }])
  const content = createLabeled({ text: canaryOf(row) }, { label, taint: CLEAN })
  const { level, compartment } = atomOf(ceiling)
  const call = modelCall({
    models,
    ceiling: { level, compartments: compartment === null ? [] : [compartment] },
    cloudRiskAcknowledged: acknowledgesCloud(recorded(acknowledged, place), TEMPLATE),
  })
  const contents = [{ root: 's1', action: 'test.read', content }]
  const reply = await callModel({ ...call, retries: 0, request: { ...call.request, contents } })
  return reply.ok ? [] : reply.failed
}

/** The stored acknowledgement. */
function recorded(acknowledged: boolean, place: Row['place']): Pick<Powers, 'place' | 'store' | 'now'> {
  const grant = {
    kind: 'cloud',
    id: 'g1',
    template: TEMPLATE,
    createdAt: 0,
    expiresAt: 2,
    perDay: 0,
    revoked: false,
  }
  const grants = acknowledged ? [{ grant } as StoredGrant] : []
  return { place, now: () => 1, store: { grants: () => grants } as unknown as Powers['store'] }
}
