/**
 * What every call of a place's models has, whoever asks: the texts, what is taken out, how data is fenced, and how long one waits. Must not
 * know what is asked. Called by model-call.ts.
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

/** What every prompt passes on its way to a model. */
export type BoundaryPorts = Clock &
  Ids &
  Texts &
  Strictness &
  CallBounds &
  TokenKey &
  Redaction &
  SecretScan &
  BlockSource

/** The same for every call of a place. */
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
