/** The owner's language as a setting (decision 023): what a choice stands over, who may choose, and when another one is offered. */
import { expect, it, test } from 'vitest'
import { languageOffer, ownersLanguage, settleLanguage } from '../../kernel/features/language/language.ts'
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
  const powers = {
    store,
    language: { configured: 'en' as const, named: false, speak: async () => undefined },
  }
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

/** Settles by these messages, one after the other; the languages that were spoken because of it. */
async function settledBy(
  messages: readonly (string | Parameters<typeof settleLanguage>[1])[],
  { named = false, store = settings() } = {},
): Promise<readonly Language[]> {
  const spoken: Language[] = []
  const powers = {
    ...{ store, adminSinks: ['chat'], now: () => 0, newId: () => 'id' },
    language: {
      ...{ configured: 'en' as const, named },
      speak: async (one: Language) => void spoken.push(one),
    },
  }
  const audited = { ...powers, store: { ...store, appendAudit: () => undefined } } as never
  for (const one of messages) await settleLanguage(audited, typeof one === 'string' ? typed(one) : one)
  return spoken
}

const typed = (text: string, sink = 'chat', who: 'owner' | 'third_party' = 'owner', kind = 'message') =>
  ({ principal: { class: who }, sink, event: { kind, text } }) as Parameters<typeof settleLanguage>[1]

const GERMAN = 'was steht morgen an?'

test.each([
  ['the first message is German', [GERMAN], ['de']],
  ['it is a request for a card', ['trag Freitag 13 Uhr Mittagessen mit Sarah ein'], ['de']],
  ['nothing before it was plain', ['hi', 'Sarah?', GERMAN], ['de']],
  ['English follows', [GERMAN, 'what is on tomorrow?', 'show me my mail please'], ['de']],
  ['English was first', ['what is on tomorrow?', GERMAN, GERMAN], []],
  ['a single word is German', ['am I free on Friday?', 'die'], []],
  ['German is only quoted', ['send "das ist nicht die Uhr" to Sarah'], []],
  ['German stands behind a colon', ['tell Sarah: wir sind heute nicht da'], []],
  ['it is not typed by the owner', [typed(GERMAN, 'chat', 'third_party')], []],
  ['it is on an open line', [typed(GERMAN, 'open')], []],
  ['it is a command', [typed('/note das ist nicht die Uhr', 'chat', 'owner', 'command')], []],
] as const)('the first plain message settles the language: %s', async (_what, messages, spoken) => {
  expect(await settledBy(messages)).toEqual(spoken)
})

it('is settled by no message where the configuration names it, or where it was chosen', async () => {
  expect(await settledBy(['check my mail', GERMAN])).toEqual([])
  expect(await settledBy([GERMAN], { named: true })).toEqual([])
  expect(await settledBy([GERMAN], { store: chosen('en', 'en') })).toEqual([])
})

it('is told once, by the first answer after it was settled, with how to change it', async () => {
  const store = settings()
  await settledBy([GERMAN], { store })
  const powers = {
    store,
    language: { configured: 'en' as const, named: false, speak: async () => undefined },
  }
  expect(languageOffer(powers, null)).toContain('/language English')
  expect(['de', null, 'de', 'de'].map((one) => languageOffer(powers, one as Language | null))).toEqual(
    Array.from({ length: 4 }, () => null),
  )
})
