/**
 * Fields of a message that sets something for a time of its own: a reminder, a condition, a job. Pure; must not read the message. Called by message.ts.
 */
import { type Language, languageIn } from '../../../kernel/wording/languages.ts'
import type { createZone } from '../../dates/zone.ts'
import { isQuoted, itemsOf } from '../timed/items.ts'
import type { JobReading } from '../timed/job-reading.ts'
import type { ReminderReading } from '../timed/reminder.ts'
import { type WatchReading, withoutAsked } from '../timed/watch.ts'
import { saysMore, saysSecond } from './message-coverage.ts'
import { type Fields, textField, timeFields } from './message-taken.ts'

export function reminderFields(
  text: string,
  { intent, topic, due, repeat, count, until }: ReminderReading,
  zone: ReturnType<typeof createZone>,
): Fields {
  // A list is whole if each of its items is one thing; anything else must not look like two requests.
  const isOne =
    topic === null ||
    (intent === 'task_add'
      ? isQuoted(topic) || itemsOf(topic).every((one) => !saysMore(withoutAsked(one)))
      : isOneFact(withoutAsked(topic)))
  return {
    ...{ intent, whole: isOne, quoted: false, attachments: 0 },
    language: languageOf(text),
    // Where the time was taken out between two commas.
    ...textField('topic', topic?.replace(/\s*,(?:\s*,)+/g, ',') ?? null),
    ...(due !== null && timeFields({ from: due, to: due, named: 'time' }, { zone })),
    ...(repeat !== null && { repeat }),
    ...(count !== null && { count }),
    ...(until !== undefined && { until }),
  }
}

/** Without a person it is a condition that cannot be checked. */
export function watchFields(
  text: string,
  { kind, who, email, topic, due }: WatchReading,
  zone: ReturnType<typeof createZone>,
): Fields {
  return {
    ...{ intent: 'job_watch', whole: true, quoted: false, attachments: 0 },
    language: languageOf(text),
    ...textField('topic', topic),
    ...textField('person', who),
    ...(email !== null && { email }),
    ...(due !== null && timeFields({ from: due, to: due, named: 'time' }, { zone })),
    ...(kind !== null && { repeat: kind === 'unless' ? 'once' : 'minutes' }),
  }
}

export function jobFields(
  text: string,
  {
    intent,
    topic,
    at,
    repeat,
    count,
    step,
    last,
    into,
    sure,
    untimed,
    which,
    cron,
    times,
    until,
  }: JobReading,
  zone: ReturnType<typeof createZone>,
): Fields {
  return {
    // Where there is no job, it may be about something else.
    ...{ intent, whole: intent === 'job_set' || sure === true, quoted: false, attachments: 0 },
    language: languageOf(text),
    ...textField('topic', topic),
    ...(at !== null &&
      timeFields({ from: at, to: last ?? at, named: untimed === true ? 'days' : 'time' }, { zone })),
    ...(repeat !== null && { repeat }),
    ...(count !== null && { count }),
    ...(step !== undefined && { minutes: step }),
    ...(which !== undefined && { which }),
    ...(cron !== undefined && { cron }),
    ...(times !== undefined && { times }),
    ...(until !== undefined && { until }),
    ...(into !== undefined && { into }),
  }
}

export const languageOf = (text: string): Language | 'unknown' => languageIn(text, 1) ?? 'unknown'

/** Behind "and", a second statement about the same, or what else is to be done: "… and her class is Kestrels", "… und den Pass einzupacken". */
const STATED =
  /(?<!\p{L})(?:and|und|but|aber)(?= (?:(?:he|she|it|they|that|there)['’](?:s|re|ve|d|ll) |(?:(?:he|she|it|they|her|his|their|its|er|sie|es) \p{L}|(?:doesn'?t|don'?t|isn'?t|can'?t|won'?t|mag nicht|hat keine?n?) )|[^,;.?!]{0,60}(?:(?<!\p{L})(?:is|are|was|has|have|had|likes|needs|wants|lives|works|gets|comes|ist|sind|war|hat|haben|wird|heißt|kriegt|bekommt|braucht|mag|will|kommt|arbeitet|wohnt|geht)(?!\p{L})|(?<!\p{L})zu \p{L}{3,20}en(?!\p{L})|\p{L}{2,9}zu\p{L}{3,20}en(?!\p{L}))))/giu

/** "What the harbour thing at … cost": it has to be found before it can be kept; with a colon the fact stands there. */
const FOUND_FIRST =
  /^(?:(?:for me|mir|for later|für später) )?(?:what|how (?:much|many|long)|which|who|whether|was|wie ?viel\p{L}*|welche\p{L}*|wer|ob)(?!\p{L})(?:https?:|[^:=])*$/iu

export function isFoundFirst(said: string): boolean {
  return FOUND_FIRST.test(said.trim())
}

/** A fact may say two things of one. */
export function isOneFact(said: string): boolean {
  const plain = said.replaceAll(STATED, ' ')
  if (isFoundFirst(said)) return false
  return !saysSecond(said) && !saysMore(plain) && !/, (?:please |bitte )?(?:remind|erinner)/i.test(said)
}
