/**
 * Principals: exactly one per event, derived from authenticated ids, never from content (B-01 – B-09, B-11).
 */
import type { EventSource } from './event.ts'

export const PRINCIPAL_CLASSES = Object.freeze(['owner', 'paired', 'third_party', 'webhook', 'cron'] as const)
export type PrincipalClass = (typeof PRINCIPAL_CLASSES)[number]

export interface Principal {
  /** Canonical: `principal:owner`, `principal:telegram:peer:12345`, `principal:slack:W1:C1:U1`, … */
  readonly id: string
  readonly class: PrincipalClass
}

/** Who the owner is and who is paired: configuration and pairing records, never message content (B-08). */
export interface Directory {
  /** `adapter:user` ids that are the owner. */
  readonly owner: readonly string[]
  /** Principal ids with a live pairing. */
  readonly paired: readonly string[]
}

export type PrincipalSource = Pick<EventSource, 'adapter' | 'user' | 'chat' | 'group'>
