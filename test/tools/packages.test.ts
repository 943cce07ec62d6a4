/** Every tool package: the list, the folders and the generated tables agree, and each keeps the contract (DESIGN §9). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EDGE_RUNNERS } from '../../integrations/tools/edge.ts'
import { HOME_RUNNERS } from '../../integrations/tools/home.ts'
import { TOOLS } from '../../integrations/tools/index.ts'
import { createTool, TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { leftToWrite } from '../../scripts/new/unwritten.ts'
import { staleTables } from '../../scripts/tables.ts'
import { keepsTheToolContract } from './contract.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'integrations/tools')
const READER = {
  read: () => Promise.reject(new Error('no page')),
  text: () => Promise.reject(new Error('no text')),
}

it('the list names the folders, and each has its parts', () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect([...TOOLS].sort()).toEqual(folders.map(({ name }) => name).sort())
  for (const name of TOOLS) {
    for (const part of ['manifest.ts', 'shape.ts', 'phrases.ts', 'words/en.toml', 'words/de.toml'])
      expect(existsSync(join(FOLDER, name, part)), `${name}/${part}`).toBe(true)
    const runners = ['run.ts', 'run.home.ts'].filter((part) => existsSync(join(FOLDER, name, part)))
    expect(runners, name).toHaveLength(1)
  }
})

it('nothing of a new tool is left to write', () => {
  const left = leftToWrite(ROOT, 'integrations/tools')
  expect(left, `left to write:\n${left.join('\n')}\n`).toEqual([])
})

it('the generated tables fit the packages', async () => {
  expect(await staleTables()).toEqual([])
})

it('the edge bundles runners of what runs there alone', () => {
  const table = readFileSync(join(FOLDER, 'edge.ts'), 'utf8')
  for (const { name, places } of TOOL_MANIFESTS)
    expect(table.includes(`'./${name}/run`), name).toBe(places.includes('edge'))
})

const powers = { reader: READER, htmlText: READER.text, rows: READER.text, feed: READER.text, accounts: [] }
for (const manifest of TOOL_MANIFESTS)
  keepsTheToolContract(manifest, [
    ...HOME_RUNNERS.filter((runner) => runner.manifest.name === manifest.name).map((runner) => ({
      place: 'home',
      tool: createTool(runner, powers),
    })),
    ...EDGE_RUNNERS.filter((runner) => runner.manifest.name === manifest.name).map((runner) => ({
      place: 'edge',
      tool: createTool(runner, powers),
    })),
  ])
