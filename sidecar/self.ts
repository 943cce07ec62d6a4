/**
 * What home can say of the assistant (S000 §2): from configuration, the tools that are connected and the lines that it
 * answers on; and that it changed. Must not read a message. Called by powers.ts and runtime.ts.
 */

import type { ToolPort } from '../kernel/powers/ports.ts'
import { integrationsOf } from '../kernel/self/facts.ts'
import { LEAST_BETWEEN, type SelfKeeper } from '../kernel/self/keeper.ts'
import { OWN_NAME, type SelfSources } from '../kernel/self/snapshot.ts'
import type { Registry } from '../kernel/tool/registry.ts'
import type { Config } from './config.ts'

export interface HomeSelfInput {
  readonly config: Pick<Config, 'owner' | 'persona' | 'edge'>
  readonly registry: Registry
  readonly tools: Pick<ToolPort, 'availability'>
}

export function homeSelf({ config, registry, tools }: HomeSelfInput): SelfSources {
  const { persona, owner, edge } = config
  return {
    persona: () => ({ name: persona.name ?? OWN_NAME, style: persona.style }),
    integrations: () =>
      integrationsOf(registry, (action) => (tools.availability(action) === 'here' ? 'active' : null)),
    skills: () => [],
    channels: () => [
      { name: 'terminal', note: '' },
      ...(edge === null ? [] : [{ name: 'open line', note: '' }]),
    ],
    jobs: () => [],
    preferences: () => owner.preferences,
  }
}

/** The edge is told once things have settled: as seldom as the picture is taken anew, and never before. */
export function createSelfNews(keeper: Pick<SelfKeeper, 'touch'>, tell: () => void): () => void {
  let waiting = false
  return () => {
    keeper.touch('integration')
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      tell()
    }, LEAST_BETWEEN).unref()
  }
}
