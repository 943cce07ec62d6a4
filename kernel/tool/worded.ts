/**
 * Texts that people read about an action, in the owner's language: words of its card, its help and its progress. Without
 * a translation the declared texts are used. Must not be shown to a model. Called by cards, offers and progress.
 */
import type { FieldSpec } from '../flow/field.ts'
import type { Json } from '../flow/json.ts'
import { translation } from '../wording/language.ts'
import { tell, wordOf } from '../wording/words.ts'
import type { ActionManifest, CardWords } from './manifest.ts'

type Worded = Pick<ActionManifest, 'id' | 'card' | 'progress' | 'help' | 'operation'>

export function cardWords({ id, card, operation }: Worded): CardWords | undefined {
  if (operation !== undefined && card !== undefined) return { ...card, ask: asksFor(operation, card.ask) }
  const ask = translated('asks', id)
  return own(id)?.card ?? (ask === undefined || card === undefined ? card : { ...card, ask, ...noted(card) })
}

/** Question for an operation: its summary in the help, without conditions. */
function asksFor(operation: string, english: string): string {
  const [what = ''] = (translation()?.operations[operation]?.summary ?? english).split(';')
  return tell('wording.asks_setting', { what })
}

/** Words shown instead of an argument's name. */
export function argName(action: Worded, name: string): string {
  const names = cardWords(action)?.names ?? {}
  return (
    (Object.hasOwn(names, name) ? names[name] : undefined) ??
    ofKernel(action, `wording.calls_${name}`) ??
    name
  )
}

/** Words shown instead of a value of a closed set, several such values, or a boolean; null for any other value. */
export function valueName(action: Worded, spec: FieldSpec | undefined, value: Json): string | null {
  if (spec?.kind === 'boolean' && typeof value === 'boolean')
    return tell(value ? 'wording.is_so' : 'wording.is_not_so')
  const values = cardWords(action)?.values ?? {}
  if (spec?.kind === 'list' && Array.isArray(value)) {
    const named = value.map((item: Json) => valueName(action, spec.of, item))
    return spec.of.kind === 'enum' && named.every((one) => one !== null) ? named.join(', ') : null
  }
  if (spec?.kind !== 'enum' || typeof value !== 'string') return null
  return (Object.hasOwn(values, value) ? values[value] : ofKernel(action, `wording.means_${value}`)) ?? null
}

/** Words for arguments and values of the kernel's own actions, which declare none; the features share them. */
function ofKernel({ id, operation }: Worded, name: string): string | undefined {
  const isKernels = operation !== undefined || wordOf(`wording.asks_${id.replace('.', '_')}`) !== undefined
  return isKernels ? wordOf(name) : undefined
}

export function progressWords({ id, progress, operation, card }: Worded): string | undefined {
  const ofSetting = card === undefined ? 'looking_at_setting' : 'setting'
  return own(id)?.progress ?? translated('does', operation === undefined ? id : ofSetting) ?? progress
}

/** What the action does, with an example; undefined if it has no such text. */
export function helpWords({ id, help }: Worded): string | undefined {
  return own(id)?.help ?? help
}

function own(id: string) {
  const actions = translation()?.actions ?? {}
  return Object.hasOwn(actions, id) ? actions[id] : undefined
}

/** Translated headings of what is looked up for a card of the kernel's own actions. */
function noted({ remarks }: CardWords): Pick<CardWords, 'remarks'> {
  if (remarks === undefined) return {}
  const says = translation()?.says ?? {}
  const words = Object.entries(remarks).map(([field, one]) => [field, says[`wording.finds_${field}`] ?? one])
  return { remarks: Object.fromEntries(words) }
}

/** Translated text of a kernel action; undefined in English, where the declaration has it. */
function translated(what: 'asks' | 'does', id: string): string | undefined {
  return translation()?.says[`wording.${what}_${id.replace('.', '_')}`]
}
