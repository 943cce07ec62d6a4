/** A model's text that was cut, by its own limit or by the kernel's, says so in words that no model can write (B-37, C-20, C-23). */
import { describe, expect, it } from 'vitest'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { noQuestion } from '../../kernel/wording/guard/unit.ts'
import { noteOf } from '../../kernel/wording/note.ts'
import { MAX_ANSWER } from '../../kernel/wording/output.ts'
import { tell, wordsFor } from '../../kernel/wording/words.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const NOTE = noteOf(wordsFor('answer_cut'))
/** What the narrowest messenger takes in one message (C-23). */
const NARROWEST = 4_096
/** The longest that is told: the answer, and the note on its end. */
const TOLD = MAX_ANSWER + NOTE.length + 2
const FLOOD = 'and so on '.repeat(6_000)
const SUBJECT = 's1.emails[0].subject'
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const composed = (n: number, from: string, maxChars = 400) => ({
  ...{ id: `s${n}`, do: 'compose', from: [from], instruction: 'a title', maxChars },
})
const booked = (n: number, title: string) => ({
  ...{ id: `s${n}`, do: 'tool', tool: 'calendar.create_event' },
  args: { title: { $ref: title }, from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
})

interface Writing {
  readonly steps?: readonly unknown[]
  readonly compose?: string
  readonly answer?: string
  /** Purposes whose text the provider says it cut. */
  readonly cut?: readonly string[]
}

function writing({ steps = [], compose = 'x', answer = 'done', cut = [] }: Writing) {
  const texts: Record<string, string> = { plan: JSON.stringify({ steps, explanation: '' }), compose }
  const model = scriptedModel('rules', ({ parts }) => texts[parts.purpose] ?? answer)
  const cutting: ModelProvider = {
    reader: model.reader,
    complete: async (prompt: FinalPrompt, limits) => {
      const said = await model.complete(prompt, limits)
      return said.ok ? { ...said, value: { ...said.value, cut: cut.includes(prompt.parts.purpose) } } : said
    },
  }
  return createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [cutting] })
}

describe('an answer', () => {
  it.each([
    [
      'that its provider cut is told, and said to be cut',
      { answer: 'The first is', cut: ['synthesize'] },
      true,
    ],
    ['that is whole says nothing', { answer: 'The first is this.' }, false],
    ['that is as long as a long mail is told whole', { answer: 'and so on '.repeat(4_500) }, false],
    ['beyond the limit is cut by the kernel', { answer: FLOOD }, true],
    [
      'that the guard made longer is cut once more',
      { answer: 'system: x\n'.repeat(Math.floor(MAX_ANSWER / 10) - 5) },
      true,
    ],
    ['of one endless word is cut too', { answer: 'x'.repeat(60_000) }, true],
  ])('%s', async (_what, script: Writing, isCut) => {
    const world = writing(script)
    await world.say('please do the unusual thing')
    expect(world.heard().endsWith(NOTE)).toBe(isCut)
    expect(world.heard().length).toBeLessThanOrEqual(TOLD)
    if (!isCut) expect(world.heard()).toBe(script.answer?.trim())
  })

  it('is remembered as it was told', async () => {
    const world = writing({ answer: 'The first is', cut: ['synthesize'] })
    await world.say('please do the unusual thing')
    await world.say('and what else')
    const { history } = world.prompts.at(-1)?.parts ?? {}
    expect(JSON.stringify(history)).toContain(NOTE)
  })

  it('holds no half of an address', async () => {
    const address = 'https://a.example/one/two/three'
    const filler = 'x '.repeat((MAX_ANSWER - address.length) / 2 + 5)
    const world = writing({ answer: filler + address })
    await world.say(`do the unusual thing with ${address} please`)
    expect(world.heard()).not.toContain('https')
    expect(world.heard()).toContain(NOTE)
  })

  it('cannot say so itself', async () => {
    const world = writing({ answer: `All there is.\n\n${NOTE}` })
    await world.say('please do the unusual thing')
    expect(world.heard()).toBe(`All there is.\n\n| ${NOTE}\n${noQuestion()}`)
  })
})

describe('a composed text that was cut', () => {
  it.each([
    ['by its provider', { steps: [LIST, composed(2, SUBJECT), booked(3, 's2')], cut: ['compose'] }, true],
    [
      'by the step',
      { steps: [LIST, composed(2, SUBJECT, 9), booked(3, 's2')], compose: 'Talk about Q3' },
      true,
    ],
    [
      'before it was composed once more',
      {
        steps: [LIST, composed(2, SUBJECT, 9), composed(3, 's2', 40), booked(4, 's3')],
        compose: 'Talk about Q3',
      },
      true,
    ],
    ['not at all', { steps: [LIST, composed(2, SUBJECT), booked(3, 's2')], compose: 'Talk about Q3' }, false],
    [
      'in another step than this',
      { steps: [LIST, composed(2, SUBJECT, 9), booked(3, SUBJECT)], compose: 'Talk about Q3' },
      false,
    ],
  ])('%s: the card of the write says so', async (_how, script: Writing, isCut) => {
    const world = writing(script)
    await world.say('please do the unusual thing')
    expect(world.heard()).toContain('May I do this?')
    expect(world.heard().includes(`\n${wordsFor('answer_cut')}\n`)).toBe(isCut)
  })

  it('ends where a word does, and no later than its step allows', async () => {
    const world = writing({
      steps: [LIST, composed(2, SUBJECT, 9), booked(3, 's2')],
      compose: 'Talk about Q3',
    })
    await world.say('please do the unusual thing')
    expect(world.heard()).toContain('title: Talk\n')
  })

  it('says so in the reply that it becomes', async () => {
    const reply = { id: 's2', do: 'tool', tool: 'message.reply', args: { text: { $ref: 's1' } } }
    const world = writing({
      steps: [composed(1, 'said.intent'), reply],
      compose: 'The first',
      cut: ['compose'],
    })
    await world.say('please do the unusual thing')
    expect(world.heard()).toBe(`The first\n\n${NOTE}`)
  })

  it('is told where the write of it needs no yes', async () => {
    const save = { id: 's2', do: 'tool', tool: 'memory.save', args: { text: { $ref: 's1' } } }
    const world = writing({
      steps: [composed(1, 'said.intent'), save],
      compose: 'The first',
      cut: ['compose'],
    })
    await world.say('please do the unusual thing')
    const last = world.prompts.at(-1)?.parts
    expect(last?.purpose).toBe('synthesize')
    expect(last?.troubles).toContainEqual({ tool: 'compose', reason: 'answer_cut' })
  })
})

it('a reply beyond the limit is cut by the kernel', async () => {
  const reply = { id: 's2', do: 'tool', tool: 'message.reply', args: { text: { $ref: 's1' } } }
  const world = writing({
    steps: [composed(1, 'said.intent', 10_000), reply],
    compose: FLOOD.slice(0, 9_000),
  })
  await world.say('please do the unusual thing')
  expect(world.heard().endsWith(NOTE)).toBe(true)
  expect(world.heard().length).toBeLessThanOrEqual(NARROWEST - tell('wording.late').length)
})
