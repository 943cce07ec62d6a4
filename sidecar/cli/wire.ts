/**
 * What a place may answer over either line, checked on arrival. Must not repair anything: an answer of another shape
 * is refused. Called by both links.
 */
import * as z from 'zod/mini'
import { MODES } from '../../kernel/directives/mode.ts'
import type { Place } from '../../kernel/flow/place.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { UsageReport } from '../../kernel/pipeline/usage-report.ts'
import type { FileView, VersionView, Written } from '../../kernel/runtime/directive-desk.ts'
import type { GrantView } from '../../kernel/runtime/grants.ts'
import type { LinkView, Removed, Started } from '../../kernel/runtime/identity-links.ts'
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import type { Dismissed, Invited, PersonView } from '../../kernel/runtime/people.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import type { WaitingView } from '../../kernel/runtime/resend.ts'
import type { ApprovalView, Standing } from '../../kernel/runtime/shell.ts'
import type { NameCheck } from '../../kernel/runtime/whoami.ts'
import type { Pause } from '../../kernel/task/pause.ts'
import { PRINCIPAL_CLASSES } from '../../kernel/task/principal.ts'
import type { ModelLook } from '../doctor/model-look.ts'
import type { ModelsView } from '../model-methods.ts'
import type { LineDelivery, LineDraft, PlaceStatus, Reloaded } from './link.ts'
import { modelsAnswer } from './models-line.ts'
import { dismissedAnswer, invitedAnswer, peopleAnswer } from './people-line.ts'

const nullableText = z.nullable(z.string())

/** Loose: `ask --json` shows all that the place reports, also facts that are younger than this file. */
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
    steps: z.array(step),
    delivered: z.array(z.looseObject({ sink: z.string(), label: z.string(), bytes: z.number() })),
  }),
  timings: z.looseObject({ totalMs: z.number() }),
})

const approval = z.object({
  id: z.string(),
  /** 0 of a place that gives none yet. */
  number: z._default(z.int(), 0),
  task: z.string(),
  tool: z.string(),
  card: z.string(),
  full: z.string(),
  kind: z.string(),
  count: z.int(),
  reason: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
})

const delivery = z.object({
  seq: z.int(),
  id: z.optional(z.string()),
  task: nullableText,
  kind: z.enum(['answer', 'card', 'notice']),
  approval: nullableText,
  text: z.string(),
})

const keepsake = z.object({
  id: z.string(),
  /** 0 from a place of an earlier version, which gives none: there the id alone names it. */
  number: z._default(z.int(), 0),
  kind: z.enum(['fact', 'result']),
  tool: nullableText,
  text: z.string(),
  label: z.string(),
  told: z.boolean(),
  at: z.number(),
})

const changed = z.looseObject({})
const grant = z.object({
  id: z.string(),
  kind: z.enum(['write', 'fields', 'cloud', 'transport']),
  template: z.string(),
  card: z.string(),
  state: z.enum(['live', 'ended', 'revoked']),
  createdAt: z.number(),
  expiresAt: z.number(),
  perDay: z.number(),
})

const directive = z.object({
  name: z.string(),
  kind: z.enum(['core', 'contextual', 'user']),
  owns: z.string(),
  mode: z.enum(MODES),
  version: z.int(),
  at: z.number(),
  size: z.int(),
  budget: z.int(),
  warnings: z.array(z.string()),
})
const directiveVersion = z.object({ name: z.string(), version: z.int(), at: z.number(), text: z.string() })
const written = z.object({
  version: z.nullable(z.int()),
  approval: nullableText,
  warnings: z.array(z.string()),
  keptBy: z.array(z.string()),
})
const identity = z.object({
  id: z.string(),
  state: z.enum(['asked', 'proven', 'live', 'ended', 'removed']),
  ends: z.array(z.object({ principal: z.string(), class: z.enum(PRINCIPAL_CLASSES), proved: z.boolean() })),
  createdAt: z.number(),
})
const started = z.object({
  link: z.string(),
  ends: z.array(z.object({ principal: z.string(), say: z.string() })),
  expiresAt: z.number(),
})

const accepted = z.object({ task: z.string() })
const done = z.object({ done: z.boolean() })

const status = z.looseObject({ place: z.string() })

/** Reads one kind of answer; `frame_malformed` when the place said something else. */
export type Reader<T> = (input: unknown) => Result<T>

function reading<T>(schema: { safeParse(input: unknown): { success: boolean; data?: unknown } }): Reader<T> {
  return (input) => {
    const parsed = schema.safeParse(input)
    // The schemas above state the shape of T; what zod infers for loose objects differs in readonly only.
    return parsed.success ? ok(parsed.data as T) : err('frame_malformed')
  }
}

const nameCheck = z.object({
  model: z.string(),
  locality: z.enum(['home', 'edge', 'cloud']),
  expected: z.string(),
  answer: z.nullable(z.string()),
  passed: z.boolean(),
})

const sum = z.object({
  ...{ name: nullableText, calls: z.number(), failed: z.number(), input: z.number(), output: z.number() },
  ...{ cacheRead: z.number(), cacheWritten: z.number(), cost: z.number(), unpriced: z.number() },
})
const sums = z.array(sum)
const cap = z.nullable(z.number())
const usage = z.object({
  ...{ place: z.enum(['home', 'edge']), from: z.string(), currency: z.string() },
  by: z.object({ day: sums, task: sums, purpose: sums, model: sums }),
  today: z.object({ tokens: z.number(), cost: z.number() }),
  caps: z.object({ tokens: cap, cost: cap, task: cap }),
})

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
  vision: z.optional(z.extend(modelCheck, { sees: z.nullable(z.boolean()) })),
})

export const readLook = reading<ModelLook>(look)
export const readUsage = reading<UsageReport>(usage)
export const readReport = reading<TaskReport>(report)
export const readApprovals = reading<readonly ApprovalView[]>(z.array(approval))
export const readStanding = reading<Standing>(
  z.object({ isOver: z.boolean(), words: z.string(), said: z.nullable(z.enum(['approve', 'deny'])) }),
)
export const readDeliveries = reading<readonly LineDelivery[]>(z.array(delivery))
export const readDraft = reading<LineDraft>(z.object({ task: z.string(), text: z.string() }))
export const readNumberedDraft = reading<LineDraft & { readonly number: number }>(
  z.object({ number: z.int(), task: z.string(), text: z.string() }),
)
export const readKeepsake = reading<Keepsake>(keepsake)
export const readKeepsakes = reading<readonly Keepsake[]>(z.array(keepsake))
export const readWaiting = reading<readonly WaitingView[]>(
  z.array(z.object({ chat: z.string(), asked: z.string(), since: z.string(), next: z.string() })),
)
/** Absent from an edge of before. */
export const readPaused = reading<Pause | null | undefined>(
  z.optional(
    z.nullable(
      z.object({ since: z.int(), sink: z.string(), by: z.enum(['home', 'edge'] satisfies Place[]) }),
    ),
  ),
)
export const readNameChecks = reading<readonly NameCheck[]>(z.array(nameCheck))
export const readReloaded = reading<Reloaded>(
  z.object({ changed: z.boolean(), tokens: z.int(), notices: z.array(z.string()) }),
)
export const readChanged = reading<unknown>(changed)
export const readAccepted = reading<{ readonly task: string }>(accepted)
export const readProposed = reading<{ readonly approval: string }>(z.object({ approval: z.string() }))
export const readGrants = reading<readonly GrantView[]>(z.array(grant))
export const readModels = reading<ModelsView>(modelsAnswer)
export const readIdentities = reading<readonly LinkView[]>(z.array(identity))
export const readRemoved = reading<Removed>(z.object({ link: z.string(), wasLive: z.boolean() }))
export const readStarted = reading<Started>(started)
export const readPeople = reading<readonly PersonView[]>(peopleAnswer)
export const readInvited = reading<Invited>(invitedAnswer)
export const readDismissed = reading<Dismissed>(dismissedAnswer)
export const readRevoked = reading<{ readonly grant: string }>(z.object({ grant: z.string() }))
export const readFiles = reading<readonly FileView[]>(z.array(directive))
export const readVersion = reading<VersionView>(directiveVersion)
export const readVersions = reading<readonly VersionView[]>(z.array(directiveVersion))
export const readQuestions = reading<{ readonly due: boolean; readonly persona: boolean }>(
  z.object({ due: z.boolean(), persona: z.boolean() }),
)
export const readWritten = reading<Written>(written)
export const readDone = reading<{ readonly done: boolean }>(done)
export const readStatus = reading<PlaceStatus>(status)
