/** What a test's assistant knows of itself: a name and two services. Called by the worlds of the tests. */
import { createSelfKeeper, type SelfKeeper } from '../../kernel/self/keeper.ts'
import type { SelfSources } from '../../kernel/self/snapshot.ts'
import type { ToldSelf } from '../../kernel/self/told.ts'
import type { SelfView } from '../../kernel/self/view.ts'

export const TEST_SOURCES: SelfSources = {
  persona: () => ({ name: 'PFAR', style: null }),
  integrations: () => [{ name: 'google', tools: 5, categories: ['email', 'calendar'], state: 'active' }],
  skills: () => [],
  channels: () => [{ name: 'terminal', note: '' }],
  jobs: () => [],
  preferences: () => [],
}

export function testSelf(now: () => number, sources: Partial<SelfSources> = {}): SelfKeeper {
  return createSelfKeeper({
    sources: { ...TEST_SOURCES, ...sources },
    now,
    fault: (part) => {
      throw new Error(part)
    },
  })
}

/** A prompt that is told nothing of the assistant. */
export const NO_SELF: SelfView = { version: '00000000', sections: [] }

/** What home tells the edge where nothing is connected. */
export const TOLD_NOTHING: ToldSelf = { persona: { name: 'PFAR', style: null }, services: [] }
