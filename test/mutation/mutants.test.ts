/** A frozen mutant is found again where its code has moved, and is told where the code is gone. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../kit/folder.ts'
import frozen from './frozen.json' with { type: 'json' }
import { type FrozenMutant, locate, mutantsOf } from './mutants.ts'

const GUARD = 'export const mayRead = (level: number, most: number): boolean => level <= most\n'

async function tree(files: Readonly<Record<string, string>>) {
  const root = newFolder('mutants')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return mutantsOf(root, '*.ts')
}

it('names what is replaced by what, and where', async () => {
  const found = await tree({ 'a.ts': GUARD })
  expect(found).toContainEqual({
    ...{ file: 'a.ts', line: 1, mutator: 'EqualityOperator', context: GUARD.trim() },
    ...{ original: 'level <= most', replacement: 'level < most', range: 'a.ts:1:65-1:78' },
  })
})

it('follows code to another line, another layout and another file', async () => {
  const before: FrozenMutant[] = await tree({ 'a.ts': `${GUARD}export const x = f(1,\n  2)\n` })
  const after = await tree({ 'b.ts': `// Moved.\n\n${GUARD}`, 'a.ts': 'export const x = f(1,\n      2)\n' })
  const { found, gone } = locate(before, after)
  expect(gone).toEqual([])
  expect(found.filter(({ file }) => file === 'b.ts').every(({ line }) => line === 3)).toBe(true)
})

it('tells equal changes apart by their order, and names what is gone', async () => {
  const block = (name: string): string => `export function ${name}(level: number) {\n  return level <= 3\n}\n`
  const before = (await tree({ 'a.ts': block('a') + block('b') })).filter(
    ({ line }) => line === 2 || line === 5,
  )
  const { found, gone } = locate(before, await tree({ 'a.ts': block('c') }))
  expect([found.length, gone.length]).toEqual([before.length / 2, before.length / 2])
})

it('the frozen list holds about a thousand mutants of what judges a task', () => {
  const folders = new Set(frozen.mutants.map(({ file }) => file.split('/')[1]))
  expect([...folders].sort()).toEqual([
    'call',
    'features',
    'flow',
    'machine',
    'model-call',
    'pipeline',
    'task',
  ])
  expect(frozen.mutants.length).toBeGreaterThan(900)
})
