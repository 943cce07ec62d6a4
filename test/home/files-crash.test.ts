/** A home that dies while a file moves, or gets its name: the next one lists, reads and moves it. And what an editor saves within a move is not lost. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { type FolderPort, NEW } from '../../integrations/tools/files/folder-port.ts'
import { createFolders } from '../../sidecar/folders/folders.ts'
import { TRASH } from '../../sidecar/folders/relocate.ts'
import { newFolder } from '../kit/folder.ts'
import { refusal } from '../tools/calls.ts'

/** What comes between the second name of a file and the removal of the first. */
const between = vi.hoisted(() => ({ run: async (): Promise<void> => undefined }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const link: typeof real.link = async (from, to) => {
    await real.link(from, to)
    await between.run()
  }
  return { ...real, link }
})

let root = ''
const open = (): FolderPort => createFolders({ folders: [root], excluded: [] })
const at = (...names: string[]) => ({ folder: 0, names })
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

beforeEach(() => {
  root = join(newFolder('crash'), 'notes')
  mkdirSync(join(root, 'house'), { recursive: true })
  writeFileSync(join(root, 'a.md'), 'hello')
  between.run = async () => undefined
})

async function listed(port: FolderPort): Promise<readonly string[]> {
  const found = await port.list()
  return found.ok ? found.value.files.map(({ path }) => path).sort() : [found.reason.code]
}

async function versionOf(port: FolderPort, name: string): Promise<string> {
  const found = await port.version(at(name))
  return found.ok ? found.value : found.reason.code
}

/** Begins it and dies after the second name is there. */
async function dying(work: (port: FolderPort) => Promise<unknown>): Promise<void> {
  const dead = new Promise<void>((resolve) => {
    between.run = () => {
      resolve()
      return new Promise(() => undefined)
    }
  })
  void work(open())
  await dead
  between.run = async () => undefined
}

it('a move that home died in is finished by the next home', async () => {
  const version = await versionOf(open(), 'a.md')
  await dying((port) => port.move(at('a.md'), at('house', 'b.md'), version))
  const next = open()
  expect(await listed(next)).toEqual(['notes/house/b.md'])
  expect(await next.move(at('house', 'b.md'), at('c.md'), version)).toEqual({ ok: true, value: true })
  expect(read('c.md')).toBe('hello')
  expect(readdirSync(join(root, TRASH))).toEqual([])
})

it('a deletion that home died in leaves the file where it was', async () => {
  const version = await versionOf(open(), 'a.md')
  await dying((port) => port.putAway(at('a.md'), version))
  expect(await listed(open())).toEqual(['notes/a.md'])
  expect(readdirSync(join(root, TRASH))).toEqual([])
})

it('a file that was being brought back when home died is back', async () => {
  const version = await versionOf(open(), 'a.md')
  const kept = await open().putAway(at('a.md'), version)
  await dying((port) => port.bringBack(kept.ok ? kept.value : '', at('a.md'), version))
  expect(await listed(open())).toEqual(['notes/a.md'])
  expect(readdirSync(join(root, TRASH))).toEqual([])
})

it.each([
  ['listed', async (port: FolderPort) => expect(await listed(port)).toContain('notes/new.md')],
  [
    'read',
    async (port: FolderPort) => expect(await port.read(at('new.md'), 100)).toMatchObject({ ok: true }),
  ],
])('a file that was being written when home died is %s by the next home', async (_, look) => {
  await dying((port) => port.write({ place: at('new.md'), bytes: Buffer.from('new'), version: NEW }))
  await look(open())
  expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
  expect(read('new.md')).toBe('new')
})

it('a second name that the owner made stays, and the file is as closed as before', async () => {
  linkSync(join(root, 'a.md'), join(root, 'own.md'))
  expect(await listed(open())).toEqual([])
  expect(await open().read(at('a.md'), 100)).toMatchObject(refusal('file_denied'))
  expect([read('a.md'), read('own.md')]).toEqual(['hello', 'hello'])
})

it.each([
  'not json',
  JSON.stringify({
    keep: { folder: 0, names: ['a.md'], away: false },
    drop: { folder: 0, names: ['b.md'], away: false },
  }),
])('a note that somebody else put there removes no file: %j', async (note) => {
  mkdirSync(join(root, TRASH))
  writeFileSync(join(root, TRASH, `move-${'0'.repeat(16)}`), note)
  writeFileSync(join(root, 'b.md'), 'other')
  expect(await listed(open())).toEqual(['notes/a.md', 'notes/b.md'])
})

it('what an editor saves while the file moves is not lost', async () => {
  const port = open()
  const version = await versionOf(port, 'a.md')
  between.run = async () => {
    writeFileSync(join(root, 'save'), 'edited')
    renameSync(join(root, 'save'), join(root, 'a.md'))
  }
  expect(await port.move(at('a.md'), at('b.md'), version)).toMatchObject(refusal('event_changed'))
  expect(read('a.md')).toBe('edited')
  expect(existsSync(join(root, 'b.md'))).toBe(false)
})
