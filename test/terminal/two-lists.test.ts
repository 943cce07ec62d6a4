/** Every command of `pfar` is either an operation or a local command with a reason, and none is both (DESIGN §9). */
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { LOCAL } from '../../sidecar/cli/local/index.ts'
import { createProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'

const ALL_LOCAL = [...LOCAL.before, ...LOCAL.behind]

/** Commands without subcommands, as typed. */
function leaves(command: Command, words: readonly string[] = []): readonly string[] {
  const below = command.commands.filter((one) => one.name() !== 'help')
  if (below.length === 0) return [words.join(' ')]
  return below.flatMap((one) => leaves(one, [...words, one.name()]))
}

const typed = leaves(createProgram(bench().context, () => undefined))
const operated = OPERATIONS.flatMap(({ command, aliases }) =>
  [command, ...aliases].map((words) => words.join(' ')),
)
const isLocal = (words: string): boolean =>
  ALL_LOCAL.some(({ names }) => names.some((name) => words === name || words.startsWith(`${name} `)))

describe.each(typed)('pfar %s', (words) => {
  it('is on exactly one list', () => {
    expect([operated.includes(words), isLocal(words)].filter(Boolean)).toHaveLength(1)
  })
})

it('every operation and every local name is a command', () => {
  expect(typed).toEqual(expect.arrayContaining(operated))
  for (const name of ALL_LOCAL.flatMap(({ names }) => names))
    expect(
      typed.some((words) => words === name || words.startsWith(`${name} `)),
      name,
    ).toBe(true)
})

it('every local command states its reason in a sentence', () => {
  for (const { names, reason } of ALL_LOCAL) expect(reason, names.join()).toMatch(/^[a-z].{20,160}$/)
})

it('help lists operations and local commands', () => {
  const help = createProgram(bench().context, () => undefined).helpInformation()
  for (const words of [...operated, ...ALL_LOCAL.flatMap(({ names }) => names)])
    expect(help, words).toMatch(new RegExp(`^ {2}${words.split(' ')[0]}\\b`, 'm'))
})
