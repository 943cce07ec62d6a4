/** The owner's language as a setting (decision 023): what a choice stands over, who may choose, and when another one is offered. */
import { expect, it, test } from 'vitest'
import { languageOffer, ownersLanguage } from '../../kernel/features/language/language.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import type { Language } from '../../kernel/wording/languages.ts'

function settings(kept: Readonly<Record<string, string>> = {}) {
  const rows = new Map(Object.entries(kept))
  return {
    setting: (name: string) => rows.get(name) ?? null,
    saveSetting(name: string, value: string | null) {
      if (value === null) rows.delete(name)
      else rows.set(name, value)
    },
  }
}

const chosen = (language: string, over: string) => settings({ language: JSON.stringify({ language, over }) })

test.each([
  ['nothing was chosen', settings(), 'de', 'de'],
  ['English was chosen over German', chosen('en', 'de'), 'de', 'en'],
  ['the file names another one since', chosen('de', 'en'), 'de', 'de'],
  ['the file went back to English', chosen('de', 'de'), 'en', 'en'],
  ['a version before knew it, and this one does not', chosen('fr', 'en'), 'en', 'en'],
] as const)('the language where %s', (_what, store, configured, language) =>
  expect(ownersLanguage({ store }, configured)).toBe(language),
)

test('three messages in a row in another language offer it once; one in between begins anew', () => {
  const store = settings()
  const powers = { store, language: { configured: 'en' as const, speak: async () => undefined } }
  const said = (...messages: readonly (Language | null)[]) =>
    messages.map((one) => languageOffer(powers, one) !== null)
  expect(said('de', 'de', 'en', 'de', 'de')).toEqual([false, false, false, false, false])
  expect(said(null, 'de')).toEqual([false, true])
  expect(said('de', 'de', 'de', 'en', 'de', 'de', 'de')).toEqual(Array.from({ length: 7 }, () => false))
  expect(said('en', 'en', 'en')).toEqual([false, false, false])
})

it('is offered by no place that sets none, such as the edge', () => {
  const store = settings()
  for (const _ of [1, 2, 3, 4]) expect(languageOffer({ store }, 'de')).toBeNull()
})

it('is set by the owner on a private line at home alone', () => {
  const operation = OPERATIONS.find(({ name }) => name === 'language.set')
  expect(operation).toMatchObject({ place: 'home', from: 'private', effect: 'write' })
})
