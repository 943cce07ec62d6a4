/** Requests against a fresh demo and a real home: what is done, what fails, and what waits for a recorded answer. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOf } from '../../bench/evaluate/answers.ts'
import { readCases } from '../../bench/evaluate/case.ts'
import { evaluate } from '../../bench/evaluate/main.ts'
import type { CaseResult } from '../../bench/evaluate/result.ts'
import { newFolder } from '../kit/folder.ts'

const CASES = join(import.meta.dirname, '../fixtures/evaluate/requests.json')

const outcome = ({ id, state, why }: CaseResult): string => [id, state, ...why].join(' | ')

test('without a model, each request meets the same mailbox, calendar and home, and is judged by them', async () => {
  const seen: string[] = []
  const results = await evaluate({
    ...{ model: 'rules', cases: readCases(CASES), answers: '', prompts: null },
    progress: ({ id }) => seen.push(id),
  })
  expect(results.map(outcome)).toEqual([
    'booked | done',
    'booked-again | done',
    'refused | done',
    'two-messages | done',
    'moved-politely | done',
    'told-about | done',
    'pointed-at | done',
    expect.stringMatching(/^nobody-booked \| failed \| not added.* \| added: “Lunch with Sarah”/),
    'reminded | done',
    'reminded-no-more | done',
    'on-the-list | done',
    'remembered | done',
    'contact-told | done',
    'told-daily | done',
    expect.stringMatching(/^reminder-unlisted \| failed \| new reminder: call mum/),
  ])
  expect(seen).toHaveLength(results.length)
  expect(results[0]?.transcript.map(({ who }) => who)).toEqual(['owner', 'card', 'answer'])
})

test('a prompt without a recorded answer leaves its request open, and the answer to it is taken at the next run', async () => {
  const folder = newFolder('evaluate')
  const [answers, prompts] = [join(folder, 'answers.json'), join(folder, 'prompts')]
  const [first] = readCases(CASES)
  if (first === undefined) throw new Error('no case')
  const wanted = {
    ...first,
    turns: [{ say: 'Whatever could be said about my day, say it.', cards: 'yes' as const }],
  }
  const cases = [{ ...wanted, expect: { ...wanted.expect, added: [], answer: ['a quiet day'] } }]
  const run = () => evaluate({ ...{ model: 'recorded', cases, answers, prompts }, progress: () => undefined })

  const known: Record<string, string> = {}
  const states: string[] = []
  for (let round = 0; round < 4 && states.at(-1) !== 'done'; round += 1) {
    const [result] = await run()
    states.push(result?.state ?? '')
    for (const name of readdirSync(prompts)) {
      const prompt = readFileSync(join(prompts, name), 'utf8')
      const digest = name.replace('.txt', '')
      expect(digest).toBe(digestOf(prompt))
      known[digest] ??= prompt.includes('### answer as JSON')
        ? '{"steps":[],"explanation":""}'
        : 'It is a quiet day.'
    }
    writeFileSync(answers, JSON.stringify(known))
  }
  expect(states[0]).toBe('open')
  expect(states.at(-1)).toBe('done')
})

test('a booking and a page make the same prompts at each run, and nothing is said after one without an answer', async () => {
  const folder = newFolder('evaluate')
  const [answers, prompts] = [join(folder, 'answers.json'), join(folder, 'prompts')]
  const [booked] = readCases(CASES)
  if (booked === undefined) throw new Error('no case')
  const say = (...texts: readonly string[]) => texts.map((one) => ({ say: one, cards: 'yes' as const }))
  const cases = [
    { ...booked, turns: [...booked.turns, ...say('And who is coming to it?')] },
    { ...booked, id: 'page', turns: say('Read {article} and tell me whether I am free then.', 'Thanks.') },
  ]
  const run = () => evaluate({ ...{ model: 'recorded', cases, answers, prompts }, progress: () => undefined })
  for (const round of [1, 2]) {
    const results = await run()
    expect(results.map(({ state }) => state)).toEqual(['open', 'open'])
    expect(readdirSync(prompts), `round ${round}`).toHaveLength(2)
    const [first, page] = results.map(({ transcript }) => transcript.map(({ who }) => who))
    expect(first).toEqual(['owner', 'card', 'notice'])
    expect(page).toEqual(['owner', 'notice'])
  }
  const texts = readdirSync(prompts).map((name) => readFileSync(join(prompts, name), 'utf8'))
  expect(texts.filter((text) => text.includes('evt_new1'))).toHaveLength(1)
})
