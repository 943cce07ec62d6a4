/**
 * Files, names and commands in the pages and files in comments exist (O-59): a rename that forgets one fails
 * here. Decisions and the changelog are history and are left as they were written.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it, test } from 'vitest'
import { CHANNELS } from '../integrations/channels/index.ts'
import { createProgram } from '../sidecar/cli/program.ts'
import { configSchema } from '../sidecar/config/config-schema.ts'
import { bench } from './terminal/command-bench.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = [
  'kernel',
  'integrations',
  'durable-objects',
  'worker',
  'sidecar',
  'scripts',
  'test',
  'templates',
  'bench',
]
/** Names that the code puts together: of a channel, of a provider. */
const MADE = ['PFAR_SLACK_API', 'MODEL_KEY_CLAUDE']
const HISTORY = ['CHANGELOG.md', 'docs/progress.md']

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)

const FILES = SOURCES.flatMap(filesIn)
const NAMES = new Set(FILES.map((file) => basename(file)))
const CODE = FILES.filter((file) => file.endsWith('.ts') && !file.startsWith('test/'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .concat(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'))
const WORDS = new Set(CODE.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []))

const PAGES = readdirSync(ROOT, { encoding: 'utf8' })
  .concat(filesIn('docs'))
  .filter((name) => name.endsWith('.md') && !HISTORY.includes(name) && !name.startsWith('docs/decisions/'))

/** What stands in backticks, without blocks of code. */
function namedIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^(```[\s\S]*?^```| {4}.*)$/gm, '')
  return [...new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name))]
}

/**
 * `kernel/flow/label.ts`, `test/fuzz/`, `card.test.ts`, `worker/recovery` of a test; no placeholder, no
 * wildcard.
 */
function isLost(name: string): boolean {
  if (/[<>*{}…\s]/.test(name)) return false
  if (SOURCES.some((folder) => name.startsWith(`${folder}/`)))
    return !existsSync(join(ROOT, name)) && !isTest(name)
  if (/^[\w.-]+\.ts$/.test(name)) return !NAMES.has(name)
  return false
}

function isTest(name: string): boolean {
  return existsSync(join(ROOT, 'test', `${name}.test.ts`))
}

/** `createChannel`, `FinalPrompt`, `MAX_CLIENTS`: an identifier that could be nothing else. */
function isIdentifier(name: string): boolean {
  return /^(?:[a-z]+[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,}|[A-Z]+(?:_[A-Z0-9]+)+)$/.test(name)
}

describe.each(PAGES)('%s', (page) => {
  it('names files that exist', () => {
    expect(namedIn(page).filter(isLost)).toEqual([])
  })

  it('names functions, types and bounds that exist', () => {
    expect(
      namedIn(page).filter((name) => isIdentifier(name) && !WORDS.has(name) && !MADE.includes(name)),
    ).toEqual([])
  })

  it('names commands that exist', () => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    const runs = [...text.matchAll(/npm run (?:--silent )?([a-z-]+)/g)].map(([, name = '']) => name)
    expect(runs.filter((name) => !(name in scripts))).toEqual([])
    const typed = [...text.matchAll(/(?:`|npm run (?:--silent )?pfar -- )(?:pfar )?([a-z]+(?: [a-z]+)?)/g)]
      .filter(([all]) => all.includes('pfar'))
      .map(([, words = '']) => words.split(' '))
    expect(typed.filter((words) => !isCommand(words)).map((words) => words.join(' '))).toEqual([])
  })
})

/** An example of a package that somebody adds. */
const NO_FILES = ['integrations/tools/tides/manifest.ts']
const PRODUCT = FILES.filter((file) => /\.[mc]?[jt]s$/.test(file) && !file.startsWith('test/'))

/** `serve.ts`, `features/models/serve.ts`: each name of a code file in a comment, by the line that has it. */
function filesInComments(file: string): readonly string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const [, whole, behind] = line.match(/^\s*(?:\/\*+|\*|\/\/)(.*)|\s\/\/ (.*)$/) ?? []
    const names = (whole ?? behind ?? '').match(/(?<![\w./*{<-])\w[\w./-]*\.(?:ts|mjs)\b/g) ?? []
    return names.map((name) => `${file}:${at + 1}: ${name}`)
  })
}

test('a comment of the product names no file that is not there', () => {
  const named = PRODUCT.flatMap(filesInComments)
  const lost = named.filter((line) => {
    const name = line.split(': ').at(-1) ?? ''
    return (
      !NO_FILES.includes(name) &&
      !existsSync(join(ROOT, name)) &&
      !FILES.some((file) => file.endsWith(`/${name}`))
    )
  })
  expect(named.length).toBeGreaterThan(500)
  expect(lost).toEqual([])
})

const PROGRAM = createProgram(bench().context, () => undefined)

/** The first word is a command; the second one is a command below it, unless that command takes arguments. */
function isCommand([first = '', second]: readonly string[]): boolean {
  const found = named(PROGRAM, first)
  if (first === 'help' || first === 'pfar') return true
  if (found === undefined) return false
  return second === undefined || found.registeredArguments.length > 0 || named(found, second) !== undefined
}

function named(command: Command, name: string): Command | undefined {
  return command.commands.find((one) => one.name() === name || one.aliases().includes(name))
}

describe('the table of invariants', () => {
  const rows = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(
    /^\| (?:\d|[A-K]) \|.*\|([^|]+)\|$/gm,
  )
  const tests = [...rows].flatMap(([, last = '']) => last.match(/(?<=`)[\w/-]+(?=`)/g) ?? [])

  it('names tests that exist', () => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.filter((name) => !isTest(name))).toEqual([])
  })
})

test('docs/configuration.md has each table of config.toml, and no other', () => {
  const rows = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8').matchAll(/^\| `([a-z]+)[.[]/gm)
  const chats = CHANNELS.filter(({ settings }) => settings !== null).map(({ name }) => name)
  const tables = [...Object.keys(configSchema.shape), ...chats]
  expect([...new Set([...rows].map(([, table]) => table))].sort()).toEqual(tables.sort())
})

test.each([
  ['ARCHITECTURE.md', 15 * 1024],
  ['SECURITY.md', 20 * 1024],
])('%s stays short: details have pages of their own', (page, most) => {
  expect(readFileSync(join(ROOT, page)).length).toBeLessThanOrEqual(most)
})

test('AGENTS.md has at most 150 lines', () => {
  expect(readFileSync(join(ROOT, 'AGENTS.md'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(150)
})
