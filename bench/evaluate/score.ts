/**
 * Judges one request by the state of mailbox and calendar before and after, and by what was said: what was asked for must be
 * there, and everything else unchanged. Pure. Called by main.ts; its parts also by score-own.ts and talk.ts.
 */
import { EXPLANATIONS } from '../../integrations/models/rules/words.ts'
import { type Day, type Expect, momentAt, patternOf } from './case.ts'
import type { Event, Mail, State } from './state.ts'

const NOT_UNDERSTOOD = EXPLANATIONS.not_understood

export interface Said {
  /** Answers and notices to the last message. */
  readonly answers: readonly string[]
  /** Cards of the last message, as shown. */
  readonly lastCards: readonly string[]
  /** Cards of all messages. */
  readonly cards: number
}

export interface Judged {
  readonly before: State
  readonly after: State
  readonly said: Said
}

/** Faults in words; empty for a request that succeeded. */
export function problemsOf(expect: Expect, { before, after, said }: Judged, day: Day): readonly string[] {
  const calendar = calendarProblems(expect, before.events, { after: after.events, day })
  const mailbox = mailProblems(expect, before.mails, after.mails)
  return [...calendar, ...mailbox, ...chatProblems(expect, said)]
}

function calendarProblems(
  expect: Expect,
  before: readonly Event[],
  { after, day }: { readonly after: readonly Event[]; readonly day: Day },
): readonly string[] {
  const problems: string[] = []
  const added = after.filter(({ id }) => !before.some((event) => event.id === id))
  const gone = before.filter(({ id }) => !after.some((event) => event.id === id))
  const changed = before.filter((event) => {
    const now = after.find(({ id }) => id === event.id)
    return now !== undefined && JSON.stringify(now) !== JSON.stringify(event)
  })
  for (const wanted of expect.added) {
    const fits = (event: Event): boolean =>
      patternOf(wanted.title).test(event.title) &&
      hasFields(event, wanted, day) &&
      patternOf(wanted.calendar ?? '').test(event.calendar)
    if (!takeOne(added, fits)) problems.push(`not added: ${JSON.stringify(wanted)}`)
    else if (wanted.repeats === true && !takeLater(added, patternOf(wanted.title)))
      problems.push(`does not come again: ${wanted.title}`)
  }
  for (const wanted of expect.changed) {
    const { title, newTitle } = wanted
    const fits = (event: Event): boolean => {
      const now = after.find(({ id }) => id === event.id)
      if (now === undefined || !patternOf(title).test(event.title)) return false
      return patternOf(newTitle ?? title).test(now.title) && hasFields(now, wanted, day)
    }
    if (!takeOne(changed, fits)) problems.push(`not changed: ${JSON.stringify(wanted)}`)
  }
  for (const one of expect.removed) {
    const wanted = typeof one === 'string' ? { title: one } : one
    const fits = (event: Event): boolean =>
      patternOf(wanted.title).test(event.title) && hasFields(event, wanted, day)
    if (!takeOne(gone, fits)) problems.push(`not removed: ${JSON.stringify(one)}`)
  }
  return [
    ...problems,
    ...added.map((event) => `added: ${shown(event)}`),
    ...changed.map((event) => `changed: ${shown(event)}`),
    ...gone.map((event) => `removed: ${shown(event)}`),
  ]
}

interface Fields {
  readonly start?: string | undefined
  readonly minutes?: number | undefined
  readonly attendees?: readonly string[] | undefined
}

function hasFields(event: Event, { start, minutes, attendees }: Fields, day: Day): boolean {
  const people = attendees?.map((mail) => mail.toLowerCase()).sort()
  return (
    (start === undefined || event.start === momentAt(start, day)) &&
    (minutes === undefined || event.end - event.start === minutes * 60_000) &&
    (people === undefined || JSON.stringify(people) === JSON.stringify(event.attendees))
  )
}

/** Removes the first match, so that it does not count as unexpected later. False if there is none. */
export function takeOne<T>(all: T[], fits: (one: T) => boolean): boolean {
  const at = all.findIndex(fits)
  if (at >= 0) all.splice(at, 1)
  return at >= 0
}

/** Removes all events with a matching title; false if there is none. */
function takeLater(all: Event[], title: RegExp): boolean {
  const later = all.filter((event) => title.test(event.title))
  for (const one of later) all.splice(all.indexOf(one), 1)
  return later.length > 0
}

function shown({ title, start, end }: Event): string {
  return `“${title}” ${new Date(start).toISOString().slice(0, 16)}, ${(end - start) / 60_000} minutes`
}

function mailProblems(expect: Expect, before: readonly Mail[], after: readonly Mail[]): readonly string[] {
  const problems: string[] = []
  const added = after.filter(({ id }) => !before.some((mail) => mail.id === id))
  const changed = before.filter((mail) => {
    const now = after.find(({ id }) => id === mail.id)
    return JSON.stringify(now) !== JSON.stringify(mail)
  })
  const written = (label: string, { to, text }: { readonly to: string; readonly text: string }): boolean =>
    takeOne(
      added,
      (mail) =>
        mail.labels.includes(label) &&
        mail.to.toLowerCase().includes(to.toLowerCase()) &&
        patternOf(text).test(`${mail.subject}\n${mail.body}`),
    )
  for (const one of expect.sent)
    if (!written('SENT', one)) problems.push(`not sent: to ${one.to}, ${one.text}`)
  for (const one of expect.drafted)
    if (!written('DRAFT', one)) problems.push(`no draft: to ${one.to}, ${one.text}`)
  const moved = (subject: string, labelsOf: (labels: readonly string[]) => readonly string[]): boolean =>
    takeOne(changed, (mail) => {
      const now = after.find(({ id }) => id === mail.id)
      const labels = labelsOf(mail.labels.filter((label) => label !== 'INBOX')).toSorted()
      return (
        patternOf(subject).test(mail.subject) &&
        JSON.stringify(now) === JSON.stringify({ ...mail, labels }) &&
        mail.labels.includes('INBOX')
      )
    })
  for (const subject of expect.archived)
    if (!moved(subject, (labels) => labels)) problems.push(`not archived: ${subject}`)
  for (const subject of expect.trashed)
    if (!moved(subject, (labels) => [...labels, 'TRASH'])) problems.push(`not in the trash: ${subject}`)
  return [
    ...problems,
    ...added.map(({ to, subject }) => `new mail: to ${to}, “${subject}”`),
    ...changed.map(({ subject }) => `mail changed: “${subject}”`),
  ]
}

function chatProblems(expect: Expect, { answers, lastCards, cards }: Said): readonly string[] {
  const text = [...lastCards, ...answers].join('\n')
  const missing = expect.answer.filter((one) => !patternOf(one).test(text))
  const wrong = expect.answerNot.filter((one) => patternOf(one).test(text))
  return [
    ...missing.map((one) => `not said: ${one}`),
    ...wrong.map((one) => `said: ${one}`),
    ...(text.trim() === '' ? ['no answer'] : []),
    // The help for a message that was not understood names people and times, but answers nothing.
    ...(answers.some((one) => one.includes(NOT_UNDERSTOOD)) ? ['not understood'] : []),
    ...(expect.asks && !text.includes('?') ? ['did not ask back'] : []),
    ...(expect.maxCards !== undefined && cards > expect.maxCards ? [`${cards} cards`] : []),
  ]
}
