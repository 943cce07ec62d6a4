/**
 * What the owner said they would do: read out of their own sent mail by fixed rules, in two languages, with the day that it says. Words that somebody else
 * wrote are nobody's promise here, wherever they stand.
 */
import { describe, expect, it } from 'vitest'
import { createZone } from '../../integrations/dates/zone.ts'
import { ownWords } from '../../integrations/extractors/own-words.ts'
import type { Mailbox, MailQuery } from '../../integrations/tools/email/mailbox-port.ts'
import { promisesIn } from '../../integrations/tools/email/message/promises.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { JsonRecord } from '../../integrations/tools/reading.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { processorTime } from '../kit/processor-time.ts'
import { callTool, outputOf } from './calls.ts'

const ZONE = createZone('Europe/Berlin')
/** A Wednesday. */
const SENT = Date.parse('2026-11-25T10:00:00+01:00')
const found = (text: string, subject = 'Plans') => promisesIn({ text, subject }, { sent: SENT, zone: ZONE })
const sentences = (text: string, subject?: string) => found(text, subject).map(({ sentence }) => sentence)

describe('a promise', () => {
  it.each([
    ["I'll send you the report by Friday.", '2026-11-27'],
    ['I will call Tom tomorrow.', '2026-11-26'],
    ['We will pay the invoice next week.', '2026-11-30'],
    ['I’m going to look into it.', null],
    ['I promise to be there.', null],
    ['You will have it by tomorrow.', '2026-11-26'],
    ['Ich schicke dir das Angebot bis Freitag.', '2026-11-27'],
    ['Ich werde mich darum kümmern.', null],
    ['Morgen rufe ich dich an.', '2026-11-26'],
    ['Ich melde mich am Montag bei Ihnen.', '2026-11-30'],
    ['I will not only write, but call you tomorrow.', '2026-11-26'],
    ['Ich melde mich morgen, falls es nicht klappt.', '2026-11-26'],
  ])('is %j, for %s', (sentence, day) => {
    const [one, ...others] = found(`Hello Sandra,\n\nthanks. ${sentence} Take care\n\nAda`)
    expect(others).toEqual([])
    expect(one?.sentence).toBe(sentence)
    expect(one?.due?.slice(0, 10) ?? null).toBe(day)
  })

  it.each([
    'Will I see you on Friday?',
    'I sent it yesterday.',
    'I will be on holiday next week.',
    "I don't know if I will come.",
    'You will like it.',
    'Bob will send it tomorrow.',
    "I'll not pay that bill.",
    "I'll never do that again.",
    'We will certainly not be there.',
    "I'm going to never ask again.",
    'Ich werde das nicht bezahlen.',
    'Ich werde dir nie wieder schreiben.',
    'Das bezahle ich nicht.',
    'Wir werden am Montag keine Zeit haben.',
    'Ich werde im Urlaub sein.',
    'Ich komme aus Berlin.',
    'Danke, das passt.',
  ])('is not %j', (sentence) => {
    expect(sentences(sentence)).toEqual([])
  })

  it('is each of several, also in a list and over a broken line', () => {
    const text = "Hi\n\nI'll book\nthe room. And then:\n- I will bring the cake\n- You bring the wine\n\nBest"
    expect(sentences(text)).toEqual(["I'll book the room.", 'I will bring the cake'])
  })
})

describe('the words of others', () => {
  const THEIRS = 'I will send you 5,000 euros tomorrow.'
  it.each([
    ['quoted', `Thanks.\n\n> ${THEIRS}\n> Eve`],
    ['quoted twice', `Thanks.\n>> ${THEIRS}`],
    [
      'below an answer',
      `Thanks.\n\nOn Mon, 23 Nov 2026 at 10:00, Eve <eve@evil.example> wrote:\n\n${THEIRS}`,
    ],
    [
      'below an answer, over two lines',
      `Thanks.\n\nOn Mon, 23 Nov 2026 at 10:00, Eve\n<eve@evil.example> wrote:\n\n${THEIRS}`,
    ],
    [
      'below an answer in German',
      `Danke.\n\nAm 23.11.2026 um 10:00 schrieb Eve <eve@evil.example>:\n\n${THEIRS}`,
    ],
    ...[
      'El lun, 23 nov 2026 a las 10:00, Eve (<eve@evil.example>) escribió:',
      'El lun, 23 nov 2026 a las 10:00, Eve\n(<eve@evil.example>) escribió:',
      'Le lun. 23 nov. 2026 à 10:00, Eve <eve@evil.example> a écrit :',
      'Le lun. 23 nov. 2026 à 10:00, Eve de la\nTour a écrit :',
      'Il giorno lun 23 nov 2026 alle ore 10:00 Eve <eve@evil.example> ha scritto:',
      'W dniu 23.11.2026 o 10:00, Eve pisze:',
      '2026年11月23日(月) 10:00 Eve <eve@evil.example>:',
      'Eve <eve@evil.example> escreveu no dia 23/11/2026:',
    ].map((mark) => ['below a mark of another language', `Ok.\n\n${mark}\n\n${THEIRS}`]),
    ['below a rule', `Thanks.\n\n-----Original Message-----\nFrom: Eve\n\n${THEIRS}`],
    ['below a header', `Thanks.\n\nFrom: Eve <eve@evil.example>\nSent: Monday\nTo: Ada\n\n${THEIRS}`],
    ['below a line', `Thanks.\n________________________________\nVon: Eve\n\n${THEIRS}`],
    ['in quotation marks', `Eve wrote to me: "${THEIRS}" Strange.`],
    ['in German quotation marks', `Eve schrieb: „${THEIRS}“ Seltsam.`],
    ['below the signature', `Thanks.\n\n-- \n${THEIRS}`],
  ])('are none, %s', (_, text) => {
    expect(sentences(text)).toEqual([])
  })

  it('are none of a mail that is sent on without a mark of where it begins', () => {
    expect(sentences(`Hello Ada,\n${THEIRS}`, 'Fwd: money')).toEqual([])
    expect(sentences(`I will deal with it.\n\n> ${THEIRS}`, 'Fwd: money')).toEqual(['I will deal with it.'])
  })

  it('do not join the owner’s before and after them', () => {
    expect(ownWords('I will\n> never\nsleep tonight', 'x')).not.toContain('never')
    expect(sentences(`> When?\nI'll be there on Friday.\n> And the money?\nI'll pay tomorrow.`)).toEqual([
      "I'll be there on Friday.",
      "I'll pay tomorrow.",
    ])
  })

  it('leave the owner’s sentence before the mark, and what is no mark', () => {
    const mark = 'El lun, 23 nov 2026 a las 10:00, Eve (<eve@evil.example>) escribió:'
    expect(sentences(`I'll pay tomorrow.\n${mark}\n${THEIRS}`)).toEqual(["I'll pay tomorrow."])
    expect(sentences("What comes next:\n\nI'll pay tomorrow.")).toEqual(["I'll pay tomorrow."])
    expect(sentences("Plans for 2026:\n\nI'll pay tomorrow.")).toEqual(["I'll pay tomorrow."])
  })

  it('take no longer for a text that is made to be slow', () => {
    const pieces = ['I will ', 'On a ', '> ', '"', 'I can have ', 'ich schicke ', '_', 'a. A']
    const look = (piece: string) =>
      promisesIn({ text: piece.repeat(20_000), subject: 'x' }, { sent: SENT, zone: ZONE })
    expect(processorTime(() => pieces.map(look), 1)).toBeLessThan(4_000)
  })
})

describe('the action', () => {
  const message = (id: string, to: string, text: string): JsonRecord => ({
    ...{ id, internalDate: String(SENT) },
    payload: {
      mimeType: 'text/plain',
      headers: [
        { name: 'From', value: 'ada@home.example' },
        { name: 'To', value: to },
        { name: 'Subject', value: 'Plans' },
      ],
      body: { data: Buffer.from(text, 'utf8').toString('base64url') },
    },
  })
  const asked: MailQuery[] = []
  const unasked = () => Promise.reject(new Error('not asked for'))
  const mailbox: Mailbox = {
    ...{ folders: unasked, newFolder: unasked, makeFolder: unasked },
    ...{ unread: unasked, read: unasked, files: unasked, mark: unasked, move: unasked },
    ...{ draft: unasked, send: unasked },
    find: async (query) => {
      asked.push(query)
      return ok({
        messages: [message('m1', 'Sandra Lee <sandra@x.example>', "I'll send it on Friday.")],
        more: false,
      })
    },
  }
  const account = { address: 'ada@home.example', hosts: [], check: unasked, open: () => mailbox }
  const tool = createEmailTool({
    ...{ htmlText: async () => '', timezone: 'Europe/Berlin' },
    mail: { account, compose: unasked, digest: async () => '' },
  })

  it('says whom, when, the sentence and which mail, out of sent mail of 30 days alone', async () => {
    expect(outputOf(await callTool(tool, 'email.promises', { to: 'Sandra' }))).toEqual({
      emails: [
        {
          ...{ id: 'm1', to: 'sandra@x.example', toName: 'Sandra Lee', subject: 'Plans' },
          ...{ date: '2026-11-25T09:00:00Z', sentence: "I'll send it on Friday." },
          due: '2026-11-27T00:00:00+01:00',
        },
      ],
      more: false,
    })
    expect(asked).toEqual([
      {
        folder: 'sent',
        to: 'Sandra',
        whole: true,
        count: 60,
        since: new Date(-30 * 86_400_000).toISOString(),
      },
    ])
  })
})
