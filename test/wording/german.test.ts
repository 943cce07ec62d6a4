/** German texts, unit by unit: one kind of quotation mark, one form of what is under way, and no words that were left from another place. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FILES = ['kernel', 'integrations'].flatMap((folder) =>
  globSync(`${folder}/**/words/de.toml`, { cwd: ROOT }).map((file) => file.toString()),
)

interface Text {
  readonly key: string
  readonly text: string
}

function textsOf(value: unknown, key = ''): readonly Text[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, key === '' ? name : `${key}.${name}`),
  )
}

const TEXTS = new Map(
  FILES.map((file) => [file, textsOf(parse(readFileSync(join(ROOT, file), 'utf8')))] as const),
)

test('there are German texts of many units', () => expect(FILES.length).toBeGreaterThan(30))

test.each(FILES)('%s quotes as German does', (file) => {
  // What is typed at a terminal, or is JSON, stands between back quotes; `_en` is said to who writes English.
  const german = (TEXTS.get(file) ?? []).filter(({ key }) => !key.endsWith('_en'))
  const wrong = german.filter(({ text }) => text.replace(/`[^`]*`/g, '').includes('"'))
  expect(wrong).toEqual([])
})

test.each(FILES)('%s says what is under way without a person who does it', (file) => {
  const progress = (TEXTS.get(file) ?? []).filter(({ key }) => /(?:^|\.)progress$/.test(key))
  expect(
    progress.filter(({ text }) => /^(?:ich )?\p{Ll}+e (?:de[nrm]|die|das|deine|nach)\b/u.test(text)),
  ).toEqual([])
})

test.each(FILES)('%s says “Nenn” and “Bitte mich”', (file) => {
  const texts = TEXTS.get(file) ?? []
  expect(
    texts.filter(({ text }) => /(?<!\p{L})(?:Nenne|Frag mich noch einmal)(?!\p{L})/u.test(text)),
  ).toEqual([])
})

test.each(['kernel/features/jobs/words/de.toml', 'kernel/features/usage/words/de.toml'])(
  '%s has no job and no “am Edge”',
  (file) => {
    const texts = TEXTS.get(file) ?? []
    expect(texts.filter(({ text }) => /(?<![\p{L}/])(?:Jobs?|(?:am|des) Edge)(?!\p{L})/u.test(text))).toEqual(
      [],
    )
  },
)
