/**
 * Names of the fixed sentences of the rules model, which stand in words/en.toml. Evaluated when they are
 * said. Must not contain a sentence. Called by the planner (reasons) and the renderers.
 */
import { spokenRepeat } from '../../../kernel/features/reminders/repeat.ts'
import { namedDay, numberWords, weekdayNames } from '../../../kernel/wording/output.ts'
import { type Saying, tell } from '../../../kernel/wording/words.ts'

/** A table of sentences, each of which is looked up when it is read. */
function living<K extends string>(keys: readonly K[], say: (key: K) => string): Readonly<Record<K, string>> {
  const rows = keys.map((key) => [key, { enumerable: true, get: () => say(key) }] as const)
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(rows))) as Readonly<Record<K, string>>
}

/** Why a plan is empty; the writer step receives its key as its instruction. */
const EXPLAINED = [
  ...[
    'needs_fact',
    'reminder_thing_unknown',
    'needs_reminder',
    'needs_time',
    'needs_date',
    'needs_day',
    'needs_task',
    'needs_named',
  ],
  'stands_elsewhere',
  ...['repeats_two_ways', 'repeats_which_days', 'repeats_which_times', 'repeats_unclear'],
  ...['not_available', 'not_understood'],
  ...['not_changed', 'not_changed_text', 'not_changed_at_all', 'nobody_to_add'],
] as const

export type Explanation = (typeof EXPLAINED)[number]

export const EXPLANATIONS = living(EXPLAINED, (code) => tell(`rules.why_${code}`))

/** By what the planner's list of what cannot be done has. */
const LACKING: Readonly<Record<string, Saying>> = {
  'book flights, hotels, tables or tickets': 'rules.cannot_book',
  'make calls or send text messages': 'rules.cannot_call',
  'play music or run your home': 'rules.cannot_play',
  'look things up on my own': 'rules.cannot_look_up',
  'answer that without a model; say "search the web for" and what it is': 'rules.cannot_look_up',
  'write, translate or calculate without a model': 'rules.cannot_write',
  'move money': 'rules.cannot_pay',
  'do something again and again': 'rules.cannot_repeat',
  'forward mail': 'rules.cannot_forward',
  'make a contact of that; say "add", a name and its address, and "to my contacts"': 'rules.cannot_add',
  'forget everything at once': 'rules.cannot_forget',
}

/** What comes nearest to that in meaning, the nearest first; of what is not here, nothing does. */
const NEAR: Readonly<Record<string, readonly string[]>> = {
  'book flights, hotels, tables or tickets': ['web.search', 'calendar.create_event', 'email.send'],
  'make calls or send text messages': ['email.send', 'reminder.set'],
  'look things up on my own': ['web.search', 'web.read'],
  'answer that without a model; say "search the web for" and what it is': ['web.search', 'web.read'],
  'move money': ['reminder.set'],
  'forward mail': ['email.forward', 'email.send'],
}

/**
 * What a web service that the owner names could do; nothing else of that list is one request to an address.
 */
const OF_A_SERVICES: ReadonlySet<string> = new Set(['play music or run your home'])
export const OF_A_SERVICE = (lacking: string): boolean => OF_A_SERVICES.has(lacking)
export const NEAR_IN_MEANING = (lacking: string): readonly string[] => NEAR[lacking] ?? []
/** `lacking`: one of that list. `asked`: the request, as it was typed. */
export const CANNOT = (lacking: string, asked: string) =>
  tell(LACKING[lacking] ?? 'rules.why_not_available', { asked })
/** To a yes or a no where nothing was asked: one that can be meant for a card never comes so far. */
export const NOTHING_ASKED = () => tell('rules.nothing_asked')
export const NEEDS_NAMED = (word: string) => tell('rules.needs_named', { word })
export const NEEDS_REQUEST = (word: string) => tell('rules.needs_request', { word })
export const NOT_UNDERSTOOD = (left: string) => tell('rules.not_understood', { left })
/** To taking back what was done last and cannot be. `doing`: what that was. */
export const STAYS = (doing: string) => tell('rules.stays', { doing })
export const NEAREST = (ability: string) => tell('rules.nearest', { ability })
/** For the owner, where that needs a service that is not connected; and where no tool can do it. */
export const CONNECT_FIRST = (title: string, service: string) =>
  tell('rules.connect_first', { title, service })
export const NAME_ONE = () => tell('rules.name_one')
export const ASK_HELP = () => tell('rules.ask_help')

/** Answers that helped with nothing. */
export const NO_ANSWERS = (): readonly string[] => [
  ...[WHY_NOTHING(), MEMORY.none, MEMORY.none_else, MEMORY.none_at_all, MEMORY.found, MEMORY.said],
  ...[MEMORY.earlier, NOTHING_TO_SAY(), NOTHING_ASKED(), NOT_UNDERSTOOD('“')],
  ...Object.values(LACKING).map((saying) => tell(saying, { asked: '' })),
]
const WHY_NOTHING = () => tell('rules.why_not_understood')
export const GREETING = () => tell('rules.greeting')
/**
 * A greeting, with a name behind it: the assistant's, of one word or several, or another that it is called
 * by.
 */
export const GREETS = (request: string, name: string): boolean => {
  const called = request
    .replaceAll(new RegExp(`(?<!\\p{L})${GREETS_WITH}`, 'giu'), ' ')
    .replace(/[\s,.!]+/g, ' ')
    .trim()
  return (
    GREETING_WORDS.test(request) && (/^\p{L}*$/u.test(called) || called.toLowerCase() === name.toLowerCase())
  )
}
const GREETS_WITH =
  '(?:hi|hello|hey|heya|hiya|howdy|yo|greetings|(?:good )?(?:morning|afternoon|evening)|good day|hallo|hei|moin|servus|gr[uü]ezi|guten (?:morgen|tag|abend))(?: there| again)?(?!\\p{L})'
const GREETING_WORDS = new RegExp(`^${GREETS_WITH}`, 'iu')
export const CHAT: readonly (readonly [RegExp, Saying])[] = [
  [/\b(?:thanks?|thank you|thx|ty|cheers|appreciated|danke|dankeschön|merci|dank)\b/iu, 'rules.chat_thanks'],
  [
    /(?<!\p{L})(?:bye|goodbye|see you|good night|tschüss|tschüß|tschau|ciao|gute nacht|bis (?:morgen|später|dann|bald)|schönen (?:abend|tag|feierabend))(?!\p{L})/iu,
    'rules.chat_bye',
  ],
  [/\bhow\b.{0,20}\b(?:you|things|going)\b/iu, 'rules.chat_well'],
]
/** Words that only acknowledge: of anything else it is said that nothing was done. */
const ACKNOWLEDGES =
  /^(?:(?:ok|okay|k|great|nice|cool|perfect|awesome|good|got it|alright|all right|fine|lovely|super|prima|gut|toll|schön|passt|alles klar|in ordnung|well done|good job|never ?mind|lol|haha+|ja|yes|no|nein|then|dann)[\s,.!]*)+$/iu
export const CHAT_ELSE = (request: string): Saying =>
  ACKNOWLEDGES.test(request.slice(0, 200)) ? 'rules.chat_else' : 'rules.chat_nothing'

/** Asks who answers, and not what can be done: wherever it stands as the whole of a message. */
export const WHO =
  /^(?:(?:hi|hello|hey|hallo)[,!. ]+)?(?:and |und )?(?:who|what) (?:are|r) (?:you|u)(?: then| again)?[?!. ]*$|^(?:(?:hi|hello|hey|hallo)[,!. ]+)?(?:und )?(?:wer|was) bist du(?: denn| eigentlich)?[?!. ]*$/iu
export const WHO_AM_I = (name: string, titles: readonly string[]) =>
  tell('rules.who_am_i', { name, titles: titles.join(', ') })

export const HELP_ALL = (name: string) => tell('rules.help_all', { name })
export const HELP_INTRO = (name: string) => tell('rules.help_intro', { name })
/** The heading of all that one tool can do, and how to ask for it. */
export const HELP_OF = (title: string) => tell('rules.help_of', { title })
export const HELP_MORE = (title: string) => tell('rules.help_more', { title })
/** What the effects of the kernel are called in that list, by their families. */
export const GROUPS = living(['memory', 'reminder', 'task', 'contact'], (key) => tell(`rules.group_${key}`))
export const HELP_NOTHING = (name: string) => tell('rules.help_nothing', { name })

/** Sentences about the assistant itself. */
export const SELF = living(['connected', 'skills', 'jobs', 'recent', 'nothing_recent'], (key) =>
  tell(`rules.self_${key}`),
)
/** States of its services. */
export const STATES = living(['active', 'reconnecting', 'failed', 'unavailable'], (key) =>
  key === 'active' ? '' : tell(`rules.self_${key}`),
)

/**
 * Description of each kernel effect, with an example; tools have theirs in their packages. A tool that is not
 * listed is described by its own card.
 */
export const ABILITIES: Readonly<Record<string, string>> = ofEffects('can', [
  ...['reminder.set', 'task.add', 'reminder.about', 'reminder.later', 'task.done'],
  ...['reminder.change', 'reminder.cancel'],
  ...['memory.save', 'memory.search'],
])
/** Tools that are not listed as abilities: answers use them, and nobody asks for them. */
export const SILENT_TOOLS: readonly string[] = [
  ...[
    'message.reply',
    'owner.ask',
    'compose',
    'tools.search',
    'brain.load',
    'reminder.list',
    'task.list',
    'contact.add',
    'contact.new',
    'memory.forget',
    'memory.correct',
    'job.set',
    'job.stop',
    'job.resume',
    'job.skip',
    'job.run',
    'job.move',
    'job.remove',
  ],
]

/** What was tried, shown before the reason of a failure. */
export const TRIED: Readonly<Record<string, string>> = ofEffects('tried', [
  ...Object.keys(ABILITIES),
  ...['reminder.list', 'task.list', 'contact.new', 'contact.add'],
  ...['memory.forget', 'memory.correct'],
  ...['job.set', 'job.stop', 'job.resume', 'job.skip', 'job.run', 'job.move', 'job.remove'],
])
export const TRIED_ELSE = () => tell('rules.tried_else')
export const UNKNOWN_TROUBLE = () => tell('rules.unknown_trouble')

/** A sentence for each effect, by its id. */
function ofEffects(what: 'can' | 'tried', ids: readonly string[]): Readonly<Record<string, string>> {
  return living(ids, (id) => {
    const effect = id.replace('.', '_')
    return tell((what === 'can' ? `rules.can_${effect}` : `rules.tried_${effect}`) as Saying)
  })
}

export const SAVED = (topic: string) =>
  topic === '' ? tell('rules.memory_saved') : tell('rules.memory_saved_as', { topic })

export const KNOWN = (topic: string) =>
  topic === '' ? tell('rules.memory_known') : tell('rules.memory_known_as', { topic })

export const MEMORY_FORGOTTEN = (text: string) => tell('memory.forgotten', { text, undo: '/unforget' })
export const MEMORY_CORRECTED = (text: string, before: string) =>
  tell('memory.amended', { text, before, undo: '/unforget' })

/** After a change of a job. */
export const JOBS = Object.freeze({
  card: (isNew: boolean) => tell(isNew ? 'jobs.proposed' : 'jobs.proposed_times'),
  due: (job: string, when: string) => tell('jobs.resumed', { job: `${job}, ${when}` }),
  off: (job: string, isGone: boolean) => tell(isGone ? 'jobs.removed' : 'jobs.paused', { job }),
})

export const MEMORY = living(
  ['not_saved', 'none', 'none_else', 'none_at_all', 'found', 'said', 'earlier', 'more'],
  (key) => tell(`rules.memory_${key}`),
)

export const REMINDERS = Object.freeze({
  set: (when: string, number: number) => tell('rules.reminders_set', { when, number }),
  again(repeat: string, every: number): string {
    if (repeat === 'on_days') return tell('rules.again_on_days', { days: weekdayNames(every) })
    const spoken = spokenRepeat(repeat, every)
    const unit = AGAIN.find((one) => one === spoken.unit)
    if (unit === undefined) return ''
    return spoken.every > 1
      ? tell(`rules.again_${unit}_many`, { every: spoken.every })
      : tell(`rules.again_${unit}`)
  },
  /** Of a last day, `2026-12-24`; empty without one. */
  ends: (day: string) =>
    day === ''
      ? ''
      : `, ${tell('reminders.ends', { day: namedDay(Date.parse(`${day}T00:00:00Z`), 'UTC', 0) })}`,
  until: () => tell('rules.reminders_until'),
  later: (when: string, number: number) => tell('rules.reminders_later', { when, number }),
  changed: (when: string, number: number) => tell('rules.reminders_changed', { when, number }),
  cancelled: (number: number) => tell('rules.reminders_cancelled', { number }),
  added: (number: number, list: string) =>
    list === ''
      ? tell('rules.reminders_added', { number })
      : tell('rules.reminders_added_to', { number, list }),
  done: (number: number) => tell('rules.reminders_done', { number }),
})

/** Repetitions, singly and with a count. */
const AGAIN = [
  ...(['daily', 'weekdays', 'weekly', 'monthly', 'monthly_weekday', 'month_end', 'last_weekday'] as const),
  'yearly',
] as const

/** Asked of a repetition with two readings, above both. */
export const ASKS_HOW_OFTEN = () => tell('rules.asks_how_often')

/** Heads of its lists, and what stands in place of an empty one. */
export const LISTS = living(['due', 'unanswered', 'none_due', 'open', 'none_open'], (key) =>
  tell(`rules.reminders_${key}`),
)

export const CONTACTS = Object.freeze({
  none: () => tell('rules.contacts_none'),
  more: (count: number) => (count === 0 ? '' : tell('rules.contacts_more', { count })),
  unread: (names: string) => (names === '' ? '' : tell('rules.contacts_unread', { names })),
  added: (count: number) =>
    count === 1 ? tell('rules.contacts_added_one') : tell('rules.contacts_added_many', { count }),
  left: (count: number) => tell('rules.contacts_left', { count }),
})

/** What a list left out. */
export const MORE_ROWS = (count: number) => tell('rules.more_rows', { count: numberWords(count) })
export const MORE_FACTS = (count: number) =>
  count === 1 ? tell('rules.more_facts_one') : tell('rules.more_facts_many', { count: numberWords(count) })

export const NOTHING_TO_SAY = () => tell('rules.nothing_to_say')
export const CUT = () => tell('rules.cut')

export function UNCONNECTED(title: string, service: string): string {
  const named = title.charAt(0).toUpperCase() + title.slice(1)
  return tell('rules.unconnected', { title: named, service })
}
