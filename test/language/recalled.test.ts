/** What memory found is told in plain words: facts, else the few earlier results that fit, never a failed answer or the question again. */
import { describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { fromMemory } from '../../integrations/models/rules/from-memory.ts'
import { rowTexts } from '../../kernel/features/memory/result-rows.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { spoken } from './fixtures.ts'

const AT = '2026-11-20T10:00:00.000Z'
const found = (action: string, text: string): Json => ({ action, text, at: AT })
const MAIL = found(
  'email.list',
  'demo-sarah-budget, sarah.chen@example.com, Sarah Chen, Q3 budget numbers, 2026-11-20T11:18:23Z, https://mail.example/x',
)
const EVENT = found(
  'calendar.create_event',
  'evt_new4, Dentist, 2026-11-24T08:15:00Z, primary, https://calendar.example/evt_new4',
)
const ask = (text: string, facts: readonly Json[], earlier: readonly Json[]): string =>
  answerFor(spoken(text, [['memory.search', { facts: [...facts], earlier: [...earlier] }]]))

describe('earlier results', () => {
  it('are plain lines without ids, links and times of machines', () => {
    const said = ask('what do you know about Sarah?', [], [MAIL, MAIL])
    expect(said).toMatch(/^You have not told me anything about that\..*\n- .*Sarah Chen · Q3 budget numbers/)
    expect(said.split('\n')).toHaveLength(2)
    expect(said).not.toMatch(/demo-|https|T11:18|Z\b/)
  })

  it('are at most three', () => {
    const many = ['One', 'Two', 'Three', 'Four', 'Five'].map((name) =>
      found('email.list', `id-1, Sarah ${name}`),
    )
    expect(ask('what do you know about Sarah?', [], many).split('\n')).toHaveLength(4)
  })

  it.each(['when is mums birthday', "what's the phone number of the dentist?"])(
    'that do not fit are not shown: %s',
    (text) => {
      const said = ask(text, [], [MAIL, EVENT])
      expect(said).toMatch(/^You have not told me anything about that/)
      expect(said).not.toMatch(/budget|Dentist/)
    },
  )

  it('are not shown beside a fact', () => {
    const fact = { text: "Mira's birthday is on the 3rd of May", at: AT, since: AT, times: 1, earlier: [] }
    const said = ask('what do you know about Mira?', [fact], [found('email.list', 'id-1, Mira, Sunday')])
    expect(said).toContain('3rd of May')
    expect(said).not.toContain('Sunday')
  })
})

describe('the conversation', () => {
  const failed = found(
    'conversation',
    'You: Jeeves, rename yourself\nI: I did not understand "rename", so I did nothing.',
  )
  const asked = found('conversation', 'You: what is the gate code?\nI: The gate code is 7.')
  it('is not quoted for its failed answers, and not for a question that is asked again', () => {
    expect(ask('what do you know about the gate code?', [], [asked])).not.toContain('You:')
    expect(ask('what do you know about Jeeves?', [], [failed])).not.toContain('rename')
  })

  it('says in the language that is spoken who said what', async () => {
    await speak('de')
    try {
      expect(ask('was haben wir über the gate code gesagt?', [], [asked])).toContain(
        'Du: what is the gate code? Ich: The',
      )
    } finally {
      await speak('en')
    }
  })

  it('is where it is asked for', () => {
    expect(ask('what did we say about the gate code?', [], [asked, failed])).toMatch(
      /^This is what we said:\n- You: what is the gate code/,
    )
  })
})

it.each([
  'what is mira allergic to',
  'what does Mira like?',
  'where does Tom live?',
  'how old is Mira?',
  'wogegen ist Mira allergisch?',
  'wo wohnt Tom?',
])('“%s” is asked of memory', (text) => {
  expect(fromMemory(spoken(text, []))?.steps).toMatchObject([{ tool: 'memory.search' }])
})

it.each(['what is the weather like', 'where does it live', 'was ist los?', 'wer hat angerufen?'])(
  '“%s” is not',
  (text) => {
    expect(fromMemory(spoken(text, []))).toBeNull()
  },
)

it('a result is found by its rows', () => {
  expect(
    rowTexts({
      mails: [
        { id: 'a', from: 'Sarah' },
        { id: 'b', from: 'Tom' },
      ],
      more: false,
    }),
  ).toEqual(['a, Sarah', 'b, Tom'])
  expect(rowTexts({ id: 'e1', title: 'Dentist' })).toEqual(['e1, Dentist'])
})
