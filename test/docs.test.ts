/** The pages for people: what one names of another is there. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

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
