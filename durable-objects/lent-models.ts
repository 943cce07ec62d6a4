/**
 * Models of home's as the edge's chain has them (D-03): the prompt that `finalize` made goes over the tunnel as it is, and
 * comes back as text that is believed no more than any model's. A home that is away is no fault of the model. Answers come
 * whole: nothing is heard of one before. Must not open a connection. Called by powers.ts.
 *
 * Data: prompts up to `internal`. Readers: the owner's own models. Rationale: the edge holds nothing above, and home looks
 * again at all of it.
 */
import { watchCall } from '../integrations/models/call-watch.ts'
import { HOME } from '../integrations/models/provider-settings.ts'
import { PLACE_CLEARANCE } from '../kernel/flow/place.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { ModelAnswer, ModelLimits, ModelProvider } from '../kernel/inference/provider.ts'
import type { FinalPrompt } from '../kernel/prompt/finalize.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { type LentModel, type ModelAsk, type ModelTold, PROMPT_FORM } from '../kernel/tunnel/model-ask.ts'

/** The way to home, which fills in the connection. */
export interface ModelDoor {
  askModel(ask: Omit<ModelAsk, 'epoch'>): Promise<Result<ModelTold>>
  /** The answer is wanted no more. */
  dropModel(id: string): Promise<void>
}

export interface LentWays {
  readonly door: () => ModelDoor
  readonly newId: () => string
}

export interface LentInput extends LentWays {
  /** Whose tasks ask; undefined until it is known. */
  readonly principal: () => string | undefined
  /** What home lends, the same array until it says otherwise. */
  readonly told: () => readonly LentModel[]
}

export interface Lent {
  /** For a chain. */
  readonly models: readonly ModelProvider[]
  /** Looks at pictures, and is asked nothing else. */
  readonly sees?: ModelProvider
}

const NONE: Lent = { models: [] }

/** The owner's alone, as home lends its models to nobody else. The same models while its word is the same. */
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

/** Stands in no provider's name, so that a model of home's has a breaker of its own. */
const OF = '/'

/** Milliseconds that home's own deadline may be late on the way. */
const GRACE = 2_000

/** What home may say of a model that gave no answer; anything else that it says means that it failed. */
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
        // An object that is gone is a connection that is gone.
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
  /** Opened for this model by `finalize`, and by nobody else. */
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
