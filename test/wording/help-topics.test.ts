/** `/help`: what one can say and the commands of every day, on one screen; each command under a topic; nothing of it in another language. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { speak } from '../../integrations/languages/speak-home.ts'
import { commandsOf, helpText, helpTopic } from '../../kernel/features/commands/help.ts'
import { commandsAt } from '../../kernel/operations/commands.ts'
import { COMMANDS } from '../../kernel/task/command.ts'
import { tell } from '../../kernel/wording/words.ts'

const TOPICS = [
  ...(['mail', 'calendar', 'reminders', 'jobs', 'quiet'] as const),
  ...(['memory', 'cards', 'people', 'answers', 'system'] as const),
]
const all = () => [...commandsAt([], 'home'), ...COMMANDS.filter(({ at }) => at === 'terminal')]
/** Lines of a screen. */
const SCREEN = 25

afterEach(() => speak('en'))

describe.each(['en', 'de'] as const)('/help (%s)', (language) => {
  beforeEach(() => speak(language))

  it('is one screen, and names each topic that there is', () => {
    for (const place of ['home', 'edge'] as const) {
      const lines = helpText(commandsAt([], place), '').split('\n')
      expect(lines.length).toBeLessThanOrEqual(SCREEN)
      for (const topic of TOPICS)
        expect(lines.at(-1)?.includes(`/help ${tell(`commands.topic_${topic}`)}`)).toBe(
          commandsOf(commandsAt([], place), topic).length > 0,
        )
    }
  })

  it('has each command under a topic, or under two where it is said for both', () => {
    for (const { name } of all()) {
      const count = TOPICS.filter((topic) => commandsOf(all(), topic).some((one) => one.name === name)).length
      expect([name, count >= 1 && count <= 2]).toEqual([name, true])
    }
  })

  it('has no columns made of spaces, which are crooked in a messenger', () => {
    for (const topic of ['', tell('commands.topic_all')])
      expect(helpText(all(), topic)).not.toMatch(/\S {2,}\S/)
  })

  it('says of /undo what people take back', () => {
    const line = helpText(commandsAt([], 'home'), '')
      .split('\n')
      .find((one) => one.startsWith('/undo'))
    expect(line).toMatch(
      language === 'en'
        ? /a reminder, a list.*for an event/
        : /eine Erinnerung, eine Liste.*für einen Termin/,
    )
  })

  it('of a topic has its commands alone; of all of them, all', () => {
    const jobs = helpText(all(), tell('commands.topic_jobs')).split('\n')
    expect(jobs.every((line) => line.startsWith('/'))).toBe(true)
    expect(jobs.some((line) => line.startsWith('/stopjob'))).toBe(true)
    for (const { name } of all())
      expect(helpText(all(), tell('commands.topic_all'))).toMatch(new RegExp(`^/${name}[ :]`, 'm'))
    expect(helpText(all(), 'nonsense')).toBe(helpText(all(), ''))
  })

  it('has examples that are understood', () => {
    const said = [...tell('commands.help_say').matchAll(/^- .*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/["„]([^"“]+)["“]/gu)].map(([, one = '']) => one),
    )
    expect(said.length).toBeGreaterThan(9)
    for (const one of said) {
      const { calls, intent } = readingOf(one)
      expect([one, calls.length > 0 || intent === 'job_set']).toEqual([one, true])
    }
  })
})

it('is in the language that is spoken, whole', async () => {
  const english = helpText(all(), '').split('\n')
  await speak('de')
  const german = helpText(all(), '').split('\n')
  expect(german.filter((line) => line !== '' && english.includes(line))).toEqual([])
})

it.each([
  ['/help', ''],
  ['/help Mail', 'mail'],
  ['/help  gedächtnis ', 'gedächtnis'],
  ['/help me please', ''],
  ['/helpme', ''],
])('%j is about %j', (text, topic) => expect(helpTopic(text)).toBe(topic))
