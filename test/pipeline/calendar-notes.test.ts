/** What stands at an event, who comes and where it is, and what is added to its note: by words in two languages, as what was shown, and by a model's plan. */
import { describe, expect, it } from 'vitest'
import type { Json } from '../../kernel/flow/json.ts'
import { decideFirst } from './asked-world.ts'
import { CANARY, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World } from './world.ts'

/** The world's Friday noon is 20 November 2026, 13:00 in Madrid. */
const DENTIST = {
  ...{ id: 'd1', title: 'Dentist', from: '2026-11-25T14:00:00Z', to: '2026-11-25T15:00:00Z' },
  ...{ allDay: false, attendees: 0, location: 'Gran Via 4', calendarId: 'primary' },
}
const PLANNING = {
  ...{ id: 'p1', title: 'Planning meeting', from: '2026-11-26T09:00:00Z', to: '2026-11-26T10:00:00Z' },
  ...{ allDay: false, attendees: 2, calendarId: 'primary' },
  people: [
    { email: 'tom@friends.example', name: 'Tom', answer: 'accepted' },
    { email: 'eve@friends.example', answer: 'none' },
  ],
}

const TOOLS: Record<string, ScriptedTool> = {
  ...mailTools(),
  'calendar.list_events': ({ from, to }) => ({
    ok: true,
    output: {
      more: false,
      events: [DENTIST, PLANNING].filter(
        (one) =>
          (from === undefined || Date.parse(one.to) > Date.parse(String(from))) &&
          (to === undefined || Date.parse(one.from) < Date.parse(String(to))),
      ),
    },
  }),
  'calendar.read_event': ({ id }) => ({
    ok: true,
    output:
      id === 'd1'
        ? { ...DENTIST, note: `Second floor\n${CANARY}`, alone: true }
        : {
            ...{ ...PLANNING, note: '', organizer: 'tom@friends.example' },
            ...{ coming: 'Tom (tom@friends.example)', open: 'eve@friends.example' },
          },
  }),
  'calendar.check_event': () => ({
    ok: true,
    output: { event: { title: 'Dentist', from: DENTIST.from, to: DENTIST.to }, version: '"1"' },
  }),
  'calendar.update_event': ({ id }) => ({
    ok: true,
    output: {
      id,
      title: 'Dentist',
      from: DENTIST.from,
      to: DENTIST.to,
      before: { from: DENTIST.from, to: DENTIST.to },
    },
  }),
}

const world = (more: Parameters<typeof createWorld>[0] = {}): World => createWorld({ tools: TOOLS, ...more })
const read = ({ calls }: World): readonly object[] =>
  calls.filter(({ tool }) => tool === 'calendar.read_event').map(({ args }) => args)
const written = ({ calls }: World): readonly object[] =>
  calls.filter(({ tool }) => tool === 'calendar.update_event').map(({ args }) => args)

describe('what stands at an event', () => {
  it.each([
    "what's the note on the dentist?",
    'any notes for the dentist?',
    'read me the notes of the dentist',
    'was steht in der Notiz zum Dentist?',
  ])('%s', async (words) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain('Dentist, Wed 25 Nov, 15:00–16:00. Place: Gran Via 4. Nobody is invited.')
    // What others wrote stands quoted, and is no request.
    expect(own.heard()).toContain('> Second floor')
    expect(read(own)).toEqual([{ id: 'd1', calendar: 'primary' }])
    expect(written(own)).toEqual([])
  })

  it.each([
    'who comes to the planning meeting?',
    "who's coming to planning on Thursday?",
    'who is invited to the planning meeting',
    'wer kommt zum Planning meeting?',
  ])('%s', async (words) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain('Invited by tom@friends.example.')
    expect(own.heard()).toContain('Coming: Tom (tom@friends.example). No answer yet: eve@friends.example.')
    expect(own.heard()).toContain('It has no note.')
  })

  it('where it is', async () => {
    const own = world()
    await own.say('where is the dentist?')
    expect(own.heard()).toContain('Dentist (Gran Via 4)')
    expect(own.heard()).not.toContain('Planning')
  })

  it('is of what was just shown', async () => {
    const own = world()
    await own.say('what is on Thursday?')
    await own.say('who is coming to that?')
    expect(read(own)).toEqual([{ id: 'p1', calendar: 'primary' }])
  })

  it('is of nothing where no event has the words', async () => {
    const own = world()
    await own.say('who comes to the launch?')
    expect(own.heard()).toContain('I found no event with “launch”')
    expect(read(own)).toEqual([])
  })
})

describe('a note that is added', () => {
  it.each([
    ['add a note to the dentist: bring the x-rays', 'bring the x-rays'],
    ['put a note on the dentist appointment: ask at 3 about the crown', 'ask at 3 about the crown'],
    ['add a note to the dentist saying bring the x-rays', 'bring the x-rays'],
    ['füg dem Dentist eine Notiz hinzu: Röntgenbilder mitbringen', 'Röntgenbilder mitbringen'],
  ])('%s', async (words, note) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain(`added to its note: ${note}`)
    expect(written(own)).toEqual([])
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'd1', calendar: 'primary', note, version: '"1"' }])
  })

  it('goes to what was just shown', async () => {
    const own = world()
    await own.say('what is on Wednesday?')
    await own.say('add a note to it: bring the x-rays')
    await decideFirst(own, 'approve')
    expect(written(own)).toMatchObject([{ id: 'd1', note: 'bring the x-rays' }])
  })

  it('is on the card as it will be written where a model plans it', async () => {
    const args = [
      { name: 'id', value: 'd1' },
      { name: 'note', value: 'bring the x-rays' },
    ] as readonly { readonly name: string; readonly value: Json }[]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan'
        ? JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool: 'calendar.update_event', args }] })
        : 'done',
    )
    const own = world({ models: [model] })
    await own.say('the dentist wants the pictures, write that down there')
    expect(own.heard()).toContain('added to its note: bring the x-rays')
    expect(written(own)).toEqual([])
  })
})
