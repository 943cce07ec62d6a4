/**
 * Connected services that the owner switched off for a while (L-02): the credential is kept, and nothing is done with it. A setting of home. Must not
 * ask or tell anybody: tool-switch.ts does. Called by home's tool port, by tool-switch.ts and where a refusal names the service.
 */
import type { StoreOf } from '../../powers/stores.ts'
import type { ToolManifest } from '../../tool/manifest.ts'
import { tell } from '../../wording/words.ts'
import type { SettingStore } from '../quiet/port.ts'

const SETTING = 'tools_off'

/** Names of credentials, as manifests have them. */
export function switchedOff({ store }: StoreOf<Pick<SettingStore, 'setting'>>): readonly string[] {
  const kept = store.setting(SETTING) ?? ''
  return kept === '' ? [] : kept.split(',')
}

export function switchService(
  powers: StoreOf<SettingStore>,
  { service, on }: { readonly service: string; readonly on: boolean },
): void {
  const others = switchedOff(powers).filter((one) => one !== service)
  const off = on ? others : [...others, service].sort()
  powers.store.saveSetting(SETTING, off.length === 0 ? null : off.join(','))
}

/**
 * A tool that opens accounts one by one is off once each of them is; until then each call of it says which are. One whose credential is only
 * added to requests leaves the tool what it does without.
 */
export function isSwitchedOff(
  off: readonly string[],
  { credential, accounts = [] }: Pick<ToolManifest, 'credential' | 'accounts'>,
): boolean {
  if (accounts.length > 0)
    return accounts.every((one) => one.sends === undefined && off.includes(one.credential))
  return credential !== null && off.includes(credential)
}

/** That nothing was done with it, and how it comes back. `title`: of the service. */
export function offWords(title: string): string {
  return tell('tools.is_off', { title: title.charAt(0).toUpperCase() + title.slice(1) })
}

/** The line of a status. `titles`: of those that are connected and off. */
export function offLine(titles: readonly string[]): readonly string[] {
  return titles.length === 0 ? [] : [tell('tools.status', { services: titles.join(', ') })]
}
