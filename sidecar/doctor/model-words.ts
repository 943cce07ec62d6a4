/**
 * Describes problems of models and their remedies in sentences. Made from codes and numbers only, because a
 * provider's error text could quote a prompt or a key. Must not query anything. Called by `pfar doctor`.
 */
import type { LocalModel } from '../../integrations/models/ollama/library.ts'
import type { ModelCheck } from '../../kernel/features/models/model-check.ts'
import type { NameCheck } from '../../kernel/features/models/port.ts'
import { bad, type Finding, good, note } from './finding.ts'
import { adviseOn, pullCommand } from './local-advice.ts'
import type { ModelLook } from './model-look.ts'

const GIGABYTE = 1_073_741_824

export function modelFindings(
  { configured, local, trouble, speech, vision }: ModelLook,
  memory: number,
): readonly Finding[] {
  return [
    ...(trouble === null
      ? []
      : [bad('models', `config.toml: ${trouble.key} ${trouble.problem}. No model is asked until then.`)]),
    ...configured.map(configuredFinding),
    ...(configured.length === 0 && trouble === null ? [note('models', NO_PROVIDER)] : []),
    ...localFindings(local, memory),
    ...(speech === undefined ? [] : [speechFinding(speech)]),
    ...(vision === undefined ? [] : [visionFinding(vision)]),
  ]
}

function speechFinding({ url, locality, answers }: NonNullable<ModelLook['speech']>): Finding {
  return answers
    ? good('speech', `A server answers at ${url} (${locality}).`)
    : bad('speech', `Nothing answers at ${url}, which [speech] names: no voice note is heard until it does.`)
}

function visionFinding({ model, trouble, sees, ms }: NonNullable<ModelLook['vision']>): Finding {
  if (trouble !== null)
    return bad('vision', `${model}: ${sayTrouble(trouble)} No picture is looked at until then.`)
  return sees === false
    ? bad('vision', `${model} answers, and takes no pictures: name one that does under [vision].`)
    : good('vision', `${model} answers (home, ${seconds(ms)}).`)
}

const NO_PROVIDER =
  'No provider is set up, so `rules` plans and answers: mail, calendar, notes and pages work, and nothing leaves this machine for it.'

function configuredFinding(check: ModelCheck): Finding {
  const { model, locality, trouble, ms } = check
  const part = `model ${model}`
  return trouble === null
    ? good(part, `It answers (${locality}, ${seconds(ms)}).`)
    : bad(part, sayTrouble(trouble))
}

const NO_EDGE_MODEL =
  'It asks no model, as it has none of its own and home lends it none: `rules` plans and answers its tasks.'

/** The edge reports only who answered; details of a failing edge model are in the edge's own settings. */
export function edgeModelFindings(checks: readonly NameCheck[]): readonly Finding[] {
  const asked = checks.filter(({ locality }) => locality !== 'edge')
  if (asked.length === 0) return [note('edge models', NO_EDGE_MODEL)]
  return asked.map(({ model, locality, answer }) => {
    const part = `edge ${model}`
    const where = locality === 'home' ? 'a model of home, over the tunnel' : locality
    if (answer !== null) return good(part, `It answers the edge (${where}).`)
    return locality === 'home'
      ? bad(part, 'It gives the edge no answer: what home says of it above is why, or the link is down.')
      : bad(part, 'It gives the edge no answer: look at MODELS and its key among the settings of the Worker.')
  })
}

type Trouble = NonNullable<ModelCheck['trouble']>

/** By HTTP status, which means the same for every provider. */
const OF_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'It refuses the request as it is: look at the name of the model and at `base_url`.'],
  [401, 'Its key is not accepted: `pfar secret set` stores another one.'],
  [402, 'Its account has no money left.'],
  [403, 'Its key may not use this model: ask for access there, or name another model.'],
  [404, 'It knows no model of this name, or nothing is at this address: look at `model` and `base_url`.'],
])

const OF_CODE: Partial<Readonly<Record<Trouble['code'], string>>> = {
  model_overloaded: 'It is overloaded, or you ask too often: it works again by itself.',
  model_timeout: 'It does not answer in time.',
  model_garbled: 'What answers there does not speak as such a provider does: look at `base_url`.',
  model_resting: 'It failed several times in a row and is left alone for some minutes.',
  model_budget_spent: 'Its budget is spent, or has no price to go by: `pfar usage` shows on what.',
  answer_empty: 'It answers with nothing.',
}

function sayTrouble({ code, status, rule }: Trouble): string {
  if (rule === 'quota') return 'Its account is used up: no waiting repairs that.'
  if (rule !== null && /^(?:credential|secret)_/.test(rule))
    return 'Its key is not in the vault, or may not be used for it: `pfar secret set` stores one.'
  const known = code === 'model_misconfigured' && status !== null ? OF_STATUS.get(status) : undefined
  if (known !== undefined) return known
  if (code === 'model_misconfigured')
    return 'It refuses what it is asked: look at its settings under [models].'
  return OF_CODE[code] ?? 'It cannot be reached.'
}

function localFindings(local: ModelLook['local'], memory: number): readonly Finding[] {
  const { url, models, tried } = local
  if (models === null)
    return [
      note(
        'ollama',
        `No Ollama answers at ${url}. Nothing needs it; for answers by a model of your own, install it (https://ollama.com) and say \`${pullCommand(memory)}\`.`,
      ),
    ]
  const answers = tried?.trouble === null ? tried : null
  return [
    good('ollama', `It runs at ${url}, with ${models.length} ${models.length === 1 ? 'model' : 'models'}.`),
    ...models.map((model) => good(`ollama ${model.name}`, sizeOf(model))),
    ...(tried === null ? [] : [triedFinding(tried)]),
    ...adviseOn({ models, memory, latency: answers?.ms ?? null }).map((says) => note('recommended', says)),
    note('ollama', local.used ? staysLoaded(local.keepAlive) : SET_UP),
  ]
}

const SET_UP =
  'Home does not ask it yet: `pfar init` offers the one that fits; home knows it after its next start.'

function staysLoaded(minutes: number | null): string {
  if (minutes === null)
    return 'Its model stays loaded for half an hour after a call; `keep_alive` of its entry sets the minutes.'
  return minutes < 0
    ? 'Its model stays loaded for ever.'
    : `Its model stays loaded for ${minutes} minutes after a call.`
}

function sizeOf({ bytes, window }: LocalModel): string {
  const reads = window === null ? 'its window is not known' : `a window of ${window} tokens`
  return `${(bytes / GIGABYTE).toFixed(1)} GB, ${reads}.`
}

function triedFinding({ model, ms, trouble }: ModelCheck): Finding {
  const part = `ollama ${model.slice(model.indexOf(':') + 1)}`
  return trouble === null
    ? good(part, `It said its name in ${seconds(ms)}, with all that loading took.`)
    : bad(part, sayTrouble(trouble))
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
