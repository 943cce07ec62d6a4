/** The contract of every job of home: it is written whole, and home starts it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftToWrite } from '../../scripts/new/unwritten.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = 'sidecar/jobs'
const read = (file: string): string => readFileSync(join(ROOT, FOLDER, file), 'utf8')
const LIST = read('home-jobs.ts')

it('nothing of a new job is left to write', () => {
  const left = leftToWrite(ROOT, FOLDER)
  expect(left, `left to write:\n${left.join('\n')}\n`).toEqual([])
})

const started = readdirSync(join(ROOT, FOLDER)).flatMap((file) =>
  [...read(file).matchAll(/^export function (start\w+)\(/gm)].map(([, name = '']) => [file, name] as const),
)

it.each(started)('%s: home calls %s', (file, name) => {
  expect(LIST).toMatch(new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '\\./${file}'`))
  expect(LIST).toContain(`${name}(`)
})

it('each part that is made is among those that home starts', () => {
  const made = [...LIST.matchAll(/^ {2}const (\w+) = jobPart\(/gm)].map(([, name = '']) => name)
  const listed = LIST.slice(LIST.indexOf('const usual = ['), LIST.indexOf('return {'))
  expect(made.length).toBeGreaterThan(8)
  expect(made.filter((name) => !new RegExp(`\\b${name}\\b`).test(listed))).toEqual([])
})
