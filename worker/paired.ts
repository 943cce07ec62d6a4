/**
 * Paired principals as the Worker knows them before it wakes a stranger's object (B-04, H-18): one query to KernelObject every few
 * seconds, whatever the traffic. Must not authorise anything: the principal's object checks its agreement with each message. Called
 * by the channels' routes.
 */
import { KERNEL_NAME } from '../durable-objects/names.ts'
import type { KernelCalls } from './env.ts'

/** Milliseconds for which a result is cached. A person paired meanwhile may have to write again. */
const GOOD_FOR = 3_000

let known: { readonly at: number; readonly principals: ReadonlySet<string> } | null = null

/** `now`: epoch milliseconds. False when the object does not answer. */
export async function isPaired(
  env: { readonly KERNEL: KernelCalls<'paired'> },
  principal: string,
  now: number,
): Promise<boolean> {
  if (known === null || now - known.at >= GOOD_FOR || now < known.at) {
    const principals = await env.KERNEL.getByName(KERNEL_NAME)
      .paired()
      .catch(() => [])
    known = { at: now, principals: new Set(principals) }
  }
  return known.principals.has(principal)
}
