/**
 * What home can say of the assistant (S000 §2): from configuration, the tools that are connected and the lines that it
 * answers on; and that it changed. Must not read a message. Called by powers.ts and runtime.ts.
 */

import type { ToolPort } from '../kernel/powers/ports.ts'
import { integrationsOf } from '../kernel/self/facts.ts'
import { LEAST_BETWEEN, type SelfKeeper, type SelfTrigger } from '../kernel/self/keeper.ts'
import type { IntegrationState } from '../kernel/self/section.ts'
import { OWN_NAME, type SelfSources } from '../kernel/self/snapshot.ts'
import type { RegisteredAction, Registry } from '../kernel/tool/registry.ts'
import type { Config } from './config.ts'
import type { HomeNotes } from './home-notes.ts'

export interface HomeSelfInput {
  readonly config: Pick<Config, 'owner' | 'persona' | 'edge'>
  readonly registry: Registry
  readonly tools: Pick<ToolPort, 'availability'>
  /** What its owner called it when he was asked; the configuration goes before. */
  readonly notes: Pick<HomeNotes, 'read'>
  /** Names of the chats that home has now. */
  readonly chats: () => readonly string[]
  /** Whether a service took its credential when it was last asked. */
  readonly works: (credential: string) => boolean
}

export function homeSelf({ config, registry, tools, notes, works, chats }: HomeSelfInput): SelfSources {
  const { persona, owner, edge } = config
  const stateOf = (action: RegisteredAction): IntegrationState | null => {
    if (tools.availability(action) !== 'here') return null
    const { credential } = action.tool
    return credential === null || works(credential) ? 'active' : 'failed'
  }
  return {
    persona: () => {
      const noted = notes.read('persona')
      return { name: persona.name ?? noted?.name ?? OWN_NAME, style: persona.style ?? noted?.style ?? null }
    },
    integrations: () => integrationsOf(registry, stateOf),
    skills: () => [],
    channels: () => [
      ...chats().map((name) => ({ name, note: '' })),
      ...(edge === null ? [] : [{ name: 'open line', note: '' }]),
    ],
    jobs: () => [],
    preferences: () => owner.preferences,
  }
}

/** The edge is told once things have settled: as seldom as the picture is taken anew, and never before. */
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
