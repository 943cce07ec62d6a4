/** A tool may report that a result is more private than usual; which ones do is declared, as docs/tools.md tells people. */
import { expect, test } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Level } from '../../kernel/flow/level.ts'
import { readTree } from '../../scripts/source-check.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'

/** A level beside an output. */
const REPORTED =
  /output: \{[\s\S]{0,200}?\}, level\b|^ {4}level: levelOf|\{ level: '(?:sensitive|internal)'(?: as const)? \}/m

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
  ['http.request', 'sensitive', 'sensitive'],
  ['bluesky.timeline', 'public', 'internal'],
  ['bluesky.timeline', 'sensitive', 'sensitive'],
] as const)('%s at %s: %s', async (tool, level, expected) => {
  expect(await resultOf(tool, level)).toBe(expected)
})

test('each tool whose code reports a level declares the highest one, and no other does', () => {
  const reports = [...readTree()]
    .filter(
      ([path, text]) =>
        /^integrations\/tools\/[a-z]+\/(?!manifest)[a-z.]+\.ts$/.test(path) && REPORTED.test(text),
    )
    .map(([path]) => path.split('/')[2])
  const declares = TOOL_MANIFESTS.filter(({ actions }) => actions.some(({ raises }) => raises !== undefined))
  expect(declares.map(({ name }) => name).sort()).toEqual([...new Set(reports)].sort())
})
