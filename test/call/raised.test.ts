/** A tool may report that a result is more private than usual, up to what its declaration says can come: that is what docs/tools.md tells people. */
import { expect, test } from 'vitest'
import type { Level } from '../../kernel/flow/level.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'

const READS: Readonly<Record<string, { readonly args: object; readonly output: object }>> = {
  'slack.read_channel': {
    args: { channel: '#general' },
    output: { conversation: 'C1', kind: 'private', messages: [], more: false },
  },
  'http.request': {
    args: { url: 'https://api.example.com/x' },
    output: { status: 200, text: 'x', cut: false },
  },
  'bluesky.timeline': { args: {}, output: { posts: [], more: false } },
}

/** The label of the one result, or the code of why there is none. */
async function resultOf(tool: string, level: Level): Promise<unknown> {
  const { args, output } = READS[tool] ?? { args: {}, output: {} }
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool, args }] }) : 'done',
  )
  const tools = { [tool]: () => ({ ok: true, output, level }) as const }
  const world = createWorld({ models: [model], tools })
  await world.say('do the unusual thing with https://api.example.com/x and #general')
  const { code, label } = Object(world.audited.find(({ kind }) => kind === 'tool_invoked')?.facts)
  return code ?? label
}

test.each([
  ['slack.read_channel', 'sensitive', 'sensitive'],
  ['slack.read_channel', 'regulated', 'tool_result_invalid'],
  ['http.request', 'sensitive', 'sensitive'],
  ['bluesky.timeline', 'public', 'internal'],
  ['bluesky.timeline', 'sensitive', 'tool_result_invalid'],
] as const)('%s at %s: %s', async (tool, level, expected) => {
  expect(await resultOf(tool, level)).toBe(expected)
})
