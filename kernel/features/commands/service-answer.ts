/**
 * Answers a wish about a service (L-02, L-07) by its operation: switch it off or on, delete its credential, or test it. The names
 * of hosts that have a key are shown only on private lines. Must only read the owner's words. Called by own-commands.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import type { Task } from '../../task/task.ts'
import { isSentAlong, needsOf } from '../../tool/channel.ts'
import { namingOf } from '../credentials/ask-credential.ts'
import { disconnectHelp } from '../credentials/connect-commands.ts'
import { type ServiceWish, serviceWish } from '../credentials/service-words.ts'
import { operationAnswer } from './slash.ts'

/** Connecting, and giving another credential, have questions of their own. */
const OPERATION = Object.freeze({
  ...{ leave: 'tools.remove', off: 'tools.off', on: 'tools.on', check: 'tools.check' },
} as const)
type Wants = keyof typeof OPERATION

export function isOfService({ wants }: ServiceWish): boolean {
  return Object.hasOwn(OPERATION, wants)
}

type ServicePorts = Parameters<typeof operationAnswer>[0] &
  Parameters<typeof namingOf>[0] & { readonly place: string }

export async function serviceAnswer(
  powers: ServicePorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string>> {
  const { registry, place } = powers
  const needs = needsOf(registry)
  const isWish = (fits: (wish: ServiceWish) => boolean): boolean =>
    test(words, (text) => {
      const wish = serviceWish(text, needs)
      return wish !== null && fits(wish)
    })
  const wants = (Object.keys(OPERATION) as Wants[]).find((one) => isWish((wish) => wish.wants === one))
  // No operation is run, but help is shown, for the key of a host and one of several accounts, which are deleted by their own
  // names, and at the edge, which holds no credential.
  const isOfSeveral = needs.some(
    ({ service, several }) => several !== undefined && isWish((wish) => wish.service === service),
  )
  const isHelped = place !== 'home' || isOfSeveral || isWish(({ service }) => isSentAlong(registry, service))
  if (wants !== undefined && (wants !== 'leave' || !isHelped))
    return operationAnswer(powers, task, words, { operation: OPERATION[wants], argument: 'which' })
  const named = needs.map(({ service }) => service)
  return receive(disconnectHelp(needs, words), namingOf(powers, named, task.sink))
}
