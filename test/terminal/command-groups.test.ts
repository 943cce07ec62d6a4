/** The order of `pfar --help`: what is typed every day comes first, and each command stands once. */
import { expect, it } from 'vitest'
import { createProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'

const help = (): string => createProgram(bench().context, () => undefined).helpInformation()
const named = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = '']) => name)

it('begins with a few commands of every day', () => {
  const [first = '', second = ''] = help()
    .split(/^(?=\S.*:$)/m)
    .filter((part) => /^\S.*:\n/.test(part) && !part.startsWith('Options'))
  expect(first.startsWith('Every day:')).toBe(true)
  expect(named(first).slice(0, 3)).toEqual(['chat', 'ask', 'approvals'])
  expect(named(first).length).toBeLessThanOrEqual(12)
  expect(second.startsWith('To begin:')).toBe(true)
})

it('has each command once, and leaves none for the end but what nobody grouped', () => {
  const program = createProgram(bench().context, () => undefined)
  const all = program.commands.map((command) => command.name())
  expect(all.length).toBeGreaterThan(60)
  expect(named(help()).toSorted()).toEqual(all.toSorted())
  expect(named(help().split('More:')[1] ?? '')).toEqual([])
})
