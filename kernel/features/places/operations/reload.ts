/** `prompts.reload`: the owner's own prompts/SYSTEM.md is read again (P-02). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, number, record, text } from '../../../operations/shape.ts'

export const reloadPrompts = defineOperation({
  name: 'prompts.reload',
  command: 'reload',
  summary: 'read your own prompts/SYSTEM.md again',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ changed: flag('internal'), tokens: number('internal'), notices: list(text('internal')) }),
  ports: ['prompts'],
  slash: 'reload',
  awake: true,
  run: async ({ prompts }) => ok(prompts()),
  text: ({ changed, tokens, notices }) => {
    const state = changed ? 'Read again.' : 'Nothing has changed.'
    return [
      `${state} The system document takes about ${tokens} tokens of an answer to you.`,
      ...notices,
    ].join('\n')
  },
})
