/**
 * Home's side of the edge's question to a local model (D-03, N-06): who asks, which model, what label, whether it is a prompt
 * at all, and whether it fits are checked here, because an edge that was taken over may ask for anything. Asks the owner's
 * own models alone; the answer is text, and goes back to where the prompt came from. The one maker of a carried prompt.
 * Must not open, redact or complete it: home knows secrets that the edge does not, and a prompt that came back changed would
 * tell whoever asks which words are one. Called by home's end of the tunnel.
 */
import { describeLabel } from '../../flow/label.ts'
import { checkPlace } from '../../flow/place.ts'
import { checkModel } from '../../flow/policy.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { attempt } from '../../inference/attempt.ts'
import { calibrationOf, learnFrom } from '../../inference/calibration.ts'
import type { ModelAnswer, StopSignal, TextModel } from '../../inference/provider.ts'
import { windowOf } from '../../inference/router.ts'
import { usageFacts } from '../../inference/usage.ts'
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
import { type CarriedPrompt, receivePrompt } from '../../prompt/carried.ts'
import { hardIdentity } from '../../prompt/identity.ts'
import { estimateTokens } from '../../prompt/tokens.ts'
import { nameIn } from '../../self/snapshot.ts'
import type { Picture } from '../../task/picture.ts'
import { MOST_TEXT, type ModelAsk, type ModelTold } from '../../tunnel/model-ask.ts'
import { spendFor } from '../usage/spending.ts'
import type { UsageStore } from '../usage/usage-port.ts'

export interface Looker {
  readonly model: TextModel
  /** Whether it is what it says, by its first bytes: the edge may send anything. */
  readonly isPicture: (picture: Picture) => boolean
}

/** What it takes to lend a model: no task, and no tool. */
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
  /** What the edge may ask, by the names of `LentModel`. */
  readonly lent: readonly TextModel[]
  /** Who looks at its pictures; null, or absent, where nobody does. */
  readonly sees?: Looker | null
}

/** Never rejects. `signal`: the edge wants it no more, or is gone. */
export async function serveModelAsk(lending: Lending, ask: ModelAsk, signal: StopSignal): Promise<ModelTold> {
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
  // What a budget's answer is cut to, an answer that crosses is cut to as well.
  const isLong = text.length > MOST_TEXT
  return {
    ...{ id, epoch, ok: true, text: text.slice(0, MOST_TEXT), cut: cut || isLong },
    tokens: { input, output },
  }
}

function refusal(
  of: Pick<ModelTold, 'id' | 'epoch'>,
  { code, facts }: { readonly code: string; readonly facts: Readonly<Record<string, unknown>> },
): ModelTold {
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
  // Who looks at pictures is asked nothing else, and nobody else is shown one.
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
    // The edge has patience of its own, and the next model of its chain.
    retries: 0,
    spend: spendFor(powers, { task: null, principal, template: null, purpose }),
  })
  if (answer.ok) learnFrom(model, prompt.value, answer.value.tokens.input)
  return answer
}

/**
 * Data: a prompt from the edge, as it is labelled there. Readers: a model of the owner's, then the edge. Rationale: the edge
 * holds nothing above its own clearance, so a prompt above it is a lie, and its answer could not go back.
 */
function promptFor(powers: Texts & SelfKnowledge, model: TextModel, ask: ModelAsk): Result<CarriedPrompt> {
  const { provenance, maxTokens } = ask
  for (const verdict of [checkPlace('edge', provenance.label), checkModel(model.reader, provenance.label)])
    if (!verdict.allow) return err(verdict.code, verdict.facts)
  // Nothing else of what is configured here may be asked from there.
  if (model.reader.locality !== 'home') return err('model_not_cleared', { model: model.reader.id })
  const identity = hardIdentity(powers.texts.identity, nameIn(powers.self.current().sections)).block
  const prompt = receivePrompt(ask.prompt, { identity, provenance, picture: ask.picture ?? null })
  if (!prompt.ok) return prompt
  const { system, user } = prompt.value
  const calibration = calibrationOf(model)
  // A server that is sent more cuts it from the beginning, where the identity stands (N-17).
  const tokens = estimateTokens(system, calibration) + estimateTokens(user, calibration) + maxTokens
  return tokens <= windowOf(model) ? ok(prompt.value) : err('prompt_too_large', { model: ask.model })
}
