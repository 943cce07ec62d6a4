/** `pfar connect files`: which folders are taken, how they are written into `config.toml`, and what is said. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createContext } from '../../sidecar/cli/command.ts'
import { connectFiles } from '../../sidecar/cli/commands/files-command.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { newFolder } from '../kit/folder.ts'

let base = ''
let state = ''
let said: string[] = []

beforeEach(() => {
  base = newFolder('connect-files')
  state = join(base, 'state')
  said = []
  for (const folder of ['notes/house', 'papers', '.hidden'])
    mkdirSync(join(base, folder), { recursive: true })
  writeFileSync(join(base, 'notes', 'a.md'), 'A')
  writeFileSync(join(base, 'notes', 'house', 'b.md'), 'B')
})

async function connect(folder: string | null, typed: string | null = null): Promise<number> {
  const say = (text: string): void => void said.push(text)
  const screen = { out: say, err: say, progress: () => undefined, dim: (text: string) => text }
  const asker = { ask: async () => typed, letGo: () => undefined }
  return connectFiles(createContext(screen, { PFAR_HOME: state }), {
    asker,
    ...(folder !== null && { folder }),
  })
}

function foldersNow(): readonly string[] {
  const config = loadConfig({}, state)
  if (!config.ok) throw new Error(config.reason.code)
  return config.value.folders
}

it('writes down one folder after another, and says how many files are seen', async () => {
  expect(await connect(join(base, 'notes'))).toBe(0)
  expect(said.join('\n')).toContain('(2 files)')
  expect(await connect(join(base, 'papers'))).toBe(0)
  expect(foldersNow()).toEqual([join(base, 'notes'), join(base, 'papers')])
  expect(readFileSync(join(state, 'config.toml'), 'utf8').match(/^\[tools\.files\]$/gm)).toHaveLength(1)
})

it('asks for the folder if none is named, and takes what leads to it', async () => {
  symlinkSync(join(base, 'notes'), join(base, 'link'))
  expect(await connect(null, `${join(base, 'link')}/`)).toBe(0)
  expect(foldersNow()).toEqual([join(base, 'notes')])
  expect(await connect(null, '')).toBe(1)
})

it('knows no folder twice: one in another is covered, one around another takes its place', async () => {
  await connect(join(base, 'notes', 'house'))
  await connect(join(base, 'notes'))
  await connect(join(base, 'notes', 'house'))
  await connect(join(base, 'notes'))
  expect(foldersNow()).toEqual([join(base, 'notes')])
})

describe('is refused, with the reason:', () => {
  it.each<readonly [string, () => string, string]>([
    ['a folder that is not there', () => join(base, 'none'), 'There is no such folder.'],
    ['a file', () => join(base, 'notes', 'a.md'), 'That is no folder.'],
    ['a dot folder', () => join(base, '.hidden'), 'Its path holds a name that begins with a dot.'],
    ['everything', () => '/', 'That is too much.'],
    ["home's own folder", () => state, 'That is my own folder'],
    [
      "a link to home's own folder",
      () => {
        symlinkSync(state, join(base, 'alias'))
        return join(base, 'alias')
      },
      'That is my own folder',
    ],
    [
      "a folder of home's own",
      () => {
        mkdirSync(join(state, 'logs'), { recursive: true })
        return join(state, 'logs')
      },
      'That is my own folder',
    ],
  ])('%s', async (_what, folder, words) => {
    await connect(join(base, 'papers'))
    said = []
    expect(await connect(folder())).toBe(1)
    expect(said.join('\n')).toContain(words)
    expect(foldersNow()).toEqual([join(base, 'papers')])
  })
})

it("does not change the owner's own lines, and says what to write", async () => {
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const own = `[tools.files]\nfolders = ["${join(base, 'papers')}"] # mine\n`
  writeFileSync(join(state, 'config.toml'), own, { mode: 0o600 })
  expect(await connect(join(base, 'notes'))).toBe(1)
  expect(said.join('\n')).toContain(`folders = [ "${join(base, 'papers')}", "${join(base, 'notes')}" ]`)
  expect(readFileSync(join(state, 'config.toml'), 'utf8')).toBe(own)
})
