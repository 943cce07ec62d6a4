/**
 * Home's models as providers of the edge's chain (D-03). The prompt from `finalize` goes over the tunnel unchanged; the answer is
 * trusted no more than any model's and arrives whole, never streamed. An absent home does not open the model's breaker. Must not
 * open a connection. Called by powers.ts.
 *
 * Data: prompts up to `internal`. Readers: the owner's own models. Rationale: the edge holds nothing above, and home checks all of
 * it again.
 */
import { watchCall } from '../../integrations/models/call-watch.ts'
import { HOME } from '../../integrations/models/provider-settings.ts'
import { PLACE_CLEARANCE } from '../../kernel/flow/place.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ModelAnswer, ModelLimits, ModelProvider } from '../../kernel/inference/provider.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type LentModel, type ModelAsk, type ModelTold, PROMPT_FORM } from '../../kernel/tunnel/model-ask.ts'

/** Sends a request to home; TunnelObject adds the connection. */
export interface ModelDoor {
  askModel(ask: Omit<ModelAsk, 'epoch'>): Promise<Result<ModelTold>>
  /** Cancels the request. */
  dropModel(id: string): Promise<void>
}

export interface LentWays {
  readonly door: () => ModelDoor
  readonly newId: () => string
}

export interface LentInput extends LentWays {
  /** Principal whose tasks ask; undefined until it is known. */
  readonly principal: () => string | undefined
  /** The models that home offers to the edge; the same array until home changes them. */
  readonly told: () => readonly LentModel[]
}

export interface Lent {
  /** Providers for a chain. */
  readonly models: readonly ModelProvider[]
  /** Provider for pictures, used for nothing else. */
  readonly sees?: ModelProvider
}

const NONE: Lent = { models: [] }

/** For the owner alone: home offers its models to no other principal. Returns the same models until home changes them. */
export function createLentModels({ principal, told, ...ways }: LentInput): () => Lent {
  let known: readonly LentModel[] = []
  let made = NONE
  return () => {
    if (principal() !== OWNER_PRINCIPAL) return NONE
    if (told() !== known) {
      known = told()
      const [eyes] = known.filter(({ sees }) => sees === true)
      made = {
        models: known.filter(({ sees }) => sees !== true).map((model) => createLentModel(model, ways)),
        ...(eyes !== undefined && { sees: createLentModel(eyes, ways) }),
      }
    }
    return made
  }
}

/** Separator that occurs in no provider's name, so that each of home's models has a breaker of its own. */
const OF = '/'

/** Milliseconds added to home's own deadline for the way back. */
const GRACE = 2_000

/** Reasons that home may give for a model without an answer; any other one is reported as model_failed. */
const TOLD: readonly ReasonCode[] = [
  ...(['model_overloaded', 'model_timeout', 'model_misconfigured', 'model_garbled'] as const),
  ...(['model_resting', 'model_budget_spent', 'answer_empty', 'home_offline', 'prompt_too_large'] as const),
]

export function createLentModel({ name, window }: LentModel, ways: LentWays): ModelProvider {
  const id = HOME + OF + name
  return {
    reader: { id, locality: 'home', ...PLACE_CLEARANCE.edge },
    ...(window !== undefined && { window }),
    async complete(prompt, limits, live) {
      const watch = watchCall(limits.timeout + GRACE, live?.signal)
      const ask = askFor(name, { prompt, limits, ways })
      const door = ways.door()
      try {
        // An object that fails means that the connection is gone.
        const told = door.askModel(ask).catch(() => err('home_offline'))
        const ended = watch.ended.then((reason) => ({ ok: false, reason }) as const)
        return answerOf(id, await Promise.race([told, ended]))
      } finally {
        if (watch.reason() !== null) void door.dropModel(ask.id).catch(() => undefined)
        watch.close()
      }
    },
  }
}

interface Asking {
  /** Opened by `finalize`, for this model only. */
  readonly prompt: FinalPrompt
  readonly limits: ModelLimits
  readonly ways: LentWays
}

function askFor(model: string, { prompt, limits, ways }: Asking): Omit<ModelAsk, 'epoch'> {
  const { stable, session, history, now, provenance, parts, picture } = prompt
  const { maxTokens, timeout, schema } = limits
  return {
    ...{ id: ways.newId(), principal: OWNER_PRINCIPAL, model, purpose: parts.purpose, form: PROMPT_FORM },
    ...{ prompt: { stable, session, history, now }, provenance, maxTokens, timeout: Math.ceil(timeout) },
    ...(schema !== undefined && { schema }),
    ...(picture !== null && { picture }),
  }
}

function answerOf(model: string, told: Result<ModelTold>): Result<ModelAnswer> {
  if (!told.ok) return err(told.reason.code, { model, ...told.reason.facts })
  if (told.value.ok) {
    const { text, cut, tokens } = told.value
    return ok({ text, cut, tokens })
  }
  const { reason, after } = told.value
  const code = TOLD.find((known) => known === reason) ?? 'model_failed'
  return err(code, { model, ...(after !== undefined && { after }) })
}
