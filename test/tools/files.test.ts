/** The files tool over real folders, among them hostile ones: links, devices, names that lie, what changes while it works. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FolderPort } from '../../integrations/tools/files/folder-port.ts'
import { createFilesTool } from '../../integrations/tools/files/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createFolders } from '../../sidecar/folders/folders.ts'
import { refused } from '../../sidecar/folders/open-inside.ts'
import { createPageReader } from '../../sidecar/pages/page-reader.ts'
import { newFolder } from '../kit/folder.ts'
import { callTool, outputOf, refusal } from './calls.ts'

const htmlText = createPageReader().text
const document = async () => ok({ kind: 'pdf' as const, text: 'The text of the PDF', pages: 1 })

let base = ''
let root = ''
let state = ''
let ports: FolderPort

beforeEach(() => {
  base = newFolder('files')
  root = join(base, 'notes')
  state = join(base, 'state')
  for (const folder of [root, state]) mkdirSync(folder)
  writeFileSync(join(state, 'home.key'), 'KEY')
  writeFileSync(join(base, 'outside.txt'), 'OUTSIDE')
  ports = createFolders({ folders: [root], excluded: [state] })
})

function put(path: string, text: string | Uint8Array, day = 1): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  const at = new Date(Date.UTC(2026, 10, day))
  utimesSync(join(root, path), at, at)
}

const call = (action: string, args: { readonly [key: string]: Json } = {}, folders: FolderPort = ports) =>
  callTool(createFilesTool({ folders, htmlText, document }), `files.${action}`, args)

const paths = (result: Result<Json>): readonly string[] =>
  (outputOf(result)['files'] as readonly { readonly path: string }[]).map(({ path }) => path)

const read = async (file: string, more: { readonly [key: string]: Json } = {}) =>
  outputOf(await call('read', { file, ...more }))

describe('what is listed', () => {
  it('is every plain file, newest first, or by name, with what it is', async () => {
    put('b.md', 'B', 2)
    put('house/roof.md', 'R', 3)
    put('budget.csv', 'a;b', 1)
    expect(paths(await call('list'))).toEqual(['notes/house/roof.md', 'notes/b.md', 'notes/budget.csv'])
    expect(paths(await call('list', { order: 'name' }))[0]).toBe('notes/b.md')
    expect(paths(await call('list', { folder: 'house' }))).toEqual(['notes/house/roof.md'])
    const output = outputOf(await call('list', { count: 1 }))
    expect(output).toEqual({
      files: [{ path: 'notes/house/roof.md', kind: 'markdown', size: 1, changed: '2026-11-03T00:00:00Z' }],
      ...{ total: 3, more: true, partial: false },
    })
    expect(await call('list', { folder: 'garage' })).toEqual(refusal('remote_not_found', { what: 'folder' }))
  })

  it('is of all the folders that are named, each by its own name', async () => {
    put('a.md', 'A')
    const other = join(base, 'more', 'notes')
    mkdirSync(other, { recursive: true })
    writeFileSync(join(other, 'c.md'), 'C')
    const both = createFolders({ folders: [root, other], excluded: [] })
    expect([...paths(await call('list', {}, both))].sort()).toEqual(['notes-2/c.md', 'notes/a.md'])
    expect(outputOf(await call('read', { file: 'notes-2/c.md' }, both))).toMatchObject({ text: 'C' })
  })

  it('is nothing without a folder, and says so where the folder is gone', async () => {
    const none = createFolders({ folders: [], excluded: [] })
    expect(await call('list', {}, none)).toEqual(refusal('folder_not_named'))
    rmSync(root, { recursive: true })
    expect(await call('list')).toEqual(refusal('folder_gone'))
  })

  it('ends at its bounds, and says that there is more', async () => {
    put('a.md', 'A')
    const slow = createFolders({ folders: [root], excluded: [], time: 0 })
    expect(outputOf(await call('list', {}, slow))).toMatchObject({ partial: true })
    put(`${'deep/'.repeat(20)}x.md`, 'X')
    const output = await call('list')
    expect(paths(output)).toEqual(['notes/a.md'])
    expect(outputOf(output)).toMatchObject({ partial: true })
  })
})

describe('what is never reached', () => {
  const hidden: readonly (readonly [what: string, make: () => void, name: string])[] = [
    [
      'a link to a file outside',
      () => symlinkSync(join(base, 'outside.txt'), join(root, 'link.txt')),
      'link.txt',
    ],
    ['a link to a folder outside', () => symlinkSync(base, join(root, 'up')), 'up/outside.txt'],
    ['a link inside', () => symlinkSync(join(root, 'a.md'), join(root, 'l.md')), 'l.md'],
    [
      'a second name of a file outside',
      () => linkSync(join(base, 'outside.txt'), join(root, 'hard.txt')),
      'hard.txt',
    ],
    ['a dot file', () => put('.env', 'SECRET'), '.env'],
    ['a file of a dot folder', () => put('.git/config', 'SECRET'), '.git/config'],
    ['a FIFO', () => execFileSync('mkfifo', [join(root, 'pipe.txt')]), 'pipe.txt'],
    ['what lies outside', () => undefined, '../outside.txt'],
    ['a whole path', () => undefined, '/etc/passwd'],
  ]
  it.each(hidden)('%s', async (_, make, name) => {
    put('a.md', 'A')
    make()
    expect(paths(await call('list'))).toEqual(['notes/a.md'])
    expect(await call('read', { file: name })).toEqual(refusal('remote_not_found', { what: 'file' }))
    expect(await call('search', { words: 'outside secret' })).toMatchObject({ value: { files: [] } })
  })

  it.each([
    ['link.txt', () => symlinkSync(join(base, 'outside.txt'), join(root, 'link.txt'))],
    ['hard.txt', () => linkSync(join(base, 'outside.txt'), join(root, 'hard.txt'))],
    ['../outside.txt', () => undefined],
    ['up/outside.txt', () => symlinkSync(base, join(root, 'up'))],
    ['.env', () => put('.env', 'SECRET')],
    ['.git/config', () => put('.git/config', 'SECRET')],
  ])('%s, by a place that no listing gave, to read or to write', async (name, make) => {
    make()
    const place = { folder: 0, names: name.split('/') }
    expect((await ports.read(place, 1_000)).ok).toBe(false)
    const bytes = new TextEncoder().encode('X')
    for (const version of ['new', 'x']) expect((await ports.write({ place, bytes, version })).ok).toBe(false)
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('OUTSIDE')
    expect(readdirSync(root).filter((one) => one.endsWith('.tmp'))).toEqual([])
  })

  it("home's own folder, although the owner named one around it, in it, or by a link", async () => {
    writeFileSync(join(base, 'a.md'), 'A')
    symlinkSync(state, join(base, 'alias'))
    for (const folder of [base, join(base, 'notes', '..')]) {
      const around = createFolders({ folders: [folder], excluded: [state] })
      expect(paths(await call('list', {}, around)).join()).not.toContain('home.key')
      expect(await around.read({ folder: 0, names: ['state', 'home.key'] }, 100)).toEqual(
        refusal('file_denied'),
      )
    }
    mkdirSync(join(base, '.ssh'))
    symlinkSync(join(base, '.ssh'), join(base, 'keys'))
    for (const folder of [state, join(base, 'alias'), join(base, '.ssh'), join(base, 'keys')]) {
      const inside = createFolders({ folders: [folder], excluded: [state] })
      expect(await call('list', {}, inside)).toEqual(refusal('file_denied'))
    }
  })

  it('what a folder is exchanged for between the listing and the reading', async () => {
    put('house/roof.txt', 'ROOF')
    mkdirSync(join(base, 'evil'))
    writeFileSync(join(base, 'evil', 'roof.txt'), 'EVIL')
    const exchanging: FolderPort = {
      ...ports,
      list: async () => {
        const listing = await ports.list()
        renameSync(join(root, 'house'), join(root, 'moved'))
        symlinkSync(join(base, 'evil'), join(root, 'house'))
        return listing
      },
    }
    expect(await call('read', { file: 'roof.txt' }, exchanging)).toEqual(refusal('remote_not_found'))
  })
})

describe('a name', () => {
  it.each([
    ['roof.md', 'notes/house/roof.md'],
    ['ROOF.MD', 'notes/house/roof.md'],
    ['roof', 'notes/house/roof.md'],
    ['house/roof.md', 'notes/house/roof.md'],
    ['"my list.md"', 'notes/my list.md'],
    ['my list', 'notes/my list.md'],
    ['the list', null],
    ['list my', 'notes/my list.md'],
    ['oof.md', null],
  ])('%j means %j', async (typed, path) => {
    put('house/roof.md', 'R')
    put('my list.md', 'L')
    const result = await call('read', { file: typed })
    expect(result.ok ? outputOf(result)['path'] : null).toBe(path)
  })

  it('of several files asks which, and writes to none of them', async () => {
    put('a/list.md', 'A')
    put('b/list.md', 'B')
    const output = await read('list.md')
    expect(output).toMatchObject({ several: true })
    expect(String(output['text']).split('\n').sort()).toEqual(['notes/a/list.md', 'notes/b/list.md'])
    expect(await call('find', { file: 'list.md' })).toEqual(refusal('file_ambiguous'))
    expect(outputOf(await call('find', { file: 'b/list.md' }))).toMatchObject({ path: 'notes/b/list.md' })
  })

  it('that is made of line breaks, control and right-to-left characters is shown harmlessly, and can be read', async () => {
    put('a\nIgnore all.md', 'N')
    put('exe\u202etxt.md', 'R')
    const all = paths(await call('list'))
    expect([...all].sort()).toEqual(['notes/a\ufffdIgnore all.md', 'notes/exe\ufffdtxt.md'])
    expect(await read('exe\ufffdtxt.md')).toMatchObject({ text: 'R' })
    const found = outputOf(await call('find', { file: 'exe\ufffdtxt.md' }))
    const args = { path: String(found['path']), version: String(found['version']), text: 'X' }
    expect(await call('write', args)).toEqual(refusal('tool_arguments_invalid', { rule: 'file_name' }))
  })
})

describe('what is read', () => {
  const utf16 = Buffer.from('\ufeffZürich', 'utf16le')
  it.each<readonly [string, string | Uint8Array, string]>([
    ['a.txt', '\ufeffone\r\n\ttwo  three\r\n', 'one\n\ttwo  three\n'],
    ['a.csv', Buffer.from('Z\xfcrich;1', 'latin1'), 'Zürich;1'],
    ['u.txt', utf16, 'Zürich'],
    ['x.txt', 'left\u202eright\u200b.', 'left right .'],
    ['page.html', '<h1>Roof</h1><script>x()</script><p>Leaks</p>', 'Roof\nLeaks'],
    ['paper.pdf', '%PDF-1.7', 'The text of the PDF'],
  ])('%s', async (name, bytes, text) => {
    put(name, bytes)
    expect(String((await read(name))['text']).replace(/\n+/g, '\n')).toBe(text)
  })

  it('comes in pages, of which none cuts a character', async () => {
    put('long.txt', `${'x'.repeat(19_999)}😀${'y'.repeat(100)}\nend`)
    const first = await read('long.txt')
    expect(first).toMatchObject({ page: 1, pages: 2 })
    expect(first['text']).toBe('x'.repeat(19_999))
    expect((await read('long.txt', { page: 2 }))['text']).toMatch(/^😀y+\nend$/)
    expect(await call('read', { file: 'long.txt', page: 3 })).toEqual(
      refusal('remote_not_found', { what: 'page' }),
    )
  })

  it.each<readonly [string, string, string | Uint8Array]>([
    ['picture.png', 'file_not_text', new Uint8Array([0x89, 0x50, 0, 1, 2])],
    ['letter.rtf', 'file_not_text', '{\\rtf1 x}'],
    ['noise.txt', 'file_not_text', 'left\u0007right'],
    ['big.txt', 'file_too_large', 'x'.repeat(2_097_153)],
  ])('%s is refused as %s', async (name, code, bytes) => {
    put(name, bytes)
    expect(await call('read', { file: name })).toEqual(refusal(code))
  })

  it.each([
    ['EACCES', 'file_denied'],
    ['EPERM', 'file_denied'],
    ['EROFS', 'file_denied'],
    ['ENOENT', 'remote_not_found'],
    ['ELOOP', 'remote_not_found'],
    ['ENOSPC', 'storage_full'],
  ])('what the system refuses with %s is %s, without its words', (code, reason) => {
    const error = Object.assign(new Error('/home/ana/notes/a.md'), { code })
    expect(refused(error)).toEqual(refusal(reason))
  })

  it('a PDF that cannot be taken apart is said to be that', async () => {
    put('paper.pdf', '%PDF-1.7')
    const tool = (code: 'sandbox_missing' | 'field_malformed') =>
      callTool(createFilesTool({ folders: ports, htmlText, document: async () => err(code) }), 'files.read', {
        file: 'paper.pdf',
      })
    expect(await tool('sandbox_missing')).toEqual(refusal('sandbox_missing'))
    expect(await tool('field_malformed')).toEqual(refusal('file_not_text'))
  })
})

describe('a search', () => {
  beforeEach(() => {
    put('house/lease.md', '# Lease\n\nThe rent is 900.\nThe landlord is Mr Ohm.', 1)
    put('house/roof.md', 'The roofer comes on Friday.\nThe lease says who pays for the roof.', 2)
    put('trip.txt', 'Pack the tent.', 3)
    put('Rechnung Übergabe.txt', 'Schlüssel', 4)
    put('lease.pdf', '%PDF-', 5)
  })

  it.each([
    ['the lease', ['notes/house/lease.md', 'notes/lease.pdf', 'notes/house/roof.md']],
    ['leases and roofs', ['notes/house/roof.md']],
    ['landlord', ['notes/house/lease.md']],
    ['UBERGABE', ['notes/Rechnung Übergabe.txt']],
    ['lease tent', []],
    ['ease', []],
  ])('for %j finds %j', async (words, found) => {
    expect(paths(await call('search', { words }))).toEqual(found)
  })

  it('says in which line, and how it reads', async () => {
    const [hit] = outputOf(await call('search', { words: 'who pays' }))['files'] as readonly Json[]
    expect(hit).toMatchObject({ line: 2, excerpt: 'The lease says who pays for the roof.' })
  })

  it('gathers what the best of them say, a PDF among them', async () => {
    const { files, more } = outputOf(await call('gather', { words: 'my notes on the lease' }))
    expect(files).toMatchObject([
      { path: 'notes/house/lease.md', truncated: false },
      { path: 'notes/lease.pdf', text: 'The text of the PDF' },
      { path: 'notes/house/roof.md' },
    ])
    expect(more).toBe(false)
  })

  it('of no word is refused', async () => {
    expect(await call('search', { words: '?!' })).toEqual(
      refusal('tool_arguments_invalid', { rule: 'words' }),
    )
  })
})

describe('a write', () => {
  const written = (name: string): string => readFileSync(join(root, name), 'utf8')
  async function change(
    action: 'write' | 'append',
    file: string,
    text: string,
    between: () => void = () => undefined,
  ) {
    const { path, version } = outputOf(await call('find', { file }))
    between()
    const what = action === 'write' ? { text } : { line: text }
    return call(action, { path: String(path), version: String(version), ...what })
  }

  it('makes a new file, which the owner alone can read', async () => {
    mkdirSync(join(root, 'house'))
    expect(outputOf(await call('find', { file: 'house/ideas.md' }))).toEqual({
      ...{ path: 'notes/house/ideas.md', state: 'new', version: 'new', size: 0 },
    })
    expect((await change('write', 'house/ideas.md', 'a\nb')).ok).toBe(true)
    expect(written('house/ideas.md')).toBe('a\nb')
    expect(lstatSync(join(root, 'house/ideas.md')).mode & 0o777).toBe(0o600)
  })

  it('replaces a file with exactly what was said, and keeps who may read it', async () => {
    put('list.md', 'old\n')
    chmodSync(join(root, 'list.md'), 0o640)
    expect((await change('write', 'list.md', 'new')).ok).toBe(true)
    expect(written('list.md')).toBe('new')
    expect(lstatSync(join(root, 'list.md')).mode & 0o777).toBe(0o640)
    expect(readdirSync(root)).toEqual(['.pfar-trash', 'list.md'])
  })

  it.each([
    ['milk\n', 'milk\neggs\n'],
    ['milk', 'milk\neggs\n'],
    ['', 'eggs\n'],
  ])('appends to %j on a line of its own', async (before, after) => {
    put('list.md', before)
    expect((await change('append', 'list.md', 'eggs')).ok).toBe(true)
    expect(written('list.md')).toBe(after)
  })

  it('appends to a file that is not there yet', async () => {
    expect((await change('append', 'list.md', 'eggs')).ok).toBe(true)
    expect(written('list.md')).toBe('eggs\n')
  })

  it.each<readonly [string, () => void]>([
    ['changed', () => put('list.md', 'somebody else was here')],
    ['deleted', () => rmSync(join(root, 'list.md'))],
  ])('does nothing to a file that was %s since the card', async (_, between) => {
    for (const action of ['write', 'append'] as const) {
      put('list.md', 'old')
      expect(await change(action, 'list.md', 'new', between)).toEqual(refusal('event_changed'))
      expect(existsSync(join(root, 'list.md')) ? written('list.md') : '').not.toContain('new')
    }
  })

  it('does not take the place of a file that was made since the card', async () => {
    const made = () => put('list.md', 'somebody else was here')
    expect(await change('write', 'list.md', 'new', made)).toEqual(refusal('event_changed'))
    expect(written('list.md')).toBe('somebody else was here')
  })

  it('does not take the place of a file that is made while it writes', async () => {
    const place = { folder: 0, names: ['list.md'] }
    const both = await Promise.all(
      ['one', 'two'].map((text) =>
        ports.write({ place, bytes: new TextEncoder().encode(text), version: 'new' }),
      ),
    )
    expect(both.filter(({ ok: done }) => done)).toHaveLength(1)
    expect(both.find(({ ok: done }) => !done)).toEqual(refusal('event_changed'))
    expect(readdirSync(root)).toEqual(['list.md'])
  })

  it('goes to no other file that fits the name by now', async () => {
    const { path, version } = outputOf(await call('find', { file: 'list.md' }))
    put('house/list.md', 'other')
    expect((await call('write', { path: String(path), version: String(version), text: 'x' })).ok).toBe(true)
    expect(written('house/list.md')).toBe('other')
    expect(written('list.md')).toBe('x')
  })

  it.each([
    ['../evil.md', 'remote_not_found'],
    ['/etc/evil.md', 'remote_not_found'],
    ['.hidden.md', 'tool_arguments_invalid'],
    ['no-ending', 'tool_arguments_invalid'],
    ['a\nb.md', 'tool_arguments_invalid'],
    ['a\u202eb.md', 'tool_arguments_invalid'],
    ['garage/x.md', 'remote_not_found'],
  ])('to %j is refused', async (file, code) => {
    expect(await call('find', { file })).toMatchObject({ reason: { code } })
    const args = { path: file, version: 'new', text: 'x' }
    expect((await call('write', args)).ok).toBe(false)
    expect(readdirSync(root)).toEqual([])
  })

  it('to a name that no file system takes is refused', async () => {
    const file = `${'ü'.repeat(120)}.md`
    expect(await call('find', { file })).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
  })

  it('does not mix encodings, and does not change what is no text', async () => {
    put('old.csv', Buffer.from('Z\xfcrich;1', 'latin1'))
    expect(await change('append', 'old.csv', 'x')).toEqual(refusal('file_not_text'))
  })

  it('leaves a file alone that may not be changed, or is not its own', async () => {
    put('list.md', 'old')
    if (process.geteuid?.() === 0) chownSync(join(root, 'list.md'), 65_534, 65_534)
    else chmodSync(join(root, 'list.md'), 0o400)
    expect(await change('write', 'list.md', 'new')).toEqual(refusal('file_denied'))
    expect(written('list.md')).toBe('old')
  })
})
