/**
 * Capability tokens: designation, permission and provenance in one signed, single-use statement (A-33, A-35 –
 * Each place signs its own; home never accepts the edge's. Tools receive one and cannot make one.
 */
import type { Json } from '../flow/json.ts'
import type { Place } from '../flow/place.ts'
import type { Taint } from '../flow/taint.ts'

export interface Capability {
  readonly id: string
  readonly place: Place
  readonly task: string
  readonly template: string
  readonly principal: string
  readonly step: string
  readonly tool: string
  /** `account=personal`; empty when the action declares no scope argument. */
  readonly scope: string
  /** SHA-256 of the canonical arguments, hex: what was authorised is what runs (invariant 6). */
  readonly argsDigest: string
  readonly argsTaint: Taint
  /** Id of the approval that this call spends, or null. */
  readonly approval: string | null
  /** Epoch milliseconds. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly maxInvocations: number
}

export interface CapabilityToken {
  readonly claims: Capability
  /** HMAC-SHA-256 over the canonical claims, hex. */
  readonly mac: string
}

/** What a token must be good for at the moment of use. */
export interface CapabilityUse {
  readonly place: Place
  readonly task: string
  readonly step: string
  readonly tool: string
  readonly args: Json
  readonly scope: string
  readonly now: number
  /** Invocations already counted for this id, read from storage. */
  readonly used: number
}
