/**
 * What the edge tells home of something that was meant for the owner's chat there and did not get in (F-18): what it is, how long ago it was
 * asked for, and why it will not come. Never a word of it, and no name: home has its own words. Pure. Called by body.ts and both ends.
 */
import * as z from 'zod/mini'
import { isReasonCode, type ReasonCode } from '../reasons.ts'

export interface UnsentNews {
  readonly kind: 'answer' | 'card' | 'notice'
  /** Milliseconds since it was asked for, as this leaves, so that two clocks need not agree (T-14). */
  readonly age: number
  /** Why it was given up; null while it waits. */
  readonly lost: ReasonCode | null
}

export const unsentSchema = z.strictObject({
  kind: z.enum(['answer', 'card', 'notice']),
  age: z.int().check(z.nonnegative()),
  lost: z.nullable(z.custom<ReasonCode>(isReasonCode)),
})
