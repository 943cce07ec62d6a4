/**
 * Home's sources for the assistant's description of itself (S000 §2): configuration, connected tools, lines and jobs;
 * announces changes. Must not read a message. Called by powers.ts and wiring.ts.
 */

import type { ToolPort } from '../../kernel/powers/ports.ts'
import {
  integrationsOf,
  LEAST_BETWEEN,
  type SelfKeeper,
  type SelfTrigger,
  type ServiceState,
  serviceOf,
} from '../../kernel/self/keeper.ts'
import { OWN_NAME, type SelfSources } from '../../kernel/self/snapshot.ts'
import type { RegisteredAction, Registry } from '../../kernel/tool/registry.ts'
import type { Config } from '../config/config.ts'
import type { HomeNotes } from '../store/home-notes.ts'

export interface HomeSelfInput {
  readonly config: Pick<Config, 'owner' | 'persona' | 'edge'>
  /** What the owner is told a service, or one account of it, is called: by what it is, never by its address. */
  readonly titleOf: (service: string, account: string | null) => string
  readonly registry: Registry
  readonly tools: Pick<ToolPort, 'availability'>
  /** Holds the name that the owner gave the assistant when asked. The configuration takes precedence. */
  readonly notes: Pick<HomeNotes, 'read'>
  /** Names of the chats that are connected now. */
  readonly chats: () => readonly string[]
  /** Jobs that are on, with their schedules in words. */
  readonly jobs: SelfSources['jobs']
  /** Whether a service accepted this credential when it was last used; null where it was never set up. */
  readonly works: (credential: string, account: string | null) => boolean | null
}

export function homeSelf({
  config,
  registry,
  tools,
  notes,
  works,
  chats,
  jobs,
  titleOf,
}: HomeSelfInput): SelfSources {
  const { persona, owner, edge } = config
  const stateOf = (credential: string, account: string | null): readonly ServiceState[] => {
    const known = works(credential, account)
    if (known === null) return []
    return [{ name: titleOf(credential, account), state: known ? 'active' : 'failed' }]
  }
  const servicesOf = (action: RegisteredAction): readonly ServiceState[] => {
    if (tools.availability(action) !== 'here') return []
    const { credential, accounts } = action.tool
    if (credential === null) return [{ name: titleOf(serviceOf(action), null), state: 'active' }]
    return accounts === undefined
      ? stateOf(credential, null)
      : accounts.flatMap((one) => stateOf(one.credential, one.account))
  }
  return {
    persona: () => {
      const noted = notes.read('persona')
      return { name: persona.name ?? noted?.name ?? OWN_NAME, style: persona.style ?? noted?.style ?? null }
    },
    integrations: () => integrationsOf(registry, servicesOf),
    skills: () => [],
    channels: () => [
      ...chats().map((name) => ({ name, note: '' })),
      ...(edge === null ? [] : [{ name: 'open line', note: '' }]),
    ],
    jobs,
    preferences: () => owner.preferences,
  }
}

/** Announces changes to the edge with a delay, so that it receives at most one update per `LEAST_BETWEEN`. */
export function createSelfNews(
  keeper: Pick<SelfKeeper, 'touch'>,
  tell: () => void,
): (trigger?: SelfTrigger) => void {
  let waiting = false
  return (trigger = 'integration') => {
    keeper.touch(trigger)
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      tell()
    }, LEAST_BETWEEN).unref()
  }
}
