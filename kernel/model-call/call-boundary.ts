/**
 * Parameters common to all model calls of a place: prompt texts, redaction, fencing of data, timeout. Must not depend
 * on the request. Called by model-call.ts.
 */
import type { ModelCall } from '../inference/router.ts'
import type {
  CallBounds,
  Clock,
  Ids,
  Redaction,
  SecretScan,
  Strictness,
  Texts,
  TokenKey,
} from '../powers/ports.ts'
import type { BlockSource } from '../powers/tier-port.ts'
import { callBoundary, lineBoundary } from '../prompt/boundary.ts'

/** Ports that every prompt passes on its way to a model. */
export type BoundaryPorts = Clock &
  Ids &
  Texts &
  Strictness &
  CallBounds &
  TokenKey &
  Redaction &
  SecretScan &
  BlockSource

/** Identical for every call of a place. */
export function boundaryOf({
  texts,
  redact,
  known,
  strict,
  newId,
  tokenKey,
  tier,
  patience,
  now,
}: BoundaryPorts): Pick<
  ModelCall,
  'texts' | 'redact' | 'known' | 'strict' | 'boundary' | 'boundaryFor' | 'fit' | 'patience' | 'now'
> {
  return {
    ...{ patience, now },
    ...{ texts, redact, known, strict, boundary: callBoundary(tokenKey, newId()), fit: tier.fit },
    boundaryFor: (line) => lineBoundary(tokenKey, line),
  }
}
