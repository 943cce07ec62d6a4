/** In a German conversation nothing is English: no hint quotes English words to say, no sentence is the English one, and each shipped job has a German name. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FILES = globSync('{kernel,integrations,sidecar}/**/words/de.toml', { cwd: ROOT })

/** Services whose phrases are English alone: their German help quotes those, and a German phrase takes its place once there is one. */
const ENGLISH_PHRASES = /integrations\/tools\/(?:files|fireflies|github|http|slack)\//
/** The same in both languages: a card's own form, and what a service calls its settings. */
const ALIKE = /^edit[ :]|remote_rejected$/
/** Where a page of a service is described: what its buttons are called there. */
const PAGES = /^says\.(?:hint_|google_client|search_key)/
/** Says itself that it is English. */
const SAYS_SO = /auf Englisch/

function textsIn(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, path === '' ? key : `${path}.${key}`))
}

const textsOf = (file: string) => textsIn(parse(readFileSync(join(ROOT, file), 'utf8')))
const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/„([^“]+)“/gu)].map(([, one = '']) => one)
const quotedEnglish = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]+)"|'([^']+)'|“([^”]+)”/gu)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  )

describe.each(FILES)('%s', (file) => {
  const english = new Map(textsOf(file.replace('de.toml', 'en.toml')))
  const german = textsOf(file).filter(([key]) => !/(?:^|\.)phrases(?:\.|$)/.test(key))

  it('quotes nothing to say that is English', () => {
    const found = german.flatMap(([key, text]) => {
      if (ENGLISH_PHRASES.test(file) || SAYS_SO.test(text) || ALIKE.test(key) || PAGES.test(key)) return []
      const same = new Set(quotedEnglish(english.get(key) ?? ''))
      return quoted(text)
        .filter((one) => same.has(one) && / /.test(one) && !one.startsWith('/') && !ALIKE.test(one))
        .map((one) => `${key}: ${one}`)
    })
    expect(found).toEqual([])
  })

  it('has no sentence that is the English one', () => {
    const found = german.flatMap(([key, text]) => {
      const plain = text.replace(/\{[^}]*\}|`[^`]*`|pfar [a-z -]+/g, '')
      return english.get(key) === text &&
        /\p{L}{2,} \p{L}{2,} \p{L}{2,}/u.test(plain) &&
        !/offer_(?:de|en)$/.test(key)
        ? [key]
        : []
    })
    expect(found).toEqual([])
  })
})

test.each(globSync('templates/jobs/*.toml', { cwd: ROOT }))(
  '%s: the job has a German title and says in German what it tells',
  (file) => {
    const { job } = parse(readFileSync(join(ROOT, file), 'utf8')) as {
      readonly job?: {
        readonly title: string
        readonly tells: string
        readonly said?: Record<string, { title: string; tells: string }>
      }
    }
    if (job === undefined) return
    expect(job.said?.['de']?.title).toBeTruthy()
    expect(job.said?.['de']?.title).not.toBe(job.title)
    expect(job.said?.['de']?.tells).not.toBe(job.tells)
  },
)
