/**
 * Every fixed sentence of the rules model, in one table. Plain, friendly, without labels, ids or codes (Q-12 – Q-19). Must not hold
 * logic. Called by the planner (reasons) and the renderers.
 */
import { weekdayNames } from '../../../kernel/wording/output.ts'

/** Why a plan is empty; the writer step receives it as its instruction. */
export const EXPLANATIONS = Object.freeze({
  needs_fact: 'What should I remember? Say it in one message of at most 2,000 characters.',
  reminder_thing_unknown:
    'Which one do you mean? Have it shown first, for example "check my mail", then "read the second one".',
  needs_reminder: 'What should I remind you of, and when?',
  needs_time: 'When? Say it with a time, such as "tomorrow at 9".',
  needs_day: 'On which day? Say it as "every Monday at 8" or "every month on the 3rd at 8".',
  needs_task: 'What should I put on your list?',
  repeats_two_ways:
    'That can mean every so many weeks, or one such day of each month. Say "every 2 weeks on Friday" or "every month on the second Friday", and I set it. I have set nothing yet.',
  repeats_unclear:
    'I do not understand how often, so I have set nothing. I know "every day", "every weekday", "every Monday", "every Monday and Thursday", "every 2 weeks on Monday" and "every month on the 3rd", each without an end.',
  not_available: 'I cannot do that in this conversation.',
  not_understood: 'I did not understand what you would like me to do.',
})

export type Explanation = keyof typeof EXPLANATIONS

/** `lacking`: a verb phrase, as the planner's list of what cannot be done has it. */
export const CANNOT = (lacking: string) => `I cannot ${lacking}.`
/** An answer, where nothing was asked. */
export const ANSWERS_ALONE = /^\W*(?:yes|yep|yeah|no|nope|ja|nein)(?: please| thanks| bitte| danke)?\W*$/i
export const NOTHING_ASKED = 'Nothing waits for a yes or no.'
export const NOT_UNDERSTOOD = (left: string) => `I did not understand "${left}", so I did nothing.`
export const NEAREST = (ability: string) => `The nearest thing that I can do: ${ability}`
/** Where nothing is near. */
export const ABLE = (ability: string) => `One thing that I can do: ${ability}`
/** For the owner, where that needs a service that is not connected; and where no tool can do it. */
export const CONNECT_FIRST = (title: string, service: string) =>
  `That needs ${title}: say 'connect ${service}', and then ask me again.`
export const NAME_ONE =
  'If a web service with an API of its own can do it, name it to me at home: `pfar http save` keeps a request to it under a name.'
export const ASK_HELP = 'Ask "what can you do?" for the rest.'

export const GREETING = 'Hello! What can I do for you?'
export const CHAT: readonly (readonly [RegExp, string])[] = [
  [/\b(?:thanks?|thank you|thx|ty|cheers|appreciated)\b/iu, 'You are welcome.'],
  [/\b(?:bye|goodbye|see you|good night)\b/iu, 'Good bye, until next time.'],
  [/\bhow\b.{0,20}\b(?:you|things|going)\b/iu, 'I am well, thank you. What can I do for you?'],
]
export const CHAT_ELSE = 'All right.'

export const HELP_INTRO = (name: string) =>
  `I am ${name}, your private assistant. Here is what I can do for you:`
export const HELP_NOTHING = (name: string) =>
  `I am ${name}, your private assistant. There is nothing I can do in this conversation but talk: no tool is available to me here.`

/** Sentences about the assistant itself. */
export const SELF = Object.freeze({
  connected: 'Connected:',
  skills: 'Skills:',
  jobs: 'I do by myself:',
  states: {
    active: '',
    reconnecting: ' (reconnecting)',
    failed: ' (not working now)',
    unavailable: ' (at home, which is away)',
  },
  recent: 'You said:',
  nothingRecent: 'We have not talked before this, as far as I know.',
})

/**
 * Description of each kernel effect, with an example; tools have theirs in their packages. A tool that is not listed is described
 * by its own card.
 */
export const ABILITIES: Readonly<Record<string, string>> = Object.freeze({
  'memory.save': 'remember something: "remember that my locker is number 12"',
  'memory.search': 'recall it: "what do you know about my locker?"',
  'reminder.set': 'remind you: "remind me tomorrow at 9 to call mum"',
  'reminder.about': 'remind you of what was shown: "remind me of this mail on Thursday"',
  'reminder.later': 'put off the reminder that came last: "in an hour"',
  'task.add': 'keep a list: "put milk on my list"',
  'task.done': 'tick something off: "done with the second"',
})
/** Tools that are not listed as abilities: every answer uses them. */
export const SILENT_TOOLS: readonly string[] = [
  ...[
    'message.reply',
    'compose',
    'tools.search',
    'brain.load',
    'reminder.list',
    'task.list',
    'contact.add',
    'contact.new',
  ],
]

/** What was tried, shown before the reason of a failure. */
export const TRIED: Readonly<Record<string, string>> = Object.freeze({
  'memory.save': 'I could not remember that.',
  'memory.search': 'I could not look through what you told me.',
  'reminder.set': 'I could not set that reminder.',
  'reminder.about': 'I could not set that reminder.',
  'reminder.later': 'I could not put that off.',
  'task.add': 'I could not put that on your list.',
  'task.done': 'I could not tick that off.',
  'reminder.list': 'I could not look at your reminders.',
  'task.list': 'I could not look at your list.',
  'contact.new': 'I could not look at your contacts.',
  'contact.add': 'I could not add that to your contacts.',
})
export const TRIED_ELSE = 'One step did not work.'
export const UNKNOWN_TROUBLE = 'Something went wrong on my side. Please try again.'

export const MEMORY = Object.freeze({
  notSaved: 'I could not remember that. Please try again.',
  none: 'You have not told me anything about that.',
  noneElse:
    'You have not told me anything about that, and no tool of mine fits the question. For the web, begin with "search the web for".',
  noneAtAll: 'You have not asked me to remember anything yet.',
  found: 'You told me:',
  said: 'This is what we said:',
  earlier: 'You have not told me anything about that. I came across this before:',
})

/** How a repetition is said, singly and with a count. */
const AGAIN: Readonly<Record<string, readonly [one: string, many: string]>> = {
  daily: ['every day', 'days'],
  weekdays: ['every weekday', 'weekdays'],
  weekly: ['every week', 'weeks'],
  monthly: ['every month', 'months'],
  monthly_weekday: ['every month on that weekday', 'months on that weekday'],
}

export const REMINDERS = Object.freeze({
  set: (when: string, number: number) => `I will remind you, ${when} (reminder ${number}):`,
  again(repeat: string, every: number): string {
    if (repeat === 'on_days') return `, then every ${weekdayNames(every)}`
    const unit = AGAIN[repeat]
    if (unit === undefined) return ''
    const [one, many] = unit
    return `, then ${every > 1 ? `every ${every} ${many}` : one}`
  },
  later: (when: string, number: number) => `I will remind you again, ${when} (reminder ${number}).`,
  added: (number: number) => `On your list as ${number}:`,
  done: (number: number) => `Done: ${number} is off your list.`,
  due: 'Reminders:',
  unanswered: 'Came and not answered:',
  noneDue: 'No reminder is due.',
  open: 'Open on your list:',
  noneOpen: 'Nothing is open on your list.',
})

export const CONTACTS = Object.freeze({
  none: 'I found nobody there who is not a contact already.',
  more: (count: number) =>
    count === 0 ? '' : ` ${count} more did not fit on one card. Ask again for them, or name somebody.`,
  unread: (names: string) => (names === '' ? '' : ` I could not read: ${names}.`),
  added: (count: number) => (count === 1 ? 'Added: 1 contact.' : `Added: ${count} contacts.`),
  left: (count: number) => ` ${count} not added: the name is taken, or is no name.`,
})

export const NOTHING_TO_SAY = 'I have nothing to show for that. Please try saying it in another way.'
export const CUT = '(I left out the rest, to keep this short.)'

export function UNCONNECTED(title: string, service: string): string {
  const named = title.charAt(0).toUpperCase() + title.slice(1)
  return `${named} is not connected yet. At home, \`pfar connect ${service}\` says how and does it; then ask me again.`
}
