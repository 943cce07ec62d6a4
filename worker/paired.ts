/**
 * Who is paired with the owner, as the Worker may know it before any object of a stranger's wakes (B-04, H-18): one question to
 * KernelObject every few seconds, however many knock. Must not let anybody do anything: his own object looks at his agreement
 * with each message. Called by the channels' routes.
 */
import { KERNEL_NAME } from '../durable-objects/names.ts'
import type { KernelCalls } from './env.ts'

/** Milliseconds for which an answer is good: whoever has just been let in may have to write again. */
const GOOD_FOR = 3_000

let known: { readonly at: number; readonly principals: ReadonlySet<string> } | null = null

/** `now`: epoch milliseconds. An object that does not answer lets nobody in. */
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
