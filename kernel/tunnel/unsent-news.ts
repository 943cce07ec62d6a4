/**
 * Report from the edge to home that a delivery to the owner's chat there failed or waits (F-18): its kind, its age, and the
 * reason if it was given up. No content and no names: home words the notice itself. Pure. Called by body.ts and both ends.
 */
import * as z from 'zod/mini'
import { isReasonCode, type ReasonCode } from '../reasons.ts'

export interface UnsentNews {
  readonly kind: 'answer' | 'card' | 'notice'
  /**
   * Milliseconds since the delivery was requested, measured when this report leaves, so that the two clocks need not agree
   * (T-14).
   */
  readonly age: number
  /** Reason code if it was given up; null while it waits. */
  readonly lost: ReasonCode | null
}

export const unsentSchema = z.strictObject({
  kind: z.enum(['answer', 'card', 'notice']),
  age: z.int().check(z.nonnegative()),
  lost: z.nullable(z.custom<ReasonCode>(isReasonCode)),
})
