/**
 * Limits of the platform's free plan, as data. The figures must be checked again when the provider changes them: the report names
 * their source and date. Called by KernelObject, which sums the counts of all objects.
 */
import type { Plan } from '../kernel/features/usage/plan.ts'

/** Memory of a Durable Object in gigabytes, as the platform bills it for each second that the object runs. */
const OBJECT_MEMORY = 0.128
/** Gigabyte-seconds per day, for all objects together. */
const RUNNING = 13_000

/**
 * Daily limits of Durable Objects, for the whole account: rows written, requests (a call of an object, an alarm, or twenty
 * messages of a socket), and running time in milliseconds. The Worker's own 100,000 requests a day are reached later, because
 * each of its requests calls an object.
 */
export const FREE_PLAN: Plan = Object.freeze({
  source: 'developers.cloudflare.com/durable-objects/platform/pricing',
  asOf: '2026-11',
  perDay: Object.freeze({ rows: 100_000, requests: 100_000, duration: (RUNNING / OBJECT_MEMORY) * 1_000 }),
})
