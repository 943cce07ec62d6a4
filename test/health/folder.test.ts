/** The watched folder: what is read in, when, how often, and what the owner is told. */
import { link, mkdir, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeLabel } from '../../kernel/flow/label.ts'
import { insideOf, type Labeled } from '../../kernel/flow/labeled.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createHealthFolder } from '../../sidecar/health/health-folder.ts'
import { type ImportedFile, importedLines } from '../../sidecar/health/import-file.ts'

const DONE: ImportedFile = { taken: 1_234, odd: 2, first: '2025-01', last: '2026-11' }
const RETRY = 600_001

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pfar-health-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))

interface Told {
  readonly id: string
  readonly code: string
  readonly label: string
  readonly text: string
}

function watched(
  answers: readonly Result<ImportedFile>[] = [],
  meanwhile = async (): Promise<void> => undefined,
) {
  let now = Date.parse('2026-11-27T10:00:00Z')
  let digests: readonly string[] = []
  const left = [...answers]
  const read: string[] = []
  const told: Told[] = []
  const stopping = new AbortController()
  const start = () =>
    createHealthFolder({
      folder,
      known: {
        read: () => digests,
        write: (all) => {
          digests = all
        },
      },
      read: async (file) => {
        await meanwhile()
        read.push(await readFile(file, 'utf8'))
        return left.shift() ?? ok(DONE)
      },
      tell: async ({ id, code, text }: { id: string; code: string; text: Labeled<string> }) => {
        told.push({ id, code, label: describeLabel(text.label), text: insideOf(text) })
      },
      now: () => now,
    })
  let tick = start()
  return {
    ...{ read, told, stop: () => stopping.abort() },
    restart() {
      tick = start()
    },
    async look(times = 1, passed = 10_000) {
      for (let at = 0; at < times; at += 1) {
        now += passed
        await tick(stopping.signal)
      }
    },
  }
}

const put = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)

describe('a file of the folder', () => {
  it('is read in once it no longer grows, and the owner is told in the words of the import', async () => {
    const { look, read, told } = watched()
    await put('export.zip', 'PK')
    await look()
    await put('export.zip', 'PK, and more')
    await look()
    expect(read).toEqual([])
    await look(3)
    expect(read).toEqual(['PK, and more'])
    expect(told).toMatchObject([{ code: 'health_imported', label: 'sensitive' }])
    expect(told[0]?.text.split('\n').slice(1)).toEqual(importedLines(DONE))
    expect(told[0]?.text).toMatch(/1,234 records, 2025-01 to 2026-11[\s\S]*Left out: 2/)
    expect(told[0]?.text).not.toContain('export.zip')
  })

  it('is not read in again: under another name, after a restart, or written once more', async () => {
    const { look, read, restart, told } = watched()
    await put('export.zip', 'the same')
    await look(3)
    await put('copy of it.zip', 'the same')
    await look(3)
    restart()
    await look(3)
    await put('export.zip', 'the same')
    await look(3)
    expect([read, told.length]).toEqual([['the same'], 1])
    await put('export.zip', 'a newer one')
    await look(3)
    expect([read.length, told.length]).toEqual([2, 2])
  })

  it.each([
    ['health_malformed', /no health export, or it is damaged/],
    ['nothing_found', /no health export in that archive/],
    ['health_empty', /nothing that I know/],
  ] as const)('that is none (%s) is told once, and tried again when it has changed', async (code, words) => {
    const { look, read, restart, told } = watched([err(code)])
    await put('export.zip', 'broken')
    await look(5)
    restart()
    await look(5, RETRY)
    expect(read).toHaveLength(1)
    expect(told).toMatchObject([{ code, text: expect.stringMatching(words) }])
    await put('export.zip', 'mended')
    await look(3)
    expect([read.length, told.at(-1)?.code]).toEqual([2, 'health_imported'])
  })

  it('whose reading died is tried again later, without a word', async () => {
    const { look, read, told } = watched([err('internal_fault'), err('home_offline')])
    await put('export.zip', 'large')
    await look(5)
    expect([read.length, told]).toEqual([1, []])
    await look(1, RETRY)
    await look(1, RETRY)
    expect([read.length, told.length]).toEqual([3, 1])
  })

  it('that ends its reading three times is left alone, told once, and tried again when it has changed', async () => {
    const { look, read, restart, told } = watched([1, 2, 3].map(() => err('internal_fault')))
    await put('export.zip', 'a bomb')
    await look(2)
    await look(10, RETRY)
    expect([read.length, told.length]).toEqual([3, 1])
    expect(told[0]).toMatchObject({ code: 'internal_fault', text: expect.stringMatching(/three times/) })
    restart()
    await look(3)
    await look(3, RETRY)
    expect([read.length, told.length]).toEqual([3, 1])
    await put('export.zip', 'another')
    await look(3)
    expect([read.length, told.at(-1)?.code]).toEqual([4, 'health_imported'])
  })

  it('is not given up while it fails for what is not its own: home stops, or there is no sandbox', async () => {
    const answers = ['task_stopped', 'sandbox_missing', 'sandbox_missing', 'sandbox_missing'] as const
    const { look, read, told } = watched(answers.map((code) => err(code)))
    await put('export.zip', 'whole')
    await look(2)
    await look(4, RETRY)
    expect(read).toHaveLength(5)
    expect(new Set(told.map(({ id }) => id)).size).toBe(2)
    expect(told.map(({ code }) => code)).toEqual([
      ...['sandbox_missing', 'sandbox_missing', 'sandbox_missing', 'health_imported'],
    ])
  })

  it('is read as the file whose digest was taken, whatever has its name by then', async () => {
    const other = join(folder, 'secret')
    await writeFile(other, 'of somebody else')
    const { look, read, told } = watched([], () =>
      rename(other, join(folder, 'export.zip')).catch(() => undefined),
    )
    await put('export.zip', 'mine')
    await look(2)
    expect(read).toEqual(['mine'])
    expect(told).toEqual([])
  })

  it('that changes while it is read is read again, though its times are set back', async () => {
    const path = join(folder, 'export.zip')
    const at = new Date('2026-11-01T00:00:00Z')
    let times = 0
    const { look, read, told } = watched([], async () => {
      times += 1
      if (times > 1) return
      await writeFile(path, 'two!')
      await utimes(path, at, at)
    })
    await put('export.zip', 'one!')
    await utimes(path, at, at)
    await look(2)
    expect(told).toEqual([])
    await look(2)
    expect([read.at(-1), told.length]).toEqual(['two!', 1])
  })

  it('that has a second name elsewhere is not read, and told once', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'pfar-elsewhere-'))
    await writeFile(join(elsewhere, 'diary'), 'words')
    await link(join(elsewhere, 'diary'), join(folder, 'export.xml'))
    const { look, read, told } = watched()
    await look(4, RETRY)
    expect([read, told.map(({ code }) => code)]).toEqual([[], ['file_denied']])
    await rm(elsewhere, { recursive: true })
  })

  it('is left alone where it is a link, a folder, hidden, empty or of another kind', async () => {
    const { look, read, told } = watched()
    await put('notes.txt', 'words')
    await put('.export.zip', 'hidden')
    await put('empty.xml', '')
    await mkdir(join(folder, 'folder.zip'))
    await symlink(join(folder, 'notes.txt'), join(folder, 'link.xml'))
    await look(3)
    expect([read, told]).toEqual([[], []])
    await put('EXPORT.XML', 'one')
    await look(3)
    expect(read).toEqual(['one'])
  })

  it('is not begun while home stops, and a folder that is gone is none', async () => {
    const { look, read, stop } = watched()
    await put('export.zip', 'late')
    await look()
    stop()
    await look(3)
    expect(read).toEqual([])
    await rm(folder, { recursive: true })
    await look(2)
    await mkdir(folder)
  })
})
