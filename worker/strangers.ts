/**
 * Reports unknown senders who get no answer to KernelObject, rate-limited: the owner gets one notice a day, and no object of theirs
 * wakes (H-18). Must not forward their text, nor let anybody in by itself. Called by the channels' routes.
 */
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import type { InboundEvent } from '../kernel/task/event.ts'
import { strangerCalled } from '../kernel/wording/strangers.ts'
import type { KernelCalls } from './env.ts'

/** Messages a minute that one isolate reports: a flood must not keep the object awake. */
export const MAX_STRANGERS = 10

let met: RateWindow | null = null

/**
 * Counts one message of an unknown sender. True when the sender is paired by now: the Worker's cached list is some seconds old.
 * Never throws: the message is dropped without its count. `name`: name of the sender's object, a keyed hash.
 */
export async function meetStranger(
  env: { readonly KERNEL: KernelCalls<'met'> },
  {
    principal,
    name,
    event,
  }: { readonly principal: string; readonly name: string; readonly event: InboundEvent },
): Promise<boolean> {
  const { window, within, leftOut } = countOne(met, event.at, MAX_STRANGERS)
  met = window
  if (!within) return false
  const stranger = { principal, name, called: strangerCalled(event.source), leftOut }
  const paired = env.KERNEL.getByName(KERNEL_NAME).met(stranger)
  return paired.catch(() => false)
}
