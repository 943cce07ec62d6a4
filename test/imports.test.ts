/**
 * The import rule and the house rules over the whole tree (DESIGN §5), and the proof that each of them can fail: for
 * every row there is a snippet that breaks it.
 */
import { describe, expect, it } from 'vitest'
import { FOLDER_RULES, IMPURE_NAMES, NO_CIRCLES, REACH_RULES } from '../scripts/import-rules.ts'
import { SITE_RULES } from '../scripts/site-rules.ts'
import { checkTree, describeViolation, readTree } from '../scripts/source-check.ts'

const HEADER = '/** x */\n'

/** What the rules say of one snippet, as `rule what`. */
function verdictsOn(path: string, text: string): readonly string[] {
  return checkTree(new Map([[path, HEADER + text]])).map(({ rule, what }) => `${rule} ${what}`)
}

describe('the tree', () => {
  it('keeps every rule', () => {
    expect(checkTree(readTree()).map(describeViolation)).toEqual([])
  })

  it('has every file that a rule names', () => {
    const tree = [...readTree().keys()]
    const named = [...SITE_RULES.flatMap((rule) => rule.only), ...REACH_RULES.map((rule) => rule.entry)]
    const missing = named.filter((name) => !tree.some((path) => path === name || path.startsWith(name)))
    expect(missing).toEqual([])
  })
})

describe('folders', () => {
  /** A file that falls under the rule: of a channel's own, one of what listens at home. */
  const fileUnder = ({ folder, part }: (typeof FOLDER_RULES)[number]): string =>
    `${folder}${part === undefined ? 'x' : 'x/home-x'}.ts`
  const never = FOLDER_RULES.flatMap((rule) =>
    rule.never.map(
      ({ module, why }) => [fileUnder(rule), /[/:]$/.test(module) ? `${module}x` : module, why] as const,
    ),
  )
  it.each(never)('%s may not import %s', (file, module, why) => {
    const up = '../'.repeat(file.split('/').length - 1)
    const name = /^(?:test|worker|sidecar|scripts|integrations|durable-objects|kernel)\//.test(module)
      ? up + module
      : module
    const found = checkTree(new Map([[file, `${HEADER}import { x } from '${name}'\n`]]))
    expect(found.map((row) => [row.rule, row.why])).toEqual([['import', why]])
  })

  it.each(FOLDER_RULES.map((rule) => [fileUnder(rule), rule.why]))(
    '%s refuses an unknown package',
    (file, why) => {
      const found = checkTree(new Map([[file, `${HEADER}import { x } from 'left-pad'\n`]]))
      expect(found.map((row) => [row.rule, row.what, row.why])).toEqual([['import', 'left-pad', why]])
    },
  )

  it.each([
    ["import { x } from 'left-pad'"],
    ["import type { X } from 'left-pad'"],
    ["import 'left-pad'"],
    ["export { x } from 'left-pad'"],
    ["const x = await import('left-pad')"],
    ["type X = import('left-pad').X"],
  ])('sees %s', (text) => {
    expect(verdictsOn('kernel/x.ts', text)).toEqual(['import left-pad'])
  })

  it.each([
    ['a computed import', 'const x = await import(y)', ['import ?']],
    ['a path that climbs out of the kernel', "import { x } from '../sidecar/x.ts'", ['import sidecar/x.ts']],
    [
      'a package that only begins like an allowed one',
      "import { x } from 'zod/mini-x'",
      ['import zod/mini-x'],
    ],
    ['an allowed package', "import * as z from 'zod/mini'", []],
    ['a neighbour', "import { x } from './flow/x.ts'", []],
    ['an import in a comment', "// import { x } from 'left-pad'", []],
    ['an import in a string', 'const x = "import { x } from \'left-pad\'"', []],
  ])('takes %s for what it is', (_, text, expected) => {
    expect(verdictsOn('kernel/x.ts', text)).toEqual(expected)
  })
})

describe('bundles', () => {
  const rows = REACH_RULES.flatMap(({ entry, never }) => never.map(({ module }) => [entry, module] as const))
  it.each(rows)('%s may not reach %s, however deep', (entry, module) => {
    const up = '../'.repeat(entry.split('/').length - 1)
    const name = module.endsWith('.ts') ? `../${module}` : module
    const sources = new Map([
      [entry, `${HEADER}import { a } from '${up}test/a.ts'\n`],
      ['test/a.ts', `${HEADER}export { b as a } from './b.ts'\n`],
      ['test/b.ts', `${HEADER}export { b } from '${name}'\n`],
      ['test/unreached.ts', `${HEADER}export { b } from '${name}'\n`],
    ])
    const found = checkTree(sources).filter(({ rule }) => rule === 'reach')
    expect(found.map(({ file, what }) => [file, what])).toEqual([['test/b.ts', module]])
  })
})

describe('circles', () => {
  const from = (name: string): string => `${HEADER}import type { X } from './${name}.ts'\n`
  it.each(NO_CIRCLES.map(({ module }) => module))(
    'are found in %s, and what only leads to one is none',
    (folder) => {
      const sources = new Map([
        [`${folder}above.ts`, from('a')],
        [`${folder}a.ts`, from('b')],
        [`${folder}b.ts`, from('c')],
        [`${folder}c.ts`, `${from('a')}${from('below')}`],
        [`${folder}below.ts`, HEADER],
      ])
      const found = checkTree(sources).map(({ file, rule, what }) => [file, rule, what])
      const circle = [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ]
      expect(found).toEqual(
        circle.map(([one, other]) => [`${folder}${one}.ts`, 'circle', `${folder}${other}.ts`]),
      )
    },
  )
})

describe('sites', () => {
  it.each(SITE_RULES.map((rule) => [rule.name, rule]))('%s is named by its files alone', (name, rule) => {
    const what = name.startsWith('.') ? `powers${name}` : name
    const text = `${what}(x)`
    for (const folder of rule.within) {
      const elsewhere = verdictsOn(`${folder}elsewhere.ts`, text)
      expect(elsewhere).toContain(`site ${what}`)
    }
    for (const place of rule.only) {
      const path = place.endsWith('/') ? `${place}x.ts` : place
      expect(verdictsOn(path, text).filter((row) => row === `site ${what}`)).toEqual([])
    }
    expect(verdictsOn('test/x.ts', text)).toEqual([])
  })

  it.each([
    ["import { openForSink as open } from './labeled.ts'", 'openForSink'],
    ["export { openForSink as open } from './labeled.ts'", 'openForSink'],
    ["const { openForSink } = await import('./labeled.ts')", 'openForSink'],
    ["const open = (await import('./labeled.ts')).openForSink", '().openForSink'],
    ['const open = [openForSink]', 'openForSink'],
  ])('sees %s', (text, what) => {
    expect(verdictsOn('kernel/flow/x.ts', text)).toEqual([`site ${what}`])
  })

  it.each([
    ['sidecar/x.ts', "import * as labeled from '../kernel/flow/labeled.ts'", ['house import *']],
    ['sidecar/x.ts', "import * as words from './words.ts'", []],
  ])('%s: %s', (path, text, expected) => {
    expect(verdictsOn(path, text)).toEqual(expected)
  })
})

describe('purity', () => {
  it.each(IMPURE_NAMES.map(({ name, why }) => [name, why]))('the kernel may not say %s', (name, why) => {
    const text = `${HEADER}export const x = () => ${name}\n`
    const found = checkTree(new Map([['kernel/x.ts', text]]))
    expect(found[0]).toMatchObject({ rule: 'impure', why })
    expect(checkTree(new Map([['sidecar/x.ts', text]]))).toEqual([])
  })

  it.each([
    ['x.getHours()', ['impure x.getHours']],
    ['x.toLocaleString()', ['impure x.toLocaleString']],
    ['new Date(now).toISOString()', []],
    ['new Date(now).getUTCHours()', []],
    ['port.fetch', []],
    ['({ process: 1 })', []],
  ])('takes %s for what it is', (text, expected) => {
    expect(verdictsOn('kernel/x.ts', text)).toEqual(expected)
  })
})

describe('the house', () => {
  const slash = '/'
  it.each([
    ['const x: any = 1', 'house any'],
    ['const x = y!', 'house !'],
    ['enum X { A }', 'house enum'],
    ['class X { constructor(private x: number) {} }', 'house parameter property'],
    ["export * from './y.ts'", 'house export *'],
    ['// TODO: later', 'house unfinished'],
    ['/* FIXME */', 'house unfinished'],
    ['// Asked before his plan runs.', 'house he'],
    ['/** Of the sender and himself. */', 'house he'],
    ['// "Did he answer?" is what somebody types.', undefined],
    ['const x = "TODO"', undefined],
    [`// see ${slash}work/thing`, 'house machine'],
    [`// see ${slash}root/.config`, 'house machine'],
    [`// ${process.cwd()}${slash}x`, 'house machine'],
    [`const host = "registry.${'npmjs.org'}"`, 'house machine'],
    ['const x = "https://example.org/work/thing"', undefined],
  ])('%s', (text, expected) => {
    expect(verdictsOn('kernel/x.ts', text)).toEqual(expected === undefined ? [] : [expected])
  })

  it('asks for a header', () => {
    const bare = checkTree(new Map([['kernel/x.ts', 'export const x = 1\n']]))
    expect(bare.map(({ what }) => what)).toEqual(['no header'])
  })

  it.each([
    [400, []],
    [401, ['house 401 lines']],
  ])('%d lines', (lines, expected) => {
    expect(verdictsOn('kernel/x.ts', '\n'.repeat(lines - 1))).toEqual(expected)
  })

  it('looks for machine paths in every text file, and in the lock file for none', () => {
    const text = `${slash}work/x\n`
    const found = checkTree(
      new Map([
        ['README.md', text],
        ['package-lock.json', text],
      ]),
    )
    expect(found.map(({ file }) => file)).toEqual(['README.md'])
  })
})
