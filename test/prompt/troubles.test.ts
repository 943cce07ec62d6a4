/** What a writer is told of the reason for a failure: its meaning, without the owner's system where somebody else reads the answer. */
import { expect, it } from 'vitest'
import { layOut } from '../../kernel/prompt/layout.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'
import { promptParts } from '../language/fixtures.ts'

const TROUBLES = [{ tool: '', reason: 'home_offline' }]

function shownTo(changes: Partial<PromptParts>): string {
  return layOut(promptParts({ troubles: TROUBLES, ...changes }), readPromptTexts(), {
    boundary: 'b',
    identity: '',
  }).now
}

it('the owner’s has all of it', () => {
  expect(shownTo({ audience: 'owner' })).toContain('Your home box is not connected')
})

it.each(['paired', 'public'] as const)(
  'in a %s chat nothing tells how the owner’s system is set up',
  (audience) => {
    const shown = shownTo({ audience })
    expect(shown).toContain('"means"')
    expect(shown).not.toContain('home box')
  },
)

it('a planner has the code alone', () => {
  expect(shownTo({ purpose: 'plan' })).not.toContain('"means"')
})
