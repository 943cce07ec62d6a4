/** What a prompt costs before anybody has said anything, by a real tokenizer (N-13, N-01, X-29). */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../kernel/prompt/budget.ts'
import type { DocumentRequest } from '../../kernel/prompt/document/document.ts'
import { BUNDLED, build, promptText } from './document/fixtures.ts'

type Role = DocumentRequest['role']

function systemText(role: Role, changes: Partial<DocumentRequest>): string {
  const { text } = build({ role, needs: [], ...changes }, {}, BUNDLED)
  return ['identity', 'rules', `role-${role}`]
    .map(promptText)
    .concat(text, promptText('last-rules'))
    .join('\n\n')
}

describe('everything static of a prompt', () => {
  // Tokens. What is left under 2,000 for ten cards and metadata; under 1,000 for the words, the clock and the state.
  it.each([
    ['plan', 'owner', ['act'], 1_320],
    ['plan', 'owner', ['act', 'code'], 1_460],
    ['plan', 'public', [], 1_250],
    ['synthesize', 'owner', [], 780],
    ['synthesize', 'owner', ['act'], 900],
    ['synthesize', 'paired', [], 700],
    ['synthesize', 'public', [], 700],
    ['compose', 'owner', ['act'], 450],
    ['classify', 'owner', [], 410],
  ] as const)('%s for %s who can %j: at most %i tokens', (role, audience, needs, most) => {
    const text = systemText(role, { audience, needs })
    expect(estimateTokens(text)).toBeLessThanOrEqual(most)
    expect(encode(text).length).toBeLessThanOrEqual(most)
  })
})
