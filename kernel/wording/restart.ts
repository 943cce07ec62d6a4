/**
 * The notice to the owner after home has restarted (M-27): facts found at this start only, then an invitation to ask again.
 * Pure. Called by runtime/restart.ts; used at home only.
 */

import { tell } from './words.ts'

export interface RestartFacts {
  /** There was no stored state: a first start, so nothing was lost. */
  readonly first: boolean
  readonly name: string
  /** Connected services. */
  readonly services: readonly string[]
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
  return [
    first ? tell('wording.welcome', { name }) : tell('wording.restarted'),
    ...(services.length > 0 ? [tell('wording.connected', { services: services.join(', ') })] : []),
    ...(broken.length > 0 ? [tell('wording.not_working', { services: broken.join(', ') })] : []),
    ...(skills > 0 ? [tell('wording.skills_loaded', { skills: numbered(skills, 'skill') })] : []),
    ...(services.length + broken.length + skills === 0 ? [tell('wording.none_connected')] : []),
    ...(troubles.length > 0 ? [tell('wording.not_up', { parts: troubles.join(', ') })] : []),
    ...(lapsed > 0 ? [tell('wording.ran_out', { questions: numbered(lapsed, 'question') })] : []),
    ...(waiting > 0 ? [tell('wording.still_asked', { questions: numbered(waiting, 'question') })] : []),
    ...(offers > 0 ? [tell('wording.to_accept', { credentials: numbered(offers, 'credential') })] : []),
    ...(underWay > 0 ? [tell('wording.goes_on', { requests: numbered(underWay, 'request') })] : []),
    ...(paused === undefined ? [] : [tell('wording.goes_on_pausing', { paused })]),
    tell(first ? 'wording.say_help' : 'wording.ask_again'),
  ].join(' ')
}

type Counted = 'skill' | 'question' | 'credential' | 'request'

function numbered(count: number, noun: Counted): string {
  return count === 1 ? tell(`wording.${noun}_one`) : tell(`wording.${noun}_many`, { count })
}
