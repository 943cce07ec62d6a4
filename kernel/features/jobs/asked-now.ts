/**
 * Jobs that the owner asked to run at once: quiet hours do not hold that run, as whoever asks is there to read it. Must not run
 * one. Called by requests/jobs.ts, which notes them, and runner.ts.
 */
import type { SettingStore } from '../quiet/port.ts'

/** JSON of ids of jobs, the newest last. */
const SETTING = 'jobs_asked_now'
/** Most that are kept: one that is stopped before it runs stays noted. */
const MOST = 20

type Settings = Pick<SettingStore, 'setting' | 'saveSetting'>

function noted({ setting }: Pick<SettingStore, 'setting'>): readonly string[] {
  const kept = setting(SETTING)
  return kept === null ? [] : (JSON.parse(kept) as readonly string[])
}

export function isAskedNow(store: Pick<SettingStore, 'setting'>, { id }: { readonly id: string }): boolean {
  return noted(store).includes(id)
}

export function noteAskedNow(store: Settings, id: string): void {
  const all = [...noted(store).filter((one) => one !== id), id].slice(-MOST)
  store.saveSetting(SETTING, JSON.stringify(all))
}

/** In the transaction that takes its time. */
export function forgetAskedNow(store: Settings, id: string): void {
  const all = noted(store)
  const left = all.filter((one) => one !== id)
  if (left.length < all.length) store.saveSetting(SETTING, left.length === 0 ? null : JSON.stringify(left))
}
