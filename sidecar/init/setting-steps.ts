/**
 * Questions of `pfar init` whose answers are settings: name of the assistant, time zone, a local model. Must not send
 * anything except a query for the models of a local Ollama. Called by `pfar init`.
 */
import { stringify } from 'smol-toml'
import type { LocalModel } from '../../integrations/models/ollama/library.ts'
import { DEFAULT_URL } from '../../integrations/models/provider-settings.ts'
import { machineTimezone } from '../config/config.ts'
import type { Settings } from '../config/config-edit.ts'
import { chooseModels, pullCommand } from '../doctor/local-advice.ts'
import { again, assistantIn, type Step, taken, yesIn, zoneIn } from './wizard.ts'

const USUAL_NAME = 'PFAR'
const BY_HAND = 'config.toml could not be changed: write it there yourself.'

export function assistantStep(settings: Settings): Step {
  const name = 'persona.name'
  const style = 'persona.style'
  const now = () => {
    const config = settings.config()
    return config.ok ? config.value.persona : { name: null, style: null }
  }
  return {
    ...{ name: 'assistant', title: 'name' },
    async look() {
      const there = now()
      if (!settings.isOwn(name, there.name) || !settings.isOwn(style, there.style))
        return { state: 'done', says: `${there.name ?? USUAL_NAME}, as you wrote in config.toml` }
      return {
        state: 'due',
        question:
          'What would you like to call me? You may add how I should speak, such as Ada: dry and short',
        usual: there.style === null ? (there.name ?? USUAL_NAME) : `${there.name}: ${there.style}`,
      }
    },
    async take(answer) {
      const said = assistantIn(answer)
      if (said === null)
        return again(
          'A name has at most 40 letters, digits, spaces, _ . - and a manner 200 characters, without a key.',
        )
      // Also writes the default name, so that the assistant does not ask again in the first conversation.
      const written = settings.set(name, said.name) && settings.set(style, said.style)
      return taken(written ? [said.name, said.style].filter((part) => part !== null).join(': ') : BY_HAND)
    },
  }
}

export function zoneStep(settings: Settings): Step {
  const name = 'owner.timezone'
  const now = (): string => {
    const config = settings.config()
    return config.ok ? config.value.owner.timezone : machineTimezone()
  }
  return {
    ...{ name: 'zone', title: 'time zone' },
    look: async () =>
      settings.isOwn(name, now())
        ? { state: 'due', question: 'In which time zone are you?', usual: now() }
        : { state: 'done', says: `${now()}, as config.toml says` },
    async take(answer) {
      const zone = zoneIn(answer)
      if (zone === null) return again('That is no time zone. They are called like Europe/Berlin.')
      return taken(settings.set(name, zone) ? zone : BY_HAND)
    },
  }
}

/** The table `[[models.providers]]`. */
const MODEL = 'model'

const OTHERS = `Which model shall understand what you write? Without one I know fixed requests only.
  anthropic, openai, openrouter   with a key of yours; you are asked what it may read
  an address                      of a server with OpenAI’s interface, such as http://127.0.0.1:8080/v1
(one of these, or later)`

export interface ModelStepInput {
  readonly settings: Settings
  /** Origin of the Ollama server. */
  readonly url: string
  /** Null if no server answers. */
  readonly list: () => Promise<readonly LocalModel[] | null>
  /** Memory of this machine, bytes. */
  readonly memory: number
  /** Asks for the key of a service, or for what a server needs, and tries it. False if nothing came of it. */
  readonly add: (service: string) => Promise<boolean>
}

const LATER = 'later'
const WITHOUT = '`rules` plans and answers without one'

export function modelStep({ settings, url, list, memory, add }: ModelStepInput): Step {
  const address = url === DEFAULT_URL.ollama ? {} : { base_url: url }
  const table = (model: string): string =>
    stringify({ models: { providers: [{ name: 'local', kind: 'ollama', model, ...address }] } })
  let planner: string | null = null
  const names = (): readonly string[] => {
    const config = settings.config()
    return config.ok ? config.value.models.providers.map((one) => one.name) : []
  }
  return {
    ...{ name: 'model', title: 'model' },
    async look() {
      const there = names()
      if (there.some((one) => one !== 'local') || (there.length > 0 && !settings.hasAdded(MODEL)))
        return { state: 'done', says: `${there.join(', ')}, as config.toml says` }
      const found = await list()
      if (found === null) return { state: 'due', question: OTHERS, usual: LATER }
      planner = chooseModels(found, memory).planner?.name ?? null
      if (planner === null)
        return { state: 'absent', says: `Ollama has none that fits: ${pullCommand(memory)}, then init again` }
      const question = `Ollama is here. Shall ${planner} plan and answer? Nothing leaves this machine. (yes, no)`
      return { state: 'due', question, usual: 'yes' }
    },
    async take(answer) {
      const said = yesIn(answer)
      if (planner === null) {
        if (said === false) return taken(`later: \`pfar model add\`; ${WITHOUT}`)
        return (await add(answer))
          ? taken(names().join(', '))
          : again('Say it once more, another one, or later.')
      }
      if (said === null) return again('Please say yes or no.')
      if (!settings.setTable(MODEL, said ? table(planner) : null)) return taken(BY_HAND)
      return taken(said ? planner : `none; ${WITHOUT}`)
    },
  }
}
