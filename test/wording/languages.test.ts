/**
 * The owner's language (decision 023): each table has every key with the same placeholders, or the tables are
 * not made; English is as it was; dates, numbers and lists; what a sentence's language is; and what must not
 * change with it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, test } from 'vitest'
import DE from '../../integrations/languages/de.json' with { type: 'json' }
import DE_HOME from '../../integrations/languages/de-home.json' with { type: 'json' }
import { speak } from '../../integrations/languages/speak-home.ts'
import {
  createClock,
  date,
  dateAndName,
  dayOf,
  moment,
  onDay,
  range,
} from '../../integrations/models/rules/answers/clock.ts'
import { filled } from '../../integrations/models/rules/answers/sentence.ts'
import { actionWords, TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import WORDS from '../../kernel/features/words.json' with { type: 'json' }
import EDGE_WORDS from '../../kernel/features/words-edge.json' with { type: 'json' }
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { EFFECT_IDS, lookUpAction } from '../../kernel/powers/effects.ts'
import { isReasonCode, type ReasonCode } from '../../kernel/reasons.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { cardWords, progressWords } from '../../kernel/tool/worded.ts'
import { inEnglish, languageNow } from '../../kernel/wording/language.ts'
import {
  LANGUAGE_CODES,
  LANGUAGES,
  languageCalled,
  languageIn,
  languageOfLocale,
} from '../../kernel/wording/languages.ts'
import {
  clockLine,
  figuredMoment,
  listed,
  namedMoment,
  numberWords,
  plainNumber,
  weekdayNames,
} from '../../kernel/wording/output.ts'
import { meaningFor, tell, wordsFor, wordsForOthers } from '../../kernel/wording/words.ts'
import { wordFolders } from '../../scripts/tables/languages.ts'
import { gapsIn } from '../../scripts/tables/words.ts'

const ROOT = join(import.meta.dirname, '../..')
const BERLIN = 'Europe/Berlin'
/** Monday 23 November 2026, 09:12 in Berlin. */
const NOW = Date.parse('2026-11-23T08:12:00Z')
const FRIDAY = Date.parse('2026-11-27T12:00:00Z')

afterEach(() => speak('en'))

describe('completeness', () => {
  it.each(LANGUAGE_CODES)('every unit with words has them in %s', (language) => {
    const lacking = wordFolders().filter(
      (folder) => !existsSync(join(ROOT, folder, 'words', `${language}.toml`)),
    )
    expect(lacking).toEqual([])
  })

  const ENGLISH = {
    says: { now: 'It is {time}.', done: 'Done.' },
    typed: { ask: 'show {what}' },
    list: { answer: { list: 'rows', row: '{a} by {b}', after: ['{more?}More.', 'Left: {left}'] } },
    set: { phrases: ['set it'], summary: 'sets it' },
  }
  const GERMAN = {
    says: { now: 'Es ist {time}.', done: 'Fertig.' },
    list: { answer: { row: '{b}: {a}', after: ['{more?}Mehr.', 'Übrig: {left}'] } },
    set: { summary: 'setzt es' },
  }
  it.each([
    ['a whole one', GERMAN, []],
    ['a missing sentence', { ...GERMAN, says: { now: 'Es ist {time}.' } }, ['lacks says.done']],
    [
      'a missing part',
      { says: GERMAN.says, set: GERMAN.set },
      ['lacks list.answer.row', 'lacks list.answer.after'],
    ],
    [
      'a missing placeholder',
      { ...GERMAN, says: { now: 'Es ist spät.', done: 'Fertig.' } },
      ['has other placeholders in says.now'],
    ],
    [
      'a strange placeholder',
      { ...GERMAN, set: { summary: 'setzt {x}' } },
      ['has other placeholders in set.summary'],
    ],
    [
      'placeholders in another text of a list',
      { ...GERMAN, list: { answer: { row: '{b}: {a}', after: ['Übrig: {left}', '{more?}Mehr.'] } } },
      ['has other placeholders in list.answer.after'],
    ],
    [
      'a phrase, of which English has all',
      { ...GERMAN, set: { ...GERMAN.set, phrases: ['setz es'] } },
      ['has set.phrases, which nobody reads'],
    ],
    [
      'a request that a program reads',
      { ...GERMAN, typed: { ask: 'zeig {what}' } },
      ['has typed.ask, which nobody reads'],
    ],
  ])('%s', (_what, german, gaps) => expect(gapsIn(ENGLISH, german)).toEqual(gaps))

  it('the table has what the English one has', () => {
    const says = [...Object.keys(DE.says), ...Object.keys(DE_HOME.says)]
    expect(says.sort()).toEqual(Object.keys(WORDS.says).sort())
    expect(Object.keys(DE.says)).toEqual(Object.keys(EDGE_WORDS.says))
    expect(Object.keys(DE.reasons)).toEqual(Object.keys(WORDS.reasons))
    expect(Object.keys(DE.operations)).toEqual(Object.keys(WORDS.operations))
    expect(Object.keys(DE.groups)).toEqual(Object.keys(WORDS.groups))
    const actions = TOOL_MANIFESTS.flatMap((tool) => tool.actions.map(({ id }) => id))
    expect(Object.keys(DE.actions).sort()).toEqual(actions.sort())
  })

  it('the words of cards and answers of what home alone carries out are beside it', () => {
    const [both, home] = [DE.actions, DE_HOME.actions].map((all) =>
      Object.entries(all as Record<string, object>),
    )
    expect(home?.length).toBeGreaterThan(60)
    expect(
      home
        ?.flatMap(([, parts]) => Object.keys(parts))
        .every((part) => /^(?:answer|card|reasons|failed|help)$/.test(part)),
    ).toBe(true)
    for (const [id, parts] of home ?? [])
      expect(Object.keys(Object.fromEntries(both ?? [])[id] ?? {}), id).not.toEqual(
        expect.arrayContaining(Object.keys(parts)),
      )
    // What the edge itself says of them it has.
    expect(DE.actions['calendar.freebusy']).toHaveProperty('answer')
    expect(DE.actions['weather.forecast']).toHaveProperty('answer')
    expect(DE.actions['email.list']).not.toHaveProperty('answer')
  })

  it('the words of the kernel’s own actions are in English those that they declare', () => {
    const registry = createRegistry([])
    for (const id of EFFECT_IDS) {
      const found = lookUpAction(registry, id)
      if (!found.ok) continue
      const said: Readonly<Record<string, string>> = WORDS.says
      const key = id.replace('.', '_')
      const { operation } = found.value
      if (operation !== undefined) {
        // Worded by its operation.
        const operations: Readonly<Record<string, { readonly summary: string }>> = WORDS.operations
        const summary = operations[operation]?.summary
        expect(summary, id).toBeDefined()
        expect(found.value.card?.ask ?? summary, id).toBe(summary)
        const progress = ['setting', 'looking_at_setting'].map((of) => said[`wording.does_${of}`])
        expect(progress, id).toContain(found.value.progress)
        continue
      }
      expect(said[`wording.asks_${key}`], id).toBe(found.value.card?.ask)
      expect(said[`wording.does_${key}`], id).toBe(found.value.progress)
    }
  })
})

test('words change with the language, and back, and a table is of one language', async () => {
  const mail = TOOL_MANIFESTS.flatMap(({ actions }) => actions).find(({ id }) => id === 'email.send')
  const english = OPERATIONS.map(({ summary, args, confirm, refusals }) => ({
    summary,
    args,
    confirm,
    refusals,
  }))
  await speak('de')
  expect(languageNow()).toBe('de')
  expect(tell('wording.late')).toBe('Diese Antwort kommt verspätet, weil dein Heimgerät nicht verbunden war.')
  expect(wordsFor('approval_denied')).toContain('Abgebrochen')
  expect(actionWords('email.list')?.progress).toBe('Mails werden durchgesehen')
  expect(mail && cardWords(mail)?.ask).toBe('Diese Mail in deinem Namen senden.')
  expect(mail && progressWords(mail)).toBe('die Mail wird gesendet')
  expect(OPERATIONS.find(({ name }) => name === 'quiet.show')?.summary).toBe('wann deine Ruhezeit ist')
  expect(inEnglish(() => tell('wording.late'))).toBe(
    'This answer is late, because your home box was not connected.',
  )
  expect(tell('wording.late')).toContain('verspätet')
  await speak('en')
  expect(
    OPERATIONS.map(({ summary, args, confirm, refusals }) => ({ summary, args, confirm, refusals })),
  ).toEqual(english)
  expect(mail && cardWords(mail)).toEqual(mail?.card)
})

describe('dates, numbers and lists', () => {
  const clock = () =>
    createClock({ sink: '', maxChars: 100, format: 'plain', timezone: BERLIN, now: '2026-11-23T09:12' })
  const shown = () => {
    const { now, read } = clock()
    const [from = 0, to = 0] = ['2026-11-27T12:00:00Z', '2026-11-27T13:00:00Z'].map((at) => read(at) ?? 0)
    return [
      namedMoment(FRIDAY, BERLIN, NOW),
      namedMoment(Date.parse('2027-01-02T12:00:00Z'), BERLIN, NOW),
      figuredMoment(FRIDAY, BERLIN),
      range(from, to, now),
      range(dayOf(from) * 86_400_000, (dayOf(from) + 1) * 86_400_000, now),
      date(dayOf(from), now),
      dateAndName(dayOf(now) + 1, now),
      onDay(dayOf(from), now),
      onDay(dayOf(now), now),
      moment(now, now),
      weekdayNames(0b0010101),
      listed(['a', 'b', 'c']),
      numberWords(1234.5),
      plainNumber(6.5),
      filled('{n}, {n:exact}, {l:length}', { item: { n: 64123.25, l: 390 }, clock: clock() }),
    ]
  }

  test('in English', () => {
    expect(shown()).toEqual([
      'Friday 27 November, 13:00',
      'Saturday 2 January 2027, 13:00',
      '2026-11-27 13:00',
      'Fri 27 Nov, 13:00–14:00',
      'Fri 27 Nov, all day',
      'Fri 27 Nov',
      'Tue 24 Nov (tomorrow)',
      'On Friday',
      'Today',
      'today 09:12',
      'Monday, Wednesday and Friday',
      'a, b and c',
      '1,234.5',
      '6.5',
      '64123.3, 64123.25, 6 h 30 min',
    ])
  })

  test('in German', async () => {
    await speak('de')
    expect(shown()).toEqual([
      'Freitag, 27. November, 13:00',
      'Samstag, 2. Januar 2027, 13:00',
      '27.11.2026, 13:00',
      'Freitag, 27. November, 13:00–14:00',
      'Freitag, 27. November, ganztägig',
      'Freitag, 27. November',
      'Dienstag, 24. November (morgen)',
      'Am Freitag',
      'Heute',
      'heute, 09:12',
      'Montag, Mittwoch und Freitag',
      'a, b und c',
      '1.234,5',
      '6,5',
      '64123,3, 64123,25, 6 Std. 30 Min.',
    ])
  })

  test('a model is told the day and a reason in English', async () => {
    await speak('de')
    expect(clockLine('2026-11-27T13:00', BERLIN)).toBe('Friday 2026-11-27 13:00 +01:00 Europe/Berlin')
    expect(meaningFor('approval_denied', true)).toBe('Cancelled: I did not do it.')
  })
})

test('others hear no more of how the owner is set up in another language than in English', async () => {
  const codes = Object.keys(WORDS.reasons).filter(isReasonCode)
  const english = new Map(codes.map((code): [ReasonCode, string] => [code, wordsForOthers(code)]))
  const none = tell('wording.not_now')
  await speak('de')
  for (const code of codes) {
    const said = wordsForOthers(code)
    expect(said, code).not.toMatch(/`|Heimgerät|zu Hause|verbunden|private[nr]? (?:Kanal|Daten)|Phrase/i)
    if (english.get(code) === none) expect(said, code).toBe(tell('wording.not_now'))
  }
})

test.each([
  ['erinnere mich morgen bitte an die Mülltonne', 'de'],
  ['Was ist heute in meinem Kalender und wie ist das Wetter?', 'de'],
  ['please remind me tomorrow to call mum', 'en'],
  ['what is on my calendar today?', 'en'],
  ['Berlin', null],
  ['ok', null],
  ['Qu’est-ce que j’ai demain ?', null],
  ['schick das the and bitte is', null],
])('%j is in %s', (sentence, language) => expect(languageIn(sentence)).toBe(language))

test.each([
  ['German', 'de'],
  ['deutsch', 'de'],
  [' Englisch ', 'en'],
  ['de', 'de'],
  ['Klingon', null],
  ['constructor', null],
])('%j is the language %s', (said, language) => expect(languageCalled(said)).toBe(language))

test.each([
  ['de_DE.UTF-8', 'de'],
  ['de_AT', 'de'],
  ['de', 'de'],
  ['en_US.UTF-8', 'en'],
  ['C.UTF-8', null],
  ['POSIX', null],
  ['', null],
  ['default', null],
  ['fr_FR.UTF-8', null],
])('the locale %j is of %s', (locale, language) => expect(languageOfLocale(locale)).toBe(language))

it('no common word is of two languages', () => {
  const all = Object.values(LANGUAGES).flatMap(({ common }) => [...common])
  expect(all).toEqual([...new Set(all)])
})
