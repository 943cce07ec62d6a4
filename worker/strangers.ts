/**
 * Tells KernelObject of people who write to the bot and hear nothing, up to a rate: the owner is told of them once a day, and nothing wakes
 * for them (H-18). Must not carry a word of what they wrote, nor let anybody in by itself. Called by the channels' routes.
 */
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import type { InboundEvent } from '../kernel/task/event.ts'
import { strangerCalled } from '../kernel/wording/strangers.ts'
import type { KernelCalls } from './env.ts'

/** Messages a minute of which one isolate tells: a flood must not keep the object awake. */
export const MAX_STRANGERS = 10

let met: RateWindow | null = null

/**
 * Counts one message of a stranger's. True for who turns out to be paired: the Worker believes a list for some seconds, and whoever was
 * let in a moment ago is not on it. Never throws: silence stands without its line. `name`: of his object, a keyed hash.
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
