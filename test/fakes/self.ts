/** What a test's assistant knows of itself: a name and two services. Called by the worlds of the tests. */
import { DocumentCache } from '../../kernel/prompt/document/document.ts'
import { NO_FILES, type SystemDocument } from '../../kernel/prompt/document/parse.ts'
import { createSelfKeeper, type SelfKeeper } from '../../kernel/self/keeper.ts'
import type { SelfView } from '../../kernel/self/section.ts'
import type { SelfSources } from '../../kernel/self/snapshot.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'

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
export const TOLD_NOTHING: SyncedSelf = { persona: { name: 'PFAR', style: null }, services: [] }

let bundled: SystemDocument | null = null

/** The program's own system document, read once. */
export function testDocuments(): readonly DocumentCache[] {
  bundled ??= readPromptTexts().document
  return [new DocumentCache({ bundled, files: NO_FILES })]
}

/** A model that reads text, with room for anything that a test says. */
export const TEST_LIMITS = { reads: 'text', window: 200_000, answer: 100 } as const

/** Boundary of any line of a conversation, for tests that look at one prompt. */
export function testBoundary(): string {
  return 'h7m2q9'
}
