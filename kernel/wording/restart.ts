/**
 * The notice to the owner after home has restarted (M-27): facts found at this start only, then an invitation to ask again.
 * Pure. Called by runtime/restart.ts; used at home only.
 */
import { tell } from './words.ts'

export interface RestartFacts {
  /** There was no stored state: a first start, so nothing was lost. */
  readonly first: boolean
  readonly name: string
  /** Connected services, with the number of tools of each. */
  readonly services: readonly { readonly name: string; readonly tools: number }[]
  /** Configured services that do not work now. */
  readonly broken: readonly string[]
  readonly skills: number
  /** Credentials that were typed elsewhere and wait for confirmation. */
  readonly offers: number
  /** Parts of the start that failed or have not finished. */
  readonly troubles: readonly string[]
}

export interface RestartCounts {
  /** Questions that wait for approval. */
  readonly waiting: number
  /** Questions that expired meanwhile. */
  readonly lapsed: number
  /** Requests that were running. */
  readonly underWay: number
  /** When and in which chat the owner paused all work. */
  readonly paused?: string
}

export function restartWords(facts: RestartFacts, counts: RestartCounts): string {
  const { first, name, services, broken, skills, offers, troubles } = facts
  const { waiting, lapsed, underWay, paused } = counts
  const connected = services.map(({ name, tools }) => counted('tools', tools, name))
  return [
    first ? tell('wording.restart_welcome', { name }) : tell('wording.restart'),
    ...(connected.length > 0 ? [tell('wording.restart_connected', { services: connected.join(', ') })] : []),
    ...(broken.length > 0 ? [tell('wording.restart_broken', { services: broken.join(', ') })] : []),
    ...(skills > 0 ? [counted('restart_skills', skills)] : []),
    ...(connected.length + broken.length + skills === 0 ? [tell('wording.restart_none')] : []),
    ...(troubles.length > 0 ? [tell('wording.restart_troubles', { parts: troubles.join(', ') })] : []),
    ...(lapsed > 0 ? [counted('restart_lapsed', lapsed)] : []),
    ...(waiting > 0 ? [counted('restart_waiting', waiting)] : []),
    ...(offers > 0 ? [counted('restart_offers', offers)] : []),
    ...(underWay > 0 ? [counted('restart_going', underWay)] : []),
    ...(paused === undefined ? [] : [tell('wording.restart_paused', { paused })]),
    tell(first ? 'wording.restart_help' : 'wording.restart_ask'),
  ].join(' ')
}

type Counted =
  | 'tools'
  | 'restart_skills'
  | 'restart_lapsed'
  | 'restart_waiting'
  | 'restart_offers'
  | 'restart_going'

function counted(what: Counted, count: number, name = ''): string {
  return tell(`wording.${what}_${count === 1 ? 'one' : 'many'}`, { count, name })
}
