/**
 * Schemas of a place's responses over either line. Must not repair anything: a response of another shape is refused.
 * Called by both links.
 */

import * as z from 'zod/mini'
import type { WaitingView } from '../../../kernel/features/deliveries/resend.ts'
import type { Place } from '../../../kernel/flow/place.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { TypedOperation } from '../../../kernel/operations/operation.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import type { Pause } from '../../../kernel/task/pause.ts'
import type { ModelLook } from '../../doctor/model-look.ts'
import type { LineDelivery, LineDraft, PlaceStatus } from './link.ts'

const nullableText = z.nullable(z.string())

/** Loose: `ask --json` prints everything that the place reports, also fields that are newer than this file. */
const step = z.looseObject({
  tool: z.string(),
  place: z.string(),
  label: nullableText,
  approved: z.boolean(),
  outcome: z.string(),
})

const report = z.looseObject({
  reply: nullableText,
  task: z.looseObject({
    id: z.string(),
    place: z.string(),
    template: z.string(),
    label: z.string(),
    taint: z.string(),
    model: nullableText,
    state: z.string(),
    trouble: nullableText,
    approval: nullableText,
    options: z.number(),
    steps: z.array(step),
    delivered: z.array(z.looseObject({ sink: z.string(), label: z.string(), bytes: z.number() })),
  }),
  timings: z.looseObject({ totalMs: z.number() }),
})

const delivery = z.object({
  seq: z.int(),
  id: z.optional(z.string()),
  task: nullableText,
  kind: z.enum(['answer', 'card', 'notice']),
  approval: nullableText,
  text: z.string(),
})

const changed = z.looseObject({})

const accepted = z.object({ task: z.string() })

const status = z.looseObject({ place: z.string() })

/** Validates one kind of response. Refusal: frame_malformed. */
export type Reader<T> = (input: unknown) => Result<T>

function reading<T>(schema: { safeParse(input: unknown): { success: boolean; data?: unknown } }): Reader<T> {
  return (input) => {
    const parsed = schema.safeParse(input)
    // The schemas above have the shape of T; zod's inferred type for loose objects differs only in readonly.
    return parsed.success ? ok(parsed.data as T) : err('frame_malformed')
  }
}

const modelCheck = z.object({
  ...{ model: z.string(), locality: z.enum(['home', 'edge', 'cloud']), ms: z.number() },
  trouble: z.nullable(z.object({ code: z.string(), status: z.nullable(z.number()), rule: nullableText })),
})
const localModel = z.object({ name: z.string(), bytes: z.number(), window: z.nullable(z.number()) })
const look = z.object({
  configured: z.array(modelCheck),
  local: z.object({
    ...{ url: z.string(), models: z.nullable(z.array(localModel)), tried: z.nullable(modelCheck) },
    ...{ used: z.boolean(), keepAlive: z.nullable(z.number()) },
  }),
  trouble: z.nullable(z.object({ key: z.string(), problem: z.string() })),
  speech: z.optional(
    z.object({ url: z.string(), locality: z.enum(['home', 'cloud']), answers: z.boolean() }),
  ),
  accounts: z.optional(
    z.array(
      z.object({
        ...{ account: z.string(), role: nullableText, server: z.string(), trouble: nullableText },
        ...{ credential: z.enum(['good', 'refused', 'missing']), renew: z.string() },
      }),
    ),
  ),
  vision: z.optional(z.extend(modelCheck, { sees: z.nullable(z.boolean()) })),
})

export const readLook = reading<ModelLook>(look)
export const readReport = reading<TaskReport>(report)
export const readDeliveries = reading<readonly LineDelivery[]>(z.array(delivery))
export const readDraft = reading<LineDraft>(z.object({ task: z.string(), text: z.string() }))
export const readNumberedDraft = reading<LineDraft & { readonly number: number }>(
  z.object({ number: z.int(), task: z.string(), text: z.string() }),
)
export const readWaiting = reading<readonly WaitingView[]>(
  z.array(z.object({ chat: z.string(), asked: z.string(), since: z.string(), next: z.string() })),
)
/** Absent from an older edge. */
export const readPaused = reading<Pause | null | undefined>(
  z.optional(
    z.nullable(
      z.object({ since: z.int(), sink: z.string(), by: z.enum(['home', 'edge'] satisfies Place[]) }),
    ),
  ),
)
export const readChanged = reading<unknown>(changed)
export const readAccepted = reading<{ readonly task: string }>(accepted)
export const readQuestions = reading<{ readonly due: boolean; readonly persona: boolean }>(
  z.object({ due: z.boolean(), persona: z.boolean() }),
)
export const readStatus = reading<PlaceStatus>(status)

/** Refusal: frame_malformed. */
export function typed<A, R>(operation: TypedOperation<A, R>, input: unknown): Result<R> {
  const read = operation.read(input)
  // The result was checked against the declaration that its type is derived from.
  return read.ok ? ok(read.value as R) : err('frame_malformed')
}
