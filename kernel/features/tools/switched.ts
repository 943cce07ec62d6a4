/**
 * Connected services that the owner switched off (L-02): the credential is kept, but nothing uses the service. A setting of home.
 * Must not ask or notify: tool-switch.ts does. Called by home's tool port, by tool-switch.ts and where a refusal names the
 * service.
 */
import type { StoreOf } from '../../powers/stores.ts'
import type { ToolManifest } from '../../tool/manifest.ts'
import { tell } from '../../wording/words.ts'
import type { SettingStore } from '../quiet/port.ts'

const SETTING = 'tools_off'

/** Names of credentials, as in the manifests. */
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
 * A tool with several accounts is off only when all of them are off; until then each call checks its own account. A tool whose
 * credential is only added to requests is never off, because it works without the credential.
 */
export function isSwitchedOff(
  off: readonly string[],
  { credential, accounts = [] }: Pick<ToolManifest, 'credential' | 'accounts'>,
): boolean {
  if (accounts.length > 0)
    return accounts.every((one) => one.sends === undefined && off.includes(one.credential))
  return credential !== null && off.includes(credential)
}

/** Says that the service was not used because it is off, and how to switch it on. `title`: of the service. */
export function offWords(title: string): string {
  return tell('tools.is_off', { title: title.charAt(0).toUpperCase() + title.slice(1) })
}

/** Status line about switched-off services. `titles`: of connected services that are off. */
export function offLine(titles: readonly string[]): readonly string[] {
  return titles.length === 0 ? [] : [tell('tools.status', { services: titles.join(', ') })]
}
