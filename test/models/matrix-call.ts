/** A row of the matrix as a call: a canary guarded as the row says, the owner's recorded word, and who was asked. */

import { labelOf } from '../../kernel/flow/label.ts'
import { createLabeled } from '../../kernel/flow/labeled.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { callModel, type FailedModel } from '../../kernel/inference/router.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { acknowledgesCloud } from '../../kernel/powers/consent.ts'
import type { StoredGrant } from '../../kernel/powers/stores.ts'
import { modelCall } from './call.ts'
import { atomOf, type Row } from './matrix.ts'

const TEMPLATE = 'matrix'

export function canaryOf({ ceiling, guard, acknowledged, place, home }: Row): string {
  return ['canary', ceiling, guard, acknowledged ? 'yes' : 'no', place, home ? 'on' : 'off'].join('-')
}

/** Asks the whole chain; each model that may read the canary is asked, as none of them answers. */
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

/** What the store holds once the owner has said it. */
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
