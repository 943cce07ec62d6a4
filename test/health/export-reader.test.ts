/** The confined reading of an export in its real process: what comes out of it, its bounds, and what a reader that was taken over can hand to home. */
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../kernel/flow/verdict.ts'
import { createConfined } from '../../sidecar/confined/sandbox.ts'
import type { AppleExport } from '../../sidecar/health/apple-export.ts'
import { createExportReader, type ExportReaderInput } from '../../sidecar/health/export-reader.ts'
import { SANDBOX } from '../home/fixtures/sandbox.ts'
import { newFolder } from '../kit/folder.ts'
import { soaked } from '../kit/soak.ts'
import { DOCTYPE, exported, night, record, zipped } from './apple.ts'

const NOW = Date.parse('2026-11-27T10:00:00Z')
const folder = newFolder('export-reader')
const told: number[] = []
/** More than the reader has memory for, whichever way it would be held whole. */
const MEGABYTES = soaked({ sample: 200, whole: 500 })
const steps = (day: string, value = '7'): string =>
  record({ type: 'StepCount', value, unit: 'count', from: `${day} 08:00:00` })

async function readAt(
  path: string,
  input: ExportReaderInput = {},
  stop?: AbortController,
): Promise<Result<AppleExport>> {
  const file = await open(path)
  try {
    const { signal } = stop ?? new AbortController()
    return await createExportReader(input)(file, { now: NOW, progress: (read) => told.push(read), signal })
  } finally {
    await file.close()
  }
}

function put(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('an export, in the process that is walled off', SANDBOX, () => {
  it('is read out of the open file alone, month by month', async () => {
    const zip = zipped({
      'apple_health_export/export.xml': exported(steps('2025-02-03'), steps('2026-11-26', '9')),
    })
    expect(await readAt(put('export.zip', zip))).toEqual({
      ok: true,
      value: {
        months: [
          { month: '2025-02', days: { '2025-02-03': { steps: { value: 7 } } }, workouts: [] },
          { month: '2026-11', days: { '2026-11-26': { steps: { value: 9 } } }, workouts: [] },
        ],
        ...{ taken: 2, odd: 0 },
      },
    })
  })

  it.each([
    ['words', 'hello', 'health_malformed'],
    ['an archive without one', zipped({ 'a.jpg': 'x' }), 'nothing_found'],
  ])('%s is refused by its reason', async (_, content, code) =>
    expect(await readAt(put('bad.zip', content))).toMatchObject({ ok: false, reason: { code } }),
  )

  it('is not begun without a sandbox, unless the owner allowed it', async () => {
    const path = put('plain.xml', exported(steps('2026-11-26')))
    const sandbox = async () => 'missing' as const
    expect(await readAt(path, { sandbox })).toMatchObject({ reason: { code: 'sandbox_missing' } })
    expect(await readAt(path, { sandbox, withoutSandbox: true })).toMatchObject({
      ok: true,
      value: { taken: 1 },
    })
  })

  it('that takes more memory than the bound ends its own process', async () => {
    const memory = 250_000_000
    const few = put('few.xml', exported(night('AsleepCore', '2026-11-25 23:00:00', '2026-11-26 06:00:00')))
    expect(await readAt(few, { memory })).toMatchObject({ ok: true, value: { taken: 1 } })
    // Each night of each device is a table of minutes.
    const devices = Array.from({ length: 32 }, (_, at) => `Device ${at}`)
    const nights = Array.from({ length: 6_000 }, (_, at) => {
      const day = new Date(NOW - at * 86_400_000).toISOString().slice(0, 10)
      return devices.map((one) => night('AsleepCore', `${day} 01:00:00`, `${day} 06:00:00`, one)).join('')
    })
    expect(await readAt(put('wide.xml', exported(...nights)), { memory })).toMatchObject({
      ok: false,
      reason: { code: 'internal_fault' },
    })
  }, 60_000)

  it('that takes more time than the bound is ended, and also when home stops', async () => {
    const path = await long('slow.xml', 200)
    expect(await readAt(path, { longest: 1_000 })).toMatchObject({ reason: { code: 'internal_fault' } })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 1_000)
    expect(await readAt(path, {}, stop)).toMatchObject({ reason: { code: 'task_stopped' } })
  }, 60_000)

  it('that is long, 500 MB in the soak, is read within the memory that every export gets (J-07)', async () => {
    const path = await long('long.xml', MEGABYTES)
    told.length = 0
    const done = await readAt(path)
    expect(done).toMatchObject({ ok: true, value: { odd: 0 } })
    expect(done.ok && done.value.taken).toBeGreaterThan(MEGABYTES * 2_000)
    expect(told.at(-1)).toBe((await stat(path)).size)
  }, 300_000)
})

/** A program in its place, as if a file had taken it over. */
function takenOver(text: string): Promise<Result<AppleExport>> {
  const code = join(folder, 'code')
  mkdirSync(code, { recursive: true })
  const script = join(code, `try-${Math.trunc(performance.now() * 1_000)}.mjs`)
  writeFileSync(script, text)
  const run = createConfined({ script, reads: [`${code}/`], withoutSandbox: false })
  return readAt(put('any.xml', 'x'), { run })
}

const MONTH = { month: '2026-11', days: {}, workouts: [] }
const END = { ok: true, value: { taken: 1, odd: 0 } }
const prints = (...lines: readonly object[]): string =>
  `process.stdout.write(${JSON.stringify(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))})`

describe('a reader that a file took over', SANDBOX, () => {
  it('hands over months, where they are some', async () =>
    expect(await takenOver(prints({ month: MONTH }, END))).toMatchObject({
      ok: true,
      value: { months: [MONTH] },
    }))

  it.each([
    ['a month before there was any', { ...MONTH, month: '1980-01' }],
    ['a month that is not yet', { ...MONTH, month: '2031-01' }],
    ['a day of another month', { ...MONTH, days: { '2026-10-01': {} } }],
    ['a measure that is none', { ...MONTH, days: { '2026-11-01': { words: { value: 1 } } } }],
    ['words for a number', { ...MONTH, days: { '2026-11-01': { steps: { value: 'ignore all rules' } } } }],
    [
      'a workout of another month',
      { ...MONTH, workouts: [{ day: '2026-10-01', at: '10:00', activity: 'running', minutes: 1 }] },
    ],
  ])('cannot hand over %s', async (_, month) =>
    expect(await takenOver(prints({ month }, END))).toMatchObject({
      ok: false,
      reason: { code: 'health_malformed' },
    }),
  )

  it('cannot hand over a month twice, or an older one after it', async () => {
    const older = { ...MONTH, month: '2026-10' }
    for (const second of [MONTH, older])
      expect(await takenOver(prints({ month: MONTH }, { month: second }, END))).toMatchObject({ ok: false })
  })

  it.each([
    ['lines', 'console.log(\'{"read":1,"of":1}\')'],
    ['one line', "process.stdout.write('x'.repeat(65536))"],
  ])('cannot print %s for ever', async (_, say) =>
    expect(await takenOver(`const say = () => { ${say}; setImmediate(say) }; say()`)).toMatchObject({
      ok: false,
      reason: { code: 'internal_fault' },
    }),
  )

  it('reaches the file and no other one, and no network', async () => {
    const text = `const fs = await import('node:fs')
      const can = (work) => { try { work(); return 0 } catch { return 1 } }
      const own = Buffer.alloc(1)
      const bytes = fs.readSync(3, own, 0, 1, 0)
      const odd = can(() => fs.readFileSync('/etc/passwd')) + can(() => fs.readFileSync(${JSON.stringify(join(folder, 'any.xml'))})) + can(() => fs.writeSync(3, 'y'))
      console.log(JSON.stringify({ ok: true, value: { taken: bytes, odd } }))`
    expect(await takenOver(text)).toEqual({ ok: true, value: { months: [], taken: 1, odd: 3 } })
  })
})

/** Written piece by piece; `size` in megabytes. */
async function long(name: string, size: number): Promise<string> {
  const block = Array.from({ length: 1_000 }, (_, at) =>
    steps(`202${at % 6}-0${1 + (at % 9)}-1${at % 10}`, '1'),
  ).join('')
  const path = join(folder, name)
  const file = createWriteStream(path)
  const write = (text: string): Promise<void> => new Promise((done) => void file.write(text, () => done()))
  await write(`${DOCTYPE}<HealthData>`)
  for (let at = 0; at < (size * 1_000_000) / block.length; at += 1) await write(block)
  await new Promise<void>((done) => void file.end('</HealthData>', () => done()))
  return path
}
