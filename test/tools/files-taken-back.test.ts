/** Writes to files that are taken back, over real folders: exactly the bytes before, only where the file is still what was written, and bounded in what is kept. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FolderPort } from '../../integrations/tools/files/folder-port.ts'
import { createFilesTool } from '../../integrations/tools/files/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { KEPT_COPIES } from '../../sidecar/folders/earlier.ts'
import { createFolders } from '../../sidecar/folders/folders.ts'
import { TRASH } from '../../sidecar/folders/relocate.ts'
import { newFolder } from '../kit/folder.ts'
import { callTool, outputOf, refusal } from './calls.ts'

let base = ''
let root = ''
let ports: FolderPort

beforeEach(() => {
  base = newFolder('taken-back')
  root = join(base, 'notes')
  mkdirSync(root)
  put('list.md', 'bread\n')
  ports = createFolders({ folders: [root], excluded: [] })
})

function put(name: string, text: string | Uint8Array): void {
  writeFileSync(join(root, name), text)
}
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const kept = (): readonly string[] =>
  existsSync(join(root, TRASH)) ? readdirSync(join(root, TRASH)).sort() : []
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

/** As the plan does it, after the card. */
async function write(action: 'write' | 'append', file: string, text: string) {
  const { path, version } = outputOf(await call('find', { file }))
  const what = action === 'write' ? { text } : { line: text }
  return outputOf(await call(action, { path: String(path), version: String(version), ...what }))
}
const takeBack = ({ path, version, undo }: Readonly<Record<string, Json>>, more: object = {}) =>
  call('take_back', { path: path ?? '', version: version ?? '', undo: undo ?? '', ...more })

describe('a write is taken back', () => {
  it.each([
    ['write', 'bread\n'],
    ['append', 'bread\n'],
    ['append', 'no line break at the end'],
    ['write', '\ufeffa mark and \r\n line ends\r\n'],
    ['write', ''],
  ] as const)('after %s, to exactly %j', async (action, before) => {
    put('list.md', before)
    chmodSync(join(root, 'list.md'), 0o640)
    const written = await write(action, 'list.md', 'milk')
    expect([written['kept'], read('list.md') === before]).toEqual([true, false])
    expect(outputOf(await takeBack(written))).toEqual({ path: 'notes/list.md', gone: false })
    expect(read('list.md')).toBe(before)
    expect(lstatSync(join(root, 'list.md')).mode & 0o777).toBe(0o640)
  })

  it('byte for byte, where it was no text', async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    put('list.md', bytes)
    const { version } = outputOf(await call('find', { file: 'list.md' }))
    const written = outputOf(
      await call('write', { path: 'notes/list.md', version: String(version), text: 'x' }),
    )
    await takeBack(written)
    expect(new Uint8Array(readFileSync(join(root, 'list.md')))).toEqual(bytes)
  })

  it('by putting the file away, where there was none', async () => {
    const written = await write('write', 'ideas.md', 'a window')
    expect(written).toMatchObject({ kept: true, undo: 'new' })
    expect(outputOf(await takeBack(written))).toEqual({ path: 'notes/ideas.md', gone: true })
    expect(existsSync(join(root, 'ideas.md'))).toBe(false)
    const [away = ''] = kept()
    expect(read(join(TRASH, away))).toBe('a window')
  })

  it('and what was written then is kept as well', async () => {
    const written = await write('write', 'list.md', 'milk')
    await takeBack(written)
    expect(
      kept()
        .map((name) => read(join(TRASH, name)))
        .sort(),
    ).toEqual(['bread\n', 'milk'])
  })
})

describe('nothing is taken back', () => {
  it.each([
    ['changed', () => put('list.md', 'somebody else was here')],
    ['deleted', () => rmSync(join(root, 'list.md'))],
  ])('where the file was %s since', async (_what, between) => {
    const written = await write('write', 'list.md', 'milk')
    between()
    const before = existsSync(join(root, 'list.md')) ? read('list.md') : null
    expect(await takeBack(written)).toEqual(refusal('event_changed'))
    expect(existsSync(join(root, 'list.md')) ? read('list.md') : null).toBe(before)
  })

  it('from a copy that somebody changed', async () => {
    const written = await write('write', 'list.md', 'milk')
    put(join(TRASH, kept()[0] ?? ''), 'not what was there')
    expect(await takeBack(written)).toEqual(refusal('remote_not_found'))
    expect(read('list.md')).toBe('milk')
  })

  it.each<(copy: string, version: string) => string>([
    () => 'list.md:x',
    (_copy, version) => `../outside.txt:${version}`,
    (_copy, version) => `0123456789abcdef:${version}`,
    (copy) => copy,
    (copy) => `${copy}:${'0'.repeat(64)}`,
  ])('by a name that is none of a copy, or of another one: %#', async (forge) => {
    writeFileSync(join(base, 'outside.txt'), 'OUTSIDE')
    const written = await write('write', 'list.md', 'milk')
    const [copy = '', version = ''] = String(written['undo']).split(':')
    expect(await takeBack(written, { undo: forge(copy, version) })).toMatchObject({ ok: false })
    expect(read('list.md')).toBe('milk')
  })

  it('from a link that stands where a copy was', async () => {
    writeFileSync(join(base, 'outside.txt'), 'bread\n')
    const written = await write('write', 'list.md', 'milk')
    const copy = join(root, TRASH, kept()[0] ?? '')
    rmSync(copy)
    symlinkSync(join(base, 'outside.txt'), copy)
    expect(await takeBack(written)).toMatchObject({ ok: false })
    expect(read('list.md')).toBe('milk')
  })
})

describe('what is kept', () => {
  it('is nothing of a write that was not made', async () => {
    const { path, version } = outputOf(await call('find', { file: 'list.md' }))
    put('list.md', 'edited')
    expect(await call('write', { path: String(path), version: String(version), text: 'x' })).toEqual(
      refusal('event_changed'),
    )
    expect(kept()).toEqual([])
  })

  it('is nothing where no copy can be made, and the write is made all the same and says so', async () => {
    put(TRASH, 'in the way')
    const written = await write('write', 'list.md', 'milk')
    expect([read('list.md'), written['kept'], written['undo']]).toEqual(['milk', false, undefined])
  })

  it('is the owner’s alone', async () => {
    await write('write', 'list.md', 'milk')
    expect(lstatSync(join(root, TRASH, kept()[0] ?? '')).mode & 0o777).toBe(0o600)
  })

  it('is the newest copies, and all that was put away', async () => {
    mkdirSync(join(root, TRASH), { mode: 0o700 })
    const copyOf = (at: number): string => `was-${at.toString(16).padStart(16, '0')}`
    for (let at = 0; at < KEPT_COPIES.most; at += 1) {
      put(join(TRASH, copyOf(at)), String(at))
      utimesSync(join(root, TRASH, copyOf(at)), 1_000 + at, 1_000 + at)
    }
    put(join(TRASH, 'f'.repeat(16)), 'put away')
    utimesSync(join(root, TRASH, 'f'.repeat(16)), 1, 1)
    await write('write', 'list.md', 'milk')
    const copies = kept().filter((name) => name.startsWith('was-'))
    expect([copies.length, copies.includes(copyOf(0)), copies.includes(copyOf(1))]).toEqual([
      ...[KEPT_COPIES.most, false, true],
    ])
    expect(kept()).toContain('f'.repeat(16))
  })

  it('takes no more room than it may', async () => {
    mkdirSync(join(root, TRASH), { mode: 0o700 })
    const half = new Uint8Array(KEPT_COPIES.bytes / 2)
    for (const at of [1, 2]) {
      put(join(TRASH, `was-${at}`.padEnd(20, '0')), half)
      utimesSync(join(root, TRASH, `was-${at}`.padEnd(20, '0')), at, at)
    }
    await write('write', 'list.md', 'milk')
    expect(kept()).toHaveLength(2)
    expect(kept()).not.toContain('was-1'.padEnd(20, '0'))
  })
})
