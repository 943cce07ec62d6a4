/**
 * How people ask for all of a series to be deleted, by a word of it or as what was just booked or shown. Without these words one time of it is meant, and the card
 * says which. Data only. Called by phrases.ts.
 */
import type { Phrases } from '../phrase.ts'
import { SHOWN } from './guests.ts'

const GERMAN = '(lösch|lösche|streich|streiche|entfern|entferne)'

export const WHOLE_SERIES: Phrases['asks'] = [
  {
    says: {
      en: [
        '(cancel|delete|remove) the (whole|entire) {what} series',
        '(cancel|delete|remove) the (whole|entire) series of {what}',
      ],
      de: [
        `${GERMAN} die ganze serie {what}`,
        `${GERMAN} die ganze {what} serie`,
        '(sag|sage) die ganze serie {what} ab',
      ],
    },
    plan: [
      { id: 's1', do: 'tool', tool: 'calendar.list_events', args: {} },
      { id: 's2', do: 'select', from: 's1.events', matching: '{what}', take: 'first' },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.delete_event' },
        args: { id: { $ref: 's2.id' }, calendar: { $ref: 's2.calendarId' }, series: true },
      },
    ],
  },
  {
    says: {
      en: ['(cancel|delete|remove) the (whole|entire) series', '(cancel|delete|remove) all of that series'],
      de: [`${GERMAN} die ganze serie`, '(sag|sage) die ganze serie ab'],
    },
    shown: SHOWN,
    plan: [
      {
        ...{ id: 's1', do: 'tool', tool: 'calendar.delete_event' },
        args: { id: '{one.id}', calendar: '{one.calendarId}', series: true },
      },
    ],
  },
]
