/**
 * Runs one of the owner's own models for the edge (D-03, N-06); the only maker of forwarded prompts. Checks requester,
 * model, label, form and size, since a compromised edge may request anything. Must not open, redact or complete the
 * prompt: a change would reveal which words home knows as secrets. Called by home's end of the tunnel.
 */
import { describeLabel } from '../../flow/label.ts'
import { checkPlace } from '../../flow/place.ts'
import { checkModel } from '../../flow/policy.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { attempt } from '../../inference/attempt.ts'
import type { ModelAnswer, StopSignal, TextModel } from '../../inference/provider.ts'
import { windowOf } from '../../inference/router.ts'
import { calibrationOf, learnFrom, usageFacts } from '../../inference/usage.ts'
import type { Auditing } from '../../powers/audit.ts'
import type {
  CallBounds,
  Caps,
  CostNotes,
  OwnerFacts,
  PolicySource,
  SelfKnowledge,
  Texts,
} from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { estimateTokens } from '../../prompt/budget.ts'
import { type ForwardedPrompt, receivePrompt } from '../../prompt/forwarded-prompt.ts'
import { hardIdentity } from '../../prompt/identity.ts'
import { nameIn } from '../../self/snapshot.ts'
import type { Picture } from '../../task/picture.ts'
import { MOST_TEXT, type ModelAsk, type ModelResponse } from '../../tunnel/ask.ts'
import type { UsageStore } from '../usage/port.ts'
import { spendFor } from '../usage/spending.ts'

export interface Looker {
  readonly model: TextModel
  /** Checks the picture's first bytes against its declared type: the edge may send anything. */
  readonly isPicture: (picture: Picture) => boolean
}

/** Ports needed to run a model for the edge: no task, and no tool. */
type LendingPorts = Auditing &
  PolicySource &
  OwnerFacts &
  Texts &
  SelfKnowledge &
  CallBounds &
  Caps &
  CostNotes &
  StoreOf<UsageStore>

export interface Lending {
  readonly powers: LendingPorts
  /** Models that the edge may use, by the names of `RemoteModelList`. */
  readonly lent: readonly TextModel[]
  /** Model that describes pictures; null or absent when there is none. */
  readonly sees?: Looker | null
}

/** Never rejects. `signal`: the edge cancelled the request, or disconnected. */
export async function serveModelAsk(
  lending: Lending,
  ask: ModelAsk,
  signal: StopSignal,
): Promise<ModelResponse> {
  const { powers } = lending
  const { id, epoch, model, purpose, principal, provenance } = ask
  const answer = await answerAsk(lending, ask, signal)
  const facts = answer.ok ? usageFacts(answer.value.tokens) : { code: answer.reason.code }
  powers.store.appendAudit({
    ...{ at: powers.now(), place: powers.place, kind: 'model_called', trace: null, task: null, principal },
    facts: { asked: 'edge', call: id, model, purpose, label: describeLabel(provenance.label), ...facts },
  })
  if (!answer.ok) return refusal({ id, epoch }, answer.reason)
  const { text, cut, tokens } = answer.value
  const { input, output } = tokens
  powers.noteCost?.({ model, purpose, tokens, fixed: null })
  // Answers to the edge have the same limit as answers at home.
  const isLong = text.length > MOST_TEXT
  return {
    ...{ id, epoch, ok: true, text: text.slice(0, MOST_TEXT), cut: cut || isLong },
    tokens: { input, output },
  }
}

function refusal(
  of: Pick<ModelResponse, 'id' | 'epoch'>,
  { code, facts }: { readonly code: string; readonly facts: Readonly<Record<string, unknown>> },
): ModelResponse {
  const { after } = facts
  const isWait = typeof after === 'number' && Number.isSafeInteger(after) && after >= 0
  return { ...of, ok: false, reason: code, ...(isWait && { after }) }
}

async function answerAsk(
  { powers, lent, sees }: Lending,
  ask: ModelAsk,
  signal: StopSignal,
): Promise<Result<ModelAnswer>> {
  const { principal, purpose, maxTokens, timeout, schema, picture } = ask
  if (principal !== powers.policy().owner) return err('principal_not_allowed')
  // A picture is sent to the vision model only, and that model gets no other request.
  const isLook = purpose === 'look'
  if (isLook !== (picture !== undefined)) return err('frame_malformed')
  if (picture !== undefined && sees?.isPicture(picture) === false) return err('field_malformed')
  const among = isLook ? [sees?.model] : lent
  const model = among.find((one) => one?.reader.id === ask.model)
  if (model === undefined) return err('model_unavailable')
  const prompt = promptFor(powers, model, ask)
  if (!prompt.ok) return prompt
  const answer = await attempt(model, prompt.value, {
    limits: { maxTokens, timeout, ...(schema !== undefined && { schema }) },
    ...{ signal, patience: powers.patience, now: powers.now, until: powers.now() + timeout },
    // The edge has its own timeout, and a fallback model of its own.
    retries: 0,
    spend: spendFor(powers, { task: null, principal, template: null, purpose }),
  })
  if (answer.ok) learnFrom(model, prompt.value, answer.value.tokens.input)
  return answer
}

/**
 * Data: a prompt from the edge, with its label there. Readers: one of the owner's own models, then the edge.
 * Rationale: the edge holds nothing above its own clearance, so a prompt above it is forged, and its answer could not
 * be returned.
 */
function promptFor(powers: Texts & SelfKnowledge, model: TextModel, ask: ModelAsk): Result<ForwardedPrompt> {
  const { provenance, maxTokens } = ask
  for (const verdict of [checkPlace('edge', provenance.label), checkModel(model.reader, provenance.label)])
    if (!verdict.allow) return err(verdict.code, verdict.facts)
  // The edge may not use any other model configured at home.
  if (model.reader.locality !== 'home') return err('model_not_cleared', { model: model.reader.id })
  const identity = hardIdentity(powers.texts.identity, nameIn(powers.self.current().sections)).block
  const prompt = receivePrompt(ask.prompt, { identity, provenance, picture: ask.picture ?? null })
  if (!prompt.ok) return prompt
  const { system, user } = prompt.value
  const calibration = calibrationOf(model)
  // A model server truncates a longer prompt at its start, which holds the identity text (N-17).
  const tokens = estimateTokens(system, calibration) + estimateTokens(user, calibration) + maxTokens
  return tokens <= windowOf(model) ? ok(prompt.value) : err('prompt_too_large', { model: ask.model })
}
