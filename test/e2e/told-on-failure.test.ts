/** What a failing test of the pipeline prints beside its error: the audit of its own world, and of no other. */
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../kit/folder.ts'

const ROOT = join(import.meta.dirname, '../..')

const SOURCE = `
import { expect, it } from 'vitest'
import { createWorld } from '${join(ROOT, 'test/pipeline/world.ts')}'
createWorld()
it('fails', async () => {
  const world = createWorld()
  await world.say('hello')
  expect(world.heard()).toBe('')
})
it('passes', async () => {
  await createWorld().say('check my email')
})
`

it('a failing test prints the audit of its world', () => {
  const folder = newFolder('failing')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'x.test.ts'), SOURCE)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const run = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
    cwd: folder,
    encoding: 'utf8',
  })
  const said = run.stdout + run.stderr
  expect(said).toMatch(/1 failed.*1 passed/)
  expect(said.match(/audit of this world:/g)).toHaveLength(1)
  expect(said).toMatch(/ {2}home t\w+ task_created template=owner_private .*class=owner\n/)
  expect(said).toMatch(/ {2}home t\w+ task_ended state=completed /)
  expect(said).not.toContain('email')
})
