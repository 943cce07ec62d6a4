/**
 * Reminders, the list, facts and the owner's operations on them said plainly, for requests in words that no sentence has. Pure data. Must not plan. Called by
 * forms.ts.
 */
import { AT_ONCE, type Forms, LOOKS, ON_LISTS } from '../../../tools/form.ts'

/** Words that ask for something to be kept. */
const ASKS_TO_KEEP =
  /(?<!\p{L})(?:remember|re?member|mind|note|save|keep|store|memori[sz]e|forget|down|file|log|record|know|bear|merk\p{L}*|notier\p{L}*|speicher\p{L}*|schreib\p{L}*|aufschreiben|behalt\p{L}*|vergess\p{L}*|vergiss)(?!\p{L})/iu

/** Words that ask to be told of something at its time. */
const ASKS_TO_REMIND =
  /(?<!\p{L})(?:remind\p{L}*|reminder|nudge|ping|alarm|timer|alert|forget|shout|buzz|prompt|poke|prod|chase|nag|(?:tell|let|give|send|make sure|hit|bug) (?:me|i|us)|erinner\p{L}*|erinnr\p{L}*|bescheid|sag\p{L}*|denk\p{L}*|vergess\p{L}*|vergiss|stups\p{L}*|meld\p{L}*|schick\p{L}*|klingel\p{L}*)(?!\p{L})/iu
/** A file has contents of its own. */
const OF_FILE = /\w\.\p{L}{2,4}(?![\p{L}.])/u

export const OWN_FORMS: Forms = {
  'reminder.set': {
    ...{ ...AT_ONCE, tool: 'reminder.set', least: 0.7, single: 'what', asksBy: ASKS_TO_REMIND },
    ignoredParts: ['which'],
    says: {
      en: ['remind me {when} to {what}', 'remind me {early} {what}'],
      de: ['erinnere mich {when}: {what}', 'erinnere mich {early} {what}'],
    },
  },
  'task.add': {
    ...{ ...AT_ONCE, tool: 'task.add', least: 0.85, each: 'what', needsWords: true, unless: OF_FILE },
    ignoredParts: ['list'],
    says: {
      en: ['add "{what}" to my list', 'add "{what} {when}" to my list'],
      de: ['setz "{what}" auf die Liste', 'setz "{what} {when}" auf die Liste'],
    },
  },
  'task.done': {
    ...{ ...AT_ONCE, tool: 'task.done' },
    ignoredParts: ['list'],
    says: { en: ['tick off {what}'], de: ['hake {what} ab'] },
  },
  memory_save: {
    ...{ ...AT_ONCE, tool: 'memory.save', least: 0.75, each: 'what', asksBy: ASKS_TO_KEEP },
    says: { en: ['remember: {what}'], de: ['merk dir: {what}'] },
  },
  memory_search: {
    ...{ ...LOOKS, tool: 'memory.search', least: 0.5, maxOtherWords: 20, readsWholeMessage: true },
    says: { en: ['what did i tell you about {named}'], de: ['was weißt du über {named}'] },
  },
}

/** Done at once, to the one thing that is called so; "undo" takes it back. */
const OPERATION = { ...AT_ONCE, least: 0.6, maxOtherWords: 6, saysNo: true } as const
const LISTED = { ...LOOKS, least: 0.6, maxOtherWords: 20, saysNo: true } as const

/** The list, or what is still to be done. */
const ON_TASKS = new RegExp(
  `${ON_LISTS.source}|(?<!\\p{L})(?:to do|gotta do|left to do|(?:have|need|got) to do|zu tun|zu erledigen|erledigen|tun muss)(?!\\p{L})`,
  'iu',
)

/** "Don't stop reminding me" asks for the contrary. */
const NOT_ENDED =
  /(?<!\p{L})(?:don['’]?t|do not|never|not|nicht|nie)(?: \p{L}+){0,2} (?:stop|cancel|delete|remove|drop|scrap|end|lösch\p{L}*|streich\p{L}*|stopp\p{L}*)(?!\p{L})|(?:lösch|streich|stopp|beend)\p{L}*(?: \p{L}+){0,6} nicht(?! mehr)(?!\p{L})/iu

/** Operations, by the label of the trained table: what it says plainly is one of their sentences. */
export const OPERATION_FORMS: Forms = {
  'reminder.cancel': {
    ...{ ...OPERATION, tool: 'reminders.cancel', single: 'what', isOfOne: true, unless: NOT_ENDED },
    says: { en: ['stop reminding me about {what}'], de: ['lösche die Erinnerung an {what}'] },
  },
  'reminder.move': {
    ...{ ...OPERATION, tool: 'reminders.move', single: 'what', isOfOne: true },
    ignoredParts: ['old', 'which'],
    says: {
      en: ['move my reminder about {what} to {when}'],
      de: ['verschieb die Erinnerung an {what} auf {when}'],
    },
  },
  'reminder.later': {
    ...{ ...OPERATION, tool: 'reminders.later', maxOtherWords: 4, single: 'what', isOfOne: true },
    ignoredParts: ['which'],
    says: {
      en: ['snooze {what} until {when}', 'snooze for {long}', 'snooze for {by}', 'snooze until {when}'],
      de: ['snooze {what} until {when}', 'snooze for {long}', 'snooze for {by}', 'snooze until {when}'],
    },
  },
  'quiet.hours': {
    ...{ ...OPERATION, tool: 'quiet.set', maxOtherWords: 3 },
    says: { en: ['no messages {when}'], de: ['keine Nachrichten {when}'] },
  },
  'reminders.tasks': {
    ...{ ...LISTED, tool: 'reminders.tasks', asksBy: ON_TASKS },
    ignoredParts: ['list', 'what', 'which', 'long'],
    says: { en: ['show me my tasks'], de: ['zeig mir meine aufgaben'] },
  },
  'reminders.list': {
    ...{ ...LISTED, tool: 'reminders.list', asksBy: ON_LISTS },
    ignoredParts: ['what', 'which', 'when'],
    says: { en: ['show me my reminders'], de: ['show me my reminders'] },
  },
  'jobs.list': {
    ...{ ...LISTED, tool: 'jobs.list' },
    ignoredParts: ['what', 'which', 'list'],
    says: { en: ['which jobs are running'], de: ['which jobs are running'] },
  },
}
