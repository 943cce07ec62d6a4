/** What an answer may say of a deed that was done: only what the record has of it, in both halves of a corpus, English and German (C-25). */
import { describe, expect, it } from 'vitest'
import { NOT_DONE, NOT_SO, tellsOf } from '../../kernel/wording/guard/claims.ts'
import { type Given, guard } from './guarded.ts'

const WALL = { now: Date.parse('2026-11-27T12:00:00Z'), zone: 'Europe/Berlin' }
type Line = Readonly<Record<string, string | number | readonly string[]>>
const did = (id: string, said: string, values: Line, others: Given['others'] = []): Given => ({
  ...{
    done: [id],
    others,
    read: [said, { ...values }],
    record: { lines: [{ id, values: { ...values } }], ownMessage: said, wall: WALL },
  },
})

const MAIL = did('email.send', 'write to Ana: are you there?', {
  ...{ to: ['ana.perez@demo.example'], subject: 'Are you there?', body: 'are you there?' },
})
const BOOKED = did('calendar.create_event', 'book a haircut on monday at 10', {
  ...{ title: 'Haircut', from: '2026-11-30T09:00:00Z', to: '2026-11-30T10:00:00Z' },
})
const GEBUCHT = did('calendar.create_event', 'trag am Montag um 10 Uhr Friseur ein', {
  ...{ title: 'Friseur', from: '2026-11-30T09:00:00Z', to: '2026-11-30T10:00:00Z' },
})
const REMINDER = did('reminder.set', 'remind me in 2 minutes to stretch', {
  ...{ text: 'stretch', due: '2026-11-27T12:02:00Z', number: 2 },
})
const ERINNERT = did('reminder.set', 'erinner mich in 2 Minuten ans Dehnen', {
  ...{ text: 'Dehnen', due: '2026-11-27T12:02:00Z', number: 2 },
})
const ROWS = [
  { id: 'm1', from: 'sarah@friends.example', fromName: 'Sarah Chen', subject: 'Q3 budget' },
  { id: 'm2', from: 'eve@evil.example', fromName: 'Eve', subject: 'Invoice 2214' },
]
const REPLIED = did('email.reply', 'answer the first one: yes', { id: 'm1', body: 'Yes.' }, [ROWS])
const TRASHED = did('email.trash', 'throw away all three newsletters', { ids: ['a', 'b', 'c'] })
const MOVED = did('calendar.update_event', 'move the dentist from Monday to Tuesday 4pm', {
  ...{ id: 'e1', from: '2026-12-01T15:00:00Z', to: '2026-12-01T16:00:00Z' },
})
const FILED = did('email.move', 'put the invoice away', { ids: ['m2'], folder: 'Receipts' }, [ROWS])

const NOTED = did('memory.save', 'remember that my locker code is 4711', { text: 'my locker code is 4711' })
const TAX = did('calendar.create_event', 'mach mir einen Termin: Steuerberater, 8. Dezember 9 Uhr', {
  ...{ title: 'Steuerberater', from: '2026-12-08T08:00:00Z', to: '2026-12-08T09:00:00Z' },
})
const CHECKUP = {
  id: 'e7',
  title: 'Dentist check-up',
  from: '2026-12-02T08:00:00Z',
  to: '2026-12-02T08:30:00Z',
}
const CANCELLED = did('calendar.delete_event', 'cancel the dentist', { id: 'e7' }, [[CHECKUP]])
const WRITTEN = did('files.write', 'save the shopping list as groceries.txt', {
  path: 'groceries.txt',
  text: 'milk',
})
const LATER = did('email.send_later', 'send Piet tomorrow at 9: happy birthday', {
  ...{ to: ['piet@x.example'], body: 'Happy birthday!', at: '2026-11-28T08:00:00Z' },
})
const WITH_TOM = did('calendar.create_event', 'lunch with Tom on Friday at 1', {
  ...{ title: 'Lunch', from: '2026-12-04T12:00:00Z', to: '2026-12-04T13:00:00Z' },
  attendees: ['tom@demo.example'],
})
const WITHOUT_TOM = did('calendar.update_event', 'take Tom off the lunch', {
  ...{ id: 'e1', uninvite: ['tom@demo.example'] },
})
const LISTED = did('task.add', 'put milk and eggs on my list', { text: 'milk and eggs', number: 4 })

const TRUE: readonly (readonly [string, Given])[] = [
  ['Tom is invited and has not answered yet.', WITH_TOM],
  ['I booked lunch on Friday, and Tom has been invited.', WITH_TOM],
  ['Ich habe Tom eingeladen.', WITH_TOM],
  ['Done: I have sent your mail to Ana.', MAIL],
  ['I sent your mail to Ana Perez (ana.perez@demo.example).', MAIL],
  ['I’ve emailed Ana and asked whether she is there.', MAIL],
  ['I sent “Are you there?” to Ana just now.', MAIL],
  ['I sent Ana your question.', MAIL],
  ['I have sent it, and Tom will be happy.', MAIL],
  ['I sent it because Tom is away until Friday.', MAIL],
  ['Your mail has been sent to Ana today.', MAIL],
  ['Sent to Ana.', MAIL],
  ['Sent!', MAIL],
  ['Ich habe deine Mail an Ana geschickt.', MAIL],
  ['Die Mail an Ana wurde verschickt.', MAIL],
  ['Ich habe Ana die Nachricht gerade geschickt.', MAIL],
  ['Deine Nachricht habe ich an Ana verschickt.', MAIL],
  ['I booked your haircut for Monday at 10.', BOOKED],
  ['I booked the haircut on Monday, 30 November, from 10:00 to 11:00.', BOOKED],
  ['I have added a haircut to your calendar for 10 am on Monday.', BOOKED],
  ['I’ve scheduled it for the 30th.', BOOKED],
  ['I put the appointment into your calendar.', BOOKED],
  ['The appointment is booked for Monday at 10:00.', BOOKED],
  ['Booked: haircut, Monday 30 November, 10:00–11:00.', BOOKED],
  ['I booked one hour for your haircut.', BOOKED],
  ['Ich habe den Friseur am Montag um 10 Uhr eingetragen.', GEBUCHT],
  ['Der Termin ist gebucht: Friseur, Montag, 30. November.', GEBUCHT],
  ['Ich habe deinen Friseurtermin am 30.11. von 10 bis 11 Uhr eingetragen.', GEBUCHT],
  ['Den Friseur habe ich für Montag eingetragen.', GEBUCHT],
  ['I set a reminder to stretch for 13:02.', REMINDER],
  ['I have set reminder 2 for you.', REMINDER],
  ['I set a reminder in 2 minutes.', REMINDER],
  ['I have created a reminder for today at 1:02 pm.', REMINDER],
  ['Ich habe die Erinnerung ans Dehnen für heute um 13:02 Uhr angelegt.', ERINNERT],
  ['I have replied to Sarah.', REPLIED],
  ['I replied to Sarah Chen about the Q3 budget.', REPLIED],
  ['Ich habe Sarah geantwortet.', REPLIED],
  ['I deleted all three newsletters.', TRASHED],
  ['I deleted 3 mails.', TRASHED],
  ['Ich habe die drei Newsletter gelöscht.', TRASHED],
  ['Ich habe alles gelöscht.', TRASHED],
  ['I moved the dentist from Monday to Tuesday at 16:00.', MOVED],
  ['I rescheduled it to Tuesday, 1 December.', MOVED],
  ['I moved the invoice to Receipts.', FILED],
  ['I have moved Eve’s mail to your folder Receipts.', FILED],
  ['Ich habe die Mail in den Ordner Receipts verschoben.', FILED],
  ['Ich habe den Termin beim Steuerberater am Dienstag, dem 8. Dezember, um 9 Uhr eingetragen.', TAX],
  ['Der Steuerberater-Termin ist für den 8.12. um 09:00 Uhr eingetragen.', TAX],
  ['I’ve cancelled your dentist appointment on Wednesday at 9:00.', CANCELLED],
  ['I saved the shopping list as groceries.txt.', WRITTEN],
  ['I scheduled your mail to Piet for tomorrow at 9.', LATER],
  ['Ich habe mir notiert, dich in 2 Minuten ans Dehnen zu erinnern.', ERINNERT],
  ['I created a recurring event for your haircut.', BOOKED],
  ['I deleted the check-up from your calendar.', CANCELLED],
  ['I’ve put two items on your list: milk and eggs.', LISTED],
  ['I’ve noted that your locker code is 4711.', NOTED],
]

const FALSE: readonly (readonly [string, Given])[] = [
  ['I invited Anna.', WITH_TOM],
  ['Tom has been invited for Monday.', WITH_TOM],
  ['Done: I have sent your mail to Tom.', MAIL],
  ['I’ve emailed Tom.', MAIL],
  ['I sent it to tom@demo.example.', MAIL],
  ['I sent Tom your question.', MAIL],
  ['I sent it to your landlord.', MAIL],
  ['I sent your mail to Ana and Tom.', MAIL],
  ['I sent “See you tomorrow” to Ana.', MAIL],
  ['I sent three mails to Ana.', MAIL],
  ['I sent your mail to Ana Lopez.', MAIL],
  ['Sent to Tom.', MAIL],
  ['Your mail has been sent to Tom.', MAIL],
  ['Ich habe deine Mail an Tom geschickt.', MAIL],
  ['Ich habe Tom die Nachricht gerade geschickt.', MAIL],
  ['Die Mail an Tom wurde verschickt.', MAIL],
  ['Deine Nachricht habe ich an Tom verschickt.', MAIL],
  ['Ich habe zwei Mails an Ana geschickt.', MAIL],
  ['I booked your haircut for Tuesday at 10.', BOOKED],
  ['I booked the haircut on Monday at 11:00.', BOOKED],
  ['I booked the haircut for Monday at 2 pm.', BOOKED],
  ['I booked the haircut for tomorrow.', BOOKED],
  ['I booked the dentist for Monday at 10.', BOOKED],
  ['I booked a haircut for the 29th.', BOOKED],
  ['I booked a haircut for Monday, 30 October.', BOOKED],
  ['I have booked a haircut with Sarah.', BOOKED],
  ['The appointment is booked for Friday.', BOOKED],
  ['Booked: haircut, Friday, 10:00.', BOOKED],
  ['I booked two haircuts.', BOOKED],
  ['Ich habe den Zahnarzt am Montag eingetragen.', GEBUCHT],
  ['Ich habe den Friseur am Dienstag eingetragen.', GEBUCHT],
  ['Ich habe den Friseur um 14 Uhr eingetragen.', GEBUCHT],
  ['Der Termin ist für Freitag gebucht.', GEBUCHT],
  ['Den Friseur habe ich für morgen eingetragen.', GEBUCHT],
  ['I set a reminder to water the plants.', REMINDER],
  ['I set a reminder for 5 pm.', REMINDER],
  ['I have set reminder 4 for you.', REMINDER],
  ['I set a reminder in 20 minutes.', REMINDER],
  ['Ich habe die Erinnerung ans Blumengießen angelegt.', ERINNERT],
  ['Ich habe die Erinnerung für 17 Uhr angelegt.', ERINNERT],
  ['I have replied to Eve.', REPLIED],
  ['I replied to Tom.', REPLIED],
  ['Ich habe Eve geantwortet.', REPLIED],
  ['I deleted 5 mails.', TRASHED],
  ['I deleted all four newsletters.', TRASHED],
  ['Ich habe die fünf Newsletter gelöscht.', TRASHED],
  ['I moved the dentist to Thursday.', MOVED],
  ['I moved the haircut to Tuesday.', MOVED],
  ['I moved the invoice to Travel.', FILED],
  ['I moved Sarah’s mail to Receipts.', FILED],
  ['Ich habe die Mail in den Ordner Reisen verschoben.', FILED],
  ['Ich habe den Termin beim Zahnarzt eingetragen.', TAX],
  ['Der Termin ist für den 9.12. um 09:00 Uhr eingetragen.', TAX],
  ['Ich habe den Steuerberater am 9. Dezember eingetragen.', TAX],
  ['I’ve cancelled your dentist appointment on Wednesday at 8:00.', CANCELLED],
  ['I deleted the haircut.', CANCELLED],
  ['I saved the list as shopping.txt.', WRITTEN],
  ['I scheduled your mail to Pieter for tomorrow.', LATER],
  ['I scheduled your mail to Piet for tonight at 9.', LATER],
  ['I’ve added three items.', LISTED],
  ['I added bread to your list.', LISTED],
  ['I’ve noted that your locker code is 4712.', NOTED],
  ['I’ve emailed your landlord.', MAIL],
]

it.each([
  ['I invited Tom.', BOOKED],
  ['I have mailed Tom.', WITH_TOM],
])('“%s” is no claim that an event bears out which has nobody, nor one of a mail', (claim, given) => {
  expect(guard(claim, given)).toBe(NOT_DONE)
})

describe('a claim of a deed', () => {
  it.each(TRUE)('%s is what was done', (text, given) => expect(guard(text, given)).toBe(text))
  it.each(FALSE)('%s is not what was done', (text, given) => expect(guard(text, given)).toContain(NOT_SO))

  it('of who was taken off is not that they were invited', () => {
    expect(guard('I have invited Tom.', WITHOUT_TOM)).not.toContain('invited Tom')
  })

  it('is judged by itself: the true one beside a false one stays', () =>
    expect(guard('I sent your mail to Tom. I sent it to Ana.', MAIL)).toBe(`${NOT_SO} I sent it to Ana.`))

  it('is not judged in a sentence that claims without end', () =>
    expect(guard('I sent it to Ana and '.repeat(40), MAIL)).toBe(NOT_SO))

  it('of two deeds may have the words of both', () => {
    const lines = [...(MAIL.record?.lines ?? []), ...(BOOKED.record?.lines ?? [])]
    const both = { ...MAIL, done: lines.map(({ id }) => id), record: { lines, ownMessage: '', wall: WALL } }
    const text = 'I sent the mail to Ana and booked the haircut for Monday.'
    expect(guard(text, both)).toBe(text)
    expect(guard('I sent the haircut mail to Ana on Monday.', both)).toBe(NOT_SO)
  })

  it('of an earlier task may say what was read of it', () => {
    const earlier = {
      ...MAIL,
      read: ['did it go out?', 'person: write to Ana'],
      record: { lines: [], ownMessage: 'did it go out?', wall: WALL },
    }
    expect(guard('Yes, I sent it to Ana.', earlier)).toBe('Yes, I sent it to Ana.')
    expect(guard('Yes, I sent it to Tom.', earlier)).toBe(NOT_SO)
  })

  it('in the passive may be what somebody wrote', () => {
    const given = { ...MAIL, others: ['Your invoice was sent to Bob on Tuesday'] }
    expect(guard('The invoice was sent to Bob.', given)).toBe('The invoice was sent to Bob.')
    expect(guard('The invoice was sent to Carl.', given)).toBe(NOT_SO)
  })
})

describe('whether an answer tells of a deed', () => {
  it.each<[string, string, boolean]>([
    ['I have sent it.', 'email.send', true],
    ['Gebucht.', 'calendar.create_event', true],
    ['Ich habe den Termin eingetragen.', 'calendar.create_event', true],
    ['I am tiny, and this is my fixed answer.', 'email.send', false],
    ['I have not sent it.', 'email.send', false],
    ['I booked it.', 'email.send', false],
    ['Shall I send it?', 'email.send', false],
    ['She writes: "I have sent it."', 'email.send', false],
  ])('%s of %s: %s', (text, action, expected) => expect(tellsOf(text, action)).toBe(expected))
})
