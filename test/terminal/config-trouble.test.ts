/** How commands report an invalid configuration: by the name of the setting, before they ask for anything (S-14, O-21). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMAND_BOUNDS } from '../../kernel/task/command.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { newFolder } from '../kit/folder.ts'
import { bench } from './command-bench.ts'

const entry = (name: string, prompt: string): string =>
  `[[commands]]\nname = "${name}"\ndescription = "mine"\nprompt = "${prompt}"\nopen = true\n`

test('own commands that exceed the edge’s limit are refused as a whole, with the name of the setting', async () => {
  const folder = newFolder('commands')
  const half = 'x'.repeat(COMMAND_BOUNDS.atEdge / 2)
  const edge = '[edge]\nurl = "https://edge.example.com"\n'
  writeFileSync(join(folder, 'config.toml'), edge + entry('one', half) + entry('two', half))
  const { context, err } = bench()
  const environment = { PFAR_HOME: folder }
  expect(await runProgram({ ...context, environment }, ['telegram', 'connect'])).toBe(1)
  expect(err).toEqual(['config.toml: commands: has more that is open than the edge can keep.'])
})

test.each([['telegram', 'connect', '--private'], ['slack', 'connect'], ['deploy']])(
  'an invalid setting is named by %s before anything is asked for',
  async (...words) => {
    const folder = newFolder('commands')
    writeFileSync(join(folder, 'config.toml'), '[approvals]\ntimeout_seconds = 5\n')
    const { context, err } = bench()
    expect(await runProgram({ ...context, environment: { PFAR_HOME: folder } }, words)).toBe(1)
    expect(err).toEqual([
      expect.stringMatching(/^config\.toml: approvals\.timeout_seconds: must be at least 10/),
    ])
  },
)
