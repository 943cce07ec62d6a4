/**
 * A job is stopped and gets other times by words of what it tells, or by when it comes and what it is called. One that is meant, and no other; an event and a
 * reminder with such words stay what they are.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const OWN = "every morning at 7 tell me what's on today and my new mail"

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() }, pushes: true })
  for (const one of said) {
    await of.say(one)
    if (of.disk.store.jobs().some(({ state }) => state === 'asked')) {
      await of.shell.tick()
      of.clock.now += 1_000
      await of.say('yes')
    }
    of.clock.now += 1_000
  }
  return of
}

const states = ({ disk: { store } }: World) => store.jobs().map(({ state }) => state)
const clocks = ({ disk: { store } }: World) =>
  store.jobs().map(({ repeat: { kind, first } }) => `${kind} ${first.slice(11)}`)

describe('stopped', () => {
  it.each([
    ["stop what's on today and my new mail", ['paused', 'on']],
    ["stop what's on today", ['paused', 'on']],
    ['turn off the mail message', ['paused', 'on']],
    ['please stop telling me about my new mail', ['paused', 'on']],
    ['stop the morning message', ['paused', 'on']],
    ['schalte die Morgenmeldung aus', ['paused', 'on']],
    ['stopp den Abendbericht', ['on', 'paused']],
    ['stop the tasks', ['on', 'paused']],
    ['stopp Job 2', ['on', 'paused']],
    ['stop the music', ['on', 'on']],
    ['stop telling me about football', ['on', 'on']],
    ['stop the message', ['on', 'on']],
    ['stop today', ['on', 'on']],
  ])('%s', async (said, expected) => {
    const of = await given(OWN, 'every evening at 18:30 show me my tasks', 'what is on tomorrow?')
    await of.say(said)
    expect(states(of)).toEqual(expected)
  })

  it('a reminder of that name is none of it', async () => {
    const of = await given(OWN, 'remind me tomorrow at 9 to send the mail', 'what is on tomorrow?')
    await of.say('stop the mail')
    expect(states(of)).toEqual(['on'])
  })

  it('"stop it" is of the only job, right after it was spoken of and not elsewhere', async () => {
    const of = await given(OWN, 'what is on tomorrow?')
    await of.say('stopp das')
    expect(states(of)).toEqual(['on'])
    await of.say('change the morning message to 6:30')
    await of.say('stopp das')
    expect(states(of)).toEqual(['paused'])
  })

  it('the card and the list say a command that works as they print it', async () => {
    const of = createWorld({ tools: { ...mailTools(), ...calendarTools() }, pushes: true })
    await of.say(OWN)
    await of.shell.tick()
    of.clock.now += 1_000
    expect(of.sent.map(({ text }) => text).join('\n')).toContain('"stop job 1" ends it')
    await of.say('yes')
    await of.say('which jobs do I have')
    const [, stops = '', moves = ''] = /"(stop [^"]+)", or "(move [^"]+)"/.exec(of.heard()) ?? []
    await of.say(moves)
    expect(clocks(of)).toEqual(['daily 08:30'])
    await of.say(stops)
    expect(states(of)).toEqual(['paused'])
  })
})

describe('at other times', () => {
  it.each([
    ['change the morning message to 6:30', 'daily 06:30'],
    ['can I have the morning message at half six instead?', 'daily 06:30'],
    ['make the morning message come at half seven in the evening', 'daily 19:30'],
    ['move my new mail message to 8', 'daily 08:00'],
    ['stell die Morgenmeldung auf 8 Uhr', 'daily 08:00'],
    ['die Morgenmeldung bitte nur werktags', 'weekdays 07:00'],
    ['the morning message not on sundays', 'on_days 07:00'],
    ['no morning message on saturdays', 'on_days 07:00'],
    ['verschieb Job 1 auf 8:30', 'daily 08:30'],
    ['job 1 not on fridays', 'on_days 07:00'],
    ['move the mail to 8', 'daily 07:00'],
    ['change the evening message to 8', 'daily 07:00'],
    ['move lunch to 1', 'daily 07:00'],
  ])('%s', async (said, expected) => {
    const of = await given(OWN, 'what is on tomorrow?')
    await of.say(said)
    expect(clocks(of)).toEqual([expected])
  })

  it('an hour without its half of the day is of the half that it comes in, or that it is called by', async () => {
    const of = await given(OWN)
    await of.say('make it half six instead')
    expect(clocks(of)).toEqual(['daily 06:30'])
    await of.say('doch lieber erst um acht')
    expect(clocks(of)).toEqual(['daily 08:00'])
    await of.say('make it half six in the evening instead')
    expect(clocks(of)).toEqual(['daily 18:30'])
    const shipped = await given(
      'start the morning briefing at half six',
      'start the evening review at half seven',
    )
    expect(clocks(shipped)).toEqual(['weekdays 06:30', 'weekdays 19:30'])
  })
})
