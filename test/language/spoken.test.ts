/** German as it is spoken: read as it would be written, with the owner's words where they are told, kept or sent to a service. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { askingOf } from '../../integrations/extractors/message/message-asking.ts'
import { spelled } from '../../integrations/extractors/message/message-spelling.ts'
import { spokenAgain, spokenAlways } from '../../integrations/extractors/message/message-spoken.ts'
import { askedInGerman } from '../../integrations/models/rules/parts/asked-german.ts'
import { writtenPlan } from '../../integrations/models/rules/written-german.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'
import type { Plan } from '../../kernel/task/plan.ts'

const DAYS = ['heute', 'morgen', 'übermorgen', 'am freitag', 'nächste woche', 'am wochenende']

describe('what has one meaning however it is read', () => {
  it.each(DAYS)('a verb with "es": %s', (day) => {
    expect(spokenAlways(`wie siehts ${day} aus`)).toBe(`wie sieht es ${day} aus`)
    expect(spelled(`wie siehts ${day} bei mir aus`)).toBe(`wie sieht es ${day} bei mir aus`)
  })

  it.each(['ne halbe std', 'eine stunde', '45 min', 'zwei stunden', 'so ne stunde', 'ca. 30 minuten'])(
    'how long it is, behind what is entered: %s',
    (long) => {
      const said = spokenAlways(`freitag um 9 zahnarzt, dauert ${long}`)
      expect(said).toBe(`freitag um 9 zahnarzt für ${long.replace(/^(?:so|ca\.) /, '')}`)
    },
  )

  it.each([
    ['dauert das meeting eine stunde', 'a question'],
    ['schreib tom: das dauert eine stunde', 'told'],
    ['merk dir dass der kuchen eine stunde dauert', 'kept'],
    ['der film, dauert zwei stunden', 'of no time'],
    ['how does tomorrow look', 'English'],
    ['steuer 5 tage', 'a word with the same letters'],
    ['das neue auto', 'a word with the same letters'],
  ])('leaves %s as it is: %s', (text) => {
    expect(spokenAlways(text)).toBe(text)
  })

  it.each([
    ['trag fuer naechsten montag um 9 den zahnarzt ein', 'trag für nächsten montag um 9 den zahnarzt ein'],
    ['loesch den termin uebermorgen frueh', 'lösch den termin übermorgen früh'],
    ['wann is denn der offsite kram?', 'wann is denn der offsite?'],
    ['schau mal ob tom geschrieben hat', 'hat tom geschrieben'],
    ['ich wüsste gern, wann mein nächster termin ist', 'wann ist mein nächster termin'],
    ['jeden morgen um 7 das wetter für köln', 'jeden morgen um 7 das wetter in köln'],
    ['das wetter für morgen', 'das wetter für morgen'],
    ['mach ne notiz: heizung ablesen', 'merk dir: heizung ablesen'],
    ['finde mit tom diese woche ne stunde', 'finde ne stunde mit tom diese woche'],
  ])('%s', (text, said) => expect(spokenAlways(text)).toBe(said))

  it('adds and takes nothing in what is said to somebody', () => {
    const words = fc.stringMatching(/^[a-zäöü ]{1,40}$/)
    fc.assert(
      fc.property(words, (said) => {
        expect(spokenAlways(`schreib tom: ${said}`)).toBe(`schreib tom: ${said}`)
        expect(spokenAgain(`schreib tom: ${said}`)).toBeNull()
      }),
    )
  })
})

describe('what the owner typed', () => {
  const fieldsOf = (text: string) =>
    createMessageExtractor(undefined, undefined, undefined, undefined, spelled).extract(text, {
      now: Date.parse('2026-11-30T10:00:00Z'),
      timezone: 'UTC',
    })
  const ADDRESSES = [
    'anna.mueller@firma.de',
    'gruesse.fuer@buero.example',
    'tom@web.net',
    'is@heut.example',
    'https://www.muellabfuhr.de/gross',
    'https://buero.example/naechste,fuer/haste?ma=net',
    'is.net',
    'mal.tomorow.example',
  ]
  it.each(ADDRESSES)('is the same address however it is read: %s', (address) => {
    for (const around of [
      (one: string) => `lad ${one} morgen um 10 zum Termin ein`,
      (one: string) => `haste naechste woche was von ${one}?`,
      (one: string) => `könntest du mal schauen was auf "${one}" is`,
      (one: string) => `schau mal ob ${one} geschrieben hat`,
      (one: string) => `was steht auf ${one}`,
    ]) {
      const text = around(address)
      expect(spelled(text)).toContain(address)
      expect(spokenAgain(text) ?? text).toContain(address)
    }
  })

  it('is the address of the fields, and of several', () => {
    expect(fieldsOf('lad anna.mueller@firma.de morgen um 10 zum Termin ein')).toMatchObject({
      email: 'anna.mueller@firma.de',
    })
    expect(fieldsOf('was steht auf https://www.muellabfuhr.de/gross?')).toMatchObject({
      url: 'https://www.muellabfuhr.de/gross',
    })
    expect(fieldsOf('lad anna.mueller@firma.de und max.gross@firma.de morgen um 10 ein')).toMatchObject({
      emails: ['anna.mueller@firma.de', 'max.gross@firma.de'],
    })
  })

  it('is given back of addresses that a speller changed', () => {
    const changing = (text: string) => text.replaceAll('ue', 'ü')
    const fields = createMessageExtractor(undefined, undefined, undefined, undefined, changing).extract(
      'was steht auf https://muell.example und https://kueche.example',
      { now: 0, timezone: 'UTC' },
    )
    expect(fields).toMatchObject({
      url: 'https://muell.example',
      urls: ['https://muell.example', 'https://kueche.example'],
    })
  })

  it.each([
    ['haste was von Anna Gross', 'Gross'],
    ['was is mit Ned', 'Ned'],
    ['wann is das Treffen mit Frau Mueller', 'Mueller'],
    ['wann is das treffen mit mueller', 'mueller'],
  ])('is a name: %s', (text, name) => {
    expect(spokenAlways(text)).toContain(name)
    expect(spokenAgain(text) ?? text).toContain(name)
  })

  it.each([
    ['trag Naechste Woche am Montag Fruehstueck ein', 'Frühstück'],
    ['jeden Montag um 8 Muelleimer rausbringen', 'Mülleimer'],
    ['was is im Maerz', 'März'],
  ])('is no name: %s', (text, noun) => expect(spokenAlways(text)).toContain(noun))

  it.each([
    ['freitag um 9 gruesse von anna, dauert ne halbe std', 'ruesse'],
    ['trag fuer naechsten montag um 9 das weisse kleid holen ein, dauert so eine stunde', 'eisse'],
    ['setz fuer mich suesse kartoffeln auf die einkaufsliste', 'suesse'],
    ['pack den kaese kram auf die einkaufsliste', 'kaese'],
  ])('is what is kept, where words were added or removed: %s', (text, word) => {
    const kept = JSON.stringify(readingOf(text).calls.map(({ args }) => args))
    expect(kept).toContain(word)
    expect(kept).not.toMatch(/[äöüß]/u)
  })

  it.each([
    ['haste is tom da', 'ist tom da', 'is tom da'],
    ['haste was von tom', 'tom@web.example', null],
    ['haste eben mal tee da', 'hast du tee da', null],
  ])('is in a plan from written words, or there is none: %s', (request, text, kept) => {
    const parts = { request, metadata: [], output: { now: '2026-11-22T11:30', timezone: 'Europe/Berlin' } }
    const step = { id: 's1', do: 'tool', tool: 'task.add', args: { text } }
    const plan = writtenPlan(
      { steps: [], explanation: 'not_understood' },
      parts as unknown as PromptParts,
      () => ({ steps: [step], explanation: '' }) as unknown as Plan,
    )
    expect(plan.steps).toEqual(kept === null ? [] : [{ ...step, args: { text: kept } }])
  })
})

describe('what was not understood, in written words', () => {
  it.each([
    ['wie spät is es', 'wie spät ist es'],
    ['was hab ich verpasst', 'was habe ich verpasst'],
    ['könntest du mal bitte nachsehen was morgen ansteht', 'was steht morgen an'],
    ['könntest du mal schauen ob ich neue mails habe', 'habe ich neue mails'],
    ['weißt du wann mein nächster termin ist', 'wann ist mein nächster termin'],
    ['haste morgen zeit', 'hast du morgen zeit'],
  ])('%s', (text, said) => expect(spokenAgain(text)).toBe(said))

  it.each([
    'what is on tomorrow',
    'was steht morgen an',
    'frag tom ob er kommt',
    'vielleicht friseur',
    '17 mal 23',
  ])('is none of %s', (text) => expect(spokenAgain(text)).toBeNull())

  it.each([
    ['wie siehts morgen aus bei mir', 'calendar.list_events'],
    ['könntest du mal schauen ob ich neue mails habe', 'email.list'],
    ['jeden dienstag um 18 uhr yoga im studio süd bis weihnachten', 'calendar.create_event'],
    ['nächste woche dienstag 8 uhr tüv', 'calendar.create_event'],
    ['frag tom@x.example ob er morgen zeit hat', ''],
  ])('%s is planned: %s', (text, tool) => {
    expect(readingOf(text).calls.map((one) => one.tool)).toEqual(tool === '' ? [] : [tool])
  })

  it('never gives a service other words than were typed', () => {
    for (const { tool, args } of readingOf('wieviel ist 17 mal 23').calls)
      expect([tool, JSON.stringify(args)]).not.toEqual([
        expect.stringMatching(/^web\./),
        expect.stringContaining('wie viel'),
      ])
  })
})

describe('a question that is put to somebody', () => {
  it.each([
    ['frag tom ob er morgen zeit hat', 'schreib tom: Hast du morgen zeit?'],
    ['frag Tom, ob er am freitag kommen kann', 'schreib Tom: Kannst du am freitag kommen?'],
    ['frag sarah wann sie kommt', 'schreib sarah: Wann kommst du?'],
    ['frag tom ob wir uns morgen treffen können', 'schreib tom: Können wir uns morgen treffen?'],
    ['frag Tom, ob sie morgen kommt', 'schreib Tom: Kommt sie morgen?'],
    ['frag Anna wann er zeit hat', 'schreib Anna: Wann hat er zeit?'],
    ['frag Frau Becker, ob sie am freitag kommen kann', 'schreib Frau Becker: Kannst du am freitag kommen?'],
    ['frag lisa ob ich später kommen kann', 'schreib lisa: Kann ich später kommen?'],
    ['schreib tom ob das ok ist', 'schreib tom: Ist das ok?'],
  ])('%s', (text, said) => expect(askingOf(text)).toBe(said))

  it.each([
    'frag tom ob seine frau mitkommt',
    'frag tom ob er und lisa kommen',
    'frag tom nach dem preis',
    'frag mich ob ich zeit hab',
    'frag sie ob sie kommt',
    'frag tom ob er fernsieht',
    'frag Kim ob sie morgen kommt',
    'frag Sascha ob er morgen kommt',
  ])('stays as it is where a word may be of somebody else: %s', (text) => expect(askingOf(text)).toBeNull())
})

describe('operations in a free order of words', () => {
  const called = (text: string) => {
    const said = askedInGerman(text)
    return said === null ? null : [said.operation, operationInMessage(said.sentence)?.operation.name]
  }
  const HOURS = ['von 22 bis 7', 'ab 22 uhr bis 7', 'zwischen 22 und 7 uhr', 'nach 22 uhr bis 6:30', '22-7']
  const WISHES = [
    (time: string) => `${time} bitte nicht stören`,
    (time: string) => `stör mich nachts nicht ${time}`,
    (time: string) => `stör mich ${time} nicht`,
    (time: string) => `lass mich ${time} in ruhe`,
    (time: string) => `ich will ${time} meine ruhe`,
    (time: string) => `${time} keine nachrichten mehr bitte`,
    (time: string) => `bitte ${time} ruhe`,
  ]
  it.each(HOURS.flatMap((time) => WISHES.map((wish) => wish(time))))('%s: quiet hours', (text) => {
    expect(called(text)).toEqual(['quiet.set', 'quiet.set'])
    expect(askedInGerman(text)?.sentence).toMatch(/zwischen 22 und (?:7|6:30)$/)
  })
  const WHILES = ['zwei stunden', '2 std', 'eine halbe stunde', '45 minuten', 'bis 15 uhr', 'bis morgen früh']
  it.each(WHILES.flatMap((time) => WISHES.slice(2, 5).map((wish) => wish(time))))(
    '%s: quiet for a while',
    (text) => expect(called(text)).toEqual(['quiet.set', 'quiet.set']),
  )

  it('is read as it is said in the south, and is no event', () => {
    expect(called('lass mi bitte von 2 bis 10 in der früh in ruh')).toEqual(['quiet.set', 'quiet.set'])
    expect(readingOf('lass mi bitte von 2 bis 10 in der früh in ruh, weil i schlaf').calls).toEqual([])
  })

  it('takes the hour of the night where the night is named', () => {
    const said = askedInGerman('zwischen zehn und sieben will ich nachts meine ruhe')
    expect(said?.sentence).toBe('stör mich nicht zwischen 22 und 7')
    expect(askedInGerman('zwischen 10 und 12 will ich meine ruhe')?.sentence).toContain('10 und 12')
  })

  it.each([
    ['wann hast du ruhezeiten?', 'quiet.show'],
    ['meld dich wieder normal', 'quiet.end'],
    ['den wievielten haben wir heute', 'clock.show'],
    ['was läuft grad von allein?', 'jobs.list'],
    ['zeig mal alle routinen', 'jobs.list'],
    ['was wartet da noch', 'approvals.list'],
    ['welche mails warten noch aufs absenden', 'scheduled.list'],
    ['stell den wecker morgen aus', 'reminders.cancel'],
    ['lösch die miete erinnerung', 'reminders.cancel'],
  ])('%s: %s', (text, operation) => expect(called(text)).toEqual([operation, operation]))

  it('is one order, and not what stands in several lines', () => {
    expect(askedInGerman('  wie spät ist es\n')).not.toBeNull()
    for (const line of ['\n', '\r\n', '\n\n', '\u2028', '\r']) {
      expect(askedInGerman(`wie spät${line}ist es`)).toBeNull()
      expect(askedInGerman(`lösch die miete${line}erinnerung`)).toBeNull()
      expect(askedInGerman(`stör mich nicht${line}von 22 bis 7`)).toBeNull()
      expect(spokenAgain(`wie spät${line}is es`)).toBeNull()
    }
  })

  it.each([
    'lass mich in ruhe',
    'stör nicht tom um 7',
    'yoga von 8 bis 9',
    'in ruhe lesen von 8 bis 9',
    'trag ruhe von 8 bis 9 ein',
    'keine meetings von 12 bis 13 uhr',
    'ich will von 8 bis 9 keine ruhe',
    'störst du mich von 22 bis 7 nicht?',
    'lösch die letzte erinnerung',
    'was wartet in meinem postfach',
    'schlafen von 22 bis 7',
  ])('%s asks for none', (text) => expect(askedInGerman(text)).toBeNull())
})
