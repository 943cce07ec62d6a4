/**
 * Says a request plainly: a form of what it is of, with its parts in their places. Null where a part has no place, so that nothing that was said is dropped.
 * Pure. Must not plan. Called by by-parts.ts.
 */
import type { TaggedPart } from '../../../extractors/learned/parts.ts'
import type { PartName } from '../../../extractors/learned/tags.ts'
import type { Language } from '../../../../kernel/wording/languages.ts'
import { FORMS } from './forms.ts'

export function plainRequests(
  label: string,
  parts: readonly TaggedPart[],
  language: Language,
): readonly string[] | null {
  const form = FORMS[label]
  if (form === undefined) return null
  const { each, says } = form
  const things = each === undefined ? [] : parts.filter(({ part }) => part === each)
  const others = parts.filter(({ part }) => part !== each)
  const groups = things.length > 1 ? things.map((one) => [...others, one]) : [parts]
  const plain = groups.map((group) => filled(says[language], group))
  return plain.every((one) => one !== null) ? plain : null
}

const PLACE = /\{(\w+)\}/g

function filled(forms: readonly string[], parts: readonly TaggedPart[]): string | null {
  const texts = new Map<PartName, string>()
  for (const { part, text } of parts) {
    const before = texts.get(part)
    texts.set(part, before === undefined ? text : `${before}${part === 'who' ? ' and ' : ' '}${text}`)
  }
  for (const form of forms) {
    const whole = form.replace(/\[([^\]]+)\]/g, (_, may: string) =>
      [...may.matchAll(PLACE)].every(([, name]) => texts.has(name as PartName)) ? may : '',
    )
    const places = [...whole.matchAll(PLACE)].map(([, name]) => name as PartName)
    if (places.length !== texts.size || !places.every((name) => texts.has(name))) continue
    return whole.replace(PLACE, (_, name: string) => texts.get(name as PartName) ?? '')
  }
  return null
}
