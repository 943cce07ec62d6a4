/**
 * Which model the owner wants to be asked first, for everything or for one subject (D-09, L-05): a setting of home that overrides
 * the configured order. Must not decide what a model may read: router.ts does, whatever is chosen. Called by the code that calls
 * models, and by choice-port.ts.
 */
import { chainFor } from '../../inference/chain.ts'
import type { ModelProvider } from '../../inference/provider.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, Models } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import type { SettingStore } from '../quiet/port.ts'

/** Subjects that a choice may be about, by the first part of a tool's capability. */
export const SUBJECTS = Object.freeze(['mail', 'calendar', 'files', 'notes', 'code', 'web'] as const)
export type Subject = (typeof SUBJECTS)[number]

/** Models at home only; no cloud model follows when they fail. */
export const LOCAL = 'local'

/** Subject, or `all`, and `local` or the name of a configured provider. Empty: the configured order. */
export type Choice = Readonly<Partial<Record<Subject | 'all', string>>>

const SETTING = 'models'

export function choiceOf({ store }: StoreOf<SettingStore>): Choice {
  return choiceIn(store.setting(SETTING) ?? '')
}

export function keepChoice({ store }: StoreOf<SettingStore>, choice: string): void {
  store.saveSetting(SETTING, choice === USUAL ? null : choice)
}

/** The word for the configured order in a choice. */
export const USUAL = 'usual'

/** Text form for audit rows and for the call that undoes a change: `all=local,mail=ollama`. */
export function choiceWords(choice: Choice): string {
  const parts = KEYS.flatMap((key) => (choice[key] === undefined ? [] : `${key}=${choice[key]}`))
  return parts.length === 0 ? USUAL : parts.join(',')
}

const KEYS = Object.freeze(['all', ...SUBJECTS] as const)

/** Parses that form; invalid parts are left out. */
export function choiceIn(words: string): Choice {
  const parts = words.split(',').map((part) => part.split('='))
  return Object.fromEntries(
    KEYS.flatMap((key) => {
      const name = parts.find(([one]) => one === key)?.[1] ?? ''
      return name === '' ? [] : [[key, name] as const]
    }),
  )
}

type ChainPorts = Models & Actions & StoreOf<SettingStore>

/** Models of a task in the order in which they are asked: those of its template, the owner's choice first. */
export function modelsFor(
  powers: ChainPorts,
  { inference }: Pick<Template, 'inference'>,
  task: Pick<Task, 'plan'> | null,
): readonly ModelProvider[] {
  const { provider } = inference
  // A template that names models at home only, or the rules, does so for a reason.
  const chosen = FIXED.includes(provider) ? null : chosenFor(powers, task)
  const wish = chosen === null ? inference : { ...inference, provider: chosen, model: null }
  return chainFor(powers.models, wish, powers.modelOf)
}

/** Providers that no choice overrides. */
export const FIXED: readonly string[] = [LOCAL, 'rules']

/** Null for the configured order. For a task about several subjects, a choice of `local` takes precedence. */
function chosenFor(powers: ChainPorts, task: Pick<Task, 'plan'> | null): string | null {
  const choice = choiceOf(powers)
  const names = subjectsOf(powers, task).flatMap((subject) => choice[subject] ?? [])
  return names.find((name) => name === LOCAL) ?? names[0] ?? choice.all ?? null
}

function subjectsOf(powers: Actions, task: Pick<Task, 'plan'> | null): readonly Subject[] {
  const said = (task?.plan?.steps ?? []).flatMap((step) => {
    const action = step.do === 'tool' ? lookUpAction(powers.registry, step.tool) : null
    return action?.ok === true ? (action.value.capability ?? '').split(':', 1) : []
  })
  return SUBJECTS.filter((subject) => said.includes(subject))
}
