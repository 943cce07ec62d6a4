/**
 * What the command line offered at a0fb213, a row a command, read off its `--help`: each command, argument, option, choice and default is still
 * offered. More may be there. A row is changed only with a reason in the changelog; none is taken out.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from '../terminal/command-bench.ts'

interface Row {
  readonly words: readonly string[]
  readonly arguments: readonly string[]
  readonly options: readonly {
    readonly option: string
    readonly choices?: readonly string[]
    readonly default?: unknown
  }[]
  readonly commands: readonly string[]
}

const ROWS = JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8')) as readonly Row[]

async function helpOf(words: readonly string[]): Promise<string> {
  const { context, out } = bench()
  expect(await runProgram(context, [...words, '--help'])).toBe(0)
  return out.join('\n')
}

/** The lines of one list of a help text, each with what was wrapped. */
function listed(help: string, title: string): readonly string[] {
  const section = new RegExp(`\\n${title}:\\n([\\s\\S]*?)(?:\\n\\n|$)`).exec(help)?.[1] ?? ''
  return section.split(/\n(?= {2}\S)/).map((line) => line.replace(/\s+/g, ' ').trim())
}

it('the table is whole', () => {
  expect(ROWS).toHaveLength(90)
  expect(ROWS.flatMap(({ options }) => options)).toHaveLength(146)
})

describe.each(ROWS.map((row) => [`pfar ${row.words.join(' ')}`, row] as const))('%s', (_, row) => {
  it('offers what it offered', async () => {
    const help = await helpOf(row.words)
    const usage = help.replace(/\s+/g, ' ')
    for (const name of row.arguments)
      expect([name, usage.includes(`<${name}>`) || usage.includes(`[${name}]`)]).toEqual([name, true])
    // The program's own stand under several titles.
    const commands = [...help.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name)
    expect(row.commands.filter((name) => !commands.includes(name))).toEqual([])
    const options = listed(help, 'Options')
    for (const { option, choices = [], default: usual } of row.options) {
      const line = options.find((one) => one.includes(`${option} `)) ?? ''
      expect(line, `${option} is gone`).not.toBe('')
      for (const choice of choices) expect(line).toContain(`"${choice}"`)
      if (usual !== undefined) expect(line).toContain(`default: ${shown(usual)}`)
    }
  })
})

/** As commander writes a default. */
function shown(value: unknown): string {
  return JSON.stringify(value)
}
