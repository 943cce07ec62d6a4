/** The pages for people: what one names of another is there. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { TOOLS } from '../integrations/tools/index.ts'
import { TOOL_MANIFESTS } from '../integrations/tools/registered.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = readdirSync(ROOT, { recursive: false, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .concat(
    readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  )
  .filter((name) => name.endsWith('.md'))

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** As GitHub names a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function anchors(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

/** What a page points at inside this tree: a file, and perhaps a heading of it. */
function linksOf(page: string): readonly { readonly file: string; readonly anchor: string | undefined }[] {
  return [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, path = '', anchor]) => ({ file: path === '' ? page : normalize(join(dirname(page), path)), anchor }),
  )
}

test.each(PAGES.filter((page) => linksOf(page).length > 0))('%s points at what is there', (page) => {
  const files = new Set(PAGES)
  const lost = linksOf(page).filter(
    ({ file, anchor }) => !files.has(file) || (anchor !== undefined && !anchors(file).includes(anchor)),
  )
  expect(lost).toEqual([])
})

test('the README leads to each page of docs/', () => {
  const led = new Set(linksOf('README.md').map(({ file }) => file))
  // Work under way is for who goes on with it.
  const pages = PAGES.filter((page) => /^docs\/[^/]+$/.test(page) && page !== 'docs/progress.md')
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.filter((page) => !led.has(page))).toEqual([])
})

test('ARCHITECTURE leads to each page of docs/design/', () => {
  const led = new Set(linksOf('ARCHITECTURE.md').map(({ file }) => file))
  const pages = PAGES.filter((page) => page.startsWith('docs/design/'))
  expect(pages.length).toBeGreaterThan(0)
  expect(pages.filter((page) => !led.has(page))).toEqual([])
})

/** Rows of the README's table of tools: the names in its first cell, and what is needed. */
const TOOL_ROWS = textOf('README.md')
  .split('\n')
  .flatMap((line): { readonly names: readonly string[]; readonly needs: string }[] => {
    const [, first = '', , needs = ''] = line.split('|')
    const names = [...first.matchAll(/`([a-z]+)`/g)].map(([, name = '']) => name)
    return line.startsWith('|') && names.some((name) => TOOLS.some((tool) => tool === name))
      ? [{ names, needs }]
      : []
  })

test('the README has each tool once in its table, with the command that connects it', () => {
  expect(TOOL_ROWS.flatMap(({ names }) => names).sort()).toEqual([...TOOLS].sort())
  const needed = TOOL_MANIFESTS.flatMap(({ name, credential }) =>
    credential === null ? [] : [[name, `\`pfar connect ${credential}\``] as const],
  )
  expect(needed.length).toBeGreaterThan(5)
  const silent = needed.filter(
    ([name, command]) =>
      TOOL_ROWS.find(({ names }) => names.includes(name))?.needs.includes(command) !== true,
  )
  expect(silent).toEqual([])
})
