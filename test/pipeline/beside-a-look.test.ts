/** A look with a request beside it, in one message: the tools' own plans answer the look, and what they leave out is done too, or said to be missing. */
import { describe, expect, it } from 'vitest'
import { createWorld, type ScriptedTool } from './world.ts'

const EVENT = {
  ...{ id: 'd1', title: 'Dentist', from: '2026-11-21T13:30:00Z', to: '2026-11-21T14:30:00Z' },
  ...{ allDay: false, attendees: 0, calendarId: 'primary' },
}
const TOOLS: Record<string, ScriptedTool> = {
  'calendar.list_events': () => ({ ok: true, output: { more: false, events: [EVENT] } }),
  'email.list': () => ({ ok: true, output: { more: false, messages: [] } }),
  'email.send': () => ({ ok: true, output: { id: 'm1' } }),
}

const ENGLISH = {
  looks: ['whats on tomorrow', 'what have i got on tomorrow'],
  asks: ['ping tom that im late', 'text sarah we are running late', 'scribble down the boiler code is 4411'],
  remarks: ['we ran out of milk', 'im so tired', 'thanks for yesterday'],
}
const GERMAN = {
  looks: ['was steht morgen an', 'was hab ich morgen'],
  asks: ['schreib tom dass ich später komm', 'sag sarah dass wir uns verspäten'],
  remarks: ['wir haben keine milch mehr', 'bin so müde', 'danke für gestern'],
}
const PART = 'I did only a part of what you asked'

const answered = async (text: string) => {
  const own = createWorld({ tools: TOOLS })
  await own.say(text)
  return { answer: own.heard(), tools: own.calls.map(({ tool }) => tool) }
}
const both = (which: 'asks' | 'remarks') =>
  [ENGLISH, GERMAN].flatMap((of) =>
    of.looks.flatMap((look) => of[which].flatMap((one) => [`${look}, ${one}`, `${one}. ${look}`])),
  )

describe('of a look with something beside it', () => {
  it.each(both('asks'))('the look is answered, and the rest is said to be missing: %s', async (text) => {
    const { answer, tools } = await answered(text)
    expect(tools).toEqual(['calendar.list_events'])
    expect(answer).toContain('14:30–15:30 Dentist')
    expect(answer).toContain(PART)
  })

  it.each(both('remarks'))('a remark is neither missing nor what is looked for: %s', async (text) => {
    const { answer, tools } = await answered(text)
    expect(tools).toEqual(['calendar.list_events'])
    expect(answer).toContain('14:30–15:30 Dentist')
    expect(answer).not.toContain(PART)
  })
})
