/**
 * The answer to `/help`: example sentences, the everyday commands, and the names of the topics. `/help TOPIC`
 * lists the commands of one topic, `/help all` every command. Called by own-commands.ts and by the chat of
 * the terminal.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import type { Place } from '../../flow/place.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import type { Command } from '../../task/command.ts'
import { inEnglish } from '../../wording/language.ts'
import { type Saying, tell } from '../../wording/words.ts'
import { commandLines, commandsText } from './commands.ts'

/** `/help`, `/help mail`; messengers send `/start` as the first message to a bot. */
const HELP = /^\/help(?:\s+(?<topic>\p{L}{1,24}))?$/iu

export function asksHelp(text: string): boolean {
  return text === '/start' || HELP.test(text.trim())
}

/** The argument of `/help` in lower case; empty without one. */
export function helpTopic(text: string): string {
  return (HELP.exec(text.trim())?.groups?.['topic'] ?? '').toLowerCase()
}

const EVERY_DAY = [
  'today',
  'inbox',
  'free',
  'reminders',
  'tasks',
  'jobs',
  'approvals',
  'undo',
  'stop',
  'status',
]

/** Commands by topic. A command that is in none belongs to the last topic. */
const TOPICS = Object.freeze({
  mail: 'inbox scheduled unschedule reschedule contacts contact addcontact uncontact',
  calendar: 'today free zone backhome',
  reminders: 'reminders unremind moveremind later tasks done duetimes noduetimes',
  jobs: 'jobs job stopjob resumejob removejob skipjob jobtime jobchat jobalways jobquiet jobpage nojobpage jobruns missed',
  quiet: 'quiet unquiet notnow quiethours pause resume',
  memory: 'memory forget unforget correct amend names name new',
  cards: 'approvals approve deny edit undo recent again stop plan grants revoke',
  people: 'people person invite dismiss identities link unlink',
  answers: 'mode brief thorough normal language languages models modelreads usemodel usage context',
  system: '',
} as const)

type Topic = keyof typeof TOPICS
const NAMES = Object.keys(TOPICS) as readonly Topic[]
const titleOf = (topic: Topic): Saying => `commands.topic_${topic}`

/** Returns one of a closed set, the names of topics, so that nothing of the message passes through. */
export function helpAnswer(
  commands: readonly Command[],
  words: Labeled<string>,
  place: Place,
): Labeled<string> {
  const all = [...NAMES.map(titleOf), 'commands.topic_all' as const]
  const names = all.flatMap((one) => [tell(one), inEnglish(() => tell(one))])
  const topic = names.find((one) => test(words, (text) => helpTopic(text) === one)) ?? ''
  const text = helpText(commands, topic)
  // The examples are those of home, which reads what this place may not.
  const isShort = place === 'edge' && topic === ''
  return receive(isShort ? `${text}\n${tell('commands.help_edge')}` : text, kernelWords())
}

/** `topic`: as typed, in the owner's language or in English. An unknown topic gets the short help. */
export function helpText(commands: readonly Command[], topic: string): string {
  if ([tell('commands.topic_all'), inEnglish(() => tell('commands.topic_all'))].includes(topic))
    return commandsText(commands)
  const meant = NAMES.find((one) => [tell(titleOf(one)), inEnglish(() => tell(titleOf(one)))].includes(topic))
  if (meant !== undefined) return commandLines(commandsOf(commands, meant)).join('\n')
  const known = NAMES.filter((one) => commandsOf(commands, one).length > 0).map((one) => tell(titleOf(one)))
  return [
    tell('commands.help_say'),
    ...commandLines(commands.filter(({ name }) => EVERY_DAY.includes(name))),
    tell('commands.help_more', { topics: known.map((one) => `/help ${one}`).join(', ') }),
  ].join('\n')
}

/** Commands of a topic, in the order of the given list. */
export function commandsOf(commands: readonly Command[], topic: Topic): readonly Command[] {
  const named = new Set(NAMES.flatMap((one) => TOPICS[one].split(' ')))
  const own = TOPICS[topic].split(' ')
  return commands.filter(({ name }) => (topic === 'system' ? !named.has(name) : own.includes(name)))
}
