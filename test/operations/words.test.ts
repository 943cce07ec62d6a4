/** Words of operations: every sentence is told by its feature, every told sentence is there, and no words stand for what is not there (DESIGN §9). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import WORDS from '../../kernel/features/words.json' with { type: 'json' }
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { wordsOf } from '../../kernel/operations/operation.ts'
import { type Saying, tell } from '../../kernel/wording/words.ts'
import HOME_WORDS from '../../sidecar/words.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = [
  'kernel/**/*.ts',
  'integrations/**/*.ts',
  '{sidecar,durable-objects,worker,scripts/start}/**/*.ts',
]
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }))

/** What a renderer tells: whole names, and names that end in a value. */
const TOLD = SOURCES.flatMap(({ path, source }) =>
  [...source.matchAll(/['`]([a-z_-]+\.[a-z_]+(?:\$\{|')|[a-z_-]+\.\$\{)/g)].map(([, name = '']) => ({
    path,
    name: name.replace(/(?:\$\{|')$/, ''),
    // A name may be made of its beginning and of what a file of data says.
    open: name.endsWith('${') || name.endsWith("_'"),
  })),
)

/** Features whose commands to connect answer for each other. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  // A setting that a plan asks for says above the card whose words it has.
  approvals: ['admin'],
  // Names of actions of that family, and no sentences.
  admin: ['channels'],
  channels: ['credentials'],
  credentials: ['channels', 'admin'],
  // Jobs end as reminders do.
  reminders: ['jobs'],
  // What can be asked for, as the help says it.
  rules: ['credentials'],
}

it('every sentence is told, and none in the words of another feature', () => {
  for (const saying of [...Object.keys(WORDS.says), ...Object.keys(HOME_WORDS.en)]) {
    const [feature = ''] = saying.split('.')
    const by = TOLD.filter(({ name, open }) => (open ? saying.startsWith(name) : saying === name))
    expect(by, saying).not.toEqual([])
    if (feature === 'wording') continue
    const folders = [feature, ...(SHARED[feature] ?? [])].join('|')
    for (const { path } of by)
      expect(path, saying).toMatch(new RegExp(`^kernel/features/(?:${folders})/|^(?!kernel/features/)`))
  }
})

it('what home alone tells is none of what the edge carries, and told by no file outside of home', () => {
  expect(Object.keys(HOME_WORDS.en).filter((saying) => Object.hasOwn(WORDS.says, saying))).toEqual([])
  const outside = TOLD.filter(({ name }) => Object.hasOwn(HOME_WORDS.en, name)).map(({ path }) => path)
  expect(outside.filter((path) => !/^(?:sidecar|scripts\/start)\//.test(path))).toEqual([])
})

it('the words are those of the operations that there are, and of the words that commands begin with', () => {
  expect(Object.keys(WORDS.operations).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort())
  const begins = new Set(
    OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases])
      .filter(({ length }) => length > 1)
      .map(([word]) => word),
  )
  expect(Object.keys(WORDS.groups).sort()).toEqual([...begins].sort())
})

it('what lacks words, and a sentence that lacks a value, are bugs that show at once', () => {
  expect(() => wordsOf('probe.look')).toThrow('has no words')
  expect(() => tell('people.until')).toThrow('people.until lacks day')
  expect(tell('people.until', { day: '{day}' })).toBe('until {day}')
  for (const saying of Object.keys(WORDS.says) as Saying[]) expect(WORDS.says[saying].trim()).not.toBe('')
})
