/**
 * `npm run new` in a copy of the tree: what it makes compiles, and the contract of its kind is red for what is left to write and for nothing
 * else; a unit or a name that cannot be is refused in a sentence, and nothing is written.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { leftToWrite } from '../../scripts/new/unwritten.ts'
import { makeUnit } from '../../scripts/new.ts'
import { readTree } from '../../scripts/source-check.ts'
import { copyTree } from './tree-copy.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Milliseconds for two compilers, or for three contracts. */
const WITHIN = 300_000

let root = ''
const bin = (file: string): string => join(root, 'node_modules', file)
const run = (args: readonly string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })

beforeAll(() => {
  root = copyTree()
})
afterAll(() => rmSync(root, { recursive: true }))

it.each([
  ['tool', 'weather', 'integrations/tools/weather is there already'],
  ['tool', 'breaker', 'integrations/tools/breaker is there already'],
  ['tool', 'My-Tool', '"My-Tool" cannot be the name of a tool: 2 to 20 small letters, such as tides'],
  ['channel', 'terminal', 'integrations/channels/terminal is there already'],
  ['channel', 'runtime', 'integrations/channels/runtime is there already'],
  [
    'channel',
    '../x',
    '"../x" cannot be the name of a channel: 2 to 20 small letters and digits, such as matrix',
  ],
  ['operation', 'audit.recent', 'kernel/features/audit/operations/recent.ts is there already'],
  ['operation', 'brain.show', 'kernel/features/directives/operations/show.ts is there already'],
  [
    'operation',
    'directive.show',
    'kernel/operations/index.ts has a showDirective already: the operation needs another name',
  ],
  [
    'operation',
    'notes',
    '"notes" cannot be the name of an operation: a feature and a verb in small letters, such as notes.list',
  ],
  ['job', 'scheduler', 'sidecar/jobs/scheduler.ts is there already'],
  ['job', 'warming', 'sidecar/jobs/home-jobs.ts has a startWarming already: the job needs another name'],
  ['job', 'my-job', '"my-job" cannot be the name of a job: 2 to 20 small letters, such as tidying'],
  ['chore', 'x', 'there is no unit "chore": tool, channel, operation, job can be made'],
  ['toString', 'x', 'there is no unit "toString": tool, channel, operation, job can be made'],
])('no %s %s', (unit, name, sentence) => {
  const before = readTree(root)
  expect(() => makeUnit(root, unit, name)).toThrow(sentence)
  expect(readTree(root)).toEqual(before)
})

it(
  'a new tool, channel, operation and job compile, and their contracts are red for what is left to write alone',
  () => {
    makeUnit(root, 'tool', 'tides')
    makeUnit(root, 'channel', 'matrix')
    makeUnit(root, 'operation', 'notes.list')
    // Into a feature that is there, under the word that its commands begin with.
    makeUnit(root, 'operation', 'brain.count')
    makeUnit(root, 'job', 'tidying')
    execFileSync(process.execPath, ['scripts/tables.ts'], { cwd: root })

    for (const folder of ['kernel', 'integrations', 'sidecar'])
      expect(run([bin('typescript/bin/tsc'), '-p', `${folder}/tsconfig.json`]).stdout).toBe('')
    expect(run([bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'])).toMatchObject({
      status: 0,
    })

    const report = join(root, 'report.json')
    const contracts = [
      ...['tools/packages', 'channels/contract', 'operations/call', 'operations/words'],
      'home/jobs-contract',
    ]
    run([
      ...[bin('vitest/vitest.mjs'), 'run', '--project', 'node', '--reporter=json', `--outputFile=${report}`],
      ...['-t', 'tides|matrix|notes\\.list|brain\\.count|tidying|the lists?|left|table|words|names?'],
      ...contracts.map((name) => `test/${name}.test.ts`),
    ])
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
    }
    const ran = testResults.flatMap((file) => file.assertionResults)
    const failed = ran.filter(({ status }) => status === 'failed')
    expect(failed.map(({ fullName }) => fullName).sort()).toEqual([
      'nothing of a new channel is left to write',
      'nothing of a new job is left to write',
      'nothing of a new operation is left to write',
      'nothing of a new tool is left to write',
    ])
    for (const { failureMessages } of failed)
      expect(failureMessages.join()).toMatch(/left to write:\n(?:[\w./-]+:\d+: .+\n)+/)
    for (const name of ['tides', 'matrix', 'notes.list', 'brain.count', 'tidying'])
      expect(
        ran.filter(({ fullName, status }) => fullName.includes(name) && status === 'passed'),
      ).not.toEqual([])
  },
  WITHIN,
)

it('nothing is left to write in this tree', () => {
  for (const folder of ['integrations', 'kernel', 'sidecar/jobs'])
    expect(leftToWrite(ROOT, folder)).toEqual([])
})
