/**
 * Limits of the platform's free plan, as data. Must be read again when the provider changes them: the report names source and date.
 * Called by KernelObject, which adds up what the objects counted.
 */
import type { Plan } from '../kernel/features/usage/plan.ts'

/** Gigabytes that the platform charges for each second in which an object runs. */
const OBJECT_MEMORY = 0.128
/** Gigabyte-seconds a day of all objects. */
const RUNNING = 13_000

/**
 * Durable Objects, all of an account: rows written, requests (a call of an object, an alarm, or twenty messages of a socket), and
 * running time in milliseconds. The Worker's own 100,000 requests a day are reached later: each of its requests calls an object.
 */
export const FREE_PLAN: Plan = Object.freeze({
  source: 'developers.cloudflare.com/durable-objects/platform/pricing',
  asOf: '2026-11',
  perDay: Object.freeze({ rows: 100_000, requests: 100_000, duration: (RUNNING / OBJECT_MEMORY) * 1_000 }),
})
