/**
 * Questions of `pfar init` whose answers are settings: name of the assistant, time zone, a local model. Must not send
 * anything except a query for the models of a local Ollama. Called by `pfar init`.
 */

import { stringify } from 'smol-toml'
import type { LocalModel } from '../../integrations/models/ollama/library.ts'
import { DEFAULT_URL } from '../../integrations/models/provider-settings.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, languageCalled } from '../../kernel/wording/languages.ts'
import { machineTimezone } from '../config/config.ts'
import type { Settings } from '../config/config-edit.ts'
import { chooseModels, pullCommand } from '../doctor/local-advice.ts'
import { tell } from '../wording.ts'
import { again, assistantIn, type Step, taken, yesIn, zoneIn } from './wizard.ts'

const USUAL_NAME = 'PFAR'
const byHand = (): string => tell('init.by_hand')

export function assistantStep(settings: Settings): Step {
  const name = 'persona.name'
  const style = 'persona.style'
  const now = () => {
    const config = settings.config()
    return config.ok ? config.value.persona : { name: null, style: null }
  }
  return {
    ...{ name: 'assistant', title: tell('init.title_name') },
    async look() {
      const there = now()
      if (!settings.isOwn(name, there.name) || !settings.isOwn(style, there.style))
        return { state: 'done', says: tell('init.as_wrote', { value: there.name ?? USUAL_NAME }) }
      return {
        state: 'due',
        question: tell('init.name'),
        usual: there.style === null ? (there.name ?? USUAL_NAME) : `${there.name}: ${there.style}`,
      }
    },
    async take(answer) {
      const said = assistantIn(answer)
      if (said === null) return again(tell('init.name_wrong'))
      // Also writes the default name, so that the assistant does not ask again in the first conversation.
      const written = settings.set(name, said.name) && settings.set(style, said.style)
      return taken(written ? [said.name, said.style].filter((part) => part !== null).join(': ') : byHand())
    },
  }
}

/** `usual`: of this terminal. `speak`: what is asked from now on is in that language. Nobody is asked where there is nothing but English. */
export function languageStep(
  settings: Settings,
  { usual, speak }: { readonly usual: Language; readonly speak: (language: Language) => Promise<void> },
): Step {
  const name = 'owner.language'
  const now = (): Language | null => {
    const config = settings.config()
    return config.ok ? config.value.owner.language : null
  }
  const all = Object.values(LANGUAGES).map(({ own }) => own)
  return {
    ...{ name: 'language', title: tell('init.title_language') },
    async look() {
      const there = now()
      const named = LANGUAGES[there ?? usual].own
      if (!settings.isOwn(name, there))
        return { state: 'done', says: tell('init.as_config', { value: named }) }
      if (there === null && usual === DEFAULT_LANGUAGE)
        return { state: 'done', says: tell('init.language_usual', { name: named }) }
      return { state: 'due', question: tell('init.language', { all: all.join(', ') }), usual: named }
    },
    async take(answer) {
      const language = languageCalled(answer)
      if (language === null) return again(tell('init.language_wrong', { all: all.join(', ') }))
      if (!settings.set(name, language)) return taken(tell('init.by_hand'))
      await speak(language)
      return taken(LANGUAGES[language].own)
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
    ...{ name: 'zone', title: tell('init.title_zone') },
    look: async () =>
      settings.isOwn(name, now())
        ? { state: 'due', question: tell('init.zone'), usual: now() }
        : { state: 'done', says: tell('init.as_config', { value: now() }) },
    async take(answer) {
      const zone = zoneIn(answer)
      if (zone === null) return again(tell('init.zone_wrong'))
      return taken(settings.set(name, zone) ? zone : byHand())
    },
  }
}

/** The table `[[models.providers]]`. */
const MODEL = 'model'

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

const without = (): string => tell('init.model_without')

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
    ...{ name: 'model', title: tell('init.title_model') },
    async look() {
      const there = names()
      if (there.some((one) => one !== 'local') || (there.length > 0 && !settings.hasAdded(MODEL)))
        return { state: 'done', says: tell('init.as_config', { value: there.join(', ') }) }
      const found = await list()
      if (found === null) return { state: 'due', question: tell('init.models'), usual: tell('init.later') }
      planner = chooseModels(found, memory).planner?.name ?? null
      if (planner === null)
        return { state: 'absent', says: tell('init.model_unfit', { pull: pullCommand(memory) }) }
      const question = tell('init.model_local', { model: planner })
      return { state: 'due', question, usual: tell('init.yes') }
    },
    async take(answer) {
      const said = yesIn(answer)
      if (planner === null) {
        if (said === false) return taken(tell('init.model_later', { without: without() }))
        return (await add(answer)) ? taken(names().join(', ')) : again(tell('init.model_again'))
      }
      if (said === null) return again(tell('init.yes_or_no'))
      if (!settings.setTable(MODEL, said ? table(planner) : null)) return taken(byHand())
      return taken(said ? planner : tell('init.model_none', { without: without() }))
    },
  }
}
