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
import { tell } from '../language/wording.ts'
import { type Assistant, namesGiven, yesIn, zoneIn } from './answers.ts'
import { NAMES_STEP } from './init-record.ts'
import { again, type Step, taken } from './wizard.ts'

/** Default name of the assistant. */
const USUAL_NAME = 'PFAR'
const byHand = (): string => tell('init.by_hand')

/** Key of the note that the owner's name is stored; the name itself is sealed in the owner's file. */
const OWNER_NAMED = 'owner.name'

export interface NamesStepInput {
  readonly settings: Settings
  readonly notes: { of(name: string): string | null; note(name: string, value: string): void }
  /** Stores the owner's name in their file. False if that failed; the reason has been printed. */
  readonly nameOwner: (name: string) => Promise<boolean>
}

/** One question for the names of the owner and of the assistant. */
export function namesStep({ settings, notes, nameOwner }: NamesStepInput): Step {
  const name = 'persona.name'
  const style = 'persona.style'
  const now = () => {
    const config = settings.config()
    return config.ok ? config.value.persona : { name: null, style: null }
  }
  const isFixed = (): boolean => !settings.isOwn(name, now().name) || !settings.isOwn(style, now().style)
  /** Also writes the usual name, so that the assistant does not ask again in the first conversation. */
  const nameSelf = (said: Assistant | null): boolean => {
    if (isFixed()) return said === null
    if (said === null) return now().name !== null || settings.set(name, USUAL_NAME)
    return settings.set(name, said.name) && settings.set(style, said.style)
  }
  const self = (): string => {
    const there = now()
    return [there.name ?? USUAL_NAME, there.style].filter((part) => part !== null).join(': ')
  }
  return {
    ...{ name: NAMES_STEP, title: tell('init.title_names') },
    async look() {
      const isNamed = notes.of(OWNER_NAMED) !== null
      if (isFixed() && isNamed) return { state: 'done', says: tell('init.as_wrote', { value: self() }) }
      const question = isFixed() ? tell('init.owner') : tell('init.names')
      return { state: 'due', question, usual: isNamed ? tell('init.names_same') : tell('init.later') }
    },
    async take(answer) {
      const isLeft = yesIn(answer) === false || answer === tell('init.names_same')
      const said = isLeft ? { owner: null, assistant: null } : namesGiven(answer)
      if (said === null) return again(tell('init.names_wrong'))
      const { owner, assistant } = said
      if (owner !== null && !(await nameOwner(owner))) return again(tell('init.failed'))
      if (owner !== null) notes.note(OWNER_NAMED, 'given')
      if (!nameSelf(assistant)) return taken(byHand())
      if (notes.of(OWNER_NAMED) === null) return taken(tell('init.names_later', { name: self() }))
      const kept = tell('init.names_kept', { name: self() })
      return owner === null
        ? taken(kept)
        : { ...taken(tell('init.names_taken', { owner, name: self() })), kept }
    },
  }
}

/**
 * `usual`: language of this terminal. `speak`: switches the following questions to that language. Not asked if the terminal is
 * English and nothing else is configured.
 */
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
  /** Asks for the key of a service, or for what a server needs, and tests it. False if that failed. */
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
