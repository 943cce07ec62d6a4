/** "Nothing was found" says what was looked for and where, in the owner's own words; never in a model's or another person's. */
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'

import { createWorld, type ScriptedTool, scriptedModel } from './world.ts'

const NOTHING: ScriptedTool = () => ({ ok: true, output: { emails: [], events: [], more: false } })
const ONE_MAIL: ScriptedTool = () => ({
  ok: true,
  output: {
    more: false,
    emails: [
      {
        ...{ id: 'm1', from: 'bob@example.net', fromName: 'Bob', subject: 'Offer', snippet: 'Hello' },
        ...{ date: '2026-11-19T09:00:00Z', unread: true, hasAttachments: false },
      },
    ],
  },
})
const NEVER: ScriptedTool = () => ({ ok: false, reason: { code: 'tool_failed', facts: {} } })

const NONE: Readonly<Record<string, ScriptedTool>> = {
  'calendar.list_events': NOTHING,
  'calendar.update_event': NEVER,
  'calendar.delete_event': NEVER,
  'email.list': NOTHING,
  'email.search': NOTHING,
  'email.archive': NEVER,
}

async function heard(words: string, tools = NONE, models: readonly ModelProvider[] = []): Promise<string> {
  const own = createWorld({ tools, models })
  await own.say(words)
  return own.heard()
}

/** Plans, and fails before it answers, so that the rules answer for its plan. */
function planner(args: Readonly<Record<string, string>>): ModelProvider {
  const steps = [{ id: 's1', do: 'tool', tool: 'email.search', args }]
  const model = scriptedModel('a-model', () => JSON.stringify({ steps, explanation: '' }))
  return {
    reader: model.reader,
    complete: async (prompt, limits) =>
      prompt.parts.purpose === 'plan' ? model.complete(prompt, limits) : err('model_failed'),
  }
}

afterEach(() => speak('en'))

/** The world's Friday noon is 20 November 2026, 13:00 in Madrid. */
describe('of what was not found it is said what was looked for, and where', () => {
  it.each([
    ['move the haircut to 4pm', 'I found no event with “haircut” between today and Sat 19 Dec.'],
    ['cancel the dentist appointment', 'I found no event with “Dentist” between today and Sat 19 Dec.'],
    ['move my 3pm to 5', 'I found no such event today 15:00.'],
    [
      'find the mail about the invoice',
      'I found no mail with “the invoice”, in any folder but spam and trash.',
    ],
    [
      'find all mails about the budget from last week',
      'I found no mail with “budget” between Mon 9 Nov and Sun 15 Nov, in any folder but spam and trash.',
    ],
    ['any mail from Tom?', 'No mail from Tom in your inbox.'],
    ['any unread mail today?', 'No unread mail today in your inbox.'],
    ['check my email', 'There is no mail in your inbox.'],
    ['archive the newsletter', 'I found no mail with “newsletter” among the 25 newest in your inbox.'],
    ['archive all newsletters', 'I found no mail with “newsletters” among the 25 newest in your inbox.'],
  ])('%s', async (words, answer) => {
    expect(await heard(words)).toBe(answer)
  })

  it.each([
    [
      'verschieb den Haarschnitt auf 16 Uhr',
      'Ich habe keinen Termin mit „Haarschnitt“ gefunden zwischen heute und Samstag, 19. Dezember.',
    ],
    [
      'finde die Mail über die Rechnung',
      'Ich habe keine Mail gefunden mit „Rechnung“, in keinem Ordner außer Spam und Papierkorb.',
    ],
    ['gibt es Mails von Tom?', 'Keine Mail von Tom im Posteingang.'],
  ])('in German: %s', async (words, answer) => {
    await speak('de')
    expect(await heard(words)).toBe(answer)
  })

  it('rows that do not fit are not listed beside it, and no word of theirs is said', async () => {
    expect(await heard('archive the newsletter', { ...NONE, 'email.list': ONE_MAIL })).toBe(
      'I found no mail with “newsletter” among the 25 newest in your inbox.',
    )
  })
})

describe('words that are not the owner’s are not said back', () => {
  it.each([
    ['a model’s own', { words: 'salary of Bob' }],
    [
      'a model’s beside the owner’s, which would say it in part',
      { words: 'garage', from: 'bob@example.net' },
    ],
  ])('%s', async (_what, args) => {
    const answer = await heard('please do the unusual thing with the garage', NONE, [planner(args)])
    expect(answer).toMatch(/I found no such mail\.$/)
  })

  it('the owner’s, which a model took from the message, are', async () => {
    const words = 'please do the unusual thing with the garage'
    expect(await heard(words, NONE, [planner({ words: 'garage' })])).toMatch(/I found no mail with “garage”/)
  })
})
