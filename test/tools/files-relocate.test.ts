/** Files that are renamed, moved and deleted, over real folders: what is there is never replaced or lost, what changed stays, and all of it is taken back. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FolderPort } from '../../integrations/tools/files/folder-port.ts'
import { createFilesTool } from '../../integrations/tools/files/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { createFolders } from '../../sidecar/folders/folders.ts'
import { TRASH } from '../../sidecar/folders/relocate.ts'
import { newFolder } from '../kit/folder.ts'
import { callTool, outputOf, refusal } from './calls.ts'

let root = ''
let base = ''
let ports: FolderPort

beforeEach(() => {
  base = newFolder('moved')
  root = join(base, 'notes')
  for (const folder of [root, join(root, 'house')]) mkdirSync(folder)
  writeFileSync(join(base, 'outside.txt'), 'OUTSIDE')
  put('roof.md', 'Slates')
  put('house/door.md', 'Oak')
  ports = createFolders({ folders: [root], excluded: [] })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const call = (action: string, args: { readonly [key: string]: Json }) =>
  callTool(
    createFilesTool({
      folders: ports,
      htmlText: (html) => html,
      document: async () => err('field_malformed'),
    }),
    `files.${action}`,
    args,
  )
const spot = async (file: string, to?: string) =>
  outputOf(await call('spot', { file, ...(to !== undefined && { to }) }))
const kept = (): readonly string[] => (existsSync(join(root, TRASH)) ? readdirSync(join(root, TRASH)) : [])

/** As the plan does it, after the card. */
async function move(file: string, to: string) {
  const { path, to: place, version } = await spot(file, to)
  return call('move', { path: path ?? '', to: place ?? '', version: version ?? '' })
}
async function remove(file: string) {
  const { path, version } = await spot(file)
  return call('delete', { path: path ?? '', version: version ?? '' })
}

describe('where a file would go', () => {
  it.each<[file: string, to: string, path: string]>([
    ['roof.md', 'slates.md', 'notes/slates.md'],
    ['roof', 'slates', 'notes/slates.md'],
    ['roof.md', 'house', 'notes/house/roof.md'],
    ['roof.md', 'House/', 'notes/house/roof.md'],
    ['house/door.md', 'gate.md', 'notes/house/gate.md'],
    ['door.md', 'notes/gate.txt', 'notes/gate.txt'],
    ['door.md', 'notes', 'notes/door.md'],
  ])('%s to %s: %s', async (file, to, path) =>
    expect(await spot(file, to)).toMatchObject({ to: path, state: 'free' }),
  )

  it('is said to be taken where a file is', async () => {
    put('house/roof.md', 'other')
    expect(await spot('notes/roof.md', 'house')).toMatchObject({ to: 'notes/house/roof.md', state: 'taken' })
  })

  it.each<[to: string, code: string]>([
    ['../outside', 'remote_not_found'],
    ['../../etc/passwd.txt', 'remote_not_found'],
    ['.hidden.md', 'tool_arguments_invalid'],
    ['a\u202e.md', 'tool_arguments_invalid'],
    ['garage/roof.md', 'remote_not_found'],
    [`${TRASH}/roof.md`, 'remote_not_found'],
  ])('is nowhere for %j', async (to, code) =>
    expect(await call('spot', { file: 'roof.md', to })).toMatchObject({ ok: false, reason: { code } }),
  )
})

describe('a file is moved', () => {
  it('with its bytes, and back', async () => {
    const moved = outputOf(await move('roof.md', 'house'))
    expect(moved).toMatchObject({ now: 'notes/house/roof.md', was: 'notes/roof.md' })
    expect([existsSync(join(root, 'roof.md')), read('house/roof.md')]).toEqual([false, 'Slates'])
    expect(statSync(join(root, 'house/roof.md')).nlink).toBe(1)
    expect(outputOf(await call('put_back', moved))).toEqual({ path: 'notes/roof.md' })
    expect([read('roof.md'), existsSync(join(root, 'house/roof.md'))]).toEqual(['Slates', false])
  })

  it('never onto another one, also one that came since', async () => {
    const { path, to, version } = await spot('roof.md', 'house')
    put('house/roof.md', 'came since')
    expect(await call('move', { path, to, version } as never)).toEqual(refusal('event_changed'))
    expect([read('roof.md'), read('house/roof.md')]).toEqual(['Slates', 'came since'])
  })

  it('not if it is another one by now, or gone', async () => {
    const { path, to, version } = await spot('roof.md', 'house')
    put('roof.md', 'edited')
    expect(await call('move', { path, to, version } as never)).toEqual(refusal('event_changed'))
    expect(read('roof.md')).toBe('edited')
    rmSync(join(root, 'roof.md'))
    expect(await call('move', { path, to, version } as never)).toEqual(refusal('event_changed'))
  })

  it('not through a link, and not to where nobody may write', async () => {
    const { path, to, version } = await spot('roof.md', 'house')
    rmSync(join(root, 'house'), { recursive: true })
    symlinkSync(base, join(root, 'house'))
    expect(await call('move', { path, to, version } as never)).toMatchObject({ ok: false })
    expect(existsSync(join(base, 'roof.md'))).toBe(false)
    expect(read('roof.md')).toBe('Slates')
  })
})

describe('a file is deleted', () => {
  it('out of sight, with its bytes, and brought back', async () => {
    const away = outputOf(await remove('roof.md'))
    expect(existsSync(join(root, 'roof.md'))).toBe(false)
    expect(kept()).toHaveLength(1)
    expect(await call('read', { file: 'roof.md' })).toMatchObject({ ok: false })
    const listed = outputOf(await call('list', {}))['files'] as readonly { path: string }[]
    expect(listed.map(({ path }) => path)).toEqual(['notes/house/door.md'])
    expect(outputOf(await call('put_back', away))).toEqual({ path: 'notes/roof.md' })
    expect([read('roof.md'), kept()]).toEqual(['Slates', []])
    expect(await call('put_back', away)).toMatchObject({ ok: false })
  })

  it('is not brought back onto another one', async () => {
    const away = outputOf(await remove('roof.md'))
    put('roof.md', 'new')
    expect(await call('put_back', away)).toEqual(refusal('event_changed'))
    expect([read('roof.md'), kept()]).toEqual(['new', kept()])
    expect(kept()).toHaveLength(1)
  })

  it.each([
    '(put away)/../../outside.txt',
    '(put away)/0123456789abcdef/x',
    '(put away)/roof.md',
    `notes/${TRASH}/x.md`,
  ])('is not brought back as %s', async (now) => {
    const away = outputOf(await remove('roof.md'))
    expect(await call('put_back', { ...away, now })).toMatchObject({ ok: false })
    expect([existsSync(join(root, 'roof.md')), kept().length]).toEqual([false, 1])
  })

  it('is not put into a link that stands where the trash would be', async () => {
    symlinkSync(base, join(root, TRASH))
    expect(await remove('roof.md')).toMatchObject({ ok: false })
    expect(read('roof.md')).toBe('Slates')
    expect(readdirSync(base).sort()).toEqual(['notes', 'outside.txt'])
  })

  it('is not touched if it is another one by now', async () => {
    const { path, version } = await spot('roof.md')
    put('roof.md', 'edited')
    expect(await call('delete', { path, version } as never)).toEqual(refusal('event_changed'))
    expect([read('roof.md'), kept()]).toEqual(['edited', []])
  })

  it('stays where it is if a file stands where the trash would be', async () => {
    put(TRASH, 'in the way')
    expect(await remove('roof.md')).toMatchObject({ ok: false })
    expect([read('roof.md'), read(TRASH)]).toEqual(['Slates', 'in the way'])
  })
})
