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

test('without a model, each request meets the same mailbox and calendar, and is judged by them', async () => {
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
    expect.stringMatching(/^nobody-booked \| failed \| not added.* \| added: “Lunch with Sarah”/),
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
