/** How messages are read: sentences that the tables were made with, and as many that they were not (P-27). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { classifySignal, SIGNAL_HEAD } from '../../../kernel/prompt/signal/classify.ts'
import { GENRES, MODES, type Signal } from '../../../kernel/prompt/signal/signal.ts'

type Row = readonly [string, Signal['mode'], Signal['genre']]

/** `held` was written after the tables and never used to change them. */
const SETS: { readonly tuned: readonly Row[]; readonly held: readonly Row[] } = JSON.parse(
  readFileSync(new URL('../utterances.json', import.meta.url), 'utf8'),
)

/** Share of right readings that a set must reach. */
const RIGHT = 0.85

function wrongIn(rows: readonly Row[], coordinate: 'mode' | 'genre') {
  return rows.flatMap(([text, mode, genre]) => {
    const read = classifySignal(text)[coordinate]
    const meant = coordinate === 'mode' ? mode : genre
    return read === meant ? [] : [`${text}: ${read}, meant ${meant}`]
  })
}

describe('the labelled set', () => {
  it('is large, and knows every mode and genre', () => {
    for (const rows of [SETS.tuned, SETS.held]) {
      expect(rows.length).toBeGreaterThanOrEqual(50)
      expect(new Set(rows.map(([, mode]) => mode))).toEqual(new Set(MODES))
      expect(new Set(rows.map(([, , genre]) => genre))).toEqual(new Set(GENRES))
    }
    const texts = [...SETS.tuned, ...SETS.held].map(([text]) => text.toLowerCase())
    expect(new Set(texts).size).toBe(texts.length)
  })

  it.each([
    ['tuned', 'mode'],
    ['tuned', 'genre'],
    ['held', 'mode'],
    ['held', 'genre'],
  ] as const)('%s: the %s is read rightly', (set, coordinate) => {
    const wrong = wrongIn(SETS[set], coordinate)
    expect(1 - wrong.length / SETS[set].length, wrong.join('\n')).toBeGreaterThanOrEqual(RIGHT)
  })
})

describe('an order', () => {
  it.each<[string, Signal['mode']]>([
    ['Trag am Montag um 11 ein Telefonat mit Sarah ein und lade sie dazu ein.', 'execute'],
    ['Tragen Sie den Termin bitte ein.', 'execute'],
    ['Streich den Spaziergang mit Mira heute Abend.', 'maintain'],
    ['Bitte lösche die gelesenen Mails', 'maintain'],
    ['Fass mir die ungelesenen Mails zusammen', 'analyze'],
    ['Gib mir eine kurze Zusammenfassung meiner Mails', 'analyze'],
    ['Schreib Tom eine Antwort, dass ich komme', 'build'],
    ['Erklär mir die Rechnung', 'assist'],
    ['Falls Tom in seiner Mail etwas will, trag es am Montag ein.', 'execute'],
    ['Jeden Dienstag um 7 Sport, bitte eintragen.', 'execute'],
    ["Résume-moi les mails que je n'ai pas encore lus.", 'analyze'],
    ['Mets une réunion avec Tom lundi à 10 h, une demi-heure.', 'execute'],
    ['Ajoute à mon agenda le rendez-vous chez le dentiste qui est dans le mail.', 'execute'],
    ['Supprimez les mails lus', 'maintain'],
    ["S'il te plaît, envoie-lui la liste", 'execute'],
    ['Hazme un resumen de los correos sin leer.', 'analyze'],
    ['Recuérdame mañana que llame a Tom', 'execute'],
    ['Por favor, borra los correos leídos', 'maintain'],
    ['Pon una cita con Sarah el lunes a las 10', 'execute'],
    ["There's a mail from my dentist. Make sure the appointment in it is in my calendar.", 'execute'],
    ["Mira's mail names the date of Mum's birthday. Put it down for the whole evening.", 'execute'],
    ["If I'm free on Saturday at nine, book the gym.", 'execute'],
  ])('%j is one: %s', (text, mode) => {
    expect(classifySignal(text)).toMatchObject({ mode, genre: 'direct', type: 'request' })
  })

  it.each([
    'Sarah moved to Oslo',
    'Mira is coming with Tom and the dog',
    'Lee sent me a letter, and he is well',
    'My leg hurts. I was at the doctor.',
    'Tom schickt mir die Liste morgen',
    'Der Termin mit Sarah war gut',
    'Ich habe mit Tom gesprochen, wegen der Mail',
    'Les mails de Tom sont longs',
    'Sarah arrive demain avec le dossier',
    'El correo de Tom es largo',
    'If I am free on Saturday, Tom comes along',
  ])('%j is none', (text) => {
    expect(classifySignal(text).genre).not.toBe('direct')
  })
})

describe('the other coordinates', () => {
  it.each([
    ['when is my next meeting?', 'question', 'line'],
    ['book lunch with Sarah', 'request', 'line'],
    ['the calendar sync is broken again', 'issue', 'line'],
    ['Sarah moved to Oslo', 'statement', 'line'],
    ['thank you', 'social', 'line'],
    ['/mode analyze', 'statement', 'command'],
    ['book lunch with Sarah\nnot too late, and somewhere quiet', 'request', 'message'],
    [`summarise this: ${'long text '.repeat(200)}`, 'request', 'document'],
    [`look at this list\n${'- a\n'.repeat(20)}`, 'request', 'document'],
  ])('%j is a %s, a %s', (text, type, format) => {
    expect(classifySignal(text)).toMatchObject({ type, format })
  })

  it.each([
    ['hi', 'thank you'],
    ['thanks', 'read my mail'],
    ['read my mail', 'compare the two offers from the insurers'],
    ['compare the two offers', 'compare the two offers in detail'],
    ['compare the two offers briefly', 'compare the two offers'],
  ] as const)('%j weighs no more than %j', (light, heavy) => {
    expect(classifySignal(light).weight).toBeLessThanOrEqual(classifySignal(heavy).weight)
  })

  it.each([
    ['thanks', 0, 0.3],
    ['briefly, what is on my calendar?', 0, 0.3],
    ['when is my next meeting?', 0.3, 0.8],
    ['give me a detailed analysis of the sales figures by region, step by step', 0.8, 1],
  ])('%j weighs %d to %d', (text, least, most) => {
    const { weight } = classifySignal(text)
    expect(weight).toBeGreaterThanOrEqual(least)
    expect(weight).toBeLessThanOrEqual(most)
  })
})

describe('a reading', () => {
  it('is the same for the same words, and for their typography', () => {
    const text = 'I can’t choose between the two, what do you think?'
    expect(classifySignal(text)).toEqual(classifySignal(text))
    expect(classifySignal(text)).toEqual(classifySignal(text.replace('’', "'")))
  })

  it('looks at the beginning of a long message only', () => {
    const text = 'the meeting took two hours '.padEnd(SIGNAL_HEAD, 'x')
    expect(classifySignal('the meeting took two hours and the screen is broken').mode).toBe('maintain')
    expect(classifySignal(`${text} and the screen is broken`).mode).toBe('assist')
  })

  it.each([
    ['a'.repeat(100_000)],
    ['? '.repeat(50_000)],
    ['i am so '.repeat(20_000)],
    ['please '.repeat(20_000)],
    [''],
  ])('has bounds, whatever is written', (text) => {
    const { weight, mode } = classifySignal(text)
    expect(MODES).toContain(mode)
    expect(weight).toBeGreaterThanOrEqual(0)
    expect(weight).toBeLessThanOrEqual(1)
  })
})
