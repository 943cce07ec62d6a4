/**
 * Kinds of request of other people that the owner switched off (L-03): a setting of home, by ids of templates. No task starts
 * under such a template, and a running one takes no further step. Must not ask or notify: template-switch.ts does. Called by
 * route.ts, person-of.ts and the code that syncs the edge.
 */
import type { ChangeNews } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { SettingReader, SettingStore } from '../quiet/port.ts'

const SETTING = 'templates_off'

export function templatesOff({ store }: StoreOf<SettingReader>): readonly string[] {
  const kept = store.setting(SETTING) ?? ''
  return kept === '' ? [] : kept.split(',')
}

export function switchTemplates(
  powers: ChangeNews & StoreOf<SettingStore>,
  { ids, on }: { readonly ids: readonly string[]; readonly on: boolean },
): void {
  const others = templatesOff(powers).filter((one) => !ids.includes(one))
  const off = on ? others : [...others, ...ids].sort()
  powers.store.saveSetting(SETTING, off.length === 0 ? null : off.join(','))
  // Informs the edge who may ask there.
  powers.grantsChanged?.()
  powers.peopleChanged?.()
}
