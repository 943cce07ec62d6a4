/**
 * Sentences that answer the invitation of a mail and are in no training table: "accept it" after an invitation was shown; if only
 * the mail has the event, it is entered in the calendar. Data only. Called by asked-at-home.ts, at home.
 */
import type { Phrases } from '../../phrase.ts'
import { SHOWN } from './shown-steps.ts'

/** Enters a single event that only the mail has in the calendar: needs an approval, and notifies nobody. */
const BOOKS = [
  {
    ...{ id: 's5', do: 'select', from: 's1.events', take: 'first' },
    where: { field: 'repeats', equals: false },
    when: { ref: 's3', is: 'empty' },
  },
  {
    ...{ id: 's6', do: 'tool', tool: 'calendar.create_event' },
    args: {
      ...{ title: { $ref: 's5.title' }, from: { $ref: 's5.from' }, to: { $ref: 's5.to' } },
      location: { $ref: 's5.place' },
    },
    when: { ref: 's5', is: 'not_empty' },
  },
] as const

/** Answers the calendar event that belongs to the invitation of the mail shown last. */
const answering = (answer: string, otherwise: typeof BOOKS | readonly [] = []) =>
  ({
    shown: { ...SHOWN, one: [...SHOWN.one, 'email.invitation'] },
    plan: [
      { id: 's1', do: 'tool', tool: 'email.invitation', args: { id: '{one.id}' } },
      {
        ...{ id: 's2', do: 'tool', tool: 'calendar.list_events' },
        args: { from: { $ref: 's1.events[0].from' }, to: { $ref: 's1.events[0].to' } },
      },
      {
        ...{ id: 's3', do: 'select', from: 's2.events', matching: 's1.events[0].title', take: 'one' },
        ...(otherwise.length > 0 && { independent: true }),
      },
      {
        ...{ id: 's4', do: 'tool', tool: 'calendar.answer_invitation' },
        args: { id: { $ref: 's3.id' }, answer, calendar: { $ref: 's3.calendarId' } },
        ...(otherwise.length > 0 && { when: { ref: 's3', is: 'not_empty' } }),
      },
      ...otherwise,
    ],
  }) as const

const IT = '(it|that|this|the invitation|this invitation|that invitation|the invite|this invite)'
const SIE = '(sie|das|die einladung|diese einladung|die termineinladung)'

export const INVITED: Phrases = {
  shapes: {},
  lists: { en: {}, de: {} },
  asks: [
    {
      ...answering('accepted', BOOKS),
      says: {
        en: [`accept ${IT}`, `say yes to (the|this|that) (invitation|invite)`],
        de: [`nimm ${SIE} an`, `${SIE} annehmen`, 'sag (der|dieser) einladung zu'],
      },
    },
    {
      ...answering('declined'),
      says: {
        en: [`decline ${IT}`, 'say no to (the|this|that) (invitation|invite)'],
        de: [`(lehn|lehne) ${SIE} ab`, `${SIE} ablehnen`, 'sag (der|dieser) einladung ab'],
      },
    },
  ],
}
